// Blue: /api/v1/sandbox/execute, status, kill, config, info. It runs commands; here each is a
// program that the guard judges: an interpreter with its code is that language, all else is Bash.
#include <array>
#include <ctime>

#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/later.h"
#include "cmd/langsbxd/run_answer.h"
#include "runtime/execute/limits.h"

namespace langsbx::serve::doors {
namespace {

constexpr double kUsualSeconds = 300;
constexpr const char* kKind = "blue";

Reply no(unsigned status, std::string_view, const std::string& message) {
  return json_reply(status, {{"error", message}});
}

struct Interpreter {
  const char* command;
  const char* option;  // that stands before code
  const char* language;
};
constexpr std::array<Interpreter, 8> kInterpreters = {{{"python3", "-c", "python"},
                                                       {"python", "-c", "python"},
                                                       {"node", "-e", "javascript"},
                                                       {"nodejs", "-e", "javascript"},
                                                       {"bash", "-c", "bash"},
                                                       {"sh", "-c", "bash"},
                                                       {"/bin/bash", "-c", "bash"},
                                                       {"/bin/sh", "-c", "bash"}}};

// Nothing in it is special to Bash.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char byte : word) {
    if (byte == '\'') {
      text += "'\\''";
    } else {
      text += byte;
    }
  }
  return text + "'";
}

// A plain name stays as it is, so that the guard's findings are read easily.
std::string as_word(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./=:,+@%") == std::string::npos;
  return plain && word.find('=') == std::string::npos ? word : quoted(word);
}

void put_program(const std::string& command, const std::vector<std::string>& args, Json& document) {
  for (const auto& known : kInterpreters) {
    if (command != known.command || args.size() < 2 || args[0] != known.option) continue;
    document["language"] = known.language;
    document["source"] = args[1];
    auto rest = std::vector<std::string>(args.begin() + 2, args.end());
    // The word behind a shell's code is its $0.
    if (std::string_view(known.language) == "bash" && !rest.empty()) rest.erase(rest.begin());
    document["args"] = rest;
    return;
  }
  std::string line = as_word(command);
  for (const auto& arg : args) line += " " + as_word(arg);
  document["language"] = "bash";
  document["source"] = line + "\n";
}

Error wrong(const std::string& message) { return make_error(ErrorKind::kInvalidInput, message); }

Result<Json> document_of(const Json& body) {
  if (!body.is_object()) return wrong("invalid request body");
  const auto is_missing = [&](const char* name) {
    return !body.contains(name) || body[name].is_null();
  };
  if (is_missing("command") || body["command"] == "") return wrong("command is required");
  if (!body["command"].is_string()) return wrong("invalid request body");
  std::vector<std::string> args;
  for (const auto& arg : is_missing("args") ? Json::array() : body["args"]) {
    if (!arg.is_string()) return wrong("invalid request body");
    args.push_back(arg.get<std::string>());
  }
  Json document = Json::object();
  put_program(body["command"].get<std::string>(), args, document);
  if (!is_missing("env")) document["env"] = body["env"];
  if (!is_missing("stdin")) document["stdin"] = body["stdin"];
  if (!is_missing("work_dir") && body["work_dir"] != "" && body["work_dir"] != "/work" &&
      body["work_dir"] != "/tmp/sandbox") {
    return wrong("work_dir: the program's folder is /work");
  }
  const Json seconds = is_missing("timeout_secs") ? Json(0) : body["timeout_secs"];
  const Json megabytes = is_missing("memory_mb") ? Json(0) : body["memory_mb"];
  if (!seconds.is_number() || !megabytes.is_number()) return wrong("invalid request body");
  // Longer than the longest is the longest there, without a word.
  const double time = seconds > 0 ? std::min(seconds.get<double>(), kUsualSeconds) : kUsualSeconds;
  document["limits"]["wall_time_ms"] = static_cast<std::uint64_t>(time * 1000);
  if (megabytes > 0) {
    const double most = std::min(megabytes.get<double>(), 1e9);
    document["limits"]["memory_bytes"] = static_cast<std::uint64_t>(most) << 20U;
  }
  return document;
}

std::string status_word(const Json& record) {
  const auto status = status_of(record);
  if (status == "rejected" || status == "compile_error") return "failed";
  return status;
}

Json answer_of(const Json& record, const std::string& id) {
  const auto usage = record.value("resource_usage", Json::object());
  const auto status = status_word(record);
  Json error = nullptr;
  if (status == "timeout") error = "execution timeout";
  if (status == "killed") {
    const bool asked = record.value("kill_reason", Json()) == "manual";
    error = asked ? "execution killed" : "resource limit exceeded: " + reason_of(record);
  }
  if (status == "failed") error = reason_of(record);
  auto err = stream_of(record, "stderr");
  if (status_of(record) == "rejected") err += findings_of(record);
  Json made = {{"id", id},
               {"status", status},
               {"exit_code", record.value("exit_code", Json(-1))},
               {"stdout", stream_of(record, "stdout")},
               {"stderr", err},
               {"start_time", record.value("start_time", Json())},
               {"end_time", record.value("end_time", Json())},
               {"duration", record.value("duration_ms", 0ULL) * 1'000'000},
               {"resource_usage",
                {{"cpu_time_ns", usage.value("cpu_time_ns", 0ULL)},
                 {"memory_peak_bytes", usage.value("memory_peak_bytes", 0ULL)},
                 {"io_read_bytes", usage.value("io_read_bytes", 0ULL)},
                 {"io_write_bytes", usage.value("io_write_bytes", 0ULL)}}}};
  if (!error.is_null()) made["error"] = error;
  return made;
}

