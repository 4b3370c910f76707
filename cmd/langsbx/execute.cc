// execute: judges one source file and runs it in a sandbox made of this host's /usr.
#include "runtime/execute/execute.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ctime>
#include <optional>

#include "cmd/langsbx/command.h"
#include "cmd/langsbx/duration.h"
#include "languages/report.h"
#include "runtime/execute/bring_back.h"
#include "runtime/execute/events.h"
#include "runtime/execute/light_base.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/record_json.h"
#include "runtime/execute/request_document.h"
#include "runtime/execute/tiers.h"
#include "runtime/execute/watch.h"
#include "runtime/guard/settings.h"
#include "runtime/image/image.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/outlet.h"
#include "runtime/kernel/path.h"

namespace langsbx::cmd {
namespace {

constexpr std::size_t kLargestSource = 16U << 20U;
constexpr std::size_t kLargestInput = 256U << 20U;

const char* value_name(execute::Unit unit) {
  switch (unit) {
    case execute::Unit::kDuration:
      return "DURATION";
    case execute::Unit::kSize:
      return "SIZE";
    default:
      return "N";
  }
}

struct Options {
  std::string language, profile = "default", preset = "default", network;
  std::string isolation = "auto", oci_runtime, setup, rootfs, image, events, input_stream = "-",
              artifact_dir;
  std::array<std::string, execute::kLimitCount> limits;
  std::vector<std::string> env, inputs, artifacts, allowed_hosts;
  std::string request, record;
  bool json = false, keep = false, no_cache = false, explain = false, tty = false;
};

void declare(OptionTable& table, Options& options) {
  table.text("language,l", &options.language, "NAME", "default: by extension or \"#!\"");
  table.filled("profile,p", &options.profile, "NAME", "what the guard allows; default: default");
  table.filled("preset", &options.preset, "NAME", "limits: default or strict");
  for (std::size_t i = 0; i < execute::kLimitCount; ++i) {
    const auto& row = execute::limit_table()[i];
    table.filled(row.option.data(), &options.limits[i], value_name(row.unit), row.help);
  }
  table.text("stdin", &options.input_stream, "FILE",
             "the program's input; - is ours, none is none");
  table.list("env,e", &options.env, "NAME=VALUE", "a variable for the program");
  table.list("input,i", &options.inputs, "FILE[:NAME]", "a file for the work directory");
  table.list("artifact,a", &options.artifacts, "GLOB",
             "afterwards copy matching files of the work directory here; taken names stay");
  table.filled("artifact-dir", &options.artifact_dir, "DIR",
               "copy them there, replacing what has their names");
  table.flag("explain", &options.explain, "afterwards list what the confinement refused, and why");
  table.flag("tty,t", &options.tty, "the program gets a terminal");
  table.flag("keep", &options.keep, "afterwards copy the work directory to langsbx-ID here");
  table.filled("setup", &options.setup, "COMMAND",
               "a shell command that runs before, with the network; the program gets its files");
  table.filled("network", &options.network, "none|proxy|host",
               "default: the profile's, which is none in those that are shipped");
  table.list("allow-host", &options.allowed_hosts, "HOST[:PORT]",
             "what --network proxy lets through: a name, *.NAME, an address");
  table.filled("isolation", &options.isolation, "TIER",
               "auto (default), container, light, maximum or off");
  table.filled("oci-runtime", &options.oci_runtime, "PATH", "what the maximum tier runs");
  table.filled("rootfs", &options.rootfs, "DIR", "interpreters and compilers of this directory");
  table.filled("image", &options.image, "IMAGE",
               "those of an OCI layout (DIR or DIR:NAME) or of what docker save wrote");
  table.flag("no-cache", &options.no_cache, "compile anew");
  table.text("events", &options.events, "FILE", "append events as JSON lines");
  table.filled("request", &options.request, "FILE",
               "what to run as a JSON document; no FILE and no other option says it then");
  table.filled("record", &options.record, "FILE", "write the JSON record there");
  table.flag("json", &options.json, "print one JSON record instead of the program's output");
}

Result<std::uint64_t> limit_value(const execute::LimitRow& row, const std::string& text) {
  const std::string name(row.option.substr(0, row.option.find(',')));
  const std::string option = "--" + name;
  switch (row.unit) {
    case execute::Unit::kDuration:
      return static_cast<std::uint64_t>(TRY(parse_duration(text, "-" + name)).count());
    case execute::Unit::kSize:
      return execute::parse_size(text, option);
    case execute::Unit::kProcessors:
      return execute::parse_cpus(text);
    case execute::Unit::kCount:
      break;
  }
  return execute::parse_count(text, option);
}

Result<execute::LimitOptions> limits(const Options& options) {
  execute::LimitOptions made;
  for (std::size_t i = 0; i < execute::kLimitCount; ++i) {
    if (options.limits[i].empty()) continue;
    made[i] = TRY(limit_value(execute::limit_table()[i], options.limits[i]));
  }
  return made;
}

// Where nobody made a runtime directory (su, cron, a container), what is kept for later runs lies
// beside the folders of the light tier.
std::string kept_below(const std::string& root) {
  const std::string above = root.substr(0, root.rfind('/'));
  for (const auto& folder : {root, above}) {
    if (::access(folder.c_str(), W_OK) == 0) return root;
  }
  auto base = execute::private_base();
  return base.ok() ? base.release_value() : root;
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
  return execute::Input{std::move(name), TRY_CONTEXT(read_file(path, kLargestInput), "--input"),
                        0644};
}

std::string new_id() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::to_string(::getpid()) + "-" + std::to_string(now.tv_sec) + "-" +
         std::to_string(now.tv_nsec);
}

Result<execute::Network> parse_network(const std::string& name) {
  if (name == "none") return execute::Network::kNone;
  if (name == "proxy") return execute::Network::kProxy;
  if (name == "host") return execute::Network::kHost;
  return make_error(ErrorKind::kInvalidInput,
                    "--network: \"" + name + "\" is not none, proxy or host");
}

Result<void> check(const Options& options) {
  if (!options.network.empty()) TRY(parse_network(options.network));
  if (!options.network.empty() && (options.network == "proxy") == options.allowed_hosts.empty()) {
    return make_error(ErrorKind::kInvalidInput, "--network proxy and --allow-host need each other");
  }
  if (!options.artifact_dir.empty() && options.artifacts.empty()) {
    return make_error(ErrorKind::kInvalidInput, "--artifact-dir needs --artifact");
  }
  TRY(execute::parse_tier(options.isolation));
  if (!options.oci_runtime.empty() && options.isolation != "maximum") {
    return make_error(ErrorKind::kInvalidInput, "--oci-runtime needs --isolation maximum");
  }
  for (const auto& variable : options.env) {
    if (variable.find('=') == std::string::npos || variable.front() == '=') {
      return make_error(ErrorKind::kInvalidInput, "--env: \"" + variable + "\" is not NAME=VALUE");
    }
  }
  if (options.explain && options.isolation == "maximum") {
    return make_error(ErrorKind::kInvalidInput,
                      "--explain: what another OCI runtime refuses can't be seen from here");
  }
  if (!options.rootfs.empty() && !options.image.empty()) {
    return make_error(ErrorKind::kInvalidInput, "--rootfs and --image exclude each other");
  }
  if (options.rootfs.empty() && options.image.empty()) return {};
  if (options.isolation != "auto" && options.isolation != "container") {
    return make_error(
        ErrorKind::kInvalidInput,
        "--rootfs and --image need a container, not --isolation " + options.isolation);
  }
  return {};
}

// What the administrator says holds for every sandbox.
Result<bool> requires_landlock(const std::string& flag) {
  const auto administrator = TRY(guard::administrator_of(guard::kConfigFile));
  return TRY(guard::settle_landlock(administrator, flag, {})) == confine::LandlockMode::kRequired;
}

// Open until the run has ended.
struct Held {
  UniqueFd stdin_file, image;
};

Result<execute::Request> make_request(const Invocation& invocation, const Options& options,
                                      std::vector<std::string> positionals, Held& held) {
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
  if (!options.network.empty()) request.network = TRY(parse_network(options.network));
  request.allowed_hosts =
      TRY_CONTEXT(egress::AllowList::parse(options.allowed_hosts), "--allow-host");
  request.capture = options.json;
  request.setup = options.setup;
  request.keep = options.keep;
  request.explain = options.explain;
  request.tty = options.tty;
  request.use_cache = !options.no_cache;
  request.isolation = options.isolation;
  request.oci_runtime = options.oci_runtime;
  if (!options.rootfs.empty()) {
    const auto root = TRY_CONTEXT(open_file(options.rootfs, O_PATH | O_DIRECTORY), "--rootfs");
    request.rootfs = TRY(path_of_descriptor(root.get()));
  }
  if (!options.image.empty()) {
    auto image = TRY(image::unpack(options.image, TRY(execute::private_base())));
    request.rootfs = std::move(image.path);
    held.image = std::move(image.use);
  }
  request.state_root = kept_below(invocation.global.root);
  request.landlock_required = TRY(requires_landlock(invocation.global.landlock));
  if (options.input_stream == "none" || from_stdin) request.stdin_fd = -1;
  if (options.input_stream != "none" && options.input_stream != "-") {
    held.stdin_file = TRY_CONTEXT(open_file(options.input_stream, O_RDONLY), "--stdin");
    request.stdin_fd = held.stdin_file.get();
  }
  return request;
}

// Of --request: the document says what is run; where results go is the caller's to say.
Result<execute::Request> request_of_document(const Invocation& invocation, const Options& options,
                                             const std::vector<std::string>& positionals,
                                             Held& held) {
  if (!positionals.empty()) {
    return make_error(ErrorKind::kInvalidInput,
                      "--request and \"" + positionals[0] + "\" exclude each other");
  }
  execute::Request request;
  request.id = new_id();
  const auto file = TRY_CONTEXT(open_file(options.request, O_RDONLY), "--request");
  const auto text = TRY_CONTEXT(read_fd(file.get(), kLargestInput, options.request), "--request");
  TRY(execute::read_request(text, request, held.stdin_file));
  if (options.input_stream != "-") {
    return make_error(ErrorKind::kInvalidInput, "--request and --stdin exclude each other");
  }
  request.capture = options.json;
  request.state_root = kept_below(invocation.global.root);
  return request;
}

// What was asked for and did not come back is no success.
Result<void> bring_results(const execute::Request& request, const std::string& artifact_dir,
                           execute::Record& record) {
  TRY_CONTEXT(execute::bring_artifacts(record, artifact_dir), "--artifact");
  if (request.keep && record.status != execute::Status::kRejected) {
    TRY_CONTEXT(execute::bring_kept(record), "--keep");
  }
  const bool failed = record.left_out.count > 0 && record.exit_code == 0;
  if (failed) record.exit_code = execute::kExitFault;
  return {};
}

std::string left_out_lines(const execute::LeftOut& left_out) {
  std::string text;
  for (const auto& file : left_out.files) {
    text += "langsbx: left out: " + languages::printable(file.name + ": " + file.reason) + "\n";
  }
  const auto more = left_out.count - left_out.files.size();
  if (more > 0) text += "langsbx: left out: " + std::to_string(more) + " more files\n";
  return text;
}

Result<int> report(execute::Record record, const execute::Request& request, bool json) {
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
  // The compiler quotes the source, which must not steer a terminal.
  text += languages::printable_lines(record.err);
  for (const auto& warning : record.warnings) text += "langsbx: warning: " + warning + "\n";
  for (const auto& denial : record.refused.value_or(std::vector<explain::Denial>())) {
    text += "langsbx: refused: " + languages::printable(explain::denial_text(denial)) + "\n";
  }
  if (record.refused && record.refused->empty()) text += "langsbx: refused: nothing\n";
  text += left_out_lines(record.left_out);
  text += execute::record_summary(record);
  // A run that was cut has its status, whether somebody reads why or not.
  if (auto said = write_out(2, text, "stderr");
      !said.ok() && said.error().kind != ErrorKind::kTimeout) {
    return said.release_error();
  }
  return record.exit_code;
}

// A file is made; a pipe will do.
Result<void> write_record(const std::string& path, const execute::Record& record) {
  const auto file =
      TRY_CONTEXT(open_file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0600), "--record");
  return write_fd(file.get(), execute::record_json(record), "--record");
}

