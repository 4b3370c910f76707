#include "runtime/execute/placing.h"

#include <algorithm>
#include <array>
#include <map>

#include "languages/closure_names.h"
#include "languages/registry.h"

namespace langsbx::execute {
namespace {

using languages::CodePlace;

constexpr std::uint64_t kPage = 4096;

// What interpreters load as code by its name alone.
bool may_be_code(std::string_view name) {
  constexpr std::array<std::string_view, 7> kEndings = {".so",  ".pyc",   ".node",       ".wasm",
                                                        ".pth", ".class", "package.json"};
  return languages::language_of_file(std::string(name), {}) != nullptr ||
         std::ranges::any_of(kEndings, [&](auto ending) { return name.ends_with(ending); });
}

// Files of the two folders, each once.
class Layout {
 public:
  explicit Layout(const Places& places) : places_(places) {}

  void add_source(const std::string& name, std::string content, mode_t mode = 0444) {
    files_.push_back({places_.source + "/" + name, std::move(content), mode});
    in_source_.insert_or_assign(name, true);
  }

  // Those that are fixed come first: what is in a folder with them can't be moved away with it.
  Result<void> add_work(const std::string& name, std::string content, mode_t mode, bool fixed) {
    TRY(add_folders(name, fixed));
    const auto [place, fresh] = in_work_.try_emplace(name, Kind::kFile);
    if (!fresh) {
      return make_error(ErrorKind::kInvalidInput,
                        name + ": is wanted twice in the work directory, as different files");
    }
    files_.push_back(
        {places_.work + "/" + name, std::move(content), mode, Placed::Kind::kFile, fixed});
    return {};
  }

  // A name in the source's folder for a file of the work directory, which is read there, too.
  void add_link(const std::string& name) {
    if (in_source_.contains(name)) return;
    files_.push_back(
        {places_.source + "/" + name, places_.work + "/" + name, 0, Placed::Kind::kLink});
  }

  [[nodiscard]] const std::vector<Placed>& so_far() const { return files_; }
  std::vector<Placed> take() { return std::move(files_); }

 private:
  enum class Kind { kFile, kFolder };

  Result<void> add_folders(const std::string& name, bool fixed) {
    for (auto at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
      const std::string folder = name.substr(0, at);
      const auto [place, fresh] = in_work_.try_emplace(folder, Kind::kFolder);
      if (!fresh && place->second == Kind::kFile) {
        return make_error(ErrorKind::kInvalidInput,
                          folder + ": is wanted as a file and as a folder");
      }
      if (!fresh) continue;
      files_.push_back({places_.work + "/" + folder, {}, 0755, Placed::Kind::kFolder, fixed});
    }
    return {};
  }

  const Places& places_;
  std::vector<Placed> files_;
  std::map<std::string, Kind> in_work_;
  std::map<std::string, bool> in_source_;
};

const std::string* judged_bytes(const PlacingInputs& inputs, const std::string& name) {
  if (name == inputs.program->entry) return &inputs.entry;
  for (const auto& file : inputs.program->others) {
    if (file.name == name) return &file.content;
  }
  return nullptr;
}

// The inputs that are no files of the program.
Result<std::vector<const Input*>> other_inputs(const PlacingInputs& inputs) {
  std::vector<const Input*> others;
  for (const auto& input : inputs.inputs) {
    const std::string* const judged = judged_bytes(inputs, input.name);
    if (judged == nullptr) {
      others.push_back(&input);
    } else if (*judged != input.content) {
      return make_error(ErrorKind::kInvalidInput,
                        "--input " + input.name + ": the program has a file of this name");
    }
  }
  return others;
}

Result<void> add_program(const PlacingInputs& inputs, bool fixed, Layout& layout) {
  const mode_t mode = fixed ? 0444 : 0644;
  TRY(layout.add_work(inputs.program->entry, inputs.entry, mode, fixed));
  for (const auto& file : inputs.program->others) {
    TRY(layout.add_work(file.name, file.content, mode, fixed));
  }
  return {};
}

Result<void> add_inputs(const PlacingInputs& inputs, bool linked, Layout& layout) {
  for (const Input* const input : TRY(other_inputs(inputs))) {
    TRY_CONTEXT(layout.add_work(input->name, input->content, input->mode, false), "--input");
    if (linked && !may_be_code(input->name)) layout.add_link(input->name);
  }
  return {};
}

void add_sources(const PlacingInputs& inputs, Layout& layout) {
  layout.add_source(inputs.program->entry, inputs.entry);
  for (const auto& file : inputs.program->others) layout.add_source(file.name, file.content);
}

void add_startup(const languages::Toolchain& toolchain, bool several, Layout& layout) {
  const auto& startup = toolchain.startup;
  if (startup.name.empty() || (startup.of_several && !several)) return;
  layout.add_source(std::string(startup.name), std::string(startup.content));
}

Error not_here(const std::string& entry) {
  return make_error(ErrorKind::kUnsupported,
                    entry +
                        ": takes in other files while it runs, and without root the light tier "
                        "can't keep these from the program; run it in a container, or as root");
}

}  // namespace

Result<PlacedProgram> place_interpreted(const PlacingInputs& inputs) {
  PlacedProgram made;
  Layout layout(inputs.places);
  const auto& toolchain = *inputs.toolchain;
  const std::string& entry = inputs.program->entry;
  made.several = !inputs.program->others.empty();
  const bool fixed = toolchain.code_place == CodePlace::kFixed && inputs.can_fix;
  const bool copied = toolchain.code_place == CodePlace::kCopied;
  if (toolchain.code_place == CodePlace::kFixed && made.several && !fixed) return not_here(entry);
  // Whatever the program does in its work directory, more code is taken from the source's folder.
  const bool from_work = fixed || (copied && !made.several);
  if (!from_work) add_sources(inputs, layout);
  if (fixed || copied) TRY(add_program(inputs, fixed, layout));
  for (const auto& file : layout.so_far()) {
    if (!is_below(file.path, inputs.places.work)) continue;
    ++made.own_files;
    made.own_bytes += (file.content.size() + kPage - 1) / kPage * kPage;
  }
  TRY(add_inputs(inputs, toolchain.links_data && made.several, layout));
  add_startup(toolchain, made.several, layout);
  made.started = (from_work ? inputs.places.work : inputs.places.source) + "/" + entry;
  made.files = layout.take();
  return made;
}

PlacedProgram place_for_compiler(const PlacingInputs& inputs) {
  PlacedProgram made;
  Layout layout(inputs.places);
  add_sources(inputs, layout);
  made.several = !inputs.program->others.empty();
  made.started = inputs.places.source + "/" + inputs.program->entry;
  made.files = layout.take();
  return made;
}

Result<PlacedProgram> place_native(const PlacingInputs& inputs) {
  PlacedProgram made;
  Layout layout(inputs.places);
  const std::string name(kProgramFile);
  layout.add_source(name, inputs.entry, 0555);
  for (const auto& input : inputs.inputs) {
    TRY_CONTEXT(layout.add_work(input.name, input.content, input.mode, false), "--input");
  }
  made.started = inputs.places.source + "/" + name;
  made.files = layout.take();
  return made;
}

Result<std::vector<Placed>> place_for_setup(const PlacingInputs& inputs) {
  Layout layout(inputs.places);
  TRY(add_program(inputs, false, layout));
  TRY(add_inputs(inputs, false, layout));
  return layout.take();
}

}  // namespace langsbx::execute
