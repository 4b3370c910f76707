// The report as text, as JSON, and as annotations.
#include "runtime/confine/report.h"

#include <algorithm>

#include "oci/decode.h"
#include "runtime/base/json_writer.h"
#include "runtime/confine/landlock_record.h"

namespace langsbx::confine {
namespace {

namespace decode = oci::decode;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text.empty() ? "none" : text;
}

std::string unprefixed(CapabilitySet set) {
  std::vector<std::string> names = capability_names(set);
  for (std::string& name : names) {
    if (name.starts_with("CAP_")) name.erase(0, 4);
  }
  return joined(names);
}

// Everything that changes files, but the making of device nodes.
constexpr std::uint64_t kModify = fs::kWriteFile | fs::kTruncate | fs::kMakeDir | fs::kMakeReg |
                                  fs::kMakeSock | fs::kMakeFifo | fs::kMakeSym | fs::kRemoveDir |
                                  fs::kRemoveFile | fs::kRefer;

std::string grant_text(std::uint64_t access, std::uint64_t modify) {
  std::vector<std::string> words;
  if (modify != 0 && (access & modify) == modify) {
    words.emplace_back("modify");
    access &= ~modify;
  }
  const auto names = right_names(LandlockKind::kFs, access);
  words.insert(words.begin(), names.begin(), names.end());
  return joined(words);
}

void layer_text(const LandlockLayer& layer, int abi, std::string& text) {
  text += "landlock " + layer.name + " (" + layer.origin + ")\n";
  const auto line = [&text](const std::string& what, const std::vector<std::string>& names) {
    if (!names.empty()) text += "  " + what + ": " + joined(names) + "\n";
  };
  if (layer.handled_fs != 0 && layer.handled_fs == known_rights(LandlockKind::kFs, abi)) {
    line("restricts files", {"every right of ABI " + std::to_string(abi)});
  } else {
    line("restricts files", right_names(LandlockKind::kFs, layer.handled_fs));
  }
  line("restricts network", right_names(LandlockKind::kNet, layer.handled_net));
  line("scopes", right_names(LandlockKind::kScope, layer.scoped));
  const std::uint64_t modify = kModify & layer.handled_fs;
  // A path that is named twice is allowed what both say.
  std::vector<LandlockPathGrant> grants;
  for (const LandlockPathGrant& grant : layer.paths) {
    const auto known = std::find_if(grants.begin(), grants.end(),
                                    [&](const auto& other) { return other.path == grant.path; });
    if (known == grants.end()) {
      grants.push_back(grant);
    } else {
      known->access |= grant.access;
    }
  }
  for (const LandlockPathGrant& grant : grants) {
    text += "  allow " + grant.path + ": " + grant_text(grant.access, modify) + "\n";
  }
  for (const LandlockPortGrant& grant : layer.ports) {
    text += "  allow port " + std::to_string(grant.port) + ": " +
            joined(right_names(LandlockKind::kNet, grant.access)) + "\n";
  }
}

void write_set(JsonName name, CapabilitySet set, JsonWriter& out) {
  out.open_list(name);
  for (const std::string& one : capability_names(set)) out.add_item(one);
  out.close_list();
}

void write_capabilities(const CapabilityPlan& plan, JsonWriter& out) {
  out.open_object("capabilities");
  write_set("bounding", plan.bounding, out);
  write_set("effective", plan.effective, out);
  write_set("permitted", plan.permitted, out);
  write_set("inheritable", plan.inheritable, out);
  write_set("ambient", plan.ambient, out);
  out.add("warnings", plan.warnings);
  out.close_object();
}

std::string store_capability(void* target, const decode::Scalar& scalar) {
  const int number = capability_number(scalar.text);
  if (number < 0) return "unknown capability";
  *static_cast<CapabilitySet*>(target) |= CapabilitySet{1} << static_cast<unsigned>(number);
  return {};
}
constexpr decode::Type kCapability{.expected = decode::Expected::kString,
                                   .accepts = accepts(decode::ScalarKind::kString),
                                   .store = store_capability};
constexpr decode::Type kCapabilitySet{
    .shape = decode::Shape::kArray,
    .expected = decode::Expected::kArray,
    .add =
        [](void* set, std::string_view) {
          return decode::Slot{&kCapability, set};
        },
    .clear = [](void* set) { *static_cast<CapabilitySet*>(set) = 0; }};

constexpr decode::Field kCapabilityFields[] = {
    decode::field<&CapabilityPlan::bounding>("bounding", &kCapabilitySet),
    decode::field<&CapabilityPlan::effective>("effective", &kCapabilitySet),
    decode::field<&CapabilityPlan::permitted>("permitted", &kCapabilitySet),
    decode::field<&CapabilityPlan::inheritable>("inheritable", &kCapabilitySet),
    decode::field<&CapabilityPlan::ambient>("ambient", &kCapabilitySet),
    decode::field<&CapabilityPlan::warnings>("warnings"),
};
constexpr decode::Type kCapabilities = decode::object<kCapabilityFields>();

void write_seccomp(const SeccompSummary& summary, JsonWriter& out) {
  out.open_item();
  out.add("name", summary.name);
  out.add("defaultAction", summary.default_action);
  out.add("architectures", summary.architectures);
  out.add("flags", summary.flags);
  out.add("instructions", std::uint64_t{summary.instructions});
  out.add("skipped", summary.skipped);
  out.close_object();
}

constexpr decode::Field kSeccompFields[] = {
    decode::field<&SeccompSummary::name>("name"),
    decode::field<&SeccompSummary::default_action>("defaultAction"),
    decode::field<&SeccompSummary::architectures>("architectures"),
    decode::field<&SeccompSummary::flags>("flags"),
    decode::field<&SeccompSummary::instructions>("instructions",
                                                 &decode::kInteger<std::uint32_t, 0, 4096>),
    decode::field<&SeccompSummary::skipped>("skipped"),
};
constexpr decode::Type kSeccomp = decode::object<kSeccompFields>();
constexpr decode::Type kSeccomps = decode::array<std::vector<SeccompSummary>, &kSeccomp>();

constexpr decode::Field kReportFields[] = {
    decode::field<&ConfinementReport::uid>("uid"),
    decode::field<&ConfinementReport::gid>("gid"),
    decode::field<&ConfinementReport::no_new_privileges>("noNewPrivileges"),
    decode::field<&ConfinementReport::apparmor_profile>("apparmorProfile"),
    decode::field<&ConfinementReport::selinux_label>("selinuxLabel"),
    decode::field<&ConfinementReport::removed_environment>("removedEnvironment"),
    decode::field<&ConfinementReport::capabilities>("capabilities", &kCapabilities),
    decode::field<&ConfinementReport::seccomp>("seccomp", &kSeccomps),
    decode::field<&ConfinementReport::landlock>("landlock", &kLandlockPlan),
};
constexpr decode::Type kReport = decode::object<kReportFields>();

}  // namespace

