// new and delete of the program (README.md, "Memory").
#include <cstdint>
#include <cstdlib>
#include <new>

#include "cmd/langsbx/memory/room.h"

namespace langsbx::cmd {
namespace {

constexpr std::size_t kBytes = 64 << 10;
alignas(std::max_align_t) constinit char place[kBytes] = {};

// Other threads have none. What one gives back of the first's stays where it is.
constinit thread_local Room room;
[[maybe_unused]] const bool kFirstHasOne = [] {
  room = Room(place, kBytes);
  return true;
}();

bool is_in_place(const void* object) noexcept {
  return reinterpret_cast<std::uintptr_t>(object) - reinterpret_cast<std::uintptr_t>(&place) <
         kBytes;
}

}  // namespace
}  // namespace langsbx::cmd

void* operator new(std::size_t size) {
  if (void* const taken = langsbx::cmd::room.take(size)) [[likely]]
    return taken;
  if (void* const allocated = std::malloc(size == 0 ? 1 : size)) [[likely]]
    return allocated;
  throw std::bad_alloc();
}

void operator delete(void* object) noexcept {
  if (!langsbx::cmd::is_in_place(object)) std::free(object);
}

void operator delete(void* object, std::size_t size) noexcept {
  if (!langsbx::cmd::is_in_place(object)) {
    std::free(object);
  } else {
    langsbx::cmd::room.give_back(object, size);
  }
}
