// Piston, version 2: POST /api/v2/execute, GET /api/v2/runtimes.
#include <algorithm>
#include <array>

#include "cmd/langsbxd/doors/doors.h"
#include "cmd/langsbxd/run_answer.h"
#include "languages/registry.h"
#include "runtime/base/base64.h"

namespace langsbx::serve::doors {
namespace {

Reply no(unsigned status, std::string_view, const std::string& message) {
  return json_reply(status, {{"message", message}});
}

Error wrong(const std::string& message) { return make_error(ErrorKind::kInvalidInput, message); }

struct Known {
  const char* name;  // of ours
  const char* piston;
  std::array<const char*, 4> aliases;
};
constexpr std::array<Known, 10> kKnown = {
    {{"python", "python", {"py", "py3", "python3", "python3.x"}},
     {"bash", "bash", {"sh"}},
     {"javascript", "javascript", {"node-javascript", "node-js", "js", "javascript-node"}},
     {"typescript", "typescript", {"ts", "node-ts", "tsc", "typescript5"}},
     {"c", "c", {"gcc"}},
     {"cpp", "c++", {"cpp", "g++"}},
     {"go", "go", {"golang"}},
     {"rust", "rust", {"rs"}},
     {"java", "java", {}},
     {"r", "rscript", {"r"}}}};

const Known* find_known(const std::string& name) {
  const auto found = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& known) {
    return name == known.piston ||
           std::any_of(known.aliases.begin(), known.aliases.end(),
                       [&](const char* alias) { return alias != nullptr && name == alias; });
  });
  return found == kKnown.end() ? nullptr : found;
}

struct Runtime {
  const Known* known = nullptr;
  std::string version;
};

Result<Runtime> find_runtime(const Service& service, const std::string& language,
                             const std::string& selector) {
  const Known* known = find_known(language);
  for (const auto& here : service.languages) {
    if (known != nullptr && here.name == known->name && selects(selector, here.version)) {
      return Runtime{known, here.version};
    }
  }
  return wrong(language + "-" + selector + " runtime is unknown");
}

std::optional<std::string> from_hex(std::string_view text) {
  std::string bytes;
  if (text.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < text.size(); i += 2) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto high = kDigits.find(static_cast<char>(text[i] | 0x20));
    const auto low = kDigits.find(static_cast<char>(text[i + 1] | 0x20));
    if (high == std::string_view::npos || low == std::string_view::npos) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

// The first file that is text is the program; the others lie beside it in the work directory.
Result<void> take_files(const Json& files, Json& document) {
  Json others = Json::array();
  bool has_program = false;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto& file = files[i];
    const std::string place = "files[" + std::to_string(i) + "]";
    if (!file.is_object() || !file.contains("content") || !file["content"].is_string()) {
      return wrong(place + ".content is required as a string");
    }
    const auto encoding = file.contains("encoding") && file["encoding"].is_string()
                              ? file["encoding"].get<std::string>()
                              : "utf8";
    const auto& content = file["content"].get_ref<const std::string&>();
    std::optional<std::string> bytes = content;
    if (encoding == "base64") bytes = from_base64(content);
    if (encoding == "hex") bytes = from_hex(content);
    if (!bytes || (encoding != "base64" && encoding != "hex" && encoding != "utf8")) {
      return wrong(place + ".content is not " + encoding);
    }
    const bool named = file.contains("name") && file["name"].is_string();
    const std::string name = named ? file["name"].get<std::string>() : "";
    if (!has_program && encoding == "utf8") {
      has_program = true;
      document["source"] = *bytes;
      if (!name.empty()) document["file"] = name;
      continue;
    }
    others.push_back({{"name", name.empty() ? "file" + std::to_string(i) + ".code" : name},
                      {"content_base64", to_base64(*bytes)}});
  }
  if (!has_program) return wrong("files must include at least one utf8 encoded file");
  document["files"] = std::move(others);
  return {};
}

struct Bound {
  const char* member;
  const char* field;  // of the limits
  bool of_compile;
};
constexpr std::array<Bound, 6> kBounds = {{{"run_timeout", "wall_time_ms", false},
                                           {"run_cpu_time", "cpu_time_ms", false},
                                           {"run_memory_limit", "memory_bytes", false},
                                           {"compile_timeout", "", true},
                                           {"compile_cpu_time", "", true},
                                           {"compile_memory_limit", "", true}}};

// -1 of a memory limit is "as much as there is"; the compile stage has bounds of its own.
Result<void> take_limits(const Json& body, Json& document) {
  for (const auto& bound : kBounds) {
    const auto found = body.find(bound.member);
    if (found == body.end() || found->is_null()) continue;
    if (!found->is_number()) {
      return wrong("If specified, " + std::string(bound.member) + " must be a number");
    }
    const double value = found->get<double>();
    const bool memory = std::string_view(bound.member).ends_with("memory_limit");
    if (memory && value == -1) continue;
    if (value < 0) return wrong(std::string(bound.member) + " must be non-negative");
    if (bound.of_compile || value == 0) continue;
    document["limits"][bound.field] = static_cast<std::uint64_t>(std::min(value, 1e15));
  }
  return {};
}

