#include "cmd/langsbxd/stream.h"

#include <charconv>

#include "cmd/langsbxd/native.h"
#include "cmd/langsbxd/run_answer.h"
#include "cmd/langsbxd/utf8_parts.h"
#include "runtime/base/base64.h"

namespace langsbx::serve {
namespace {

constexpr std::size_t kMostWaiting = 256U << 10U;
constexpr std::size_t kFew = 64U << 10U;
constexpr auto kHeartbeat = std::chrono::seconds(10);

std::string framed(const FeedEvent& event, Form form) {
  const auto number = std::to_string(event.number);
  if (form == Form::kSse) {
    return "id: " + number + "\nevent: " + event.type + "\ndata: " + event.data + "\n\n";
  }
  return "{\"id\":" + number + ",\"event\":\"" + event.type + "\",\"data\":" + event.data + "}\n";
}

// Sends something now and then, so that proxies keep the connection and we see who is gone.
struct Heart {
  explicit Heart(boost::asio::io_context& loop) : timer(loop) {}
  boost::asio::steady_timer timer;
  bool stopped = false;
};

void beat(const std::shared_ptr<Heart>& heart, const std::shared_ptr<Exchange>& exchange,
          Form form) {
  heart->timer.expires_after(kHeartbeat);
  heart->timer.async_wait([heart, exchange, form](const boost::system::error_code& error) {
    if (error || heart->stopped) return;
    if (exchange->waiting() == 0) {
      exchange->send(form == Form::kSse ? ": still here\n\n" : "{\"event\":\"heartbeat\"}\n");
    }
    beat(heart, exchange, form);
  });
}

void stop(const std::shared_ptr<Heart>& heart) {
  heart->stopped = true;
  heart->timer.cancel();
}

Reply head_of(Form form) {
  Reply head;
  head.type = form == Form::kSse ? "text/event-stream" : "application/x-ndjson";
  return head;
}

}  // namespace

std::optional<Form> stream_form(const Call& call) {
  const auto accept = call.header("accept");
  if (accept.find("text/event-stream") != std::string_view::npos) return Form::kSse;
  if (accept.find("application/x-ndjson") != std::string_view::npos) return Form::kLines;
  return {};
}

OutputEvents outputs_to(const std::shared_ptr<Feed>& feed, std::function<bool()> more) {
  struct Rests {
    Utf8Parts of[2];
  };
  const auto rests = std::make_shared<Rests>();
  const auto add = [feed](int stream, const Utf8Parts::Part& part) {
    const char* const name = stream == 1 ? "stdout" : "stderr";
    if (!part.text.empty()) feed->add(name, Json{{"text", part.text}}.dump());
    if (!part.bytes.empty()) feed->add(name, Json{{"base64", to_base64(part.bytes)}}.dump());
  };
  OutputEvents events;
  events.output = [add, rests, more = std::move(more)](int stream, std::string_view bytes) {
    add(stream, rests->of[stream - 1].take(bytes));
    return more();
  };
  events.flush = [add, rests] {
    for (const int stream : {1, 2}) add(stream, {"", rests->of[stream - 1].left()});
  };
  return events;
}

void run_and_stream(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
                    RunRequest request, Form form) {
  const auto feed = std::make_shared<Feed>(0);
  const auto heart = std::make_shared<Heart>(service.loop);
  const auto id = std::make_shared<std::string>();
  JobEvents events;
  auto outputs = outputs_to(feed, [exchange, id, &service] {
    if (exchange->waiting() < kMostWaiting) return true;
    exchange->when_taken(kFew, [id, &service] { service.jobs.resume(*id); });
    return false;
  });
  events.output = std::move(outputs.output);
  const auto finish = [exchange, feed, heart, flush = outputs.flush](const Json& answer) {
    exchange->when_gone(nullptr);
    stop(heart);
    flush();
    feed->add("result", answer.dump(-1, ' ', false, Json::error_handler_t::replace));
    feed->close();
    exchange->end_stream();
  };
  events.started = [feed, id] { feed->add("started", Json{{"id", *id}}.dump()); };
  events.done = [finish](const RunResult& result) {
    finish(result.record.is_object()
               ? native::answer_of(result)
               : Json{{"error", {{"code", "internal"}, {"message", result.fault}}}});
  };
  const Wording words{{}, error_reply};
  events.not_run = [finish, words](NotRun why) {
    finish(Json::parse(not_run_reply(words, why).body, nullptr, false));
  };
  auto submitted = service.jobs.submit(call.key, std::move(request), std::move(events));
  if (const auto* full = std::get_if<QueueFull>(&submitted)) {
    return exchange->reply(full_reply(words, *full));
  }
  *id = std::get<std::string>(submitted);
  exchange->begin_stream(head_of(form));
  bool lost = false;
  feed->listen(0, lost,
               [exchange, form](const FeedEvent& event) { exchange->send(framed(event, form)); });
  exchange->when_gone([&service, id, heart, feed] {
    stop(heart);
    feed->close();
    service.jobs.cancel(*id);
  });
  beat(heart, exchange, form);
}

void stream_feed(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
                 const std::shared_ptr<Feed>& feed, Form form) {
  std::uint64_t last = 0;
  const auto named = call.header("last-event-id");
  std::from_chars(named.data(), named.data() + named.size(), last);
  const auto heart = std::make_shared<Heart>(service.loop);
  exchange->begin_stream(head_of(form));
  bool lost = false;
  const auto number = std::make_shared<std::uint64_t>(0);
  *number = feed->listen(last, lost, [exchange, form, heart, feed](const FeedEvent& event) {
    // A reader who is too slow comes again with Last-Event-ID.
    const bool ends = event.type == "result" || exchange->waiting() > (8U << 20U);
    exchange->send(framed(event, form));
    if (!ends) return;
    stop(heart);
    exchange->end_stream();
  });
  if (lost) exchange->send(framed({0, "gap", "{}"}, form));
  exchange->when_gone([feed, number, heart] {
    stop(heart);
    feed->leave(*number);
  });
  if (!heart->stopped) beat(heart, exchange, form);
}

}  // namespace langsbx::serve