Result<int> execute_file(const Invocation& invocation) {
  Options options;
  options.profile =
      invocation.global.guard_profile.empty() ? "default" : invocation.global.guard_profile;
  OptionTable table;
  declare(table, options);
  auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  if (positionals->empty() && options.request.empty()) {
    return make_error(ErrorKind::kInvalidInput, "execute needs a FILE, - or --request");
  }
  Held held;
  auto request =
      TRY(options.request.empty() ? make_request(invocation, options, std::move(*positionals), held)
                                  : request_of_document(invocation, options, *positionals, held));
  std::optional<execute::Events> events;
  if (!options.events.empty()) {
    events = TRY(execute::Events::open(options.events, request.id));
    request.events = &*events;
  }
  auto record = TRY(execute::execute(request));
  // No signal ends us between two files: they arrive together.
  TRY(bring_results(request, options.artifact_dir, record));
  if (events) events->drain();
  // Nothing is in our charge any more: a signal may end us while somebody reads slowly. A run that
  // was cut or interrupted does not wait for long.
  if (!record.killed() && !record.interrupted) execute::release_signals();
  if (!options.record.empty()) TRY(write_record(options.record, record));
  if (events && events->lost()) record.warnings.emplace_back("--events: not all were written");
  // Who takes the record needs no words beside what the program wrote.
  if (!options.record.empty() && !options.json) return record.exit_code;
  return report(std::move(record), request, options.json);
}

Result<int> run(const Invocation& invocation) {
  auto status = execute_file(invocation);
  if (status.ok() || status.error().kind != ErrorKind::kNotFound) return status;
  invocation.log.failure(status.error().to_string());
  return execute::kExitNotFound;
}

}  // namespace

extern const Command kExecute{.name = "execute",
                              .arguments = "<file | -> [-- arguments...] | --request <file>",
                              .summary = "judge a source file and run it in a sandbox",
                              .fewest = 0,
                              .most = kAnyNumber,
                              .run = run,
                              .positionals = Positionals::kEndOptions,
                              .failure_status = execute::kExitFault};

}  // namespace langsbx::cmd
