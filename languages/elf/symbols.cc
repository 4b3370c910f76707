// The allow-list of the C, C++ and compiler libraries. A deny-list would miss what nobody listed.
#include "languages/elf/symbols.h"

#include <algorithm>
#include <array>
#include <string>

#include "languages/c/names.h"
#include "languages/scanner/name_map.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::elf {
namespace {

// clang-format off
constexpr std::string_view kPlain[] = {
    // stdio
    "printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf",
    "dprintf", "asprintf", "vasprintf", "scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf",
    "puts", "fputs", "putchar", "putc", "fputc", "gets", "fgets", "getchar", "getc", "fgetc",
    "ungetc", "getline", "getdelim", "fread", "fwrite", "fflush", "fclose", "fseek", "ftell",
    "fseeko", "ftello", "rewind", "fgetpos", "fsetpos", "feof", "ferror", "clearerr", "perror",
    "setbuf", "setvbuf", "setlinebuf", "fileno", "stdin", "stdout", "stderr", "open_memstream",
    "fmemopen", "getchar_unlocked", "putchar_unlocked", "getc_unlocked", "putc_unlocked",
    "fputs_unlocked", "fwrite_unlocked", "_IO_getc", "_IO_putc", "__overflow", "__uflow",
    // stdlib
    "malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "posix_memalign",
    "memalign", "malloc_usable_size", "abort", "exit", "_exit", "_Exit", "quick_exit", "atexit",
    "at_quick_exit", "atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul", "strtoull",
    "strtod", "strtof", "strtold", "strtoimax", "strtoumax", "rand", "srand", "rand_r", "random",
    "srandom", "drand48", "srand48", "lrand48", "mrand48", "erand48", "nrand48", "jrand48",
    "arc4random", "arc4random_uniform", "getrandom", "getentropy", "qsort", "qsort_r", "bsearch",
    "abs", "labs", "llabs", "div", "ldiv", "lldiv", "imaxabs", "imaxdiv", "mblen", "mbtowc",
    "wctomb", "mbstowcs", "wcstombs", "a64l", "l64a", "ecvt", "fcvt", "gcvt", "lfind", "lsearch",
    "tsearch", "tfind", "tdelete", "twalk", "hcreate", "hsearch", "hdestroy", "getopt",
    "getopt_long", "getopt_long_only", "optarg", "optind", "opterr", "optopt", "getsubopt",
    // string
    "memcpy", "mempcpy", "memmove", "memset", "memcmp", "memchr", "memrchr", "rawmemchr", "memmem",
    "strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strncat", "strlcpy", "strlcat", "strcmp",
    "strncmp", "strcasecmp", "strncasecmp", "strcoll", "strxfrm", "strchr", "strchrnul", "strrchr",
    "strstr", "strcasestr", "strspn", "strcspn", "strpbrk", "strtok", "strtok_r", "strsep",
    "strlen", "strnlen", "strdup", "strndup", "strerror", "strerror_r", "strsignal", "strverscmp",
    "bcmp", "bcopy", "bzero", "explicit_bzero", "index", "rindex", "ffs", "ffsl", "ffsll", "swab",
    "memfrob", "basename", "__xpg_basename", "dirname", "strfry",
    // ctype, wide characters, locale
    "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit", "isgraph", "islower",
    "isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper", "toascii",
    "setlocale", "localeconv", "newlocale", "uselocale", "freelocale", "nl_langinfo",
    "btowc", "wctob", "mbrtowc", "wcrtomb", "mbsrtowcs", "wcsrtombs", "mbrlen", "mbsinit",
    "fgetwc", "fputwc", "fgetws", "fputws", "getwchar", "putwchar", "getwc", "putwc", "ungetwc",
    "fwide", "wprintf", "fwprintf", "swprintf", "vwprintf", "wscanf", "swscanf", "towlower",
    "towupper", "towctrans", "wctrans", "wctype", "iswctype", "c16rtomb", "c32rtomb", "mbrtoc16",
    "mbrtoc32", "iconv", "iconv_open", "iconv_close", "regcomp", "regexec", "regfree", "regerror",
    "fnmatch",
    // time
    "time", "clock", "difftime", "mktime", "timegm", "gmtime", "gmtime_r", "localtime",
    "localtime_r", "asctime", "asctime_r", "ctime", "ctime_r", "strftime", "strptime", "gettimeofday",
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "sleep", "usleep", "times",
    "timespec_get", "tzset", "timezone", "daylight", "tzname", "alarm", "getrusage",
    // errors, signals to oneself, jumps
    "errno", "error", "err", "errx", "warn", "warnx", "raise", "signal", "sigaction", "sigemptyset",
    "sigfillset", "sigaddset", "sigdelset", "sigismember", "sigprocmask", "sigsuspend", "sigwait",
    "pause", "setjmp", "_setjmp", "__sigsetjmp", "longjmp", "_longjmp", "siglongjmp",
    "program_invocation_name", "program_invocation_short_name",
    // unistd: descriptors already open, facts
    "read", "write", "close", "lseek", "lseek64", "pread", "pwrite", "readv", "writev", "dup",
    "dup2", "pipe", "isatty", "ftruncate", "fsync", "fdatasync", "getpid", "getppid", "getuid",
    "geteuid", "getgid", "getegid", "getcwd", "get_current_dir_name", "gethostname", "sysconf",
    "getpagesize", "uname", "fstat", "fstat64", "closedir", "readdir", "readdir64", "rewinddir",
    "select", "poll", "pclose", "wait", "waitpid", "umask", "sched_yield", "get_nprocs",
    "get_nprocs_conf", "getrlimit", "nice", "ttyname", "confstr", "sync",
    "tcgetattr", "tcsetattr",
    // compilers and start-up
    "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail", "__stack_chk_guard", "__assert_fail", "__assert",
    "__errno_location", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",
    "__tls_get_addr", "__dso_handle", "__gxx_personality_v0", "__gcc_personality_v0", "main",
    "__popcountdi2", "__signbit", "__signbitf", "__signbitl", "__fpclassify", "__fpclassifyf",
    "__fpclassifyl", "__isnan", "__isnanf", "__isinf", "__isinff", "__finite", "__finitef",
    "__h_errno_location", "__memcpy_chk", "__libc_single_threaded", "__printf_chk", "__cpu_model",
    "__cpu_indicator_init", "__rawmemchr", "__strdup", "__fdelt_chk",
    "__chk_fail", "__fentry__", "mcount", "_mcount", "__gmon_start__"};

// Their names with f, l and other suffixes are the same function for another type.
constexpr std::string_view kMath[] = {
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
    "cosh", "erf", "erfc", "exp", "exp2", "exp10", "expm1", "fabs", "fdim", "floor", "fma", "fmax",
    "fmin", "fmod", "frexp", "hypot", "ilogb", "ldexp", "lgamma", "lgamma_r", "llrint", "llround",
    "log", "log10", "log1p", "log2", "logb", "lrint", "lround", "modf", "nan", "nearbyint",
    "nextafter", "nexttoward", "pow", "pow10", "remainder", "remquo", "rint", "round", "roundeven",
    "scalbln", "scalbn", "sin", "sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc", "gamma",
    "j0", "j1", "jn", "y0", "y1", "yn", "drem", "significand", "cabs", "carg", "cimag", "creal",
    "conj", "cproj", "cexp", "clog", "cpow", "csqrt", "csin", "ccos", "ctan", "casin", "cacos",
    "catan", "csinh", "ccosh", "ctanh", "casinh", "cacosh", "catanh", "clog10", "finite", "isinf",
    "isnan"};

constexpr std::string_view kPrefixes[] = {
    "_ZNSt", "_ZNKSt", "_ZSt", "_ZNSa", "_ZNSs", "_ZNKSs", "_ZNSo", "_ZNSi", "_ZNSd", "_ZNKSo",
    "_ZNKSi", "_ZTVSt", "_ZTVNSt", "_ZTISt", "_ZTINSt", "_ZTIN10__cxxabiv1", "_ZTVN10__cxxabiv1",
    "_ZTSSt", "_ZTTSt", "_ZTTNSt", "_ZGVNSt", "_ZTI", "_ZTS", "_ZTHSt", "_ZN10__cxxabiv1",
    "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx", "_ZTVN9__gnu_cxx", "_Zna", "_Znw", "_Zda", "_Zdl",
    "__cxa_", "_Unwind_", "__atomic_", "__sync_", "__builtin_", "wmem", "wcs", "isw",
    "__isw", "_ITM_", "__TMC_", "pthread_mutex", "pthread_cond", "pthread_rwlock", "pthread_spin",
    "pthread_barrier", "pthread_key", "pthread_once", "pthread_self", "pthread_equal",
    "pthread_getspecific", "pthread_setspecific", "pthread_join", "pthread_detach", "pthread_exit",
    "pthread_attr", "pthread_testcancel", "pthread_setcancel", "pthread_cleanup", "sem_", "mtx_",
    "cnd_", "tss_", "thrd_join", "thrd_exit", "thrd_sleep", "thrd_yield", "thrd_current",
    "thrd_equal", "thrd_detach", "call_once", "__mul", "__div", "__udiv", "__umod", "__mod",
    "__fix", "__float", "__add", "__sub", "__neg", "__ash", "__lsh", "__popcount", "__parity",
    "__clz", "__ctz", "__ffs", "__bswap", "__ext", "__trunc", "__pow", "__abs", "feclear", "feget", "feset", "feraise", "fetest", "fehold",
    "feupdate", "feenable", "fedisable"};
// clang-format on

bool is_math(std::string_view name) {
  const auto known = [](std::string_view text) {
    return std::find(std::begin(kMath), std::end(kMath), text) != std::end(kMath);
  };
  if (known(name)) return true;
  if (name.ends_with("f128") && known(name.substr(0, name.size() - 4))) return true;
  return name.size() > 1 && (name.back() == 'f' || name.back() == 'l') &&
         known(name.substr(0, name.size() - 1));
}

// libgcc's comparisons: __eqdf2, __unordtf2.
bool is_comparison(std::string_view name) {
  static constexpr auto kNames =
      text_list("__eq", "__ne", "__ge", "__gt", "__le", "__lt", "__cmp", "__unord");
  return name.ends_with("f2") && std::ranges::any_of(kNames, [&](std::string_view start) {
           return name.starts_with(start) && name.size() == start.size() + 3;
         });
}

constexpr auto kPlainEntries = [] {
  std::array<scanner::NameEntry<bool>, std::size(kPlain)> entries{};
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {kPlain[i], true};
  return entries;
}();
constexpr scanner::NameMap<kPlainEntries> kPlainNames;

bool is_plain(std::string_view name) { return kPlainNames.find(name) != nullptr; }

// C++ library code that opens files, starts threads.
Capability of_cpp(std::string_view name) {
  static constexpr auto kFiles = text_list("basic_filebuf", "basic_ifstream", "basic_ofstream",
                                           "basic_fstream", "filesystem", "__basic_file");
  for (const std::string_view part : kFiles) {
    if (name.find(part) != std::string_view::npos) return Capability::kFilesRead;
  }
  if (name.find("6thread") != std::string_view::npos ||
      name.find("__future") != std::string_view::npos) {
    return Capability::kThreads;
  }
  return Capability::kNone;
}

}  // namespace

