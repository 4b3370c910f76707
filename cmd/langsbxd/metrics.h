// Counters in Prometheus' text format, version 0.0.4.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace langsbx::serve {

class Histogram {
 public:
  explicit Histogram(std::span<const double> bounds) : bounds_(bounds) {}
  void add(double value);
  void print(std::string& text, std::string_view name, std::string_view labels) const;

 private:
  std::span<const double> bounds_;
  std::array<std::uint64_t, 24> counts_{};  // one more than there are bounds
  double sum_ = 0;
  std::uint64_t all_ = 0;
};

// What is true now, asked when somebody looks.
struct Gauges {
  std::size_t queued = 0, running = 0, connections = 0;
};

class Metrics {
 public:
  Metrics();
  void answered(std::string_view route, std::string_view method, unsigned status, double seconds);
  void ran(std::string_view language, std::string_view tier, std::string_view status,
           double seconds);
  void waited(double seconds) { waits_.add(seconds); }
  void violation(std::string_view kind) { ++violations_[std::string(kind)]; }
  void turned_away(std::string_view reason) { ++turned_away_[std::string(reason)]; }
  [[nodiscard]] std::string text(const Gauges& gauges, std::string_view version) const;

 private:
  std::map<std::string, std::uint64_t> requests_, runs_, violations_, turned_away_;
  std::map<std::string, Histogram> request_seconds_, run_seconds_;
  Histogram waits_;
  double started_;
};

}  // namespace langsbx::serve
