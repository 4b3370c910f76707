// Following argv step by step: script -> its "#!" interpreter, wrapper -> what it starts.
#include "runtime/guard/invocation.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "languages/launch.h"
#include "languages/registry.h"
#include "runtime/base/text.h"
#include "runtime/confine/environment.h"
#include "runtime/guard/launch_environment.h"

namespace langsbx::guard {
namespace {

using Args = std::vector<std::string>;

constexpr int kMostSteps = 8;
constexpr std::size_t kMostOfFirstLine = 255;  // BINPRM_BUF_SIZE without the NUL behind it

bool is_multi_call(std::string_view name) { return name == "busybox" || name == "toybox"; }

// A program that starts another one with the rest of its arguments.
struct Wrapper {
  std::string_view name;
  std::string_view flags;       // one-letter options without a value
  std::string_view with_value;  // one-letter options with one
  int positionals = 0;          // before the program: timeout's duration
};
constexpr auto kWrappers = std::array{
    Wrapper{"nice", "", "n", 0},
    Wrapper{"nohup", "", "", 0},
    Wrapper{"setsid", "cfw", "", 0},
    Wrapper{"timeout", "fpv", "ks", 1},
    Wrapper{"stdbuf", "", "ioe", 0},
    Wrapper{"tini", "svgw", "pe", 0},
    Wrapper{"docker-init", "svgw", "pe", 0},
    Wrapper{"dumb-init", "cv", "r", 0},
    Wrapper{"catatonit", "g", "", 0},
};

class Follow {
 public:
  Follow(std::string executable, Args args, const Surroundings& surroundings)
      : executable_(std::move(executable)), args_(std::move(args)), around_(surroundings) {}

  Interpreted run() {
    for (int step = 0; step < kMostSteps; ++step) {
      if (follow_once()) return std::move(out_);
    }
    return problem("too many programs start each other");
  }

 private:
  Interpreted problem(std::string why) {
    out_.problem = std::move(why);
    return std::move(out_);
  }
  bool stop(std::string why) {
    out_.problem = std::move(why);
    return true;
  }

  // Whether the end is reached.
  bool follow_once() {
    if (args_.empty()) return stop("it names no program");
    if (executable_.empty()) return stop("'" + args_[0] + "' is not there");
    out_.programs.push_back(executable_);
    const auto start = around_.start_of(executable_);
    if (start && start->starts_with("#!")) return follow_shebang(*start);
    // A program under many names goes by the one it is called by.
    std::string_view name = base_name(executable_);
    if (is_multi_call(name)) return follow_multi_call();
    if (name == "env") return follow_env();
    for (const Wrapper& wrapper : kWrappers) {
      if (wrapper.name == name) return follow_wrapper(wrapper);
    }
    return finish(name);
  }

  bool finish(std::string_view name) {
    out_.language = languages::language_of_interpreter(name);
    out_.is_program = out_.language == nullptr;
    if (out_.is_program) {
      return stop("'" + std::string(name) + "' is no interpreter the guard knows");
    }
    out_.by_sh = name == "sh" || name == "dash" || name == "ash";
    for (const std::string& variable : changed_) {
      if (is_given(*out_.language, variable)) {
        return stop("env: " + variable + " changes what runs");
      }
    }
    auto source = languages::source_argument(*out_.language, name, args_);
    out_.path = std::move(source.path);
    out_.text = std::move(source.text);
    if (!source.problem.empty()) out_.problem = std::string(name) + ": " + source.problem;
    return true;
  }

  // The kernel makes {interpreter, the rest of the line as one word, the script, its arguments}.
  bool follow_shebang(std::string_view start) {
    // The kernel reads this much of the file and cuts the line there; what it then runs is other
    // than what stands here. A NUL ends the line for it, too.
    const auto end = start.substr(0, kMostOfFirstLine).find('\n');
    if (end == std::string_view::npos) return stop(executable_ + ": its \"#!\" line is too long");
    if (start.substr(0, end).find('\0') != std::string_view::npos) {
      return stop(executable_ + ": its \"#!\" line has a NUL in it");
    }
    const std::string line(trim(start.substr(2, end - 2), kBlanks));
    const auto space = line.find_first_of(" \t");
    const std::string interpreter = line.substr(0, space);
    if (interpreter.empty() || interpreter[0] != '/') {
      return stop(executable_ + ": its \"#!\" line names no absolute path");
    }
    Args args{interpreter};
    if (space != std::string::npos)
      args.emplace_back(trim(std::string_view(line).substr(space), kBlanks));
    args.push_back(executable_);
    args.insert(args.end(), args_.begin() + 1, args_.end());
    args_ = std::move(args);
    executable_ = interpreter;
    return false;
  }