std::string report_text(const ConfinementReport& report) {
  std::string text = "user " + std::to_string(report.uid) + ":" + std::to_string(report.gid) +
                     "\nno_new_privs " + (report.no_new_privileges ? "yes" : "no") + "\n";
  const CapabilityPlan& sets = report.capabilities;
  text += "capabilities\n  bounding: " + unprefixed(sets.bounding) +
          "\n  effective: " + unprefixed(sets.effective) +
          "\n  permitted: " + unprefixed(sets.permitted) +
          "\n  inheritable: " + unprefixed(sets.inheritable) +
          "\n  ambient: " + unprefixed(sets.ambient) + "\n";
  if (report.seccomp.empty()) text += "seccomp none\n";
  for (const SeccompSummary& filter : report.seccomp) {
    text += "seccomp " + filter.name + "\n  default: " + filter.default_action +
            "\n  instructions: " + std::to_string(filter.instructions) + "\n";
    if (!filter.skipped.empty()) text += "  not known here: " + joined(filter.skipped) + "\n";
  }
  if (report.landlock.empty()) text += "landlock none\n";
  for (const LandlockLayer& layer : report.landlock.layers) {
    layer_text(layer, report.landlock.abi, text);
  }
  if (text.find(" modify\n") != std::string::npos) {
    text += "(modify: " + joined(right_names(LandlockKind::kFs, kModify)) + ")\n";
  }
  for (const std::string& what : report.landlock.unenforced) text += "not enforced: " + what + "\n";
  for (const std::string& what : report.landlock.notes) text += "note: " + what + "\n";
  for (const std::string& what : sets.warnings) text += "warning: " + what + "\n";
  if (!report.apparmor_profile.empty()) text += "apparmor " + report.apparmor_profile + "\n";
  if (!report.selinux_label.empty()) text += "selinux " + report.selinux_label + "\n";
  if (!report.removed_environment.empty()) {
    text += "removed from the environment: " + joined(report.removed_environment) + "\n";
  }
  return text;
}

