// execute: judges one source file and runs it in a sandbox made of this host's /usr.
#include "runtime/execute/execute.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>

#include "cmd/langsbx/command.h"
#include "cmd/langsbx/duration.h"
#include "languages/report.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/record_json.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

constexpr std::size_t kLargestSource = 16U << 20U;
constexpr std::size_t kLargestInput = 256U << 20U;

struct Options {
  std::string language, profile = "default", preset = "default", network = "none";
  std::string isolation = "container";
  std::string timeout, cpu_time, cpus, memory, disk, output, input_stream = "-";
  std::optional<std::int64_t> pids, files;
  std::vector<std::string> env, inputs, artifacts;
  bool json = false;
};

void declare(OptionTable& table, Options& options) {
  table.text("language,l", &options.language, "NAME", "default: by extension or \"#!\"");
  table.text("profile,p", &options.profile, "NAME", "what the guard allows; default: default");
  table.text("preset", &options.preset, "NAME", "limits: default or strict");
  table.text("timeout", &options.timeout, "DURATION", "longest run: 60s, or 10s when strict");
  table.text("cpu-time", &options.cpu_time, "DURATION", "processor time of all processes");
  table.text("cpus", &options.cpus, "N", "processors at a time, as 0.5");
  table.text("memory,m", &options.memory, "SIZE", "memory of all processes, as 256M");
  table.number("pids", &options.pids, "processes and threads");
  table.number("files", &options.files, "open files of a process");
  table.text("disk", &options.disk, "SIZE", "what may be written in the work directory");
  table.text("output", &options.output, "SIZE", "what may be written to stdout and stderr");
  table.text("stdin", &options.input_stream, "FILE",
             "the program's input; - is ours, none is none");
  table.list("env,e", &options.env, "NAME=VALUE", "a variable for the program");
  table.list("input,i", &options.inputs, "FILE[:NAME]", "a file for the work directory");
  table.list("artifact,a", &options.artifacts, "GLOB",
             "afterwards copy matching files of the work directory here");
  table.text("network", &options.network, "none|host", "default: none");
  table.text("isolation", &options.isolation, "container", "how the program is kept");
  table.flag("json", &options.json, "print one JSON record instead of the program's output");
}

Result<std::optional<std::uint64_t>> size(const std::string& text, std::string_view option) {
  if (text.empty()) return std::optional<std::uint64_t>();
  return std::optional(TRY(execute::parse_size(text, option)));
}

Result<std::optional<std::uint64_t>> duration(const std::string& text, std::string_view option) {
  if (text.empty()) return std::optional<std::uint64_t>();
  return std::optional(static_cast<std::uint64_t>(TRY(parse_duration(text, option)).count()));
}

Result<std::optional<std::uint64_t>> count(const std::optional<std::int64_t>& value,
                                           const char* option) {
  if (!value) return std::optional<std::uint64_t>();
  if (*value < 1)
    return make_error(ErrorKind::kInvalidInput, std::string(option) + ": less than 1");
  return std::optional(static_cast<std::uint64_t>(*value));
}

Result<execute::LimitOptions> limits(const Options& options) {
  execute::LimitOptions made;
  made.wall_time_ms = TRY(duration(options.timeout, "--timeout"));
  made.cpu_time_ms = TRY(duration(options.cpu_time, "--cpu-time"));
  if (!options.cpus.empty()) made.cpus_milli = TRY(execute::parse_cpus(options.cpus));
  made.memory = TRY(size(options.memory, "--memory"));
  made.disk = TRY(size(options.disk, "--disk"));
  made.output = TRY(size(options.output, "--output"));
  made.pids = TRY(count(options.pids, "--pids"));
  made.files = TRY(count(options.files, "--files"));
  return made;
}

// "data.csv" or "data.csv:name"; the name is one in the work directory.
Result<execute::Input> read_input(const std::string& option) {
  const auto colon = option.rfind(':');
  const std::string path = option.substr(0, colon);
  std::string name =
      colon == std::string::npos ? path.substr(path.rfind('/') + 1) : option.substr(colon + 1);
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos) {
    return make_error(ErrorKind::kInvalidInput, "--input " + option + ": not a file's name");
  }
  return execute::Input{std::move(name), TRY_CONTEXT(read_file(path, kLargestInput), "--input")};
}

