// Included by sources that carry switchable mistakes (see README.md); never part of a real build.
// One build holds all mistakes. The number below says which one is on; run.py writes it into the
// binary.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

// A mistake may compare or convert in ways that the project's own warnings refuse.
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wunused-result"
#pragma GCC diagnostic ignored "-Wparentheses"

namespace langsbx::mutants {

inline constexpr unsigned kMost = 4096;

struct Selector {
  char mark[22];
  unsigned short chosen;
};
// volatile: the compiler may not fold the number, since run.py changes it in the file.
inline const volatile Selector kSelector{"LANGSBX-MUTANT-CHOSEN", 0};

// Where a run notes which mistakes it came across, so that only tests that can notice one are run
// for it.
inline unsigned char* open_seen() {
  const char* path = std::getenv("LANGSBX_MUTANTS_SEEN");
  if (path == nullptr) return nullptr;
  const int file = ::open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* memory = ::mmap(nullptr, kMost, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<unsigned char*>(memory);
}
inline unsigned char* const kSeen = open_seen();

inline bool is_on(unsigned number) {
  if (kSeen != nullptr) kSeen[number] = 1;
  return kSelector.chosen == number;
}

}  // namespace langsbx::mutants

#define LANGSBX_MUTANT(number) (::langsbx::mutants::is_on(number))
