#include "cmd/langsbxd/metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>

#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

constexpr std::array<double, 16> kRunBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                               0.5,   1,      2.5,   5,    10,    30,   60,  300};
constexpr std::array<double, 12> kRequestBounds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                   0.05,   0.1,   0.5,    1,     5,    30};

double now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

std::string number(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

void head(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  text.append("# HELP ").append(name).append(" ").append(help).append("\n");
  text.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void line(std::string& text, std::string_view name, std::string_view labels,
          const std::string& value) {
  text.append(name);
  if (!labels.empty()) text.append("{").append(labels).append("}");
  text.append(" ").append(value).append("\n");
}

// Values are ours: names of languages, routes and statuses.
std::string label(std::string_view name, std::string_view value) {
  return std::string(name) + "=\"" + std::string(value) + "\"";
}

void counters(std::string& text, std::string_view name, std::string_view help,
              const std::map<std::string, std::uint64_t>& values, std::string_view only = {}) {
  head(text, name, "counter", help);
  for (const auto& [labels, value] : values) {
    line(text, name, only.empty() ? labels : label(only, labels), std::to_string(value));
  }
}

void gauge(std::string& text, std::string_view name, std::string_view help, double value) {
  head(text, name, "gauge", help);
  line(text, name, {}, number(value));
}

double resident_bytes() {
  const auto text = read_file("/proc/self/statm", 4096);
  if (!text.ok()) return 0;
  const auto space = text->find(' ');
  double pages = 0;
  const auto* const end = text->data() + text->size();
  if (space != std::string::npos) std::from_chars(text->data() + space + 1, end, pages);
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double processor_seconds() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

}  // namespace

void Histogram::add(double value) {
  std::size_t place = 0;
  while (place < bounds_.size() && value > bounds_[place]) ++place;
  ++counts_[place];
  ++all_;
  sum_ += value;
}

void Histogram::print(std::string& text, std::string_view name, std::string_view labels) const {
  const std::string bucket = std::string(name) + "_bucket";
  const std::string before = labels.empty() ? "" : std::string(labels) + ",";
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < bounds_.size(); ++i) {
    below += counts_[i];
    line(text, bucket, before + label("le", number(bounds_[i])), std::to_string(below));
  }
  line(text, bucket, before + label("le", "+Inf"), std::to_string(all_));
  line(text, std::string(name) + "_sum", labels, number(sum_));
  line(text, std::string(name) + "_count", labels, std::to_string(all_));
}

Metrics::Metrics() : waits_(kRequestBounds), started_(now()) {}

void Metrics::answered(std::string_view route, std::string_view method, unsigned status,
                       double seconds) {
  const std::string place = label("route", route) + "," + label("method", method);
  ++requests_[place + "," + label("code", std::to_string(status))];
  request_seconds_.try_emplace(place, kRequestBounds).first->second.add(seconds);
}

void Metrics::ran(std::string_view language, std::string_view tier, std::string_view status,
                  double seconds) {
  const std::string place = label("language", language);
  ++runs_[place + "," + label("tier", tier) + "," + label("status", status)];
  run_seconds_.try_emplace(place, kRunBounds).first->second.add(seconds);
}

std::string Metrics::text(const Gauges& gauges, std::string_view version) const {
  std::string text;
  head(text, "langsbx_build_info", "gauge", "The version, as a label.");
  line(text, "langsbx_build_info", label("version", version), "1");
  counters(text, "langsbx_http_requests_total", "Requests answered.", requests_);
  head(text, "langsbx_http_request_duration_seconds", "histogram", "From request to answer.");
  for (const auto& [labels, histogram] : request_seconds_) {
    histogram.print(text, "langsbx_http_request_duration_seconds", labels);
  }
  counters(text, "langsbx_executions_total", "Runs that have ended.", runs_);
  head(text, "langsbx_execution_duration_seconds", "histogram", "From start to end of a run.");
  for (const auto& [labels, histogram] : run_seconds_) {
    histogram.print(text, "langsbx_execution_duration_seconds", labels);
  }
  head(text, "langsbx_queue_wait_seconds", "histogram", "From request to start of a run.");
  waits_.print(text, "langsbx_queue_wait_seconds", {});
  counters(text, "langsbx_violations_total", "Findings of the guard and limits that were passed.",
           violations_, "kind");
  counters(text, "langsbx_turned_away_total", "Runs that were not taken, or not started in time.",
           turned_away_, "reason");
  gauge(text, "langsbx_queue_depth", "Runs that wait.", static_cast<double>(gauges.queued));
  gauge(text, "langsbx_executions_running", "Runs now.", static_cast<double>(gauges.running));
  gauge(text, "langsbx_connections", "Open connections.", static_cast<double>(gauges.connections));
  head(text, "process_cpu_seconds_total", "counter", "Processor time of the service itself.");
  line(text, "process_cpu_seconds_total", {}, number(processor_seconds()));
  gauge(text, "process_resident_memory_bytes", "Resident memory of the service itself.",
        resident_bytes());
  gauge(text, "process_start_time_seconds", "When the service started.", started_);
  return text;
}

}  // namespace langsbx::serve
