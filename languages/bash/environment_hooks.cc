// Variables that decide what later commands are, load or start.
#include <algorithm>
#include <array>
#include <string_view>

#include "languages/bash/judge.h"
#include "languages/bash/names.h"

namespace langsbx::languages::bash {
namespace {

constexpr std::string_view kHooks =
    // the shell
    "PATH BASH_ENV ENV SHELLOPTS BASHOPTS BASH_CMDS BASH_ALIASES CDPATH PROMPT_COMMAND PS0 PS1 PS2 "
    "PS4 SHELL HISTFILE EXECIGNORE BASH_LOADABLES_PATH BASH_XTRACEFD INPUTRC MAILPATH FCEDIT "
    "ZDOTDIR POSIXLY_CORRECT HOME PWD "
    // the C library and what every program links
    "GCONV_PATH LOCPATH NLSPATH TEXTDOMAINDIR TERMINFO TERMCAP GLIBC_TUNABLES OPENSSL_CONF "
    "OPENSSL_MODULES OPENSSL_ENGINES GTK_MODULES GTK_PATH GIO_EXTRA_MODULES GIO_MODULE_DIR "
    "GDK_PIXBUF_MODULE_FILE GST_PLUGIN_PATH QT_PLUGIN_PATH "
    // interpreters: what they load, run first or are started with
    "PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS "
    "PYTHONEXECUTABLE PYTHONPLATLIBDIR PYTHONUSERBASE PYTHONPYCACHEPREFIX PERLLIB PERL_MB_OPT "
    "PERL_MM_OPT RUBYOPT RUBYLIB RUBYPATH RUBYSHELL GEM_PATH GEM_HOME BUNDLE_GEMFILE BUNDLE_PATH "
    "NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_EXTRA_CA_CERTS BUN_OPTIONS "
    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JDK_JAVAC_OPTIONS MAVEN_OPTS GRADLE_OPTS "
    "JRUBY_OPTS PHPRC PHP_INI_SCAN_DIR R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_LIBS "
    "R_LIBS_USER R_LIBS_SITE JULIA_LOAD_PATH JULIA_DEPOT_PATH JULIA_PROJECT ERL_FLAGS ERL_AFLAGS "
    "ERL_ZFLAGS ERL_LIBS ELIXIR_ERL_OPTIONS DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS "
    "DOTNET_SHARED_STORE MONO_PATH GUILE_LOAD_PATH GUILE_LOAD_COMPILED_PATH TCLLIBPATH "
    "CAML_LD_LIBRARY_PATH OCAMLPATH SBCL_HOME PSModulePath AWKPATH AWKLIBPATH "
    // programs that others start
    "PAGER MANPAGER MANOPT EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE VIMINIT EXINIT GVIMINIT "
    "MYVIMRC VIMRUNTIME EMACSLOADPATH PSQLRC RSYNC_RSH CVS_RSH GROFF_COMMAND_PREFIX "
    // compilers and builds
    "GCC_EXEC_PREFIX COMPILER_PATH RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC "
    "CARGO_BUILD_RUSTC_WRAPPER GOFLAGS GOENV MAKEFLAGS GNUMAKEFLAGS MAKEFILES CONFIG_SITE "
    "ANSIBLE_CONFIG ANSIBLE_LIBRARY "
    // git
    "GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_EXEC_PATH GIT_PROXY_COMMAND GIT_TEMPLATE_DIR "
    // options that a program takes from here
    "TAR_OPTIONS GREP_OPTIONS GZIP UNZIP ZIPOPT";

// Whole families, by how their names begin or end.
constexpr std::string_view kBeginnings =
    "LD_ DYLD_ BASH_FUNC_ PERL5 LUA_INIT LUA_PATH LUA_CPATH GIT_CONFIG COR_PROFILER CORECLR_ "
    "NPM_CONFIG_ npm_config_";
constexpr std::string_view kEnds = "_PAGER _EDITOR _ASKPASS";

template <typename Each>
constexpr void each_word(std::string_view words, Each each) {
  for (std::size_t start = 0; start < words.size();) {
    const std::size_t end = std::min(words.find(' ', start), words.size());
    if (end > start) each(start, end - start);
    start = end + 1;
  }
}

// Where a name stands in `kHooks`: open addressing, no pointers to relocate.
struct Slot {
  std::uint16_t start = 0;
  std::uint8_t length = 0;
};
constexpr std::size_t kSlots = 512;

constexpr std::array<Slot, kSlots> make_slots() {
  std::array<Slot, kSlots> slots{};
  each_word(kHooks, [&](std::size_t start, std::size_t length) {
    std::size_t at = hash_name(kHooks.substr(start, length)) % kSlots;
    while (slots[at].length != 0) at = (at + 1) % kSlots;
    slots[at] = {static_cast<std::uint16_t>(start), static_cast<std::uint8_t>(length)};
  });
  return slots;
}

constexpr auto kTable = make_slots();

// Of each first letter that families have: the letters that come second.
constexpr std::array<std::uint32_t, 32> kSecond = [] {
  std::array<std::uint32_t, 32> letters{};
  each_word(kBeginnings, [&](std::size_t start, std::size_t) {
    letters[kBeginnings[start] & 31] |= 1U << (kBeginnings[start + 1] & 31);
  });
  return letters;
}();

bool of_a_family(std::string_view name) {
  bool found = false;
  if ((kSecond[name[0] & 31] >> (name[1] & 31) & 1U) != 0) {
    each_word(kBeginnings, [&](std::size_t start, std::size_t length) {
      found = found || name.starts_with(kBeginnings.substr(start, length));
    });
  }
  if (name.size() < 7 || (name.back() != 'R' && name.back() != 'S')) return found;
  each_word(kEnds, [&](std::size_t start, std::size_t length) {
    found = found || name.ends_with(kEnds.substr(start, length));
  });
  return found;
}

}  // namespace

bool is_hook(std::string_view name) {
  const bool upper = !name.empty() && ((name[0] >= 'A' && name[0] <= 'Z') || name[0] == '_');
  if (name.size() < 2 || (!upper && name[0] != 'n')) return false;
  if (!upper) return of_a_family(name);
  for (std::size_t at = hash_name(name) % kSlots; kTable[at].length != 0; at = (at + 1) % kSlots) {
    if (same_name(kHooks.substr(kTable[at].start, kTable[at].length), name)) return true;
  }
  return of_a_family(name);
}

}  // namespace langsbx::languages::bash
