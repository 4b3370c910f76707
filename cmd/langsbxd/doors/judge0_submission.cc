#include "cmd/langsbxd/doors/judge0_submission.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <ctime>
#include <sstream>

#include "cmd/langsbxd/run_answer.h"
#include "runtime/base/base64.h"

namespace langsbx::serve::doors::judge0 {
namespace {

constexpr std::array<Language, 14> kLanguages = {{{46, "bash", "Bash"},
                                                  {48, "c", "C (GCC)"},
                                                  {49, "c", "C (GCC)"},
                                                  {50, "c", "C (GCC)"},
                                                  {52, "cpp", "C++ (GCC)"},
                                                  {53, "cpp", "C++ (GCC)"},
                                                  {54, "cpp", "C++ (GCC)"},
                                                  {60, "go", "Go"},
                                                  {62, "java", "Java"},
                                                  {63, "javascript", "JavaScript (Node.js)"},
                                                  {71, "python", "Python"},
                                                  {73, "rust", "Rust"},
                                                  {74, "typescript", "TypeScript"},
                                                  {80, "r", "R"}}};

enum : int {
  kAccepted = 3,
  kWrongAnswer = 4,
  kTimeLimit = 5,
  kCompilation = 6,
  kSigsegv = 7,
  kSigxfsz = 8,
  kSigfpe = 9,
  kSigabrt = 10,
  kNzec = 11,
  kOther = 12,
  kInternal = 13,
};
constexpr std::array<Status, 14> kStatuses = {{{kInQueue, "In Queue"},
                                               {kProcessing, "Processing"},
                                               {kAccepted, "Accepted"},
                                               {kWrongAnswer, "Wrong Answer"},
                                               {kTimeLimit, "Time Limit Exceeded"},
                                               {kCompilation, "Compilation Error"},
                                               {kSigsegv, "Runtime Error (SIGSEGV)"},
                                               {kSigxfsz, "Runtime Error (SIGXFSZ)"},
                                               {kSigfpe, "Runtime Error (SIGFPE)"},
                                               {kSigabrt, "Runtime Error (SIGABRT)"},
                                               {kNzec, "Runtime Error (NZEC)"},
                                               {kOther, "Runtime Error (Other)"},
                                               {kInternal, "Internal Error"},
                                               {14, "Exec Format Error"}}};

constexpr std::array kTexts = {"source_code", "stdin",          "expected_output", "stdout",
                               "stderr",      "compile_output", "message"};

// A limit with Judge0's bounds, and the limit of ours that it sets.
struct Bound {
  const char* attribute;
  const char* field;  // empty: kept and told, no limit of ours
  double usual, least, most;
  double factor;
};
constexpr std::array<Bound, 6> kBounds = {
    {{"cpu_time_limit", "cpu_time_ms", 5, 0, 15, 1000},
     {"wall_time_limit", "wall_time_ms", 10, 1, 20, 1000},
     {"memory_limit", "memory_bytes", 128'000, 2'048, 512'000, 1024},
     {"max_processes_and_or_threads", "pids", 60, 1, 120, 1},
     {"max_file_size", "disk_bytes", 1'024, 0, 4'096, 1024},
     {"stack_limit", "", 64'000, 0, 128'000, 1}}};

std::string number_text(double number) {
  return number == std::floor(number) ? std::to_string(static_cast<std::int64_t>(number))
                                      : std::to_string(number);
}

std::string now_text() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                now.tv_nsec / 1'000'000);
  return text;
}

const Language* find_language(const Json& id) {
  const auto found = std::find_if(
      kLanguages.begin(), kLanguages.end(),
      [&](const Language& language) { return id.is_number_integer() && id == language.id; });
  return found == kLanguages.end() ? nullptr : &*found;
}

Json status_json(int id) {
  return {{"id", id}, {"description", kStatuses[static_cast<std::size_t>(id - 1)].description}};
}

// An attribute's text in Base64, null where there is none.
Json text_of(const Json& attributes, const char* name, bool base64, Faults& faults) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || found->is_null()) return nullptr;
  if (!found->is_string()) {
    faults.add(name, "is not a string");
    return nullptr;
  }
  if (!base64) return to_base64(found->get<std::string>());
  // Judge0's clients break the lines of what they encode.
  std::string written = found->get<std::string>();
  std::erase_if(written, [](char byte) { return byte == '\n' || byte == '\r' || byte == ' '; });
  const auto bytes = from_base64(written);
  if (!bytes) faults.add(name, "is not Base64");
  return bytes ? Json(to_base64(*bytes)) : Json();
}

