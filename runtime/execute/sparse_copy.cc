// Data by SEEK_DATA, in pieces.
#include "runtime/execute/sparse_copy.h"

#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace langsbx::execute {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;

// Up to all of `piece`; fewer bytes are the file's end.
Result<std::size_t> read_piece(int file, std::uint64_t at, std::size_t size, std::string& piece) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count =
        ::pread(file, piece.data() + done, size - done, static_cast<off_t>(at + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read");
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

Result<void> write_piece(int file, std::uint64_t at, std::size_t size, const std::string& piece) {
  for (std::size_t done = 0; done < size;) {
    const ssize_t count =
        ::pwrite(file, piece.data() + done, size - done, static_cast<off_t>(at + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("write");
    done += static_cast<std::size_t>(count);
  }
  return {};
}

struct Stretch {
  std::uint64_t begin = 0, end = 0;
};

// The next stretch of data; a file system that knows no holes is all data.
Result<Stretch> next_data(int file, std::uint64_t at, std::uint64_t size) {
  const off_t begin = ::lseek(file, static_cast<off_t>(at), SEEK_DATA);
  if (begin < 0 && errno == ENXIO) return Stretch{size, size};
  if (begin < 0 && errno == EINVAL) return Stretch{at, size};
  if (begin < 0) return system_error("lseek");
  const off_t end = ::lseek(file, begin, SEEK_HOLE);
  if (end < 0) return system_error("lseek");
  return Stretch{std::min(static_cast<std::uint64_t>(begin), size),
                 std::min(static_cast<std::uint64_t>(end), size)};
}

}  // namespace

Result<void> copy_with_holes(int from, int to, std::uint64_t size) {
  struct stat status {};
  if (::fstat(from, &status) != 0) return system_error("fstat");
  if (static_cast<std::uint64_t>(status.st_size) < size) {
    return make_error(ErrorKind::kInternal, "shorter than it was");
  }
  std::string piece(static_cast<std::size_t>(std::min<std::uint64_t>(size, kPiece)), '\0');
  for (std::uint64_t at = 0; at < size;) {
    const auto data = TRY(next_data(from, at, size));
    for (at = data.begin; at < data.end;) {
      const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(data.end - at, kPiece));
      const auto count = TRY(read_piece(from, at, wanted, piece));
      if (count == 0) return make_error(ErrorKind::kInternal, "shorter than it was");
      TRY(write_piece(to, at, count, piece));
      at += count;
    }
  }
  if (::ftruncate(to, static_cast<off_t>(size)) != 0) return system_error("ftruncate");
  return {};
}

Result<bool> same_bytes(int left, int right, std::uint64_t size) {
  std::string first(static_cast<std::size_t>(std::min<std::uint64_t>(size, kPiece)), '\0');
  std::string second = first;
  for (std::uint64_t at = 0; at < size; at += kPiece) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(size - at, kPiece));
    const auto count = TRY(read_piece(left, at, wanted, first));
    if (count != TRY(read_piece(right, at, wanted, second)) || count != wanted) return false;
    if (first.compare(0, wanted, second, 0, wanted) != 0) return false;
  }
  return true;
}

}  // namespace langsbx::execute
