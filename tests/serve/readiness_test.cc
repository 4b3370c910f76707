#include "cmd/langsbxd/readiness.h"

#include <gtest/gtest.h>

namespace langsbx::serve {
namespace {

class Asking : public Exchange {
 public:
  void reply(Reply reply) override { answers.push_back(reply.status); }
  void begin_stream(Reply) override {}
  void send(std::string_view) override {}
  void end_stream() override {}
  [[nodiscard]] std::size_t waiting() const override { return 0; }
  void when_taken(std::size_t, std::function<void()>) override {}
  void when_gone(std::function<void()>) override {}
  std::vector<unsigned> answers;
};

Reply good() {
  Reply reply;
  reply.status = 200;
  return reply;
}

class ReadinessTest : public testing::Test {
 protected:
  std::shared_ptr<Asking> ask(Readiness& readiness) {
    const auto asking = std::make_shared<Asking>();
    readiness.ask(asking, [this](const auto& everybody) { runs_.push_back(everybody); });
    return asking;
  }
  std::vector<std::shared_ptr<Exchange>> runs_;
};

TEST_F(ReadinessTest, OneRunAnswersAllWhoAsk) {
  Readiness readiness(std::chrono::hours(1));
  const auto one = ask(readiness), other = ask(readiness);
  ASSERT_EQ(runs_.size(), 1U);
  EXPECT_TRUE(one->answers.empty());
  runs_[0]->reply(good());
  EXPECT_EQ(one->answers, std::vector<unsigned>{200});
  EXPECT_EQ(other->answers, std::vector<unsigned>{200});
  EXPECT_EQ(ask(readiness)->answers, std::vector<unsigned>{200});
  EXPECT_EQ(runs_.size(), 1U);
}

TEST_F(ReadinessTest, AnOldAnswerIsAskedForAnew) {
  Readiness readiness(std::chrono::milliseconds(-1));
  ask(readiness);
  runs_[0]->reply(good());
  const auto later = ask(readiness);
  EXPECT_EQ(runs_.size(), 2U);
  EXPECT_TRUE(later->answers.empty());
}

TEST_F(ReadinessTest, ARunWithoutAnAnswerKeepsNobodyWaiting) {
  Readiness readiness(std::chrono::milliseconds(-1));
  const auto asking = ask(readiness);
  runs_.clear();
  EXPECT_EQ(asking->answers, std::vector<unsigned>{503});
  ask(readiness);
  EXPECT_EQ(runs_.size(), 1U);
}

}  // namespace
}  // namespace langsbx::serve