// As a shell takes it apart: blanks, both kinds of quotes, the backslash.
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  bool open = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (quote == 0 && (byte == ' ' || byte == '\t' || byte == '\n')) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    if (quote == 0 && (byte == '\'' || byte == '"')) {
      quote = byte;
    } else if (byte == quote) {
      quote = 0;
    } else if (byte == '\\' && quote != '\'' && i + 1 < text.size()) {
      words.back() += text[++i];
    } else {
      words.back() += byte;
    }
  }
  return words;
}

void take_limits(const Json& attributes, Submission& made, Faults& faults) {
  for (const auto& bound : kBounds) {
    auto wanted = attributes.find(bound.attribute);
    const bool there = wanted != attributes.end() && !wanted->is_null();
    double value = bound.usual;
    if (there) {
      // Forms send numbers as texts.
      const Json read =
          wanted->is_string() ? Json::parse(wanted->get<std::string>(), nullptr, false) : *wanted;
      if (!read.is_number()) {
        faults.add(bound.attribute, "is not a number");
        continue;
      }
      value = read.get<double>();
    }
    if (value > bound.most) {
      faults.add(bound.attribute, "must be less than or equal to " + number_text(bound.most));
    } else if (value < bound.least) {
      faults.add(bound.attribute, "must be greater than or equal to " + number_text(bound.least));
    }
    made.columns[bound.attribute] = value;
    const double scaled = value * bound.factor;
    // What may be written is the whole work directory's, a megabyte is the least that is of use.
    const double least = std::string_view(bound.field) == "disk_bytes" ? 1 << 20U : 1;
    if (*bound.field != '\0') {
      made.document["limits"][bound.field] = static_cast<std::uint64_t>(std::max(scaled, least));
    }
  }
}

// What Judge0 has and this service has not is said, not left aside.
void refuse_the_rest(const Json& attributes, Faults& faults) {
  const auto is_set = [&](const char* name) {
    const auto found = attributes.find(name);
    return found != attributes.end() && !found->is_null() && *found != "" && *found != false;
  };
  if (is_set("compiler_options")) {
    faults.add("compiler_options", "setting compiler options is not allowed");
  }
  if (is_set("additional_files")) faults.add("additional_files", "setting them is not allowed");
  const auto runs = attributes.find("number_of_runs");
  if (runs != attributes.end() && !runs->is_null() && *runs != 1) {
    faults.add("number_of_runs", "must be less than or equal to 1");
  }
}

// Without blanks at the ends of lines, and empty lines at the end.
std::string stripped(const std::string& text) {
  std::istringstream lines(text);
  std::string made, line;
  const auto trim = [](std::string& part) { part.erase(part.find_last_not_of(" \t\r\n\f\v") + 1); };
  while (std::getline(lines, line)) {
    trim(line);
    made += line + "\n";
  }
  trim(made);
  return made;
}

int status_of_signal(int number) {
  switch (number) {
    case SIGSEGV:
      return kSigsegv;
    case SIGXFSZ:
      return kSigxfsz;
    case SIGFPE:
      return kSigfpe;
    case SIGABRT:
      return kSigabrt;
    default:
      return kOther;
  }
}

int status_id(const Json& record, const Json& columns) {
  const auto status = status_of(record);
  const auto reason = record.contains("kill_reason") && record["kill_reason"].is_string()
                          ? record["kill_reason"].get<std::string>()
                          : std::string();
  if (status == "rejected" || status == "compile_error") return kCompilation;
  if (status == "timeout" || reason == "cpu_limit") return kTimeLimit;
  if (record.value("killed", false)) return kOther;
  const auto signal = record.find("signal");
  if (signal != record.end() && signal->is_number() && *signal != 0) {
    return status_of_signal(signal->get<int>());
  }
  if (record.value("exit_code", 0) != 0) return kNzec;
  const auto& expected = columns["expected_output"];
  if (!expected.is_string()) return kAccepted;
  const auto wanted = from_base64(expected.get<std::string>()).value_or("");
  return stripped(wanted) == stripped(stream_of(record, "stdout")) ? kAccepted : kWrongAnswer;
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  return text;
}

Json base64_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(to_base64(text));
}

}  // namespace

void Faults::add(const std::string& attribute, const std::string& what) {
  by_attribute[attribute].push_back(what);
}

std::span<const Language> all_languages() { return kLanguages; }
std::span<const Status> all_statuses() { return kStatuses; }

