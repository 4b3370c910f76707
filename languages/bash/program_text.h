// The little languages inside arguments: what an awk or sed program does besides text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace langsbx::languages::bash {

struct ProgramEffect {
  enum class Kind {
    kSpawns,
    kReads,
    kWrites,
    kWritesSomewhere,
    kConnects,
    kVariable,     // of the environment, by its name
    kEnvironment,  // all of it
    kUnclear
  };
  Kind kind;
  std::string_view text;  // the path, or the piece of the program
};

constexpr std::size_t kMostEffects = 4096;

[[nodiscard]] std::vector<ProgramEffect> awk_effects(std::string_view program);
[[nodiscard]] std::vector<ProgramEffect> sed_effects(std::string_view program);

}  // namespace langsbx::languages::bash
