// What stands before main in a static program, without the questions the C library asks the
// processor; see README.md. Compiled without stack protector and without builtins: nothing here may
// call a function that has to be relocated first, or look for a guard that is not there yet.
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <limits>

// Of glibc's static library. Hidden, so that they are reached without the table of addresses, which
// holds nothing before _dl_relocate_static_pie.
#pragma GCC visibility push(hidden)
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
using Main = int(int, char**, char**);
using Constructor = void(int, char**, char**);

extern char** __environ;
extern void* __libc_stack_end;
extern const std::uintptr_t* _dl_random;
extern long __x86_shared_non_temporal_threshold;
extern long __x86_rep_movsb_stop_threshold;
#if __GLIBC_MINOR__ >= 41
extern long __x86_memset_non_temporal_threshold;
#endif
extern Constructor* const __preinit_array_start[];
extern Constructor* const __preinit_array_end[];
extern Constructor* const __init_array_start[];
extern Constructor* const __init_array_end[];
extern void (*const __fini_array_start[])();
extern void (*const __fini_array_end[])();

void _init();
void _fini();
void _dl_aux_init(ElfW(auxv_t) * vector);
void _dl_relocate_static_pie();
void __libc_setup_tls();
void __libc_early_init(bool initial);
void __libc_init_first(int argc, char** argv, char** environment);
int __real___libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                             void (*loader_end)(), void* stack_end);
int __wrap___libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                             void (*loader_end)(), void* stack_end);
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}
#pragma GCC visibility pop

namespace {

// What a processor without known caches gets: three quarters of 1 MiB.
constexpr long kNonTemporalThreshold = 0xc0000;

bool begins_with(const char* text, const char* beginning) {
  while (*beginning != '\0') {
    if (*text++ != *beginning++) return false;
  }
  return true;
}

// Behind the environment; nullptr where tunables are set, which are the ordinary start's matter.
ElfW(auxv_t) * vector_behind(char** environment) {
  for (; *environment != nullptr; ++environment) {
    if (begins_with(*environment, "GLIBC_TUNABLES=")) return nullptr;
  }
  return reinterpret_cast<ElfW(auxv_t)*>(environment + 1);
}

// A kernel that tells what is needed, and no privilege gained by execve: that one is cleaned up
// after by the ordinary start.
bool is_ordinary(const ElfW(auxv_t) * entry) {
  bool headers = false;
  bool random = false;
  for (; entry->a_type != AT_NULL; ++entry) {
    if (entry->a_type == AT_SECURE && entry->a_un.a_val != 0) return false;
    headers = headers || entry->a_type == AT_PHDR;
    random = random || entry->a_type == AT_RANDOM;
  }
  return headers && random;
}

// Where the compiler and setjmp look for them: in the thread's control block.
void set_guards() {
  // The lowest byte is zero, so that no text that runs over can be made to match.
  const std::uintptr_t stack_guard = _dl_random[0] & ~std::uintptr_t{0xff};
  const std::uintptr_t pointer_guard = _dl_random[1];
  __asm__ volatile("movq %0, %%fs:0x28" : : "r"(stack_guard) : "memory");
  __asm__ volatile("movq %0, %%fs:0x30" : : "r"(pointer_guard) : "memory");
}

// From which size on copies go past the caches.
void set_thresholds() {
  __x86_shared_non_temporal_threshold = kNonTemporalThreshold;
  __x86_rep_movsb_stop_threshold = kNonTemporalThreshold;
#if __GLIBC_MINOR__ >= 41
  __x86_memset_non_temporal_threshold = std::numeric_limits<long>::max();
#endif
}

void run_destructors() {
  const auto count = __fini_array_end - __fini_array_start;
  for (auto i = count; i > 0; --i) __fini_array_start[i - 1]();
  _fini();
}

void run_constructors(int argc, char** argv, char** environment) {
  for (auto* each = __preinit_array_start; each != __preinit_array_end; ++each)
    (*each)(argc, argv, environment);
  _init();
  for (auto* each = __init_array_start; each != __init_array_end; ++each)
    (*each)(argc, argv, environment);
}

}  // namespace

int __wrap___libc_start_main(Main* main, int argc, char** argv, void (*init)(), void (*fini)(),
                             void (*loader_end)(), void* stack_end) {
  char** const environment = argv + argc + 1;
  auto* const vector = vector_behind(environment);
  if (vector == nullptr || loader_end != nullptr || !is_ordinary(vector))
    return __real___libc_start_main(main, argc, argv, init, fini, loader_end, stack_end);
  // First: what comes next copies.
  set_thresholds();
  __environ = environment;
  __libc_stack_end = stack_end;
  _dl_aux_init(vector);
  _dl_relocate_static_pie();
  __libc_setup_tls();
  set_guards();
  __libc_early_init(true);
  __libc_init_first(argc, argv, environment);
  std::atexit(run_destructors);
  run_constructors(argc, argv, environment);
  std::exit(main(argc, argv, environment));
}
