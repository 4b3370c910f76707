// A static program that tells how it was started, a line each: built twice, with the short start
// and with the C library's own. What it says has to be the same but for the first line.
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

// What the C library knows of the processor (its header for it is not C++ for every compiler).
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const unsigned* __x86_get_cpuid_feature_leaf(unsigned leaf);

namespace {

std::string made;

struct Maker {
  explicit Maker(const char* name) : name_(name) { made += std::string(name) + ";"; }
  ~Maker() { std::printf("end of %s\n", name_); }
  Maker(const Maker&) = delete;
  Maker& operator=(const Maker&) = delete;

 private:
  const char* name_;
};

const Maker kFirst("first");
const Maker kSecond("second");
thread_local int own = 7;
// Copied before main, and long enough for the ways of copying that depend on thresholds.
constexpr std::size_t kLong = 5000;
thread_local char long_own[kLong] = {'l', 'o', 'n', 'g'};
const char* const kRelocated[] = {"relocated"};

__attribute__((destructor)) void last() { std::puts("destructor"); }

void guards() {
  std::uintptr_t stack = 0;
  std::uintptr_t pointer = 0;
  __asm__("movq %%fs:0x28, %0" : "=r"(stack));
  __asm__("movq %%fs:0x30, %0" : "=r"(pointer));
  std::uintptr_t random[2];
  std::memcpy(random, reinterpret_cast<const void*>(::getauxval(AT_RANDOM)), sizeof random);
  std::printf("stack guard %s\n",
              stack == (random[0] & ~std::uintptr_t{0xff}) ? "random" : "wrong");
  std::printf("pointer guard %s\n", pointer == random[1] ? "random" : "wrong");
}

// What the place of that address may be used for, as "r--p".
std::string permissions(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  char line[512];
  std::string found = "unmapped";
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char how[5];
    if (std::sscanf(line, "%lx-%lx %4s", &begin, &end, how) == 3 && wanted >= begin && wanted < end)
      found = how;
  }
  if (maps != nullptr) std::fclose(maps);
  return found;
}

// Copies of every kind of length against a loop, forwards and backwards over themselves.
bool copies_rightly(std::size_t size, std::ptrdiff_t shift) {
  std::vector<unsigned char> bytes(size + 512);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<unsigned char>(i * 31 + i / 251);
  const std::vector<unsigned char> before = bytes;
  std::memmove(bytes.data() + 256 + shift, bytes.data() + 256, size);
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[static_cast<std::size_t>(256 + shift) + i] != before[256 + i]) return false;
  }
  std::vector<unsigned char> other(size, 1);
  if (size == 0) return true;
  std::memcpy(other.data(), before.data(), size);
  if (std::memcmp(other.data(), before.data(), size) != 0) return false;
  other[size - 1] ^= 1;
  std::memset(bytes.data(), 9, size);
  return std::memcmp(other.data(), before.data(), size) != 0 &&
         std::memchr(bytes.data(), 8, size) == nullptr;
}

void memory() {
  bool right = true;
  for (std::size_t size = 0; size < 600; ++size) right = right && copies_rightly(size, 3);
  for (std::size_t size = 1024; size <= std::size_t{16} << 20; size *= 4) {
    for (const std::ptrdiff_t shift : {-256, -1, 0, 1, 64, 200})
      right = right && copies_rightly(size + 5, shift);
  }
  std::printf("memory %s\n", right ? "right" : "wrong");
}

void threads() {
  errno = 0;
  own = 1;
  int seen = 0;
  std::string how;
  std::thread([&] {
    int local = 0;
    errno = EINTR;
    seen = own;
    how = permissions(&local);
  }).join();
  std::printf("thread: own %d, errno here %d, stack %s\n", seen, errno, how.c_str());
  std::printf("own of the thread %s, %zu zeros\n", long_own,
              static_cast<std::size_t>(std::count(long_own, long_own + kLong, '\0')));
}

void exceptions() {
  try {
    throw std::runtime_error("thrown");
  } catch (const std::exception& error) {
    std::printf("exception %s\n", error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("processor %s\n", __x86_get_cpuid_feature_leaf(1)[0] != 0 ? "asked" : "not asked");
  for (int i = 1; i < argc; ++i) std::printf("argument %s\n", argv[i]);
  for (char** each = environ; *each != nullptr; ++each) std::printf("variable %s\n", *each);
  std::printf("name %s, %s\n", program_invocation_short_name, std::getenv("PROBE"));
  std::printf("made %s\n", made.c_str());
  std::printf("page %ld %ld\n", ::sysconf(_SC_PAGESIZE), static_cast<long>(::getauxval(AT_PAGESZ)));
  guards();
  int local = 0;
  std::printf("relocated %s %s, stack %s, secure %lu\n", kRelocated[0],
              permissions(kRelocated).c_str(), permissions(&local).c_str(), ::getauxval(AT_SECURE));
  timespec now{};
  std::printf("clock %d\n", ::clock_gettime(CLOCK_MONOTONIC, &now));
  std::printf("number %s\n", std::to_string(1.5).c_str());
  memory();
  threads();
  exceptions();
  return 42;
}
