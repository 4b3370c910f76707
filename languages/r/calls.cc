// What a call's arguments say: functions by name, files, formulas, packages, options.
#include <algorithm>

#include "languages/environment.h"
#include "languages/r/judge.h"
#include "languages/r/rules.h"
#include "languages/scanner/judging.h"
#include "languages/work_area.h"

namespace langsbx::languages::r {

using scanner::report;
using scanner::Token;
using scanner::TokenKind;

namespace {

bool is_url(std::string_view text) {
  const std::size_t scheme = text.find("://");
  return scheme != std::string_view::npos && scheme > 0 && scheme < 10;
}

// R takes the beginning of a parameter's name for it.
bool may_mean(std::string_view name, std::string_view parameter) {
  return !name.empty() && parameter.starts_with(name);
}

// The calls that are looked at one by one.
bool reads_arguments(std::string_view name) {
  return name == "library" || name == "require" || name == "requireNamespace" ||
         name == "options" || name == "Sys.getenv" || name == "as";
}

// What the parameters that take a function or its name are called.
constexpr std::string_view kFunctionParameters[] = {
    "FUN",  "f",     ".f",       "what",          "fun",    ".fun",
    ".fns", ".funs", "fun.data", "fun.aggregate", "generic"};

// cat(x), writeLines(x): on standard output unless a file is given.
bool writes_to_output(std::string_view name) {
  return name == "cat" || name == "toJSON" || name == "capture.output" || name == "writeLines" ||
         name == "write.csv" || name == "write.csv2" || name == "write.table" || name == "dput";
}

}  // namespace

std::vector<Argument> Judge::arguments_of(std::size_t open) const {
  std::vector<Argument> arguments;
  std::size_t first = open + 1;
  int depth = 0;
  for (std::size_t i = open + 1; i < scan_.size(); ++i) {
    const Token& token = scan_.at(i);
    const bool ends = depth == 0 && (token.is(',') || token.has(scanner::kCloses));
    if (ends && i > first) {
      const bool named = i > first + 1 && scan_.at(first + 1).is('=');
      Argument argument{{}, named ? first + 2 : first, i};
      if (named) argument.name = scan_.text(first);
      arguments.push_back(argument);
    }
    if (ends && token.has(scanner::kCloses)) break;
    if (ends) first = i + 1;
    if (token.has(scanner::kOpens)) ++depth;
    if (token.has(scanner::kCloses)) --depth;
  }
  return arguments;
}

std::optional<std::string> Judge::text_of(const Argument& argument) const {
  if (argument.last == argument.first + 1) return literal(argument.first);
  const std::string_view name = scan_.text(argument.first);
  const bool joins = name == "file.path" || name == "paste0" || name == "paste";
  if (!joins || !scan_.at(argument.first + 1).is('(')) return std::nullopt;
  std::string text;
  bool first = true;
  for (const Argument& part : arguments_of(argument.first + 1)) {
    if (!part.name.empty()) continue;
    const auto piece = text_of(part);
    if (!piece) break;
    if (name == "file.path" && !first) text += '/';
    first = false;
    text += *piece;
  }
  return text;
}

void Judge::judge_call(std::size_t at, std::string_view name) {
  const int position = function_argument(name);
  const Capability use = file_use(name);
  const bool asked =
      position != 0 || use != Capability::kNone || reads_formula(name) || reads_arguments(name);
  if (!asked) return;
  const std::vector<Argument> arguments = arguments_of(at + 1);
  if (position != 0) judge_function_argument(at, position, arguments);
  if (use != Capability::kNone) {
    judge_file_call(at, name, use, arguments);
    judge_write_beside(at, name, arguments);
  }
  if (reads_formula(name)) judge_formula(arguments, name);
  if (name == "library" || name == "require" || name == "requireNamespace") {
    judge_library(name, arguments);
  } else if (name == "options") {
    judge_options(at, arguments);
  } else if (name == "Sys.getenv") {
    judge_variable(at, arguments);
  } else if (name == "as") {
    judge_conversion(at, arguments);
  }
}

// Inside with(d, ...), lm(..., data = d) and the like a name may be a column, a text among them.
bool Judge::masks(std::size_t open) const {
  const Token& token = scan_.at(open);
  if (token.is('[')) return has_tables_;
  return token.is('(') && masks_names(scan_.text(open - 1));
}

// The argument that is a function: by its parameter's name, else by its place.
const Argument* Judge::given_function(std::size_t at, int position,
                                      const std::vector<Argument>& arguments) const {
  // x |> sapply(f) and x %>% sapply(f) give the first argument before.
  const std::size_t before = scan_.at(at - 1).is(scanner::kScope) ? at - 3 : at - 1;
  const bool piped = scan_.at(before).is(scanner::pair('|', '>')) || scan_.at(before).is('%');
  const Argument* given = nullptr;
  int count = piped ? 1 : 0;
  for (const Argument& argument : arguments) {
    const bool named = std::ranges::any_of(kFunctionParameters, [&](std::string_view parameter) {
      return may_mean(argument.name, parameter);
    });
    if (named) return &argument;
    if (argument.name.empty() && ++count == position) given = &argument;
  }
  return given;
}

// The function has to be one that stands there: written out, or by a name that is no variable.
void Judge::judge_function_argument(std::size_t at, int position,
                                    const std::vector<Argument>& arguments) {
  const Argument* const given = given_function(at, position, arguments);
  if (given == nullptr) {
    // sapply(...): what it gets stands elsewhere.
    const bool passed_on = std::ranges::any_of(
        arguments, [&](const Argument& argument) { return scan_.text(argument.first) == "..."; });
    if (passed_on) report(findings_, "r-function-by-name"_rule, scan_.at(at), "...");
    return;
  }
  const Token& first = scan_.at(given->first);
  const bool written = scan_.is_name(given->first, "function") || first.is('\\') || first.is('~');
  const bool qualified =
      given->last == given->first + 3 && scan_.at(given->first + 1).is(scanner::kScope);
  if (written || qualified) return;
  const bool alone = given->last == given->first + 1;
  const bool named = first.is_literal_text() || first.kind == TokenKind::kIdentifier;
  if (alone && named) {
    const std::string name = name_of(given->first);
    const bool variable = first.kind == TokenKind::kIdentifier &&
                          (!is_own_function(name) || (masks_ > 0 && !bindings_.contains(name)));
    const bool takes_texts =
        function_argument(name) != 0 || name == "library" || name == "require" || name == "options";
    const Function* const known = first.is_literal_text() ? find_function(name) : nullptr;
    if (known != nullptr) return report_function(given->first, known->capability, name);
    if (first.is_literal_text()) judge_write_as_value(given->first, name);
    if (!variable && !takes_texts) return;
  }
  const Token& last = scan_.at(given->last - 1);
  report(findings_, "r-function-by-name"_rule, first,
         scan_.bytes.substr(first.offset, last.offset + last.length - first.offset));
}

void Judge::judge_file_call(std::size_t at, std::string_view name, Capability use,
                            const std::vector<Argument>& arguments) {
  bool text = false;
  bool given = false;
  int plain = 0;
  for (const Argument& argument : arguments) {
    text |= argument.name == "text";
    if (argument.name == "cmd") {  // fread(cmd = "grep ...")
      report_function(at, Capability::kProcessSpawn, "cmd");
    }
    const std::string_view first = scan_.text(argument.first);
    const bool stream = first == "stdout" || first == "stderr" || first == "stdin" ||
                        literal(argument.first) == "stdin";
    const bool file = argument.name.empty()
                          ? ++plain == 2 && name != "cat" && name != "toJSON"
                          : may_mean(argument.name, "file") || may_mean(argument.name, "con");
    given |= file && !stream;
    if (stream && plain == 1 && use == Capability::kFilesRead) text = true;
  }
  if (text) return;
  if (writes_to_output(name) && !given) return;
  report_function(at, use, name);
  judge_paths(arguments, use != Capability::kFilesRead);
}

void Judge::judge_paths(const std::vector<Argument>& arguments, bool writes) {
  for (const Argument& argument : arguments) {
    const auto text = text_of(argument);
    if (!text) continue;
    if (writes && text->starts_with('|')) {  // the standard input of a program
      report(findings_, "r-blocked-function"_rule, Capability::kProcessSpawn,
             scan_.at(argument.first), *text);
    } else if (is_url(*text)) {
      report(findings_, "r-url"_rule, scan_.at(argument.first), *text);
    } else if (place_of_path(*text, policy_, writes) == PathPlace::kOutside) {
      report(findings_, "r-path-outside"_rule, scan_.at(argument.first), *text);
    }
  }
}

// A text with a bracket in it calls something; one that is computed may. as.formula and reformulate
// take nothing but texts, the others mostly formulas.
void Judge::judge_formula(const std::vector<Argument>& arguments, std::string_view name) {
  const bool converts = name == "as.formula" || name == "reformulate" || name == "formula";
  for (const Argument& argument : arguments) {
    const auto text = argument.last == argument.first + 1 ? literal(argument.first) : std::nullopt;
    const bool calls = text && text->find('(') != std::string::npos;
    bool computed = false;
    if (converts && !text) {
      computed = true;
      for (std::size_t i = argument.first; i < argument.last; ++i) {
        if (scan_.at(i).is('~')) computed = false;
      }
    }
    if (calls || computed) {
      report(findings_, "r-text-as-code"_rule, scan_.at(argument.first),
             scan_.text(argument.first));
    }
  }
}

void Judge::judge_library(std::string_view name, const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (may_mean(argument.name, "lib.loc") && argument.name.size() > 2) {
      report(findings_, "r-unknown-package"_rule, scan_.at(argument.first), "from another library");
    }
  }
  for (const Argument& argument : arguments) {
    if (!argument.name.empty() && !may_mean(argument.name, "package")) {
      // character.only: the name is what the variable holds.
      const bool only = may_mean(argument.name, "character.only");
      if (only && scan_.text(argument.first) != "FALSE" &&
          !scan_.at(arguments.front().first).is_literal_text()) {
        report(findings_, "r-unknown-package"_rule, scan_.at(argument.first), "a computed name");
      }
      continue;
    }
    const bool alone = argument.last == argument.first + 1;
    const bool quoted = scan_.at(argument.first).is_literal_text();
    if (!alone || (name == "requireNamespace" && !quoted)) {
      report(findings_, "r-unknown-package"_rule, scan_.at(argument.first), "a computed name");
      continue;
    }
    judge_package(argument.first, name_of(argument.first));
    return;
  }
}

