// ps: the processes of a container, as pids or as a table by the host's ps.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "cmd/langsbx/ps_table.h"
#include "cmd/langsbx/verbs.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

std::string json_list(const std::vector<pid_t>& pids) {
  std::string text = "[";
  for (const pid_t pid : pids) text += (text.size() > 1 ? "," : "") + std::to_string(pid);
  return text + "]";
}

Result<std::string> output_of_ps(std::vector<std::string> args) {
  constexpr std::size_t kLimit = std::size_t{64} << 20U;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("pipe");
  const UniqueFd reading(ends[0]);
  UniqueFd writing(ends[1]);
  std::string name = "ps";
  std::vector<char*> argv{name.data()};
  for (std::string& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, writing.get(), STDOUT_FILENO);
  pid_t child = 0;
  const int code = ::posix_spawnp(&child, "ps", &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return system_error("ps", code);
  writing.reset();
  auto output = read_fd(reading.get(), kLimit, "ps");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) return make_error(ErrorKind::kSystem, "ps failed");
  return output;
}

Result<int> run(const Invocation& invocation) {
  std::string format = "table";
  OptionTable table;
  table.text("format,f", &format, "FORMAT", "table (default) or json");
  auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  if (format != "table" && format != "json")
    return make_error(ErrorKind::kInvalidInput, "invalid format option: " + format);
  const auto pids = TRY(call_verb(invocation, [&](const auto& context) {
    return runtime::processes(context, positionals->at(0));
  }));
  if (format == "json") {
    TRY(print(json_list(pids) + "\n"));
    return 0;
  }
  std::vector<std::string> ps_args(positionals->begin() + 1, positionals->end());
  if (!ps_args.empty() && ps_args[0] == "--") ps_args.erase(ps_args.begin());
  if (ps_args.empty()) ps_args = {"-ef"};
  TRY(print(TRY(filter_ps(TRY(output_of_ps(std::move(ps_args))), pids))));
  return 0;
}

}  // namespace

extern const Command kPs{.name = "ps",
                         .arguments = "<container-id> [ps options]",
                         .summary = "display the processes running inside a container",
                         .fewest = 1,
                         .most = kAnyNumber,
                         .run = run,
                         .positionals = Positionals::kEndOptions};

}  // namespace langsbx::cmd
