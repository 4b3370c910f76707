// The options of `execute`, as a request.
#include "cmd/langsbx/execute_request.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <iterator>
#include <string_view>

#include "cmd/langsbx/duration.h"
#include "runtime/execute/host_files.h"
#include "runtime/execute/light_base.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/program_folder.h"
#include "runtime/execute/request_document.h"
#include "runtime/execute/tiers.h"
#include "runtime/guard/settings.h"
#include "runtime/image/image.h"
#include "runtime/kernel/file.h"
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

Result<execute::LimitOptions> limits(const ExecuteOptions& options) {
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

Result<void> check(const ExecuteOptions& options) {
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

// What stands behind FILE. An option there might be meant for us: it is the program's behind "--".
Result<std::vector<std::string>> arguments_of_program(std::vector<std::string> words) {
  const auto divider = std::ranges::find(words, "--");
  const auto option = std::find_if(words.begin(), divider, [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (option != divider) {
    return make_error(ErrorKind::kInvalidInput,
                      *option +
                          " stands behind FILE: options come before it, and arguments of the "
                          "program that begin with '-' behind --");
  }
  if (divider == words.begin() && divider != words.end()) words.erase(divider);
  return words;
}

bool is_folder(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode);
}

Result<void> check_names(const std::vector<execute::Input>& inputs) {
  std::vector<std::string_view> names;
  for (const auto& input : inputs) names.push_back(input.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return {};
  return make_error(ErrorKind::kInvalidInput, "--input: " + std::string(*twice) + " comes twice");
}

void add_files(execute::FolderFiles made, const char* option, execute::Request& request) {
  std::ranges::move(made.files, std::back_inserter(request.inputs));
  for (const auto& warning : made.warnings) {
    request.warnings.push_back(std::string(option) + ": " + warning);
  }
}

Result<void> take_source(const std::string& named, const ExecuteOptions& options,
                         execute::Request& request) {
  if (is_folder(named)) return execute::take_program_folder(named, options.entry, request);
  if (!options.entry.empty()) {
    return make_error(ErrorKind::kInvalidInput, "--entry: " + named + " is no folder");
  }
  if (named != "-") return execute::take_program_file(named, request);
  request.file = "main";
  request.source = TRY(read_fd(0, kLargestSource, "standard input"));
  return {};
}

Result<void> take_inputs(const ExecuteOptions& options, execute::Request& request) {
  if (!options.workdir.empty()) {
    add_files(TRY_CONTEXT(execute::read_folder(options.workdir, true), "--workdir"), "--workdir",
              request);
  }
  for (const auto& option : options.inputs) {
    add_files(TRY(execute::read_input(option)), "--input", request);
  }
  return check_names(request.inputs);
}

}  // namespace

void declare(OptionTable& table, ExecuteOptions& options) {
  table.text("language,l", &options.language, "NAME", "default: by extension or \"#!\"");
  table.filled("entry", &options.entry, "FILE", "of a folder, the file that starts the program");
  table.filled("profile,p", &options.profile, "NAME", "what the guard allows; default: default");
  table.filled("preset", &options.preset, "NAME",
               "limits: default or strict; else those of a profile that is named");
  for (std::size_t i = 0; i < execute::kLimitCount; ++i) {
    const auto& row = execute::limit_table()[i];
    table.filled(row.option.data(), &options.limits[i], value_name(row.unit), row.help);
  }
  table.text("stdin", &options.input_stream, "FILE",
             "the program's input; - is ours, none is none");
  table.list("env,e", &options.env, "NAME=VALUE", "a variable for the program");
  table.list("input,i", &options.inputs, "FILE|DIR[:NAME]",
             "a file or folder for the work directory");
  table.filled("workdir", &options.workdir, "DIR",
               "the work directory begins as a copy of this folder");
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
  table.flag("quiet,q", &options.quiet, "print the program's output alone, and why it was refused");
  table.flag("json", &options.json, "print one JSON record instead of the program's output");
}

Result<execute::Request> make_request(const Invocation& invocation, const ExecuteOptions& options,
                                      std::vector<std::string> positionals, HeldFiles& held) {
  TRY(check(options));
  execute::Request request;
  request.id = new_id();
  request.language = options.language;
  const bool from_stdin = positionals.at(0) == "-";
  TRY(take_source(positionals.at(0), options, request));
  request.profile = options.profile;
  request.preset = options.preset;
  request.limits = TRY(limits(options));
  positionals.erase(positionals.begin());
  request.args = TRY(arguments_of_program(std::move(positionals)));
  request.env = options.env;
  TRY(take_inputs(options, request));
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
  if (from_stdin && options.input_stream == "-") {
    return make_error(
        ErrorKind::kInvalidInput,
        "--stdin -: standard input is the source already; name a FILE for one of them");
  }
  const bool is_file = !options.input_stream.empty() && options.input_stream != "-";
  if (options.input_stream == "none" || from_stdin) request.stdin_fd = -1;
  if (options.input_stream != "none" && is_file) {
    held.stdin_file = TRY_CONTEXT(open_file(options.input_stream, O_RDONLY), "--stdin");
    request.stdin_fd = held.stdin_file.get();
  }
  return request;
}

Result<execute::Request> request_of_document(const Invocation& invocation,
                                             const ExecuteOptions& options,
                                             const std::vector<std::string>& positionals,
                                             HeldFiles& held) {
  if (!positionals.empty()) {
    return make_error(ErrorKind::kInvalidInput,
                      "--request and \"" + positionals[0] + "\" exclude each other");
  }
  execute::Request request;
  request.id = new_id();
  const auto file = TRY_CONTEXT(open_file(options.request, O_RDONLY), "--request");
  const auto text = TRY_CONTEXT(read_fd(file.get(), kLargestInput, options.request), "--request");
  TRY(execute::read_request(text, request, held.stdin_file));
  if (!options.input_stream.empty()) {
    return make_error(ErrorKind::kInvalidInput, "--request and --stdin exclude each other");
  }
  request.capture = options.json;
  request.state_root = kept_below(invocation.global.root);
  return request;
}

}  // namespace langsbx::cmd
