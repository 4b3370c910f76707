// From a language's own rows to a command line.
#include "runtime/execute/toolchain.h"

#include <algorithm>
#include <charconv>

#include "languages/language.h"
#include "languages/registry.h"

namespace langsbx::execute {
namespace {

using languages::kMiB;

bool is_harmless(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '-' && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

languages::Start start_of(const RunCommand& wanted) {
  return {.program = wanted.program,
          .source = wanted.source,
          .folder = wanted.places.source,
          .entry = wanted.entry,
          .work = wanted.places.work,
          .memory = wanted.limits.memory,
          .version = wanted.version.value_or(Version{}),
          .without_site = wanted.without_site};
}

}  // namespace

Result<const Toolchain*> find_toolchain(std::string_view language) {
  const languages::Language* const found = languages::find_language(language);
  if (found != nullptr && found->launch != nullptr && !found->launch->toolchains.empty()) {
    const auto& all = found->launch->toolchains;
    return &*std::ranges::find(all, false, &Toolchain::of_several);
  }
  return make_error(ErrorKind::kUnsupported,
                    "language \"" + std::string(language) + "\" can't be executed");
}

std::string inside_name(const Toolchain& toolchain, std::string_view file) {
  const auto slash = file.rfind('/');
  const auto base = slash == std::string_view::npos ? file : file.substr(slash + 1);
  const auto dot = base.rfind('.');
  if (is_harmless(base) && dot != std::string_view::npos && dot > 0) return std::string(base);
  return "main" + std::string(toolchain.extension);
}

std::vector<std::string> run_command(const RunCommand& wanted,
                                     const std::vector<std::string>& args) {
  std::vector<std::string> command = {wanted.source};
  if (wanted.toolchain->command != nullptr) command = wanted.toolchain->command(start_of(wanted));
  command.insert(command.end(), args.begin(), args.end());
  return command;
}

std::vector<std::string> run_environment(const RunCommand& wanted) {
  if (wanted.toolchain->environment == nullptr) return {};
  return wanted.toolchain->environment(start_of(wanted));
}

std::string join_compiled(const Compiled& compiled) {
  return std::to_string(compiled.object.size()) + "\n" + compiled.object + compiled.program;
}

Result<Compiled> split_compiled(std::string_view text) {
  const auto line = text.find('\n');
  std::size_t size = 0;
  const char* const end = text.data() + (line == std::string_view::npos ? 0 : line);
  const auto [stop, error] = std::from_chars(text.data(), end, size);
  if (line == std::string_view::npos || error != std::errc() || stop != end ||
      size > text.size() - line - 1) {
    return make_error(ErrorKind::kInternal, "what was compiled is cut off");
  }
  text.remove_prefix(line + 1);
  return Compiled{std::string(text.substr(0, size)), std::string(text.substr(size))};
}

Limits compile_limits() {
  Limits limits;
  limits.cpu_time_ms = 60'000;
  limits.wall_time_ms = 120'000;
  limits.cpus_milli = 4'000;
  limits.memory = 1024 * kMiB;
  limits.pids = 64;
  limits.files = 256;
  limits.disk = 512 * kMiB;
  limits.output = kMiB;
  return limits;
}

}  // namespace langsbx::execute
