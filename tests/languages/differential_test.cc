// The scanners against what they stand in for: CPython's tokenizer and symtable over its own
// library, bash -n over the machine's scripts and broken copies of them. Bounded samples; by hand
// the scripts take any corpus.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

struct Done {
  int status = -1;
  std::string output;
};

Done shell(const std::string& command) {
  Done done;
  FILE* pipe = popen((command + " < /dev/null 2>&1").c_str(), "r");
  if (pipe == nullptr) return done;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    done.output.append(buffer.data(), count);
  }
  done.status = pclose(pipe);
  return done;
}

bool has(const std::string& tool) { return shell("command -v " + tool).status == 0; }

const std::string kHere = std::string(LANGSBX_SOURCE_DIR) + "/tests/languages/";

TEST(Differential, PythonTokensAreCpythons) {
  if (!has("python3")) GTEST_SKIP() << "no python3";
  const Done library = shell("python3 -c 'import os; print(os.path.dirname(os.__file__))'");
  ASSERT_EQ(library.status, 0) << library.output;
  const std::string folder = library.output.substr(0, library.output.find('\n'));
  const Done done = shell("python3 '" + kHere + "differential_python.py' --most 60 '" +
                          PYTHON_TOKEN_DUMP + "' '" + folder + "'");
  EXPECT_EQ(done.status, 0) << done.output;
}

TEST(Differential, PythonScopesAreCpythons) {
  if (!has("python3")) GTEST_SKIP() << "no python3";
  const Done library = shell("python3 -c 'import os; print(os.path.dirname(os.__file__))'");
  ASSERT_EQ(library.status, 0) << library.output;
  const std::string folder = library.output.substr(0, library.output.find('\n'));
  const Done done =
      shell("python3 '" + kHere + "differential_scopes.py' --most 100 '" + PYTHON_SCOPE_DUMP +
            "' '" + folder + "' '" + kHere + "python/cases/scopes.py'");
  EXPECT_EQ(done.status, 0) << done.output;
}

TEST(Differential, BashAcceptsWhatBashDoes) {
  if (!has("python3") || !has("bash")) GTEST_SKIP() << "no python3 or no bash";
  std::string folder = (std::filesystem::temp_directory_path() / "differential-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const Done done =
      shell("python3 '" + kHere + "bash/differential_bash.py' --most 50 --mutate '" + folder +
            "' '" + BASH_DUMP + "' /usr/bin /usr/sbin /etc '" + LANGSBX_SOURCE_DIR + "/.ci'");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(done.status, 0) << done.output;
}

}  // namespace