Submission read_submission(const Service& service, const Json& attributes, bool base64,
                           Faults& faults) {
  Submission made;
  made.columns = {{"created_at", now_text()}, {"status", status_json(kInQueue)}};
  for (const char* name : {"source_code", "stdin", "expected_output"}) {
    made.columns[name] = text_of(attributes, name, base64, faults);
  }
  if (!made.columns["source_code"].is_string()) faults.add("source_code", "can't be blank");
  const auto id = attributes.value("language_id", Json());
  // Forms send numbers as texts.
  const Json number = id.is_string() ? Json::parse(id.get<std::string>(), nullptr, false) : id;
  const Language* const language = find_language(number);
  const bool here = language != nullptr &&
                    std::any_of(service.languages.begin(), service.languages.end(),
                                [&](const auto& known) { return known.name == language->name; });
  if (id.is_null()) {
    faults.add("language_id", "can't be blank");
  } else if (!here) {
    faults.add("language_id", "language with id " +
                                  (id.is_string() ? id.get<std::string>() : id.dump()) +
                                  " doesn't exist");
  }
  made.columns["language_id"] = number;
  take_limits(attributes, made, faults);
  refuse_the_rest(attributes, faults);
  const auto args = attributes.value("command_line_arguments", Json());
  if (args.is_string()) {
    made.document["args"] = split_words(args.get_ref<const std::string&>());
    made.columns["command_line_arguments"] = args;
  }
  made.columns["redirect_stderr_to_stdout"] =
      attributes.value("redirect_stderr_to_stdout", Json(false)) == true;
  const auto callback = attributes.value("callback_url", Json());
  if (callback.is_string()) made.callback = callback.get<std::string>();
  made.columns["callback_url"] = callback;
  made.document["network"] =
      attributes.value("enable_network", Json(false)) == true ? "host" : "none";
  made.document["language"] = here ? language->name : "";
  made.document["source_base64"] = made.columns["source_code"];
  if (made.columns["stdin"].is_string()) made.document["stdin_base64"] = made.columns["stdin"];
  return made;
}

Json judged(Json columns, const RunResult& result) {
  const auto& record = result.record;
  const int id = status_id(record, columns);
  const auto usage = record.value("resource_usage", Json::object());
  auto out = stream_of(record, "stdout");
  auto err = stream_of(record, "stderr");
  const bool compiling = status_of(record) == "compile_error";
  if (columns["redirect_stderr_to_stdout"] == true && !compiling) {
    out += err;
    err.clear();
  }
  columns["status"] = status_json(id);
  columns["stdout"] = base64_or_null(out);
  columns["stderr"] = compiling ? Json() : base64_or_null(err);
  columns["compile_output"] = compiling ? base64_or_null(err) : Json();
  if (status_of(record) == "rejected") columns["compile_output"] = to_base64(findings_of(record));
  columns["message"] = id == kAccepted || id == kWrongAnswer || compiling
                           ? Json()
                           : Json(to_base64(reason_of(record)));
  columns["time"] = seconds_text(static_cast<double>(usage.value("cpu_time_ns", 0ULL)) / 1e9);
  columns["wall_time"] = seconds_text(static_cast<double>(record.value("duration_ms", 0ULL)) / 1e3);
  columns["memory"] = usage.value("memory_peak_bytes", 0ULL) / 1024;
  columns["exit_code"] = record.value("exit_code", Json());
  columns["exit_signal"] = record.value("signal", Json());
  columns["finished_at"] = now_text();
  return columns;
}

Json not_judged(Json columns, int status, const std::string& message) {
  columns["status"] = status_json(status == 0 ? kInternal : status);
  for (const char* name : {"stdout", "stderr", "compile_output", "time", "memory"}) {
    columns[name] = nullptr;
  }
  columns["message"] = base64_or_null(message);
  return columns;
}

std::optional<Json> shown(const Json& columns, std::string_view fields, bool base64) {
  std::vector<std::string> wanted;
  const std::string list = fields.empty()
                               ? "stdout,time,memory,stderr,token,compile_output,message,status"
                               : std::string(fields);
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');) wanted.push_back(name);
  if (list == "*") {
    wanted.clear();
    for (const auto& [name, value] : columns.items()) wanted.push_back(name);
  }
  Json made = Json::object();
  for (const auto& name : wanted) {
    if (!columns.contains(name)) continue;
    made[name] = columns[name];
    const bool text = std::find(kTexts.begin(), kTexts.end(), name) != kTexts.end();
    if (base64 || !text || !made[name].is_string()) continue;
    const auto bytes = from_base64(made[name].get<std::string>()).value_or("");
    if (!is_text(bytes)) return {};
    made[name] = bytes;
  }
  return made;
}

}  // namespace langsbx::serve::doors::judge0
