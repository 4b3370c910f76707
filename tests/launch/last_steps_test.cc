// The last steps before execve that a process can look at itself.
#include "runtime/launch/last_steps.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/confine/host.h"
#include "tests/support/in_child.h"

namespace langsbx::runtime {
namespace {

// Nothing changes for who runs the test.
plan::ProgramPlan program_of_caller() {
  plan::ProgramPlan program;
  program.args = {"/bin/true"};
  program.cwd = "/";
  program.identity.uid = ::geteuid();
  program.identity.gid = ::getegid();
  program.identity.set_groups = false;
  confine::CapabilityPlan none;
  if (const auto host = plan::read_host_facts({}); host.ok()) {
    none.bounding = host->capabilities.bounding;
  }
  program.identity.capabilities = none;
  return program;
}

Result<Cleared> clear(const plan::ProgramPlan& program, const guard::GuardPlan& guard) {
  return clear_program(TRY(drop_privileges(isolate::Rooted::on_host(program))), guard);
}

// Whatever the commands before it did: the program has what is preserved by number, and no more.
TEST(LastSteps, OnlyWhatIsPreservedPassesExecve) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              for (const int fd : {7, 8, 9}) ::dup2(0, fd);
              auto program = program_of_caller();
              program.preserved_fds = {8};
              auto cleared = clear(program, guard::Nothing{"a test"});
              if (!cleared.ok()) return cleared.error().to_string();
              auto confined = confine_program(cleared.release_value(), -1, -1);
              if (!confined.ok()) return confined.error().to_string();
              const auto closes = [](int fd) { return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; };
              return closes(7) && !closes(8) && closes(9) ? "" : "wrong";
            }));
}

// A judge that refuses everything.
class Refusing final : public guard::Gate {
 public:
  Result<void> record_into(int, const guard::VerdictFacts&, bool) override { return {}; }
  void stop_recording() override {}
  Result<void> resume_recording(std::vector<UniqueFd>) override { return {}; }
  [[nodiscard]] std::string settings() const override { return {}; }
  [[nodiscard]] const languages::Limits& limits() const override { return limits_; }
  Result<void> pin(const plan::ProgramPlan&, int) const override { return {}; }
  Result<void> foresee(const std::string&, const std::vector<std::string>&, const std::string&,
                       const std::vector<std::string>&) const override {
    return {};
  }
  [[nodiscard]] std::optional<guard::Fitted> fit(const plan::ProgramPlan&) const override {
    return {};
  }
  Result<confine::LandlockPrograms> judge(const std::string& executable,
                                          const std::vector<std::string>&, const std::string&,
                                          std::vector<std::string>&) const override {
    return make_error(ErrorKind::kRefused, "not " + executable);
  }

 private:
  languages::Limits limits_;
};

TEST(LastSteps, WhatTheJudgeRefusesIsNotCleared) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              const auto program = program_of_caller();
              const guard::GuardPlan guard = guard::Judge(std::make_unique<Refusing>());
              const auto cleared = clear(program, guard);
              if (cleared.ok()) return "cleared";
              return cleared.error().kind == ErrorKind::kRefused ? "" : cleared.error().to_string();
            }));
}

// It is found by its plan, and the plan is the one that the proofs carry.
TEST(LastSteps, AProgramThatIsNotThereEndsTheChain) {
  EXPECT_EQ("", test::in_child([]() -> std::string {
              auto program = program_of_caller();
              program.args = {"/no/such/program"};
              const auto dropped = drop_privileges(isolate::Rooted::on_host(program));
              if (dropped.ok()) return "found";
              const auto text = dropped.error().to_string();
              return text.find("/no/such/program") != std::string::npos ? "" : text;
            }));
}

}  // namespace
}  // namespace langsbx::runtime
