// Parses Go's durations.
#include "cmd/langsbx/duration.h"

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

namespace langsbx::cmd {

Result<std::chrono::milliseconds> parse_duration(std::string_view text, std::string_view option) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
      {{"ms", 1}, {"us", 1e-3}, {"ns", 1e-6}, {"h", 3.6e6}, {"m", 6e4}, {"s", 1e3}}};
  constexpr double kLongest = 1e12;
  const auto invalid = [&] {
    return make_error(ErrorKind::kInvalidInput, "invalid value \"" + std::string(text) +
                                                    "\" for flag -" + std::string(option) +
                                                    ": expected a duration such as 5s");
  };
  double total = 0;
  std::string_view rest = text;
  while (!rest.empty()) {
    double number = 0;
    const auto [stop, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number, std::chars_format::fixed);
    if (error != std::errc{} || number < 0) return invalid();
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    const auto* unit = kUnits.begin();
    while (unit != kUnits.end() && !rest.starts_with(unit->first)) ++unit;
    if (unit == kUnits.end()) return invalid();
    rest.remove_prefix(unit->first.size());
    total += number * unit->second;
  }
  if (total < 1 || total > kLongest) return invalid();
  return std::chrono::milliseconds(static_cast<std::int64_t>(total));
}

}  // namespace langsbx::cmd
