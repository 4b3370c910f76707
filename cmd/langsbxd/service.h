// The service: what all handlers share, and the table of routes.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cmd/langsbxd/audit.h"
#include "cmd/langsbxd/call.h"
#include "cmd/langsbxd/callback.h"
#include "cmd/langsbxd/config.h"
#include "cmd/langsbxd/feed.h"
#include "cmd/langsbxd/jobs.h"
#include "cmd/langsbxd/metrics.h"
#include "cmd/langsbxd/readiness.h"
#include "cmd/langsbxd/remembered.h"
#include "cmd/langsbxd/results.h"
#include "cmd/langsbxd/tools.h"

namespace langsbx::serve {

struct Route {
  std::string_view method;
  std::string_view path;  // "/v1/runs/{}": "{}" is one part
  Handler handler;
  bool open = false;  // needs no key
};

// A run that a caller asks about later.
struct AsyncRun {
  std::string key;
  bool started = false;
  std::shared_ptr<Feed> feed;
  Json about;  // what an interface tells of it until it has ended
};

class Service {
 public:
  static Result<std::unique_ptr<Service>> make(boost::asio::io_context& loop, Config config);

  // What the caller may, or the refusal. `local` is a caller whom the kernel vouches for.
  [[nodiscard]] std::variant<Key, Reply> admit(const Call& call, bool open, bool local);
  // Looks the route up and calls its handler; the name of the route is for the metrics.
  static const Route* find_route(Call& call, bool& other_method);

  Config config;
  Keys keys;
  Metrics metrics;
  Audit audit;
  Jobs jobs;
  Results results;
  std::vector<LanguageHere> languages;  // that this host can run
  std::map<std::string, AsyncRun> async_runs;
  Remembered remembered;
  Readiness readiness;
  std::vector<CallbackHost> callback_hosts;
  bool blue_network = false;  // what PATCH of Blue's configuration said last
  std::size_t connections = 0;
  bool stopping = false;
  boost::asio::io_context& loop;

  Service(boost::asio::io_context& loop, Config config, Keys keys, Results results,
          JobOptions options);

 private:
  void sweep();
  boost::asio::steady_timer sweep_timer_;
};

// Every route there is, in the order they are tried.
std::span<const Route> all_routes();

}  // namespace langsbx::serve
