// How Python is started.
#include "languages/launch.h"

#include <algorithm>
#include <array>

namespace langsbx::languages::python {
namespace {

using Args = std::vector<std::string>;

bool contains(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

// -X by name. Others name places that code is read from (pycache_prefix, presite) or are not known.
bool harmless_python_setting(std::string_view value) {
  constexpr std::array<std::string_view, 15> kKnown{"faulthandler",
                                                    "dev",
                                                    "utf8",
                                                    "importtime",
                                                    "tracemalloc",
                                                    "showrefcount",
                                                    "showalloccount",
                                                    "no_debug_ranges",
                                                    "int_max_str_digits",
                                                    "warn_default_encoding",
                                                    "frozen_modules",
                                                    "gil",
                                                    "cpu_count",
                                                    "thread_inherit_context",
                                                    "context_aware_warnings"};
  const auto name = value.substr(0, value.find('='));
  return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
}

// action:message:category:module:line. A category with a dot is imported to be found.
bool harmless_python_warning(std::string_view value) {
  for (int field = 0; field < 2; ++field) {
    const auto colon = value.find(':');
    if (colon == std::string_view::npos) return true;
    value.remove_prefix(colon + 1);
  }
  return value.substr(0, value.find(':')).find('.') == std::string_view::npos;
}

SourceArgument source_argument(std::string_view /*program*/, const Args& args) {
  // Not -E and -I: they ignore the variable that keeps compiled files out (see SourceGate).
  constexpr std::string_view kFlags = "bBdOPqRsStuv";
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg.size() < 2 || arg[0] != '-') return file_argument(arg);
    if (arg == "--version" || arg == "--help") return text_argument("");
    if (arg.starts_with("--")) return unknown_option(arg);
    for (std::size_t at = 1; at < arg.size(); ++at) {
      const char letter = arg[at];
      const bool last = at + 1 == arg.size();
      if (contains(kFlags, letter)) continue;
      if (letter == 'h' || letter == 'V' || letter == '?') return text_argument("");
      if (letter == 'c') {
        if (!last) return text_argument(arg.substr(at + 1));
        return i + 1 < args.size() ? text_argument(args[i + 1]) : missing_value("-c");
      }
      if (letter == 'W' || letter == 'X') {
        if (last && i + 1 >= args.size()) return missing_value(std::string("-") + letter);
        const std::string value = last ? args[++i] : arg.substr(at + 1);
        const bool harmless =
            letter == 'X' ? harmless_python_setting(value) : harmless_python_warning(value);
        if (!harmless) return unknown_option(std::string("-") + letter + " " + value);
        break;
      }
      if (letter == 'm') return problem_argument("-m runs a module that is not named as a file");
      return unknown_option(std::string("-") + letter);
    }
  }
  return interactive_argument();
}

// A program of several files: its code is read from the folder that nobody writes, and is called by
// the names of the copies in the work directory. What the program writes there is never imported.
constexpr StartupFile kStartup = {.name = ".start.py",
                                  .content = R"py(def _start():
    import _frozen_importlib_external as external
    import _io
    import posix
    import sys
    from _frozen_importlib import ModuleSpec

    source, work, entry = sys.argv[1:4]
    del sys.argv[:3]
    regular, directory = 0o100000, 0o040000

    def kind(path):
        try:
            return posix.stat(path).st_mode & 0o170000
        except (OSError, ValueError):
            return 0

    class JudgedLoader(external.SourceFileLoader):
        def get_code(self, fullname):
            path = self.get_filename(fullname)
            return self.source_to_code(self.get_judged(path), path)

        def get_judged(self, path):
            with _io.FileIO(source + path[len(work):]) as file:
                return file.readall()

        def get_source(self, fullname):
            return external.decode_source(self.get_judged(self.get_filename(fullname)))

    def is_ours(path):
        return path == work or path.startswith(work + '/')

    class JudgedFinder:
        @staticmethod
        def find_spec(fullname, path=None, target=None):
            folders = [beside] if path is None else list(path)
            ours = [folder for folder in folders if is_ours(folder)]
            tail = fullname.rpartition('.')[2]
            portions = []
            for folder in ours:
                place = folder + '/' + tail
                judged = source + place[len(work):]
                if kind(judged + '/__init__.py') == regular:
                    file = place + '/__init__.py'
                    return external.spec_from_file_location(
                        fullname, file, loader=JudgedLoader(fullname, file),
                        submodule_search_locations=[place])
                if kind(judged + '.py') == regular:
                    file = place + '.py'
                    return external.spec_from_file_location(
                        fullname, file, loader=JudgedLoader(fullname, file))
                if kind(judged) == directory:
                    portions.append(place)
            if portions:
                spec = ModuleSpec(fullname, None, is_package=True)
                spec.submodule_search_locations = portions
                return spec
            if not ours or path is None:
                return None
            raise ModuleNotFoundError(f'No module named {fullname!r}', name=fullname)

        @staticmethod
        def invalidate_caches():
            pass

    file = work + '/' + entry
    beside = file.rpartition('/')[0]
    sys.meta_path.insert(sys.meta_path.index(external.PathFinder), JudgedFinder)
    loader = JudgedLoader('__main__', file)
    sys.argv[0] = file
    names = sys.modules['__main__'].__dict__
    names.pop('_start', None)
    names.update(__file__=file, __loader__=loader, __spec__=None, __cached__=None)

    def tell(kind, error, trace):
        frames = []
        while trace is not None:
            if not trace.tb_frame.f_code.co_filename.startswith((started, '<frozen importlib')):
                frames.append(trace)
            trace = trace.tb_next
        for frame in reversed(frames):
            frame.tb_next = trace
            trace = frame
        sys.__excepthook__(kind, error.with_traceback(trace), trace)

    started = tell.__code__.co_filename
    sys.excepthook = tell
    return loader.get_code('__main__'), names

exec(*_start())
)py",
                                  .of_several = true};

std::vector<std::string> command(const Start& start) {
  std::vector<std::string> args = {start.program, "-I", "-B"};
  if (start.without_site) args.emplace_back("-S");
  if (start.entry.empty()) {
    args.push_back(start.source);
  } else {
    args.insert(args.end(), {start.folder + "/" + std::string(kStartup.name), start.folder,
                             start.work, start.entry});
  }
  return args;
}

constexpr std::string_view kHostPaths[] = {"/etc/matplotlibrc"};
constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/python3",
                                      .package = "python3",
                                      .extension = ".py",
                                      .host_paths = kHostPaths,
                                      .command = command,
                                      .startup = kStartup,
                                      .code_place = CodePlace::kCopied}};
constexpr GivenVariable kEnvironment[] = {
    // Compiled files that claim to need no check.
    {"PYTHONPYCACHEPREFIX", "/dev/null"},
    // ~/.local/lib/python*/site-packages with its .pth files and usercustomize.
    {"PYTHONNOUSERSITE", "1"},
};
// What libraries import is then not looked for beside the program.
constexpr GivenVariable kAlone[] = {{"PYTHONSAFEPATH", "1"}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .source_argument = source_argument,
                        .environment = kEnvironment,
                        .alone = kAlone,
                        .seccomp = "python",
                        .has_site = true};

}  // namespace langsbx::languages::python
