// The table of languages.
#include "runtime/execute/toolchain.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

const std::array<Toolchain, 9>& table() {
  static const std::array<Toolchain, 9> kTable = {{
      {"python", "/usr/bin/python3", "python3", false, ".py", 1, 0, {}},
      {"bash", "/usr/bin/bash", "bash", false, ".sh", 1, 0, {}},
      {"javascript", "/usr/bin/node", "nodejs", false, ".js", 16, 128 * kMiB, {}},
      {"typescript", "/usr/bin/tsc", "node-typescript", true, ".ts", 16, 128 * kMiB, {}},
      {"java",
       "/usr/bin/java",
       "default-jdk-headless",
       false,
       ".java",
       48,
       256 * kMiB,
       {"/etc/alternatives", "/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk",
        "/etc/java-25-openjdk"}},
      {"c", "/usr/bin/gcc", "gcc libc6-dev", true, ".c", 1, 0, {}},
      {"cpp", "/usr/bin/g++", "g++", true, ".cpp", 1, 0, {}},
      {"go", "/usr/bin/go", "golang-go", true, ".go", 16, 64 * kMiB, {}},
      {"rust", "/usr/bin/rustc", "rustc", true, ".rs", 1, 0, {}},
  }};
  return kTable;
}

bool is_harmless(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '-' && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

std::string node_heap(const Limits& limits) {
  // Room for what is not JavaScript heap: code, buffers, node itself.
  const std::uint64_t mib = limits.memory / kMiB;
  return "--max-old-space-size=" + std::to_string(mib > 128 ? mib - 96 : mib / 2);
}

std::string compile_script(const Toolchain& toolchain, const std::string& source) {
  const std::string_view language = toolchain.language;
  if (language == "c")
    return "/usr/bin/gcc -O1 -pipe -c -o object " + source +
           " && /usr/bin/gcc -o program object -lm";
  if (language == "cpp")
    return "/usr/bin/g++ -O1 -pipe -c -o object " + source + " && /usr/bin/g++ -o program object";
  if (language == "go") return "/usr/bin/go build -o program " + source;
  if (language == "rust") return "/usr/bin/rustc -C opt-level=1 -o program " + source;
  return "/usr/bin/tsc --outDir out --target es2022 --module commonjs " + source +
         " >&2 && mv out/*.js program";
}

}  // namespace

Result<const Toolchain*> find_toolchain(std::string_view language) {
  for (const auto& toolchain : table()) {
    if (toolchain.language == language) return &toolchain;
  }
  return make_error(ErrorKind::kUnsupported,
                    "language \"" + std::string(language) + "\" can't be executed");
}

Result<void> check_installed(const Toolchain& toolchain) {
  const auto check = [&](std::string_view program, std::string_view package) -> Result<void> {
    if (::access(std::string(program).c_str(), X_OK) == 0) return {};
    return make_error(ErrorKind::kNotFound,
                      std::string(toolchain.language) + ": " + std::string(program) +
                          " is not installed: apt install " + std::string(package));
  };
  TRY(check(toolchain.program, toolchain.package));
  if (toolchain.language == "typescript") TRY(check("/usr/bin/node", "nodejs"));
  return {};
}

std::string inside_name(const Toolchain& toolchain, std::string_view file) {
  const auto slash = file.rfind('/');
  const auto base = slash == std::string_view::npos ? file : file.substr(slash + 1);
  const auto dot = base.rfind('.');
  if (is_harmless(base) && dot != std::string_view::npos && dot > 0) return std::string(base);
  return "main" + std::string(toolchain.extension);
}

std::vector<std::string> run_command(const Toolchain& toolchain, const std::string& source,
                                     const Limits& limits, const std::vector<std::string>& args) {
  std::vector<std::string> command;
  const std::string_view language = toolchain.language;
  if (language == "python") {
    command = {"/usr/bin/python3", "-I", "-B", source};
  } else if (language == "bash") {
    command = {"/usr/bin/bash", "--noprofile", "--norc", source};
  } else if (language == "javascript" || language == "typescript") {
    command = {"/usr/bin/node",   "--disallow-code-generation-from-strings",
               "--no-addons",     "--v8-pool-size=1",
               node_heap(limits), source};
  } else if (language == "java") {
    command = {"/usr/bin/java",
               "-XX:+UseSerialGC",
               "-XX:TieredStopAtLevel=1",
               "-XX:-UsePerfData",
               "-Xshare:auto",
               "-Xmx" + std::to_string(limits.memory / kMiB / 2) + "m",
               source};
  } else {
    command = {source};
  }
  command.insert(command.end(), args.begin(), args.end());
  return command;
}

std::vector<std::string> compile_command(const Toolchain& toolchain, const std::string& source) {
  return {"/usr/bin/bash", "--noprofile", "--norc", "-c",
          ": > object; " + compile_script(toolchain, source) +
              " && /usr/bin/stat -c %s object && exec /usr/bin/cat object program"};
}

Result<Compiled> split_compiled(std::string_view output) {
  const auto line = output.find('\n');
  std::size_t size = 0;
  const char* const end = output.data() + (line == std::string_view::npos ? 0 : line);
  const auto [stop, error] = std::from_chars(output.data(), end, size);
  if (line == std::string_view::npos || error != std::errc() || stop != end ||
      size > output.size() - line - 1) {
    return make_error(ErrorKind::kInternal, "the compiler's result is cut off");
  }
  output.remove_prefix(line + 1);
  return Compiled{std::string(output.substr(0, size)), std::string(output.substr(size))};
}

Limits compile_limits() {
  Limits limits;
  limits.cpu_time_ms = 60'000;
  limits.wall_time_ms = 60'000;
  limits.cpus_milli = 4'000;
  limits.memory = 1024 * kMiB;
  limits.pids = 64;
  limits.files = 256;
  limits.disk = 512 * kMiB;
  limits.output = 64 * kMiB;
  return limits;
}

}  // namespace langsbx::execute