std::optional<Capability> find_symbol(std::string_view name) {
  name = name.substr(0, name.find('@'));
  if (name.starts_with("GOMP_") || name.starts_with("omp_") || name.starts_with("__kmpc_")) {
    return Capability::kThreads;
  }
  if (is_plain(name) || is_math(name) || is_comparison(name)) return Capability::kNone;
  if (const c::Function* found = c::find_function(name)) return found->capability;
  // Headers rename: __isoc99_scanf, __printf_chk, __open64_2, fopen64.
  std::string_view core = name;
  for (const std::string_view prefix : {"__isoc99_", "__isoc23_", "__xpg_", "__"}) {
    if (core.starts_with(prefix) && core.size() > prefix.size()) {
      core.remove_prefix(prefix.size());
      break;
    }
  }
  for (const std::string_view suffix : {"_chk", "_finite", "_2", "64", "_l"}) {
    if (core.ends_with(suffix)) core.remove_suffix(suffix.size());
  }
  if (core.size() < name.size() && !core.empty()) {
    if (is_plain(core) || is_math(core)) return Capability::kNone;
    if (const c::Function* found = c::find_function(core)) return found->capability;
  }
  for (const std::string_view prefix : kPrefixes) {
    if (name.starts_with(prefix)) return of_cpp(name);
  }
  return std::nullopt;
}

}  // namespace langsbx::languages::elf