  // Goes on with the program at args_[from].
  bool go_on(std::size_t from) {
    args_.erase(args_.begin(), args_.begin() + static_cast<std::ptrdiff_t>(from));
    if (args_.empty()) return stop("it starts no program");
    const std::string& name = args_[0];
    const bool look_up = name.find('/') == std::string::npos;
    if (look_up && !path_known_) return stop("'" + name + "' is looked up without PATH");
    executable_ = look_up ? around_.find(name) : name;
    return false;
  }

  // busybox called by an applet's name never comes here: its path then ends in that name.
  bool follow_multi_call() {
    if (args_.size() < 2 || args_[1].starts_with("-")) return stop("it names no program");
    const std::string name = args_[1];  // a copy: erase moves it
    args_.erase(args_.begin());
    if (name == "env") return follow_env();
    for (const Wrapper& wrapper : kWrappers) {
      if (wrapper.name == name) return follow_wrapper(wrapper);
    }
    return finish(name);
  }

  bool follow_wrapper(const Wrapper& wrapper) {
    std::size_t at = 1;
    int positionals = wrapper.positionals;
    for (; at < args_.size(); ++at) {
      const std::string& arg = args_[at];
      if (arg == "--") {
        ++at;
        break;
      }
      if (arg.size() < 2 || arg[0] != '-') break;
      const char letter = arg[1];
      if (wrapper.with_value.find(letter) != std::string_view::npos) {
        if (arg.size() == 2) ++at;
        continue;
      }
      const bool flags = std::all_of(arg.begin() + 1, arg.end(), [&](char one) {
        return wrapper.flags.find(one) != std::string_view::npos;
      });
      if (!flags) {
        return stop(std::string(wrapper.name) + ": option " + arg +
                    " is not one the guard looks through");
      }
    }
    return go_on(std::min(at + static_cast<std::size_t>(positionals), args_.size()));
  }

  // env -S splits as a shell does; only plain words are split here.
  bool split_words(std::size_t at, std::string_view text) {
    if (text.find_first_of("\\'\"$#") != std::string_view::npos) {
      return stop("env: -S with quotes is not looked through");
    }
    const auto parts = words_of(text);
    Args words(parts.begin(), parts.end());
    args_.erase(args_.begin() + static_cast<std::ptrdiff_t>(at));
    args_.insert(args_.begin() + static_cast<std::ptrdiff_t>(at), words.begin(), words.end());
    return false;
  }

  bool follow_env() {
    std::size_t at = 1;
    while (at < args_.size()) {
      const std::string arg = args_[at];
      if (arg == "-" || arg == "-i" || arg == "--ignore-environment") {
        return stop("env: option " + arg + " takes away what the interpreter has to be told");
      } else if (arg == "-u") {
        if (at + 1 >= args_.size()) return stop("env: option -u has no value");
        if (args_[at + 1] == "PATH") path_known_ = false;
        changed_.push_back(args_[at + 1]);
        at += 2;
      } else if (arg.starts_with("-S") || arg.starts_with("--split-string=")) {
        std::string text = arg.substr(arg[1] == 'S' ? 2 : 15);
        if (text.empty() && at + 1 < args_.size()) {
          text = args_[at + 1];
          args_.erase(args_.begin() + static_cast<std::ptrdiff_t>(at));
        }
        if (split_words(at, text)) return true;
      } else if (arg == "--") {
        ++at;
        break;
      } else if (arg.starts_with("-")) {
        return stop("env: option " + arg + " is not one the guard looks through");
      } else if (const auto equals = arg.find('='); equals != std::string::npos) {
        const auto name = std::string_view(arg).substr(0, equals);
        if (name == "PATH" || confine::is_dangerous_variable(name)) {
          return stop("env: " + std::string(name) + " changes what runs");
        }
        changed_.emplace_back(name);
        ++at;
      } else {
        break;
      }
    }
    return go_on(std::min(at, args_.size()));
  }

  std::string executable_;
  Args args_;
  const Surroundings& around_;
  Interpreted out_;
  bool path_known_ = true;
  std::vector<std::string> changed_;  // variables, by env
};

}  // namespace

Interpreted interpret(std::string executable, std::vector<std::string> args,
                      const Surroundings& surroundings) {
  return Follow(std::move(executable), std::move(args), surroundings).run();
}

namespace {

Interpreted interpret_by_name(const std::vector<std::string>& args) {
  const Surroundings nowhere{[](const std::string&) { return std::optional<std::string>(); },
                             [](const std::string& name) { return name; }};
  return interpret(args[0], args, nowhere);
}

}  // namespace

std::string source_by_name(const std::vector<std::string>& args) {
  if (args.empty()) return {};
  const auto found = interpret_by_name(args);
  return found.language == nullptr ? args[0] : found.path;
}

const languages::Language* language_by_name(const std::vector<std::string>& args) {
  if (args.empty()) return nullptr;
  const auto found = interpret_by_name(args);
  if (found.language != nullptr) return found.language;
  return languages::language_of_file(args[0], {});
}

}  // namespace langsbx::guard
