// Compiled, linked and run by CMake: is the C library's static start-up the one short_start knows?

#include <cstdio>
#include <stdexcept>
#include <string>

#if !defined(__x86_64__) || __GLIBC__ != 2 || (__GLIBC_MINOR__ != 36 && __GLIBC_MINOR__ != 41)
#error "short_start knows glibc 2.36 and 2.41 on x86-64"
#endif

// What the C library knows of the processor (its header for it is not C++ for every compiler).
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const unsigned* __x86_get_cpuid_feature_leaf(unsigned leaf);

namespace {

int counted = 0;

struct Counting {
  Counting() { ++counted; }
};

const Counting kFirst;
// Copied before main, by what copies more than a little.
thread_local char own[5000] = "own";

void refuse() { throw std::runtime_error("refused"); }

}  // namespace

int main() {
  try {
    refuse();
  } catch (const std::exception& error) {
    // Features nobody asked for are those of no processor at all.
    const bool asked = __x86_get_cpuid_feature_leaf(1)[0] != 0;
    return error.what() == std::string("refused") && counted == 1 && own == std::string("own") &&
                   !asked
               ? 0
               : 1;
  }
  return 1;
}
