// source("helper.R"): the other file is judged too, as long as nothing in reach can write it.
#include <algorithm>
#include <iterator>
#include <string>

#include "languages/r/judge.h"
#include "languages/r/rules.h"
#include "languages/scanner/judging.h"

namespace langsbx::languages::r {

using scanner::report;

namespace {

bool is_code_file(std::string_view path) { return path.ends_with(".R") || path.ends_with(".r"); }

// Below the work directory, by a name that ends as code does.
bool may_be_sourced(std::string_view path) {
  return is_code_file(path) && path.front() != '/' && path.front() != '~' &&
         path.find("..") == std::string_view::npos && path.find(':') == std::string_view::npos;
}

// Whether a parameter of that name, or of one that it begins, is a file.
bool names_file(std::string_view name) {
  constexpr std::string_view kParameters[] = {"file", "con",  "path",    "filename", "description",
                                              "to",   "from", "outfile", "x",        "newname"};
  return std::ranges::any_of(
      kParameters, [&](std::string_view parameter) { return parameter.starts_with(name); });
}

// What can make or change a file, or say which one a name means.
bool may_write(std::string_view name) {
  constexpr std::string_view kOpening[] = {"file", "gzfile", "bzfile", "xzfile",
                                           "fifo", "open",   "setwd"};
  return file_use(name) == Capability::kFilesWrite ||
         std::ranges::find(kOpening, name) != std::end(kOpening);
}

// cat(x, y, file = "f")
bool takes_data_only(std::string_view name) {
  return name == "cat" || name == "capture.output" || name == "toJSON" || name == "save";
}

// write.csv(x, "f"): what is written comes first.
bool takes_data(std::string_view name) {
  return name.starts_with("write") || name == "saveRDS" || name == "dput" || name == "fwrite" ||
         name == "saveWidget";
}

}  // namespace

// The file that the call of source() at `at` names, when nothing else about the call is open.
std::optional<std::string> Judge::sourced_file(std::size_t at) const {
  std::optional<std::string> file;
  for (const Argument& argument : arguments_of(at + 1)) {
    const bool alone = argument.last == argument.first + 1;
    const std::string_view word = scan_.text(argument.first);
    const auto text = alone ? literal(argument.first) : std::nullopt;
    if (argument.name.empty() || argument.name == "file") {
      if (file || !text || !may_be_sourced(*text)) return std::nullopt;
      file = *text;
    } else if (argument.name == "local" || argument.name == "echo" || argument.name == "verbose") {
      if (!alone || (word != "TRUE" && word != "FALSE")) return std::nullopt;
    } else if (argument.name != "encoding" || (text != "UTF-8" && text != "utf-8")) {
      return std::nullopt;
    }
  }
  return file;
}

// False: what it runs is not known.
bool Judge::follow_source(std::size_t at) {
  const auto file = sourced_file(at);
  if (!file) return false;
  LocalReference reference;
  reference.candidates.emplace_back(file->starts_with("./") ? file->substr(2) : *file);
  reference.offset = scan_.at(at).offset;
  reference.required = !policy_.allows(Capability::kDynamicCode);
  findings_.reference(std::move(reference));
  return true;
}

// Where files run one another's code, what is written must not be code: its name stands there, and
// does not end as code's does. A change of the directory gives names to other files.
void Judge::judge_write_beside(std::size_t at, std::string_view name,
                               const std::vector<Argument>& arguments) {
  if (!shares_ || policy_.allows(Capability::kDynamicCode) || !may_write(name)) return;
  bool known = name != "setwd" && name != "dump";
  int plain = 0;
  for (const Argument& argument : arguments) {
    if (argument.name.empty() && (takes_data_only(name) || (++plain == 1 && takes_data(name)))) {
      continue;
    }
    if (!argument.name.empty() && !names_file(argument.name)) continue;
    const auto text = argument.last == argument.first + 1 ? literal(argument.first) : std::nullopt;
    known = known && text && !is_code_file(*text);
  }
  if (!known) report(findings_, "r-dynamic-code"_rule, scan_.at(at), name);
}

// Under another name its arguments are not seen.
void Judge::judge_write_as_value(std::size_t at, std::string_view name) {
  if (!shares_ || policy_.allows(Capability::kDynamicCode) || !may_write(name)) return;
  report(findings_, "r-dynamic-code"_rule, scan_.at(at), name);
}

}  // namespace langsbx::languages::r
