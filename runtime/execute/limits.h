// The one table of limits: options, presets, profiles, records and events all read it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "languages/profile.h"
#include "runtime/base/result.h"
#include "runtime/execute/request.h"
#include "runtime/execute/toolchain.h"

namespace langsbx::execute {

enum class Unit { kDuration, kSize, kProcessors, kCount };

struct LimitRow {
  std::string_view option;  // "cpu-time"
  std::string_view field;   // of the record: "cpu_time_ms"
  Unit unit = Unit::kCount;
  std::uint64_t Limits::*value = nullptr;
  std::optional<std::uint64_t> languages::Limits::*profile = nullptr;
  std::uint64_t normal = 0;  // preset "default"
  std::uint64_t strict = 0;  // preset "strict"
  const char* help = "";
};
const std::array<LimitRow, kLimitCount>& limit_table();
// The place of an option in the table; kLimitCount when there is none of that name.
std::size_t limit_index(std::string_view option);

// "default" or "strict".
Result<Limits> preset_limits(std::string_view preset);
// Which of preset and profile counts where they differ.
enum class Stronger {
  kStricter,
  kProfile,  // the caller chose it, and no preset
};
// Raised to what the language needs; the command line has the last word.
Limits merge_limits(const Limits& preset, const languages::Limits& profile,
                    const Toolchain& toolchain, const LimitOptions& options,
                    Stronger stronger = Stronger::kStricter);
// The last word of all: whoever offers runs to others bounds them.
void lower_to(const LimitOptions& ceilings, Limits& limits);
// "64", "64K", "10Mi", "1G": powers of 1024.
Result<std::uint64_t> parse_size(std::string_view text, std::string_view option);
// "1.5" processors -> 1500.
Result<std::uint64_t> parse_cpus(std::string_view text);
// "10": at least 1.
Result<std::uint64_t> parse_count(std::string_view text, std::string_view option);

}  // namespace langsbx::execute
