// Which layers a container gets, from config.json, annotations and the guard's profile.
#include "runtime/confine/landlock.h"

#include <sys/stat.h>

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

enum class Mode { kDefault, kBroad, kBestEffort, kOff };

Result<Mode> read_mode(const oci::Spec& spec) {
  const auto found = spec.annotations.find(kMode);
  if (found == spec.annotations.end()) return Mode::kDefault;
  if (found->second == "broad") return Mode::kBroad;
  if (found->second == "best-effort") return Mode::kBestEffort;
  if (found->second == "off") return Mode::kOff;
  return make_error(ErrorKind::kInvalidInput, std::string("annotation ") + kMode + ": \"" +
                                                  found->second +
                                                  "\" is none of broad, best-effort, off");
}

// An annotation may be the wish of somebody who may not read this host's files: the words of a
// secret must not come back in an error, and a pipe must not keep us waiting.
Result<std::string> read_document(const std::string& path) {
  const UniqueFd file = TRY(open_regular_file(path));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error("fstat " + path);
  if ((info.st_mode & S_IROTH) == 0) {
    return make_error(ErrorKind::kInvalidInput, path + ": not a file that everybody may read");
  }
  return read_fd(file.get(), kMostConfigBytes, path);
}

class Planner {
 public:
  Planner(const LandlockInputs& inputs, Mode mode) : inputs_(inputs), mode_(mode) {
    plan_.abi = inputs.abi;
    plan_.log_denials = inputs.log_denials;
  }

  Result<LandlockPlan> plan() {
    TRY(add_container());
    TRY(add_program());
    TRY(add_process());
    TRY(add_document());
    if (tight_) {
      // Best effort on a kernel without Landlock leaves a layer that would restrict nothing.
      if ((tight_->handled_fs | tight_->handled_net | tight_->scoped) != 0) {
        plan_.layers.push_back(std::move(*tight_));
      }
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const oci::Spec& spec() const { return *inputs_.spec; }

  Result<void> add_container() {
    if (mode_ == Mode::kOff) {
      plan_.notes.push_back("the container's layer is off: io.langsbx.landlock=off");
      return {};
    }
    if (inputs_.abi >= kLowestContainerAbi) {
      plan_.layers.push_back(landlock_container_layer(spec(), inputs_.abi));
      return {};
    }
    const std::string why = "the container's layer needs Landlock ABI " +
                            std::to_string(kLowestContainerAbi) + ", the kernel has " +
                            std::to_string(inputs_.abi);
    if (mode_ == Mode::kBroad) {
      return make_error(ErrorKind::kUnsupported, std::string("annotation ") + kMode + ": " + why);
    }
    plan_.unenforced.push_back("container: " + why);
    return {};
  }

  Result<void> add_program() {
    LandlockProgram program;
    const bool has_profile = inputs_.program.has_value();
    if (has_profile) program = *inputs_.program;
    const bool annotated = TRY(read_landlock_annotations(spec().annotations, program));
    if (!has_profile && !annotated) return {};
    if (!has_profile) limit_to_annotations(program);
    program.best_effort = program.best_effort || mode_ == Mode::kBestEffort;
    return tighten(TRY(landlock_program_layer(program, inputs_.abi, plan_.unenforced)));
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
    landlock.best_effort = landlock.best_effort || mode_ == Mode::kBestEffort;
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
    landlock.best_effort = landlock.best_effort || mode_ == Mode::kBestEffort;
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
  Mode mode_;
  LandlockPlan plan_;
  std::optional<LandlockLayer> tight_;
};

}  // namespace

Result<LandlockPlan> plan_landlock(const LandlockInputs& inputs) {
  const Mode mode = TRY(read_mode(*inputs.spec));
  return Planner(inputs, mode).plan();
}

}  // namespace langsbx::confine
