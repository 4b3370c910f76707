// The list of variables that no guarded program gets.
#include "runtime/confine/environment.h"

#include <algorithm>
#include <array>

namespace langsbx::confine {
namespace {

// A name that ends in '*' is a prefix. Grouped by who reads it.
constexpr std::array kDangerous = {
    // The ELF loader and the C library: code and data loaded before main.
    std::string_view{"LD_*"},
    std::string_view{"GCONV_PATH"},
    std::string_view{"GETCONF_DIR"},
    std::string_view{"GLIBC_TUNABLES"},
    std::string_view{"HOSTALIASES"},
    std::string_view{"LOCALDOMAIN"},
    std::string_view{"LOCPATH"},
    std::string_view{"MALLOC_TRACE"},
    std::string_view{"NIS_PATH"},
    std::string_view{"NLSPATH"},
    std::string_view{"RESOLV_*"},
    std::string_view{"RES_OPTIONS"},
    // Shells: files run at start, functions, options, the prompt that expands commands.
    std::string_view{"BASH_*"},
    std::string_view{"BASHOPTS"},
    std::string_view{"SHELLOPTS"},
    std::string_view{"ENV"},
    std::string_view{"PS4"},
    std::string_view{"PROMPT_COMMAND"},
    std::string_view{"IFS"},
    std::string_view{"CDPATH"},
    std::string_view{"GLOBIGNORE"},
    std::string_view{"ZDOTDIR"},
    std::string_view{"FPATH"},
    // Interpreters: search paths, preloaded modules, options.
    std::string_view{"PYTHON*"},
    std::string_view{"NODE_OPTIONS"},
    std::string_view{"NODE_PATH"},
    std::string_view{"NODE_EXTRA_CA_CERTS"},
    std::string_view{"NODE_REPL_EXTERNAL_MODULE"},
    std::string_view{"NODE_V8_COVERAGE"},
    std::string_view{"NODE_ICU_DATA"},
    std::string_view{"NODE_CHANNEL_*"},
    std::string_view{"NODE_COMPILE_CACHE"},
    std::string_view{"NODE_REDIRECT_WARNINGS"},
    std::string_view{"NPM_CONFIG_*"},
    std::string_view{"npm_config_*"},
    std::string_view{"DENO_*"},
    std::string_view{"BUN_*"},
    std::string_view{"TS_NODE_*"},
    std::string_view{"OPENSSL_CONF"},
    std::string_view{"OPENSSL_MODULES"},
    std::string_view{"OPENSSL_ENGINES"},
    std::string_view{"PERL5*"},
    std::string_view{"PERLLIB"},
    std::string_view{"PERL_*"},
    std::string_view{"RUBY*"},
    std::string_view{"GEM_*"},
    std::string_view{"BUNDLE_*"},
    std::string_view{"LUA_*"},
    std::string_view{"PHPRC"},
    std::string_view{"PHP_INI_SCAN_DIR"},
    std::string_view{"TCLLIBPATH"},
    std::string_view{"AWKPATH"},
    std::string_view{"AWKLIBPATH"},
    // The Java machine: options and agents.
    std::string_view{"JAVA_TOOL_OPTIONS"},
    std::string_view{"_JAVA_OPTIONS"},
    std::string_view{"JDK_JAVA_OPTIONS"},
    std::string_view{"JDK_JAVAC_OPTIONS"},
    std::string_view{"JAVA_OPTIONS"},
    std::string_view{"JAVA_OPTS"},
    std::string_view{"CLASSPATH"},
    std::string_view{"IBM_JAVA_OPTIONS"},
    std::string_view{"OPENJ9_JAVA_OPTIONS"},
    std::string_view{"MAVEN_OPTS"},
    std::string_view{"GRADLE_OPTS"},
    // Compilers and build tools: flags, wrappers, search paths.
    std::string_view{"GCC_EXEC_PREFIX"},
    std::string_view{"COMPILER_PATH"},
    std::string_view{"LIBRARY_PATH"},
    std::string_view{"CPATH"},
    std::string_view{"C_INCLUDE_PATH"},
    std::string_view{"CPLUS_INCLUDE_PATH"},
    std::string_view{"OBJC_INCLUDE_PATH"},
    std::string_view{"DEPENDENCIES_OUTPUT"},
    std::string_view{"SUNPRO_DEPENDENCIES"},
    std::string_view{"COLLECT_*"},
    std::string_view{"CC"},
    std::string_view{"CXX"},
    std::string_view{"CPP"},
    std::string_view{"CFLAGS"},
    std::string_view{"CXXFLAGS"},
    std::string_view{"CPPFLAGS"},
    std::string_view{"LDFLAGS"},
    std::string_view{"CCC_OVERRIDE_OPTIONS"},
    std::string_view{"CLANG_*"},
    std::string_view{"MAKEFLAGS"},
    std::string_view{"MAKEFILES"},
    std::string_view{"GOFLAGS"},
    std::string_view{"GOROOT"},
    std::string_view{"GOPATH"},
    std::string_view{"GOENV"},
    std::string_view{"GODEBUG"},
    std::string_view{"GOTOOLDIR"},
    std::string_view{"GOTOOLCHAIN"},
    std::string_view{"GOPROXY"},
    std::string_view{"GOEXPERIMENT"},
    std::string_view{"GOCACHE"},
    std::string_view{"GOMODCACHE"},
    std::string_view{"GOWORK"},
    std::string_view{"GOTMPDIR"},
    std::string_view{"GOBIN"},
    std::string_view{"GOINSECURE"},
    std::string_view{"GONOSUMDB"},
    std::string_view{"GOSUMDB"},
    std::string_view{"GOPACKAGESDRIVER"},
    std::string_view{"GO_EXTLINK_ENABLED"},
    std::string_view{"CGO_*"},
    std::string_view{"RUSTC*"},
    std::string_view{"RUSTFLAGS"},
    std::string_view{"RUSTDOC*"},
    std::string_view{"RUSTUP_*"},
    std::string_view{"RUST_TARGET_PATH"},
    std::string_view{"CARGO*"},
    // Programs that other programs start.
    std::string_view{"GIT_SSH*"},
    std::string_view{"GIT_EXTERNAL_DIFF"},
    std::string_view{"GIT_EXEC_PATH"},
    std::string_view{"GIT_EDITOR"},
    std::string_view{"GIT_SEQUENCE_EDITOR"},
    std::string_view{"GIT_PAGER"},
    std::string_view{"GIT_ASKPASS"},
    std::string_view{"GIT_PROXY_COMMAND"},
    std::string_view{"GIT_CONFIG*"},
    std::string_view{"GIT_TEMPLATE_DIR"},
    std::string_view{"EDITOR"},
    std::string_view{"VISUAL"},
    std::string_view{"PAGER"},
    std::string_view{"LESSOPEN"},
    std::string_view{"LESSCLOSE"},
    std::string_view{"MANPAGER"},
    std::string_view{"BROWSER"},
    std::string_view{"TAR_OPTIONS"},
    std::string_view{"GZIP"},
    std::string_view{"RSYNC_RSH"},
    std::string_view{"SSH_ASKPASS"},
};

}  // namespace

bool is_dangerous_variable(std::string_view name) {
  return std::any_of(kDangerous.begin(), kDangerous.end(), [name](std::string_view entry) {
    if (!entry.ends_with('*')) return name == entry;
    return name.starts_with(entry.substr(0, entry.size() - 1));
  });
}

std::vector<std::string> sanitize_environment(std::vector<std::string>& environment) {
  std::vector<std::string> removed;
  std::erase_if(environment, [&removed](const std::string& entry) {
    const std::string_view name = std::string_view(entry).substr(0, entry.find('='));
    if (!is_dangerous_variable(name)) return false;
    removed.emplace_back(name);
    return true;
  });
  return removed;
}

}  // namespace langsbx::confine
