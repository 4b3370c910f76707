// Which layers a container gets, from config.json, annotations and the guard's profile.
#include "runtime/confine/landlock.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "oci/reader.h"
#include "runtime/kernel/file.h"

namespace langsbx::confine {
namespace {

constexpr std::size_t kMostConfigBytes = 1U << 20U;
const char* const kMode = "io.langsbx.landlock";
const char* const kConfig = "io.langsbx.landlock.config";
// Before REFER existed every rename and link across directories failed with EXDEV: no image could
// be expected to live with that.
constexpr int kLowestContainerAbi = 2;

struct Word {
  LandlockMode mode;
  std::string_view text;
};
constexpr std::array kWords = {
    Word{LandlockMode::kRequired, "required"}, Word{LandlockMode::kAuto, "auto"},
    Word{LandlockMode::kBestEffort, "best-effort"}, Word{LandlockMode::kOff, "off"},
    Word{LandlockMode::kRequired, "broad"}};

Result<LandlockMode> annotated_mode(const oci::Spec& spec) {
  const auto found = spec.annotations.find(kMode);
  if (found == spec.annotations.end()) return LandlockMode::kAuto;
  if (const auto mode = landlock_mode_from(found->second)) return *mode;
  return make_error(ErrorKind::kInvalidInput, std::string("annotation ") + kMode + ": \"" +
                                                  found->second + "\" is none of " +
                                                  std::string(kLandlockModes));
}

bool is_given(const oci::Spec& spec, std::string_view capability) {
  if (!spec.process || !spec.process->capabilities) return false;
  const auto& sets = *spec.process->capabilities;
  const auto in = [capability](const std::vector<std::string>& set) {
    return std::find(set.begin(), set.end(), capability) != set.end();
  };
  return in(sets.bounding) || in(sets.permitted) || in(sets.effective);
}

// What an annotation names right by right is wanted as such, whatever is said of the rest.
struct NamedRight {
  std::string_view key;
  LandlockKind kind;
  std::uint64_t right;
};
constexpr std::array kNamedRights = {
    NamedRight{"bind-tcp", LandlockKind::kNet, net::kBindTcp},
    NamedRight{"connect-tcp", LandlockKind::kNet, net::kConnectTcp},
    NamedRight{"bind-udp", LandlockKind::kNet, net::kBindUdp},
    NamedRight{"connect-udp", LandlockKind::kNet, net::kConnectSendUdp},
    NamedRight{"scope", LandlockKind::kScope, scope::kSignal},
    NamedRight{"scope", LandlockKind::kScope, scope::kAbstractUnixSocket},
    NamedRight{"device-ioctl", LandlockKind::kFs, fs::kIoctlDev},
};

// "none" and "allow" name nothing.
bool is_wanted(const NamedRight& named, const LandlockProgram& program) {
  if (named.kind == LandlockKind::kNet) return true;
  if (named.kind == LandlockKind::kFs) return program.deny_device_ioctl;
  return named.right == scope::kSignal ? program.scope_signals : program.scope_abstract_sockets;
}

// Whether the folders above an open file, where it really is, let everybody through to it.
Result<bool> everybody_may_enter(int file) {
  char path[PATH_MAX] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(file);
  if (::readlink(link.c_str(), path, sizeof(path) - 1) < 0) return system_error("readlink " + link);
  std::string_view above = path;
  while (above.size() > 1) {
    above = above.substr(0, std::max<std::size_t>(above.rfind('/'), 1));
    struct stat info {};
    if (::stat(std::string(above).c_str(), &info) != 0) return system_error("stat " + link);
    if ((info.st_mode & S_IXOTH) == 0) return false;
  }
  return true;
}

// An annotation may be the wish of somebody who may not read this host's files: the words of a
// secret must not come back in an error, and a pipe must not keep us waiting.
Result<std::string> read_document(const std::string& path) {
  const UniqueFd file = TRY(open_regular_file(path));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error("fstat " + path);
  if ((info.st_mode & S_IROTH) == 0 || !TRY(everybody_may_enter(file.get()))) {
    return make_error(ErrorKind::kInvalidInput, path + ": not a file that everybody may read");
  }
  return read_fd(file.get(), kMostConfigBytes, path);
}

class Planner {
 public:
  Planner(const LandlockInputs& inputs, LandlockMode mode) : inputs_(inputs), mode_(mode) {
    plan_.abi = inputs.abi;
    plan_.log_denials = inputs.log_denials;
    plan_.mode = mode;
  }

