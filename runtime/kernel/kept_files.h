// Results kept between runs: one file for each key, below a directory of ours.
//
// A file holds its whole key, so that a hash collision is a miss, and a checksum, so that a torn
// file is one, too. Directory and file must belong to the calling user and be writable by nobody
// else: who could forge an entry could write the state as well. Nothing here ever fails a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace langsbx {

struct KeptFiles {
  std::string directory;  // made where it is missing, with the two above it (mode 0700)
  std::size_t most_entries = 64;
  std::uint64_t most_bytes = 4U << 20U;  // of one file; larger results are not kept
  std::uint64_t most_in_all = 64U << 20U;
};

// Tells unequal bytes apart; no protection against somebody who looks for a collision.
std::uint64_t quick_hash(std::string_view bytes);

std::optional<std::string> read_kept(const KeptFiles& kept, std::string_view key);
// Replaces the file in one step; where there are too many or too much then, the oldest go.
void write_kept(const KeptFiles& kept, std::string_view key, std::string_view content);

}  // namespace langsbx
