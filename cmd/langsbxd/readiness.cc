#include "cmd/langsbxd/readiness.h"

#include <utility>

namespace langsbx::serve {

class Readiness::Everybody : public Exchange {
 public:
  explicit Everybody(std::weak_ptr<State> state) : state_(std::move(state)) {}
  ~Everybody() override {
    tell(error_reply(503, "not_ready", "there was no answer to whether programs run"));
  }
  Everybody(const Everybody&) = delete;
  Everybody& operator=(const Everybody&) = delete;

  void reply(Reply reply) override { tell(reply); }
  // It is one short answer, and a run that several wait for ends for none of them.
  void begin_stream(Reply) override {}
  void send(std::string_view) override {}
  void end_stream() override {}
  [[nodiscard]] std::size_t waiting() const override { return 0; }
  void when_taken(std::size_t, std::function<void()>) override {}
  void when_gone(std::function<void()>) override {}

 private:
  void tell(const Reply& reply) {
    if (std::exchange(answered_, true)) return;
    if (const auto state = state_.lock()) state->take(reply);
  }

  std::weak_ptr<State> state_;
  bool answered_ = false;
};

void Readiness::ask(const std::shared_ptr<Exchange>& exchange, const Run& run) {
  if (!state_->asked && std::chrono::steady_clock::now() < state_->until) {
    return exchange->reply(state_->last);
  }
  state_->waiting.push_back(exchange);
  if (std::exchange(state_->asked, true)) return;
  run(std::make_shared<Everybody>(state_));
}

void Readiness::State::take(const Reply& reply) {
  asked = false;
  last = reply;
  until = std::chrono::steady_clock::now() + kept;
  for (const auto& exchange : std::exchange(waiting, {})) exchange->reply(reply);
}

}  // namespace langsbx::serve
