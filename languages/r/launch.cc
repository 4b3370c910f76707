// How R is started: Rscript, without profiles, saved workspaces and the user's own library.
#include "languages/launch.h"

#include <cstddef>

namespace langsbx::languages::r {
namespace {

bool is_harmless(std::string_view option) {
  return option == "--vanilla" || option == "--no-save" || option == "--no-restore" ||
         option == "--no-environ" || option == "--no-init-file" || option == "--no-site-file" ||
         option == "--verbose" || option == "--no-echo" || option == "--quiet" ||
         option == "--silent" || option == "-q" || option == "-s" || option == "--slave";
}

// The last of two files counts for R: nothing but harmless options up to --args.
bool ends_there(const std::vector<std::string>& args, std::size_t from) {
  for (std::size_t i = from; i < args.size() && args[i] != "--args"; ++i) {
    if (!is_harmless(args[i])) return false;
  }
  return true;
}

// Rscript [options] FILE; R [options] -f FILE or --file=FILE. Other options name packages to load,
// files to read first, or a debugger.
SourceArgument source_argument(std::string_view program, const std::vector<std::string>& args) {
  constexpr std::string_view kFile = "--file=";
  const bool script = program == "Rscript";
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (script && (arg.size() < 2 || arg[0] != '-')) return file_argument(arg);
    if (arg == "--version" || arg == "--help") return text_argument("");
    const bool code = arg == "-e";
    const bool takes_value = code || (!script && arg == "-f");
    if (takes_value && i + 1 >= args.size()) return missing_value(arg);
    const bool file = !script && arg.starts_with(kFile);
    if (!takes_value && !file) {
      if (is_harmless(arg)) continue;
      return unknown_option(arg);
    }
    if (!ends_there(args, i + (takes_value ? 2 : 1))) return unknown_option("behind " + arg);
    if (file) return file_argument(arg.substr(kFile.size()));
    return code ? text_argument(args[i + 1]) : file_argument(args[i + 1]);
  }
  return interactive_argument();
}

// The interpreter itself: Rscript and R are programs that start a shell script that starts it, and
// a sandbox has nothing to start.
std::vector<std::string> command(const Start& start) {
  return {start.program,    "--no-save", "--no-restore",           "--no-environ",
          "--no-init-file", "--no-echo", "--file=" + start.source, "--args"};
}

// Read before R attaches its packages. utils asks `sh -c "which uname"` what the system is called,
// and R removes its folder of temporary files with `rm -Rf`: there is no shell in a sandbox.
constexpr StartupFile kStartup = {.name = ".Rprofile.site", .content = R"(invisible(local({
  unlockBinding("Sys.which", baseenv())
  assign("Sys.which", function(names) structure(character(length(names)), names = names), baseenv())
  lockBinding("Sys.which", baseenv())
  reg.finalizer(baseenv(), function(...) unlink(tempdir(), recursive = TRUE), onexit = TRUE)
}))
)"};

// What the shell script tells it.
std::vector<std::string> environment(const Start& start) {
  constexpr std::string_view kDebian = "/usr/lib/R";
  const std::string home = start.program.substr(0, start.program.rfind("/bin/"));
  const std::string shared = home == kDebian ? "/usr/share/R" : home;
  return {
      "R_HOME=" + home,
      "R_SHARE_DIR=" + shared + "/share",
      "R_INCLUDE_DIR=" + shared + "/include",
      "R_DOC_DIR=" + shared + "/doc",
      "R_LIBS_SITE=/usr/local/lib/R/site-library:" + home + "/site-library:" + home + "/library",
      "LD_LIBRARY_PATH=" + home + "/lib",
      "R_PROFILE=" + start.folder + "/" + std::string(kStartup.name),
      "TMPDIR=" + start.work};
}

constexpr std::string_view kHostPaths[] = {"/etc/R"};
// Of the images that build it themselves, and of Fedora.
constexpr std::string_view kPlaces[] = {"/usr/local/lib/R/bin/exec/R", "/usr/lib64/R/bin/exec/R"};
constexpr Toolchain kToolchains[] = {{.program = "/usr/lib/R/bin/exec/R",
                                      .package = "r-base-core",
                                      .extension = ".R",
                                      .least_pids = 8,
                                      .least_memory = 128 * kMiB,
                                      .least_files = 256,
                                      .host_paths = kHostPaths,
                                      .places = kPlaces,
                                      .command = command,
                                      .startup = kStartup,
                                      .code_place = CodePlace::kFixed,
                                      .environment = environment}};
// ~/.Rprofile, ~/.Renviron and packages of the user's own.
constexpr GivenVariable kEnvironment[] = {
    {"R_PROFILE_USER", "/dev/null"}, {"R_ENVIRON_USER", "/dev/null"}, {"R_DEFAULT_PACKAGES", ""}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .source_argument = source_argument,
                        .environment = kEnvironment,
                        .seccomp = "r"};

}  // namespace langsbx::languages::r
