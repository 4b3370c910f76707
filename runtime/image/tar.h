// Reading a tar stream: ustar, GNU's long names, pax headers. Any bytes give entries or an error.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::image {

// Gives up to `size` bytes of the stream; an empty answer is its end.
using Source = std::function<Result<std::string>(std::size_t size)>;

enum class EntryType { kFile, kHardLink, kSymlink, kDirectory, kOther };

struct Entry {
  EntryType type = EntryType::kOther;
  std::string name;    // as the archive has it; neither it nor the target holds a NUL
  std::string target;  // of links
  mode_t mode = 0;
  std::uint64_t size = 0;  // of a file
};

class TarReader {
 public:
  explicit TarReader(Source source) : source_(std::move(source)) {}

  // False at the end. What of the last entry's content was not read is skipped.
  Result<bool> next(Entry& entry);
  // Up to 64 KiB of the entry's content; empty at its end.
  Result<std::string> read();

 private:
  Result<std::string> take(std::size_t size);
  Result<void> skip(std::uint64_t size);
  Result<std::string> whole();  // of a header's extension
  Result<void> take_pax(std::string_view text);
  Result<void> finish(Entry& entry);

  Source source_;
  std::uint64_t left_ = 0;     // of the entry's content
  std::uint64_t padding_ = 0;  // behind it
  std::string long_name_, long_target_, pax_name_, pax_target_;
  std::uint64_t pax_size_ = 0;
  bool has_pax_size_ = false;
};

}  // namespace langsbx::image