Result<Json> document_of(const Service& service, const Json& body, Runtime& runtime) {
  const auto text = [&](const char* member) {
    return body.is_object() && body.contains(member) && body[member].is_string();
  };
  if (!text("language")) return wrong("language is required as a string");
  if (!text("version")) return wrong("version is required as a string");
  if (!body.contains("files") || !body["files"].is_array()) {
    return wrong("files is required as an array");
  }
  runtime = TRY(find_runtime(service, body["language"], body["version"]));
  Json document = {{"language", runtime.known->name}};
  TRY(take_files(body["files"], document));
  TRY(take_limits(body, document));
  if (body.contains("args")) document["args"] = body["args"];
  document["env"] = {{"PISTON_LANGUAGE", runtime.known->piston}};
  std::string input = text("stdin") ? body["stdin"].get<std::string>() : "";
  if (!input.empty() && !input.ends_with('\n')) input += '\n';
  document["stdin"] = input;
  return document;
}

Json stage_of(const Json& record, bool compile) {
  const auto status = status_of(record);
  const int number =
      record.contains("signal") && record["signal"].is_number() ? record["signal"].get<int>() : 0;
  const bool cut = record.value("killed", false);
  const auto reason = record.contains("kill_reason") && record["kill_reason"].is_string()
                          ? record["kill_reason"].get<std::string>()
                          : std::string();
  const auto out = compile ? std::string() : stream_of(record, "stdout");
  auto err = stream_of(record, "stderr");
  if (status == "rejected") err += findings_of(record);
  Json letters = nullptr, message = nullptr, code = record.value("exit_code", 0), signal = nullptr;
  if (status == "timeout" || reason == "cpu_limit") {
    letters = "TO";
  } else if (reason == "output_limit") {
    letters = "OL";
  } else if (cut || number != 0) {
    letters = "SG";
  } else if (code != 0) {
    letters = "RE";
  }
  if (cut) signal = "SIGKILL";
  if (!cut && number != 0) signal = signal_name(number);
  if (!signal.is_null()) code = nullptr;
  if (!letters.is_null()) message = reason_of(record);
  const auto usage = record.value("resource_usage", Json::object());
  return {{"stdout", out},
          {"stderr", err},
          {"output", out + err},
          {"code", code},
          {"signal", signal},
          {"message", message},
          {"status", letters},
          {"cpu_time", usage.value("cpu_time_ns", 0ULL) / 1'000'000},
          {"wall_time", record.value("duration_ms", 0ULL)},
          {"memory", usage.value("memory_peak_bytes", 0ULL)}};
}

Reply answer(const Runtime& runtime, const RunResult& result) {
  const auto& record = result.record;
  Json body = {{"language", runtime.known->piston}, {"version", runtime.version}};
  const bool failed = status_of(record) == "compile_error";
  const auto phases = record.value("phases", Json::object());
  if (failed) {
    body["compile"] = stage_of(record, true);
  } else if (phases.value("compile_ms", 0ULL) > 0 || phases.value("compile_cached", false)) {
    body["compile"] = {
        {"stdout", ""},      {"stderr", ""},      {"output", ""},
        {"code", 0},         {"signal", nullptr}, {"message", nullptr},
        {"status", nullptr}, {"cpu_time", 0},     {"wall_time", phases.value("compile_ms", 0ULL)},
        {"memory", 0}};
  }
  body["run"] = failed ? body["compile"] : stage_of(record, false);
  return json_reply(200, body);
}

}  // namespace

void piston_execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange) {
  if (!call.header("content-type").starts_with("application/json")) {
    return exchange->reply(no(415, "", "requests must be of type application/json"));
  }
  const auto body = Json::parse(call.body, nullptr, false);
  Runtime runtime;
  auto document = document_of(service, body, runtime);
  if (!document.ok()) return exchange->reply(no(400, "", document.error().message));
  const Wording wording{[runtime](const RunResult& result) { return answer(runtime, result); }, no};
  auto request = make_run_request(document.release_value(), call.key.allowed);
  if (!request.ok()) return exchange->reply(no(400, "", request.error().message));
  run_and_reply(service, call, exchange, request.release_value(), wording);
}

void piston_runtimes(Service& service, Call&, const std::shared_ptr<Exchange>& exchange) {
  Json list = Json::array();
  for (const auto& here : service.languages) {
    const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                    [&](const Known& entry) { return here.name == entry.name; });
    if (known == kKnown.end()) continue;
    Json aliases = Json::array();
    for (const char* alias : known->aliases) {
      if (alias != nullptr) aliases.push_back(alias);
    }
    list.push_back({{"language", known->piston}, {"version", here.version}, {"aliases", aliases}});
  }
  exchange->reply(json_reply(200, list));
}

}  // namespace langsbx::serve::doors