std::string report_json(const ConfinementReport& report, Names names) {
  return report_json(
      ConfinementView{report.landlock, report.seccomp, report.capabilities,
                      report.no_new_privileges, report.uid, report.gid, report.apparmor_profile,
                      report.selinux_label, report.removed_environment},
      names);
}

std::string report_json(const ConfinementView& report, Names names) {
  constexpr std::size_t kUsualSize = 2048;
  JsonWriter out(kUsualSize);
  out.add("uid", std::uint64_t{report.uid});
  out.add("gid", std::uint64_t{report.gid});
  out.add("noNewPrivileges", report.no_new_privileges);
  write_capabilities(report.capabilities, out);
  out.open_list("seccomp");
  for (const SeccompSummary& summary : report.seccomp) write_seccomp(summary, out);
  out.close_list();
  out.add("apparmorProfile", report.apparmor_profile);
  out.add("selinuxLabel", report.selinux_label);
  out.add("removedEnvironment", report.removed_environment);
  out.open_object("landlock");
  write_members(report.landlock, names, out);
  out.close_object();
  return out.finish();
}

Result<ConfinementReport> report_from_json(std::string_view json) {
  ConfinementReport report;
  TRY(decode::decode(json, kReport, &report, "confinement record"));
  TRY(check_record(report.landlock, "confinement record: landlock"));
  return report;
}

std::map<std::string, std::string> report_annotations(const ConfinementReport& report) {
  std::map<std::string, std::string> annotations;
  std::string layers;
  for (const LandlockLayer& layer : report.landlock.layers) {
    layers += (layers.empty() ? "" : "+") + layer.name;
  }
  const std::string abi = ", ABI " + std::to_string(report.landlock.abi);
  annotations["io.langsbx.confinement.landlock"] = layers.empty() ? "none" + abi : layers + abi;
  if (!report.landlock.unenforced.empty()) {
    std::string all;
    for (const std::string& what : report.landlock.unenforced) {
      all += (all.empty() ? "" : "; ") + what;
    }
    annotations["io.langsbx.confinement.unenforced"] = std::move(all);
  }
  if (!report.landlock.notes.empty()) {
    std::string all;
    for (const std::string& what : report.landlock.notes) all += (all.empty() ? "" : "; ") + what;
    annotations["io.langsbx.confinement.notes"] = std::move(all);
  }
  std::string filters;
  for (const SeccompSummary& filter : report.seccomp) {
    filters += (filters.empty() ? "" : "+") + filter.name;
  }
  annotations["io.langsbx.confinement.seccomp"] = filters.empty() ? "none" : filters;
  annotations["io.langsbx.confinement.no-new-privileges"] =
      report.no_new_privileges ? "true" : "false";
  annotations["io.langsbx.confinement.capabilities"] =
      unprefixed(report.capabilities.permitted | report.capabilities.bounding);
  return annotations;
}

}  // namespace langsbx::confine
