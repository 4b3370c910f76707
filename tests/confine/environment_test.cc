// Which variables a guarded program loses.
#include "runtime/confine/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

namespace langsbx::confine {
namespace {

using testing::ElementsAre;

// One of each kind of reader at least.
constexpr const char* kRead =
    "LD_AUDIT LD_LIBRARY_PATH GCONV_PATH GLIBC_TUNABLES MALLOC_CHECK_ LOCPATH TZDIR NLSPATH "
    "HOSTALIASES RES_OPTIONS TERMINFO PERL5LIB PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_PATH "
    "NODE_PATH NODE_TLS_REJECT_UNAUTHORIZED DENO_DIR BUN_INSTALL PYTHONSTARTUP PYTHONHOME "
    "PYTHONINSPECT PIP_INDEX_URL GOFLAGS GODEBUG GOCACHEPROG GOAUTH GCCGO RUSTC_WRAPPER "
    "RUSTFLAGS CARGO_HOME CLASSPATH _JAVA_OPTIONS JDK_JAVA_OPTIONS JDK_JAVAC_OPTIONS ENV PS4 "
    "PROMPT_COMMAND SHELLOPTS BASHOPTS IFS CDPATH FPATH OPENSSL_CONF SSL_CERT_FILE "
    "SSL_CERT_DIR SSLKEYLOGFILE GCC_EXEC_PREFIX COMPILER_PATH CPATH LIBRARY_PATH "
    "CCACHE_PREFIX ASAN_OPTIONS LLVM_PROFILE_FILE OMP_TOOL_LIBRARIES GIT_SSH_COMMAND "
    "GIT_CONFIG_COUNT LESSOPEN PAGER DBUS_SESSION_BUS_ADDRESS GTK_MODULES QT_PLUGIN_PATH "
    "SASL_PATH CURL_HOME MAGICK_CONFIGURE_PATH DOTNET_STARTUP_HOOKS PHPRC LUA_INIT ";
// What images set and programs are told by.
constexpr const char* kKept =
    "PATH HOME USER SHELL TERM LANG LC_ALL TZ TMPDIR HOSTNAME PWD NODE_ENV NODE_VERSION "
    "JAVA_HOME JAVA_VERSION RUST_BACKTRACE RUST_LOG GOMAXPROCS GOMEMLIMIT GOOGLE_KEY "
    "DEBIAN_FRONTEND HTTP_PROXY PORT DATABASE_URL PGHOST OMP_NUM_THREADS GITHUB_TOKEN "
    "LDAP_HOST READLINE ENVIRONMENT CCACHE SECRET_KEY LISTEN_FDS NOTIFY_SOCKET ";

std::vector<std::string> words(const char* text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

TEST(Environment, LosesWhatRunsCodeAndKeepsTheRest) {
  std::vector<std::string> environment = {
      "PATH=/bin",           "LD_PRELOAD=x", "PYTHONPATH=x", "NODE_OPTIONS=--require x",
      "NODE_ENV=prod",       "BASH_ENV=x",   "HOME=/",       "BASH_FUNC_ls%%=() {",
      "JAVA_TOOL_OPTIONS=x", "LANG=C",       "GOFLAGS=x",    "GOOGLE_KEY=1",
      "RUSTC_WRAPPER=x",     "PERL5OPT=x",   "ENV=x"};
  const std::vector<std::string> removed = sanitize_environment(environment);
  EXPECT_THAT(environment,
              ElementsAre("PATH=/bin", "NODE_ENV=prod", "HOME=/", "LANG=C", "GOOGLE_KEY=1"));
  EXPECT_THAT(removed,
              ElementsAre("LD_PRELOAD", "PYTHONPATH", "NODE_OPTIONS", "BASH_ENV", "BASH_FUNC_ls%%",
                          "JAVA_TOOL_OPTIONS", "GOFLAGS", "RUSTC_WRAPPER", "PERL5OPT", "ENV"));
}

TEST(Environment, KnowsWhatIsReadAtStart) {
  for (const auto& name : words(kRead)) EXPECT_TRUE(is_dangerous_variable(name)) << name;
  for (const auto& name : words(kKept)) EXPECT_FALSE(is_dangerous_variable(name)) << name;
}

TEST(Environment, LosesFunctionsOfAnOldBashByTheirValue) {
  std::vector<std::string> environment = {"x=() { :;}; touch /tmp/x", "y=() x", "z"};
  EXPECT_THAT(sanitize_environment(environment), ElementsAre("x"));
  EXPECT_THAT(environment, ElementsAre("y=() x", "z"));
}

}  // namespace
}  // namespace langsbx::confine