void Judge::judge_options(std::size_t at, const std::vector<Argument>& arguments) {
  for (const Argument& argument : arguments) {
    if (!argument.name.empty()) {
      const bool quoted = argument.name.front() == '"' || argument.name.front() == '\'' ||
                          argument.name.front() == '`';
      const std::string_view name =
          quoted ? argument.name.substr(1, argument.name.size() - 2) : argument.name;
      if (is_run_option(name)) report(findings_, "r-options"_rule, scan_.at(at), name);
      continue;
    }
    // options("digits") asks; options(old) puts back what options() gave.
    const bool alone = argument.last == argument.first + 1;
    if (!alone) report(findings_, "r-options"_rule, scan_.at(at), "by a computed list");
  }
}

void Judge::judge_variable(std::size_t at, const std::vector<Argument>& arguments) {
  const auto name = arguments.empty() ? std::nullopt : text_of(arguments.front());
  if (!name || arguments.front().last != arguments.front().first + 1) {
    return report(findings_, "r-environment"_rule, scan_.at(at), "Sys.getenv");
  }
  if (names_secret(*name)) report(findings_, "r-secret"_rule, scan_.at(at), *name);
}

// as("system", "function") looks the function up.
void Judge::judge_conversion(std::size_t at, const std::vector<Argument>& arguments) {
  if (arguments.size() < 2) return;
  const auto to = text_of(arguments[1]);
  if (!to || *to == "function") report(findings_, "r-function-by-name"_rule, scan_.at(at), "as()");
}

}  // namespace langsbx::languages::r
