#include "cmd/langsbxd/readiness.h"

#include <utility>

namespace langsbx::serve {

class Readiness::Everybody : public Exchange {
 public:
  explicit Everybody(Readiness& readiness) : readiness_(readiness) {}
  ~Everybody() override {
    if (!answered_) {
      readiness_.take(error_reply(503, "not_ready", "there was no answer to whether programs run"));
    }
  }
  Everybody(const Everybody&) = delete;
  Everybody& operator=(const Everybody&) = delete;

  void reply(Reply reply) override {
    if (std::exchange(answered_, true)) return;
    readiness_.take(reply);
  }
  // It is one short answer, and a run that several wait for ends for none of them.
  void begin_stream(Reply) override {}
  void send(std::string_view) override {}
  void end_stream() override {}
  [[nodiscard]] std::size_t waiting() const override { return 0; }
  void when_taken(std::size_t, std::function<void()>) override {}
  void when_gone(std::function<void()>) override {}

 private:
  Readiness& readiness_;
  bool answered_ = false;
};

void Readiness::ask(const std::shared_ptr<Exchange>& exchange, const Run& run) {
  if (!asked_ && std::chrono::steady_clock::now() < until_) return exchange->reply(last_);
  waiting_.push_back(exchange);
  if (std::exchange(asked_, true)) return;
  run(std::make_shared<Everybody>(*this));
}

void Readiness::take(const Reply& reply) {
  asked_ = false;
  last_ = reply;
  until_ = std::chrono::steady_clock::now() + kept_;
  for (const auto& exchange : std::exchange(waiting_, {})) exchange->reply(reply);
}

}  // namespace langsbx::serve
