// process.landlock and landlockconfig documents to a layer.
#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

constexpr int kNewestAbi = 10;

Error bad(const std::string& path, const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, path + ": " + what);
}

// landlockconfig's groups: what the document's own ABI had under that name.
std::optional<std::uint64_t> group_bits(LandlockKind kind, std::string_view name, int abi) {
  const std::uint64_t all = known_rights(kind, abi);
  if (name == "abi.all") return all;
  if (kind != LandlockKind::kFs) return std::nullopt;
  const std::uint64_t read_execute = fs::kExecute | fs::kRead;
  if (name == "abi.read_execute") return all & read_execute;
  if (name == "abi.read_write") return all & ~fs::kExecute;
  return std::nullopt;
}

class Converter {
 public:
  Converter(const oci::Landlock& config, LandlockForm form, std::string_view origin, int abi,
            std::vector<std::string>& unenforced)
      : config_(config),
        is_document_(form == LandlockForm::kDocument),
        origin_(origin),
        // The proposal nests its rules, landlockconfig does not.
        rules_(is_document_ ? "" : ".rules"),
        abi_(abi),
        unenforced_(unenforced) {
    layer_.name = "program";
    layer_.origin = origin;
  }

  Result<LandlockLayer> convert() {
    if (!is_document_ && !config_.variables.empty()) {
      return bad(origin_ + ".variable", "only a landlockconfig document has variables");
    }
    document_abi_ = config_.abi.value_or(kNewestAbi);
    if (document_abi_ < 1 || document_abi_ > kNewestAbi) {
      return bad(origin_ + ".abi", "not in 1.." + std::to_string(kNewestAbi));
    }
    layer_.handled_fs = TRY(handled(LandlockKind::kFs, config_.handled_access_fs,
                                    !config_.path_beneath.empty(), "handledAccessFs"));
    layer_.handled_net = TRY(handled(LandlockKind::kNet, config_.handled_access_net,
                                     !config_.port_beneath.empty(), "handledAccessNet"));
    if (is_document_) TRY(handle_what_is_allowed());
    layer_.scoped = TRY(handled(LandlockKind::kScope, config_.scoped, false, "scoped"));
    if ((layer_.handled_fs | layer_.handled_net | layer_.scoped) == 0) {
      return bad(origin_ + ".ruleset", "restricts nothing");
    }
    for (std::size_t i = 0; i < config_.path_beneath.size(); ++i) TRY(add_paths(i));
    for (std::size_t i = 0; i < config_.port_beneath.size(); ++i) TRY(add_ports(i));
    mask(LandlockKind::kFs, layer_.handled_fs);
    mask(LandlockKind::kNet, layer_.handled_net);
    mask(LandlockKind::kScope, layer_.scoped);
    for (LandlockPathGrant& grant : layer_.paths) grant.access &= layer_.handled_fs;
    for (LandlockPortGrant& grant : layer_.ports) grant.access &= layer_.handled_net;
    return std::move(layer_);
  }