  Result<LandlockPlan> plan() {
    TRY(add_program());
    TRY(add_process());
    TRY(add_document());
    TRY(add_container());
    for (auto* const layer : {&of_profile_, &tight_}) {
      // Best effort on a kernel without Landlock leaves a layer that would restrict nothing.
      if (*layer && ((*layer)->handled_fs | (*layer)->handled_net | (*layer)->scoped) != 0) {
        plan_.layers.push_back(std::move(**layer));
      }
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const oci::Spec& spec() const { return *inputs_.spec; }

  Result<void> add_container() {
    if (mode_ == LandlockMode::kOff) {
      plan_.notes.push_back(
          "the container's layer is off, as asked for (io.langsbx.landlock=off, --landlock off)");
      return {};
    }
    if (steps_aside()) return {};
    if (inputs_.abi >= kLowestContainerAbi) {
      plan_.layers.push_back(landlock_container_layer(spec(), inputs_.abi, device_nodes()));
      return {};
    }
    const std::string why = "the container's layer needs Landlock ABI " +
                            std::to_string(kLowestContainerAbi) + ", the kernel has " +
                            std::to_string(inputs_.abi);
    if (mode_ == LandlockMode::kRequired) {
      return make_error(ErrorKind::kUnsupported,
                        std::string(kMode) + "=required (or --landlock): " + why);
    }
    plan_.unenforced.push_back("container: " + why);
    return {};
  }

  // Whether the container's layer may give way to what config.json asks for. Beside a tight layer
  // on files it would give way to nothing: that one forbids the same.
  [[nodiscard]] bool may_yield() const {
    const bool tight = tight_ && tight_->handled_fs != 0;
    return mode_ == LandlockMode::kAuto && !inputs_.guarded && !tight;
  }

  // The kernel refuses every mount in a domain that handles any right on files, so that no rule
  // could allow what CAP_SYS_ADMIN was given for.
  bool steps_aside() {
    if (!may_yield() || !is_given(spec(), "CAP_SYS_ADMIN")) return false;
    plan_.notes.push_back(
        "the container's layer steps aside: CAP_SYS_ADMIN is given, and in a Landlock domain "
        "nothing can be mounted (io.langsbx.landlock=required keeps the layer)");
    plan_.warnings.push_back("landlock: " + plan_.notes.back());
    return true;
  }

  // Where the device cgroup judges the opening, making a node gives nothing away.
  DeviceNodes device_nodes() {
    if (!may_yield() || !is_given(spec(), "CAP_MKNOD")) return DeviceNodes::kNone;
    if (inputs_.devices_judged) return DeviceNodes::kMade;
    plan_.notes.push_back(
        "no device nodes are made in spite of CAP_MKNOD: no device cgroup would judge who opens "
        "them");
    return DeviceNodes::kNone;
  }

  // What is required whatever a profile or document says of best effort, and the other way round.
  [[nodiscard]] std::optional<bool> lenient(std::optional<bool> own) const {
    if (mode_ == LandlockMode::kRequired) return false;
    if (mode_ == LandlockMode::kBestEffort) return true;
    return own;
  }

  Result<void> add_program() {
    LandlockProgram program;
    const bool has_profile = inputs_.program.has_value();
    if (has_profile) program = *inputs_.program;
    const bool annotated = TRY(read_landlock_annotations(spec().annotations, program));
    if (!has_profile && !annotated) return {};
    if (!has_profile) limit_to_annotations(program);
    program.best_effort = lenient(program.best_effort);
    if (has_profile && !program.best_effort) {
      TRY(check_named(program));
      program.best_effort = true;
    }
    auto layer = TRY(landlock_program_layer(program, inputs_.abi, plan_.unenforced));
    if (!layer.starts_program) return tighten(std::move(layer));
    of_profile_ = std::move(layer);
    return {};
  }

  [[nodiscard]] Result<void> check_named(const LandlockProgram& program) const {
    for (const NamedRight& named : kNamedRights) {
      const std::string key = std::string(kMode) + "." + std::string(named.key);
      const int since = right_since(named.kind, named.right);
      if (since <= inputs_.abi || !spec().annotations.contains(key)) continue;
      if (!is_wanted(named, program)) continue;
      return make_error(ErrorKind::kUnsupported,
                        "annotation " + key + ": needs Landlock ABI " + std::to_string(since) +
                            ", the kernel has " + std::to_string(inputs_.abi) +
                            " (io.langsbx.landlock=best-effort goes on without)");
    }
    return {};
  }

  // Annotations alone restrict what they name: ports only when only ports are named.
  void limit_to_annotations(LandlockProgram& program) const {
    const auto has = [this](const char* key) {
      return spec().annotations.contains(std::string(kMode) + "." + key);
    };
    program.origin = "annotations io.langsbx.landlock.*";
    program.restrict_paths = has("read") || has("write") || has("execute") || has("devices");
    if (!program.restrict_paths && !has("scope")) {
      program.scope_signals = false;
      program.scope_abstract_sockets = false;
    }
  }

  Result<void> add_process() {
    if (!spec().process || !spec().process->landlock) return {};
    oci::Landlock landlock = *spec().process->landlock;
    landlock.best_effort = *lenient(landlock.best_effort);
    return tighten(TRY(landlock_layer_from(landlock, LandlockForm::kProposal, "process.landlock",
                                           inputs_.abi, plan_.unenforced)));
  }

  Result<void> add_document() {
    const auto found = spec().annotations.find(kConfig);
    if (found == spec().annotations.end()) return {};
    std::string document = found->second;
    std::string name = std::string("annotation ") + kConfig;
    if (document.starts_with('/')) {
      name = document;
      document = TRY_CONTEXT(read_document(name), std::string("annotation ") + kConfig);
    }
    oci::Landlock landlock = TRY(oci::read_landlock(document, name));
    landlock.best_effort = *lenient(landlock.best_effort);
    const std::string cwd = spec().process ? spec().process->cwd : std::string{};
    TRY(resolve_document_paths(landlock, cwd.empty() ? "/" : cwd, name));
    return tighten(TRY(landlock_layer_from(landlock, LandlockForm::kDocument, name, inputs_.abi,
                                           plan_.unenforced)));
  }

  Result<void> tighten(LandlockLayer layer) {
    tight_ = tight_ ? intersect_layers(*tight_, layer) : std::move(layer);
    return {};
  }

  const LandlockInputs& inputs_;
  LandlockMode mode_;
  LandlockPlan plan_;
  std::optional<LandlockLayer> of_profile_;
  std::optional<LandlockLayer> tight_;
};

}  // namespace

std::optional<LandlockMode> landlock_mode_from(std::string_view text) {
  for (const Word& word : kWords) {
    if (word.text == text) return word.mode;
  }
  return std::nullopt;
}

std::string_view to_string(LandlockMode mode) {
  for (const Word& word : kWords) {
    if (word.mode == mode) return word.text;
  }
  return "";
}

Result<LandlockPlan> plan_landlock(const LandlockInputs& inputs) {
  const auto mode = inputs.mode ? *inputs.mode : TRY(annotated_mode(*inputs.spec));
  return Planner(inputs, mode).plan();
}

}  // namespace langsbx::confine
