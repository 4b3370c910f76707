// The answers that the readers of command lines share.
#include "languages/launch.h"

#include "languages/language.h"

namespace langsbx::languages {

SourceArgument source_argument(const Language& language, std::string_view program,
                               const std::vector<std::string>& args) {
  if (language.launch == nullptr || language.launch->source_argument == nullptr) {
    return problem_argument("its command line is not known to the guard");
  }
  return language.launch->source_argument(program, args);
}

SourceArgument file_argument(const std::string& path) {
  if (path == "-" || path.empty()) return problem_argument("its source is standard input");
  return {.path = path};
}

SourceArgument text_argument(const std::string& code) { return {.text = code}; }

SourceArgument problem_argument(const std::string& why) { return {.problem = why}; }

SourceArgument interactive_argument() {
  return problem_argument("without a file its source is standard input");
}

SourceArgument unknown_option(const std::string& option) {
  return problem_argument("option " + option + " is not one the guard looks through");
}

SourceArgument missing_value(const std::string& option) {
  return problem_argument("option " + option + " has no value");
}

}  // namespace langsbx::languages