 private:
  Result<std::uint64_t> bits(LandlockKind kind, const std::vector<std::string>& names,
                             const std::string& path) const {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto group = group_bits(kind, names[i], document_abi_);
      const auto right = group ? group : right_from_text(kind, names[i]);
      if (!right || *right == 0) {
        return bad(path + "[" + std::to_string(i) + "]", "unknown right \"" + names[i] + "\"");
      }
      result |= *right;
    }
    return result;
  }

  Result<std::uint64_t> handled(LandlockKind kind, const std::vector<std::string>& names,
                                bool has_rules, const std::string& field) const {
    const std::string path = origin_ + ".ruleset." + field;
    const std::uint64_t wanted = names.empty() && has_rules ? known_rights(kind, document_abi_)
                                                            : TRY(bits(kind, names, path));
    TRY(check_known(kind, wanted, path));
    return wanted;
  }

  [[nodiscard]] Result<void> check_known(LandlockKind kind, std::uint64_t wanted,
                                         const std::string& path) const {
    const std::uint64_t missing = wanted & ~known_rights(kind, abi_);
    if (missing == 0 || config_.best_effort) return {};
    std::string text = path + ": " + right_names(kind, missing).front() +
                       " is not in the kernel's Landlock ABI " + std::to_string(abi_);
    // "abi.all", or no list: what it means is the document's to say.
    if (!config_.abi && abi_ > 0 && (missing & ~known_rights(kind, kNewestAbi)) == 0) {
      text += " (without \"abi\": " + std::to_string(abi_) + " the document means ABI " +
              std::to_string(kNewestAbi) + ")";
    }
    return make_error(ErrorKind::kUnsupported, text);
  }

  Result<void> handle_what_is_allowed() {
    for (std::size_t i = 0; i < config_.path_beneath.size(); ++i) {
      const auto& names = config_.path_beneath[i].allowed_access;
      layer_.handled_fs |= TRY(bits(LandlockKind::kFs, names, path_rule(i) + ".allowedAccess"));
    }
    for (std::size_t i = 0; i < config_.port_beneath.size(); ++i) {
      const auto& names = config_.port_beneath[i].allowed_access;
      layer_.handled_net |= TRY(bits(LandlockKind::kNet, names, port_rule(i) + ".allowedAccess"));
    }
    TRY(check_known(LandlockKind::kFs, layer_.handled_fs, origin_ + ".pathBeneath"));
    return check_known(LandlockKind::kNet, layer_.handled_net, origin_ + ".netPort");
  }

  [[nodiscard]] std::string path_rule(std::size_t index) const {
    return origin_ + rules_ + ".pathBeneath[" + std::to_string(index) + "]";
  }
  [[nodiscard]] std::string port_rule(std::size_t index) const {
    return origin_ + rules_ + (is_document_ ? ".netPort[" : ".portBeneath[") +
           std::to_string(index) + "]";
  }

  void mask(LandlockKind kind, std::uint64_t& handled_bits) {
    for (const std::string& name : right_names(kind, handled_bits & ~known_rights(kind, abi_))) {
      unenforced_.push_back(origin_ + ": " + name + " is not in the kernel's Landlock ABI " +
                            std::to_string(abi_));
    }
    handled_bits &= known_rights(kind, abi_);
  }

  Result<void> add_paths(std::size_t index) {
    const oci::LandlockPathRule& rule = config_.path_beneath[index];
    const std::string at = path_rule(index);
    const std::uint64_t access =
        TRY(bits(LandlockKind::kFs, rule.allowed_access, at + ".allowedAccess"));
    TRY(check_handled(LandlockKind::kFs, access, layer_.handled_fs, at));
    if (rule.paths.empty()) return bad(at, "names no path");
    for (const std::string& path : rule.paths) {
      if (!path.starts_with('/')) return bad(at, "\"" + path + "\" is not an absolute path");
      layer_.paths.push_back({path, access, !config_.best_effort});
    }
    return {};
  }

  Result<void> add_ports(std::size_t index) {
    const oci::LandlockPortRule& rule = config_.port_beneath[index];
    const std::string at = port_rule(index);
    const std::uint64_t access =
        TRY(bits(LandlockKind::kNet, rule.allowed_access, at + ".allowedAccess"));
    TRY(check_handled(LandlockKind::kNet, access, layer_.handled_net, at));
    for (const std::uint64_t port : rule.ports) {
      if (port > 65535) return bad(at, std::to_string(port) + " is not a port");
      layer_.ports.push_back({static_cast<std::uint16_t>(port), access});
    }
    return {};
  }

  // The kernel refuses a rule that allows what the ruleset does not handle: it is allowed anyway.
  [[nodiscard]] Result<void> check_handled(LandlockKind kind, std::uint64_t access,
                                           std::uint64_t handled_bits,
                                           const std::string& at) const {
    const std::uint64_t outside = access & ~handled_bits;
    if (access == 0) return bad(at + ".allowedAccess", "allows nothing");
    if (outside == 0) return {};
    return bad(at + ".allowedAccess",
               right_names(kind, outside).front() + " is not handled by the ruleset");
  }

  const oci::Landlock& config_;
  bool is_document_;
  std::string origin_;
  std::string rules_;
  int abi_;
  int document_abi_ = kNewestAbi;
  std::vector<std::string>& unenforced_;
  LandlockLayer layer_;
};

}  // namespace

Result<LandlockLayer> landlock_layer_from(const oci::Landlock& landlock, LandlockForm form,
                                          std::string_view origin, int abi,
                                          std::vector<std::string>& unenforced) {
  return Converter(landlock, form, origin, abi, unenforced).convert();
}

}  // namespace langsbx::confine