std::string new_id() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::to_string(::getpid()) + "-" + std::to_string(now.tv_sec) + "-" +
         std::to_string(now.tv_nsec);
}

Result<void> check(const Options& options) {
  if (options.network != "none" && options.network != "host") {
    return make_error(ErrorKind::kInvalidInput,
                      "--network: \"" + options.network + "\" is neither none nor host");
  }
  if (options.isolation != "container") {
    return make_error(ErrorKind::kUnsupported, "--isolation: \"" + options.isolation +
                                                   "\" is not supported, only container");
  }
  return {};
}

Result<execute::Request> make_request(const Invocation& invocation, const Options& options,
                                      std::vector<std::string> positionals, UniqueFd& stdin_file) {
  TRY(check(options));
  execute::Request request;
  request.id = new_id();
  request.file = positionals.at(0);
  const bool from_stdin = request.file == "-";
  if (!from_stdin && ::access(request.file.c_str(), F_OK) != 0) {
    return make_error(ErrorKind::kNotFound, request.file + ": " + errno_text(errno));
  }
  request.source = from_stdin ? TRY(read_fd(0, kLargestSource, "standard input"))
                              : TRY(read_file(request.file, kLargestSource));
  if (from_stdin) request.file = "main";
  request.language = options.language;
  request.profile = options.profile;
  request.preset = options.preset;
  request.limits = TRY(limits(options));
  positionals.erase(positionals.begin());
  if (!positionals.empty() && positionals[0] == "--") positionals.erase(positionals.begin());
  request.args = std::move(positionals);
  request.env = options.env;
  for (const auto& input : options.inputs) request.inputs.push_back(TRY(read_input(input)));
  request.artifacts = options.artifacts;
  request.host_network = options.network == "host";
  request.capture = options.json;
  request.state_root = invocation.global.root;
  if (options.input_stream == "none" || from_stdin) request.stdin_fd = -1;
  if (options.input_stream != "none" && options.input_stream != "-") {
    stdin_file = TRY_CONTEXT(open_file(options.input_stream, O_RDONLY), "--stdin");
    request.stdin_fd = stdin_file.get();
  }
  return request;
}

Result<void> write_artifacts(const execute::Record& record) {
  for (const auto& artifact : record.artifacts) {
    // A link or device of that name here is replaced, not written through.
    TRY_CONTEXT(replace_file_at(AT_FDCWD, artifact.name, artifact.content, 0644), "--artifact");
  }
  return {};
}

// The compiler quotes the source, which must not steer a terminal.
std::string printable_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines += languages::printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Result<int> report(const execute::Record& record, const execute::Request& request, bool json) {
  TRY(write_artifacts(record));
  if (json) {
    TRY(print(execute::record_json(record)));
    return record.exit_code;
  }
  std::string text;
  if (!record.guard.safe()) {
    text = languages::to_text(record.guard, [&](std::string_view file) -> std::string_view {
      return file == request.file ? std::string_view(request.source) : std::string_view();
    });
  }
  text += printable_lines(record.err);
  for (const auto& warning : record.warnings) text += "langsbx: warning: " + warning + "\n";
  text += execute::record_summary(record);
  TRY(write_fd(2, text, "stderr"));
  return record.exit_code;
}

Result<int> execute_file(const Invocation& invocation) {
  Options options;
  options.profile =
      invocation.global.guard_profile.empty() ? "default" : invocation.global.guard_profile;
  OptionTable table;
  declare(table, options);
  auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  UniqueFd stdin_file;
  const auto request = TRY(make_request(invocation, options, std::move(*positionals), stdin_file));
  return report(TRY(execute::execute(request)), request, options.json);
}

Result<int> run(const Invocation& invocation) {
  auto status = execute_file(invocation);
  if (status.ok() || status.error().kind != ErrorKind::kNotFound) return status;
  invocation.log.failure(status.error().to_string());
  return execute::kExitNotFound;
}

}  // namespace

extern const Command kExecute{.name = "execute",
                              .arguments = "<file | -> [-- arguments...]",
                              .summary = "judge a source file and run it in a sandbox",
                              .fewest = 1,
                              .most = kAnyNumber,
                              .run = run,
                              .positionals = Positionals::kEndOptions,
                              .failure_status = execute::kExitFault};

}  // namespace langsbx::cmd
