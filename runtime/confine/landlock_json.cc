// A plan as JSON: the record by which `exec` re-applies what `create` decided.
#include "oci/decode.h"
#include "runtime/base/json_writer.h"
#include "runtime/confine/landlock.h"
#include "runtime/confine/landlock_record.h"

namespace langsbx::confine {
namespace {

namespace decode = oci::decode;

constexpr std::size_t kMostLayers = 16;
constexpr std::size_t kUsualSize = 4096;
constexpr int kHighestAbi = 1000;

void write_rights(LandlockKind kind, std::uint64_t access, Names names, JsonWriter& out) {
  out.add("access", access);
  if (names == Names::kNo) return;
  out.open_list("rights");
  each_right_name(kind, access, [&out](std::string_view name) { out.add_item(name); });
  out.close_list();
}

void write_layer(const LandlockLayer& layer, Names names, JsonWriter& out) {
  out.open_item();
  out.add("name", layer.name);
  out.add("origin", layer.origin);
  out.add("handledFs", layer.handled_fs);
  out.add("handledNet", layer.handled_net);
  out.add("scoped", layer.scoped);
  out.add("stdio", layer.stdio);
  if (layer.starts_program) out.add("startsProgram", true);
  out.open_list("paths");
  for (const LandlockPathGrant& grant : layer.paths) {
    out.open_item();
    out.add("path", grant.path);
    write_rights(LandlockKind::kFs, grant.access, names, out);
    out.add("mustExist", grant.must_exist);
    if (!grant.beneath.empty()) out.add("beneath", grant.beneath);
    if (grant.own) out.add("own", true);
    out.close_object();
  }
  out.close_list();
  out.open_list("ports");
  for (const LandlockPortGrant& grant : layer.ports) {
    out.open_item();
    out.add("port", std::uint64_t{grant.port});
    write_rights(LandlockKind::kNet, grant.access, names, out);
    out.close_object();
  }
  out.close_list();
  out.close_object();
}

constexpr decode::Field kPathFields[] = {
    decode::field<&LandlockPathGrant::path>("path"),
    decode::field<&LandlockPathGrant::access>("access"),
    decode::field<&LandlockPathGrant::must_exist>("mustExist"),
    decode::field<&LandlockPathGrant::beneath>("beneath"),
    decode::field<&LandlockPathGrant::own>("own"),
};
constexpr decode::Type kPath = decode::object<kPathFields>();
constexpr decode::Type kPaths = decode::array<std::vector<LandlockPathGrant>, &kPath>();

constexpr decode::Field kPortFields[] = {
    decode::field<&LandlockPortGrant::port>("port"),
    decode::field<&LandlockPortGrant::access>("access"),
};
constexpr decode::Type kPort = decode::object<kPortFields>();
constexpr decode::Type kPorts = decode::array<std::vector<LandlockPortGrant>, &kPort>();

constexpr decode::Field kLayerFields[] = {
    decode::field<&LandlockLayer::name>("name"),
    decode::field<&LandlockLayer::origin>("origin"),
    decode::field<&LandlockLayer::handled_fs>("handledFs"),
    decode::field<&LandlockLayer::handled_net>("handledNet"),
    decode::field<&LandlockLayer::scoped>("scoped"),
    decode::field<&LandlockLayer::stdio>("stdio"),
    decode::field<&LandlockLayer::starts_program>("startsProgram"),
    decode::field<&LandlockLayer::paths>("paths", &kPaths),
    decode::field<&LandlockLayer::ports>("ports", &kPorts),
};
constexpr decode::Type kLayer = decode::object<kLayerFields>();
constexpr decode::Type kLayers = decode::array<std::vector<LandlockLayer>, &kLayer>();

constexpr decode::Field kPlanFields[] = {
    decode::field<&LandlockPlan::abi>("abi", &decode::kInteger<int, 0, kHighestAbi>),
    decode::field<&LandlockPlan::log_denials>("logDenials"),
    decode::field<&LandlockPlan::unenforced>("unenforced"),
    decode::field<&LandlockPlan::notes>("notes"),
    decode::field<&LandlockPlan::layers>("layers", &kLayers),
};

Result<void> check_grant(const LandlockPathGrant& grant) {
  const auto wrong = [](const char* what) { return make_error(ErrorKind::kInvalidInput, what); };
  if (!grant.path.starts_with('/')) return wrong("path is not absolute");
  const std::string* longer = &grant.path;
  for (auto above = grant.beneath.rbegin(); above != grant.beneath.rend(); ++above) {
    if (!above->starts_with('/') || !is_path_below(*longer, *above)) {
      return wrong("beneath names what is not above path");
    }
    longer = &*above;
  }
  return {};
}

}  // namespace

void write_members(const LandlockPlan& plan, Names names, JsonWriter& out) {
  out.add("abi", static_cast<std::uint64_t>(plan.abi));
  out.open_list("layers");
  for (const LandlockLayer& layer : plan.layers) write_layer(layer, names, out);
  out.close_list();
  out.add("logDenials", plan.log_denials);
  out.add("unenforced", plan.unenforced);
  out.add("notes", plan.notes);
}

std::string to_json(const LandlockPlan& plan) {
  JsonWriter out(kUsualSize);
  write_members(plan, Names::kYes, out);
  return out.finish();
}

const decode::Type kLandlockPlan = decode::object<kPlanFields>();

Result<void> check_record(const LandlockPlan& plan, std::string_view name) {
  if (plan.layers.size() > kMostLayers) {
    return make_error(ErrorKind::kInvalidInput,
                      std::string(name) + ": more layers than the kernel takes");
  }
  for (const LandlockLayer& layer : plan.layers) {
    for (const LandlockPathGrant& grant : layer.paths) {
      TRY_CONTEXT(check_grant(grant), std::string(name) + ": \"" + grant.path + "\"");
    }
  }
  return {};
}

Result<LandlockPlan> landlock_plan_from_json(std::string_view json) {
  LandlockPlan plan;
  TRY(decode::decode(json, kLandlockPlan, &plan, "Landlock plan"));
  TRY(check_record(plan, "Landlock plan"));
  return plan;
}

}  // namespace langsbx::confine
