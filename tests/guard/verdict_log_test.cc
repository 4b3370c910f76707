// Where lines of the log of verdicts arrive: a file, the journal, syslog, a user's own folder.
#include "runtime/guard/verdict_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "runtime/guard/limits.h"
#include "runtime/guard/make_gate.h"
#include "runtime/guard/parent_verdicts.h"
#include "runtime/kernel/file.h"

namespace langsbx::guard {
namespace {

class TempDir {
 public:
  TempDir() {
    std::string pattern = testing::TempDir() + "verdicts-XXXXXX";
    const char* const made = ::mkdtemp(pattern.data());
    EXPECT_NE(made, nullptr);
    if (made != nullptr) path_ = made;
  }
  ~TempDir() { std::filesystem::remove_all(path_); }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A socket of our own in the place of the host's.
class Listener {
 public:
  explicit Listener(const std::string& path)
      : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    const auto* const where = reinterpret_cast<const sockaddr*>(&address);
    EXPECT_EQ(::bind(fd_.get(), where, sizeof address), 0) << path;
  }

  std::string take() const {
    std::string text(1U << 16U, '\0');
    const ssize_t size = ::recv(fd_.get(), text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
  }

 private:
  UniqueFd fd_;
};

class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const old = std::getenv(name)) old_ = old;
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

VerdictLogSettings to_socket(VerdictTarget target, const std::string& path) {
  VerdictLogSettings settings;
  settings.to = target;
  settings.socket = path;
  return settings;
}

TEST(VerdictLog, TheJournalGetsItsFields) {
  const TempDir folder;
  const Listener journal(folder.path() + "/journal");
  const auto log =
      VerdictLog::open(to_socket(VerdictTarget::kJournal, folder.path() + "/journal"), "");
  ASSERT_TRUE(log.ok()) << log.error().to_string();
  ASSERT_TRUE(log->write(R"({"verdict":"clean"})").ok());
  EXPECT_EQ(journal.take(),
            "PRIORITY=6\nSYSLOG_IDENTIFIER=langsbx\nMESSAGE={\"verdict\":\"clean\"}\n");
  EXPECT_EQ(journal.take(), "");
}

TEST(VerdictLog, SyslogGetsALine) {
  const TempDir folder;
  const Listener syslog(folder.path() + "/log");
  const auto log = VerdictLog::open(to_socket(VerdictTarget::kSyslog, folder.path() + "/log"), "");
  ASSERT_TRUE(log.ok()) << log.error().to_string();
  ASSERT_TRUE(log->write(R"({"verdict":"clean"})").ok());
  EXPECT_EQ(syslog.take(), "<30>langsbx: {\"verdict\":\"clean\"}");
}

TEST(VerdictLog, NobodyAtTheSocketIsAnError) {
  const TempDir folder;
  for (const auto target : {VerdictTarget::kJournal, VerdictTarget::kSyslog}) {
    const auto log = VerdictLog::open(to_socket(target, folder.path() + "/none"), "");
    ASSERT_FALSE(log.ok());
    EXPECT_NE(log.error().to_string().find(folder.path() + "/none"), std::string::npos);
  }
  const auto longer = folder.path() + "/" + std::string(200, 'x');
  EXPECT_FALSE(VerdictLog::open(to_socket(VerdictTarget::kSyslog, longer), "").ok());
}

// It would hold the start of a container, and the process that watches its time.
TEST(VerdictLog, AJournalThatDoesNotReadIsNotWaitedForWithoutEnd) {
  const TempDir folder;
  const Listener journal(folder.path() + "/journal");
  const auto log =
      VerdictLog::open(to_socket(VerdictTarget::kJournal, folder.path() + "/journal"), "");
  ASSERT_TRUE(log.ok()) << log.error().to_string();
  ::alarm(60);
  int written = 0;
  while (written < 100'000 && log->write("{}").ok()) ++written;
  ::alarm(0);
  EXPECT_LT(written, 100'000);
  EXPECT_GT(written, 0);
}

// Any user can lock a folder that may be read.
TEST(VerdictLog, AFolderThatSomebodyLocksHoldsNobody) {
  const TempDir folder;
  VerdictLogSettings settings;
  settings.to = VerdictTarget::kFile;
  settings.most_bytes = 1;
  ASSERT_TRUE(VerdictLog::open(settings, folder.path())->write("first").ok());
  const UniqueFd somebody(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::flock(somebody.get(), LOCK_SH), 0);
  ::alarm(60);
  const auto log = VerdictLog::open(settings, folder.path());
  ::alarm(0);
  ASSERT_TRUE(log.ok()) << log.error().to_string();
  ASSERT_TRUE(log->write("second").ok());
  EXPECT_EQ(*read_file(folder.path() + "/verdicts.jsonl"), "first\nsecond\n");
  ASSERT_EQ(::flock(somebody.get(), LOCK_UN), 0);
  ASSERT_TRUE(VerdictLog::open(settings, folder.path())->write("third").ok());
  EXPECT_EQ(*read_file(folder.path() + "/verdicts.jsonl"), "third\n");
}

TEST(VerdictLog, AUsersOwnIsWhereItsStateIs) {
  EXPECT_EQ(verdict_folder(false), "/var/log/langsbx");
  const Variable home("HOME", "/home/somebody");
  {
    const Variable state("XDG_STATE_HOME", "/state");
    EXPECT_EQ(verdict_folder(true), "/state/langsbx");
    EXPECT_EQ(verdict_folder(false), "/var/log/langsbx");
  }
  for (const char* const none : {static_cast<const char*>(nullptr), "", "relative"}) {
    const Variable state("XDG_STATE_HOME", none);
    EXPECT_EQ(verdict_folder(true), "/home/somebody/.local/state/langsbx");
    const Variable homeless("HOME", none);
    EXPECT_EQ(verdict_folder(true), "");
    EXPECT_FALSE(VerdictLog::open({}, verdict_folder(true)).ok());
  }
}

class ParentVerdicts : public testing::Test {
 protected:
  [[nodiscard]] std::vector<nlohmann::json> lines() const {
    const auto text = read_file(folder_.path() + "/langsbx/verdicts.jsonl");
    std::vector<nlohmann::json> all;
    if (!text.ok()) return all;
    for (std::size_t at = 0; at < text->size(); at = text->find('\n', at) + 1) {
      all.push_back(nlohmann::json::parse(text->substr(at, text->find('\n', at) - at)));
    }
    return all;
  }

  // NOLINTBEGIN(cppcoreguidelines-non-private-member-variables-in-classes)
  TempDir folder_;
  Variable state_{"XDG_STATE_HOME", folder_.path().c_str()};
  // NOLINTEND(cppcoreguidelines-non-private-member-variables-in-classes)
};

TEST_F(ParentVerdicts, ARefusalBeforeThereIsAChildHasItsLine) {
  oci::Spec spec;
  plan::ProgramPlan program;
  program.args = {"/bin/unheard-of"};
  GateInputs inputs;
  const Administrator administrator;
  inputs.administrator = &administrator;
  inputs.spec = &spec;
  inputs.program = &program;
  inputs.profile_flag = "default";
  inputs.facts = {{"container", "c1"}, {"pod", "shop"}};
  inputs.user = true;
  ASSERT_FALSE(make_gate(inputs).ok());
  const auto all = lines();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["container"], "c1");
  EXPECT_EQ(all[0]["pod"], "shop");
  EXPECT_EQ(all[0]["verdict"], "unjudged");
  EXPECT_EQ(all[0]["source"], "/bin/unheard-of");
  EXPECT_EQ(all[0]["profile"], "default");
  EXPECT_EQ(all[0]["refused"], true);
  EXPECT_NE(all[0]["problem"].get<std::string>().find("does not tell its language"),
            std::string::npos);
}

TEST_F(ParentVerdicts, AnEndHasItsLineWithWhatTheRecordKnows) {
  GuardRecord record;
  record.profile = "default";
  record.judged_as = "bash";
  record.facts = {{"container", "c1"}, {"image", "i\xff"}};
  ASSERT_TRUE(log_end(record, true, "its wall time is used up", "/nowhere/config.yaml").ok());
  const auto all = lines();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0]["container"], "c1");
  EXPECT_EQ(all[0]["verdict"], "ended");
  EXPECT_EQ(all[0]["language"], "bash");
  EXPECT_EQ(all[0]["profile"], "default");
  EXPECT_EQ(all[0]["problem"], "its wall time is used up");
  EXPECT_EQ(all[0]["refused"], false);
}

TEST_F(ParentVerdicts, AnEndThatCannotBeLoggedIsAnError) {
  const Variable none("XDG_STATE_HOME", "/proc/nowhere");
  EXPECT_FALSE(log_end({}, true, "its wall time is used up", "/nowhere/config.yaml").ok());
}

}  // namespace
}  // namespace langsbx::guard
