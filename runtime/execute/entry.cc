#include "runtime/execute/entry.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "languages/closure_manifests.h"
#include "languages/closure_names.h"
#include "languages/registry.h"

namespace langsbx::execute {
namespace {

using languages::Language;

constexpr std::size_t kMostNamed = 8;

// "main" of "src/main.rs".
std::string stem(const std::string& name) {
  const std::string base = name.substr(name.rfind('/') + 1);
  return base.substr(0, base.find('.'));
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "main" and a bracket: a function of that name, or Python's `__name__ == "__main__"`.
bool has_main(const std::string& text) {
  if (text.find("\"__main__\"") != std::string::npos ||
      text.find("'__main__'") != std::string::npos) {
    return true;
  }
  for (auto at = text.find("main"); at != std::string::npos; at = text.find("main", at + 1)) {
    auto end = at + 4;
    while (end < text.size() && text[end] == ' ') ++end;
    if ((at == 0 || !is_word(text[at - 1])) && end < text.size() && text[end] == '(') return true;
  }
  return false;
}

class Search {
 public:
  Search(const std::vector<Input>& files, const Language* language, const std::string& folder)
      : files_(files), folder_(folder) {
    for (const auto& file : files) {
      const auto* const found = languages::language_of_file(file.name, file.content);
      if (found == nullptr || (language != nullptr && found != language)) continue;
      if (found->launch == nullptr || stem(file.name).empty()) continue;
      // Other files name them; nothing starts with one.
      if (file.name.ends_with(".h") || file.name.ends_with(".hpp") ||
          file.name.ends_with(".d.ts")) {
        continue;
      }
      sources_.push_back(&file);
    }
  }

  Result<std::string> entry() const {
    if (sources_.empty()) return none("holds no source of a language that langsbx can run");
    if (const auto* const file = by_name("__main__.py")) return file->name;
    if (const auto* const file = of_package_json()) return file->name;
    for (const std::string_view folder : {"", "src/", "app/", "src/main/java/"}) {
      for (const std::string_view wanted : {"main", "Main", "index"}) {
        const auto found = called(folder, wanted);
        if (found.size() > 1) return candidates(found);
        if (found.size() == 1) return found.front()->name;
      }
    }
    if (sources_.size() == 1) return sources_.front()->name;
    std::vector<const Input*> with_main;
    std::ranges::copy_if(sources_, std::back_inserter(with_main),
                         [](const Input* file) { return has_main(file->content); });
    if (with_main.size() == 1) return with_main.front()->name;
    return candidates(with_main.empty() ? sources_ : with_main);
  }

 private:
  [[nodiscard]] Error none(const std::string& what) const {
    return make_error(ErrorKind::kInvalidInput, folder_ + ": " + what);
  }

  [[nodiscard]] Error candidates(const std::vector<const Input*>& found) const {
    std::string names;
    for (std::size_t i = 0; i < std::min(found.size(), kMostNamed); ++i) {
      names += (i == 0 ? "" : ", ") + found[i]->name;
    }
    if (found.size() > kMostNamed) names += ", ...";
    return none("which file starts the program? name it with --entry: " + names);
  }

  [[nodiscard]] const Input* by_name(const std::string& name) const {
    const auto found = std::ranges::find(sources_, name, &Input::name);
    return found == sources_.end() ? nullptr : *found;
  }

  [[nodiscard]] const Input* of_package_json() const {
    const auto manifest = std::ranges::find(files_, "package.json", &Input::name);
    if (manifest == files_.end()) return nullptr;
    const auto main = languages::main_of(manifest->content);
    if (!main || main->empty()) return nullptr;
    const std::string name = languages::without_dots(*main);
    for (const char* ending : {"", ".js", "/index.js"}) {
      if (const auto* const file = by_name(name + ending)) return file;
    }
    return nullptr;
  }

  [[nodiscard]] std::vector<const Input*> called(std::string_view folder,
                                                 std::string_view wanted) const {
    std::vector<const Input*> found;
    std::ranges::copy_if(sources_, std::back_inserter(found), [&](const Input* file) {
      return languages::folder_of(file->name) == folder && stem(file->name) == wanted;
    });
    return found;
  }

  const std::vector<Input>& files_;
  const std::string& folder_;
  std::vector<const Input*> sources_;
};

}  // namespace

Result<std::string> find_entry(const std::vector<Input>& files, const Language* language,
                               const std::string& folder) {
  return Search(files, language, folder).entry();
}

}  // namespace langsbx::execute
