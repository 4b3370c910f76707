// Included by sources that carry switchable mistakes (see README.md); never part of a real build.
// One build holds all mistakes. What stands below is changed in the finished program (programs.py):
// the number of the mistake that is on, and the file where a run notes what it came across.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

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
  char seen[104];
};
// volatile: the compiler may not fold what is changed in the file.
inline const volatile Selector kSelector{"LANGSBX-MUTANT-CHOSEN", 0, ""};

// A name in the program and not a variable of the environment: tests start programs with their own.
inline unsigned char* open_seen() {
  char path[sizeof(Selector::seen)];
  for (unsigned i = 0; i < sizeof(path); ++i) path[i] = kSelector.seen[i];
  if (path[0] == 0) return nullptr;
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