// What is known of one that has not ended.
Json unfinished(const std::string& id, const char* status) {
  return {{"id", id}, {"status", status}, {"exit_code", 0}, {"stdout", ""}, {"stderr", ""}};
}

Json kept_fault(const char* status, const std::string& error) {
  Json made = unfinished("", status);
  made["error"] = error;
  return {{kKind, made}};
}

LaterWording later_wording() {
  LaterWording words;
  words.result = [](const RunResult& result) {
    return Json{{kKind, answer_of(result.record, "")}};
  };
  words.fault = [](const std::string& fault) { return kept_fault("failed", fault); };
  words.not_run = [](NotRun why) {
    return why == NotRun::kCancelled ? kept_fault("killed", "execution killed")
                                     : kept_fault("failed", "the service is busy or ends");
  };
  return words;
}

// Waits for its end and answers, as Blue does; found by its id meanwhile and afterwards, too.
void run_and_keep(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
                  RunRequest request, bool waits) {
  auto words = later_wording();
  const auto id = std::make_shared<std::string>();
  if (waits) {
    words.then = [exchange, id](const Json& answer) {
      exchange->when_gone(nullptr);
      Json made = answer.value(kKind, Json::object());
      made["id"] = *id;
      exchange->reply(json_reply(200, made));
    };
  }
  const auto submitted = run_later(service, call.key, std::move(request), std::move(words));
  if (const auto* full = std::get_if<QueueFull>(&submitted)) {
    return exchange->reply(full_reply({nullptr, no}, *full));
  }
  *id = std::get<std::string>(submitted);
  if (!waits) return exchange->reply(json_reply(202, unfinished(*id, "pending")));
  exchange->when_gone([&service, run = *id] { service.jobs.cancel(run); });
}

std::optional<Json> find(Service& service, const std::string& id, const std::string& key) {
  auto found = find_later(service, id, key);
  if (!found) return {};
  if (found->state == LaterState::kQueued) return unfinished(id, "pending");
  if (found->state == LaterState::kRunning) return unfinished(id, "running");
  if (!found->answer.contains(kKind)) return {};
  Json made = std::move(found->answer[kKind]);
  made["id"] = id;
  return made;
}

bool may_have_network(const Allowed& allowed) {
  const auto& list = allowed.networks;
  return list.empty() || std::find(list.begin(), list.end(), "host") != list.end();
}

// "5m0s", as Go writes it.
std::string duration_text(std::uint64_t milliseconds) {
  const auto seconds = milliseconds / 1000;
  std::string text;
  if (seconds >= 3600) text += std::to_string(seconds / 3600) + "h";
  if (seconds >= 60) text += std::to_string(seconds / 60 % 60) + "m";
  return text + std::to_string(seconds % 60) + "s";
}

Json info_of(const Service& service, const Call& call) {
  const auto& ceilings = call.key.allowed.ceilings;
  const auto limit = [&](std::string_view field, std::uint64_t usual) {
    const auto& table = execute::limit_table();
    for (std::size_t row = 0; row < table.size(); ++row) {
      if (table[row].field == field && ceilings[row]) return std::min(usual, *ceilings[row]);
    }
    return usual;
  };
  const auto time =
      duration_text(limit("wall_time_ms", static_cast<std::uint64_t>(kUsualSeconds) * 1000));
  return {{"supported", !service.languages.empty()},
          {"network_toggle_supported", may_have_network(call.key.allowed)},
          {"default_timeout", time},
          {"max_timeout", time},
          {"memory_limit", limit("memory_bytes", 256U << 20U)},
          {"cpu_limit", static_cast<double>(limit("cpus", 1000)) / 1000},
          {"process_limit", limit("pids", 10)},
          {"network_enabled", service.blue_network}};
}

}  // namespace

void blue_execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  auto document = document_of(Json::parse(call.body, nullptr, false));
  if (!document.ok()) return exchange->reply(no(400, "", document.error().message));
  if (service.blue_network && may_have_network(call.key.allowed)) (*document)["network"] = "host";
  auto request = make_run_request(document.release_value(), call.key.allowed);
  if (!request.ok()) return exchange->reply(wrong_reply({nullptr, no}, request.error()));
  const bool later = call.header("prefer").find("respond-async") != std::string_view::npos;
  run_and_keep(service, call, exchange, request.release_value(), !later);
}

void blue_status(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto found = find(service, call.parts[0], call.key.id);
  exchange->reply(found ? json_reply(200, *found) : no(404, "", "execution not found"));
}

void blue_kill(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto& id = call.parts[0];
  if (!find(service, id, call.key.id) || !service.jobs.cancel(id)) {
    return exchange->reply(no(404, "", "execution not found"));
  }
  exchange->reply(
      json_reply(200, {{"status", "killed"}, {"message", "execution killed successfully"}}));
}

void blue_config(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  const auto body = Json::parse(call.body, nullptr, false);
  if (!body.is_object()) return exchange->reply(no(400, "", "invalid request body"));
  if (!body.contains("network_enabled") || !body["network_enabled"].is_boolean()) {
    return exchange->reply(no(400, "", "network_enabled is required"));
  }
  if (!may_have_network(call.key.allowed)) {
    return exchange->reply(no(400, "", "network_enabled is not supported on this platform"));
  }
  service.blue_network = body["network_enabled"].get<bool>();
  exchange->reply(json_reply(200, info_of(service, call)));
}

void blue_info(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  exchange->reply(json_reply(200, info_of(service, call)));
}

}  // namespace langsbx::serve::doors
