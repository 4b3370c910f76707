// Finding a language. The list itself is in CMakeLists.txt, a line each.
#include "languages/registry.h"

#include <cstddef>

#include "languages/registered.h"  // made from that list

namespace langsbx::languages {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// "python3.11" -> "python", "node-20" -> "node": digits, dots and dashes at the end.
std::string_view without_version(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && ((name[end - 1] >= '0' && name[end - 1] <= '9') || name[end - 1] == '.' ||
                     name[end - 1] == '-')) {
    --end;
  }
  return name.substr(0, end);
}

std::string_view next_word(std::string_view& rest) {
  const std::size_t start = rest.find_first_not_of(" \t\r");
  if (start == std::string_view::npos) return rest = {};
  rest.remove_prefix(start);
  const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r"));
  rest.remove_prefix(word.size());
  return word;
}

// The program of a "#!" line; for env, the first word that is neither an option nor an assignment.
std::string_view shebang_program(std::string_view bytes) {
  if (bytes.substr(0, 2) != "#!") return {};
  std::string_view rest = bytes.substr(2, bytes.find('\n') - 2);
  std::string_view word = next_word(rest);
  if (base_name(word) != "env") return word;
  do {
    word = next_word(rest);
  } while (!word.empty() && (word[0] == '-' || word.find('=') != std::string_view::npos));
  return word;
}

}  // namespace

std::span<const Language* const> all_languages() { return kLanguages; }

const Language* find_language(std::string_view name) {
  for (const Language* language : all_languages()) {
    if (equal_ignoring_case(language->name, name)) return language;
    for (const std::string_view alias : language->aliases) {
      if (equal_ignoring_case(alias, name)) return language;
    }
  }
  return nullptr;
}

const Language* language_of_interpreter(std::string_view program) {
  const std::string_view base = base_name(program);
  const std::string_view stem = without_version(base);
  for (const Language* language : all_languages()) {
    for (const std::string_view interpreter : language->interpreters) {
      if (interpreter == base || (!stem.empty() && interpreter == stem)) return language;
    }
  }
  return nullptr;
}

const Language* language_of_file(std::string_view path, std::string_view bytes) {
  const std::string_view base = base_name(path);
  for (const Language* language : all_languages()) {
    for (const std::string_view extension : language->extensions) {
      if (base.size() > extension.size() && base.ends_with(extension)) return language;
    }
  }
  const std::string_view program = shebang_program(bytes);
  return program.empty() ? nullptr : language_of_interpreter(program);
}

}  // namespace langsbx::languages
