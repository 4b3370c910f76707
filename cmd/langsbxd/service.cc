#include "cmd/langsbxd/service.h"

#include <dirent.h>
#include <sys/stat.h>

#include <thread>

#include "cmd/langsbxd/request_check.h"
#include "cmd/langsbxd/result_files.h"
#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

constexpr auto kSweep = std::chrono::seconds(10);

std::string_view secret_of(const Call& call) {
  const auto authorization = call.header("authorization");
  for (const std::string_view scheme : {"Bearer ", "bearer "}) {
    if (authorization.starts_with(scheme)) return authorization.substr(scheme.size());
  }
  for (const std::string_view name : {"x-api-key", "x-auth-token"}) {
    if (const auto value = call.header(name); !value.empty()) return value;
  }
  return {};
}

// Folders of runs that a service had not answered when it was killed.
Result<void> clean_spool(const std::string& spool) {
  if (::mkdir(spool.c_str(), 0700) != 0 && errno != EEXIST) return system_error("mkdir " + spool);
  auto directory = TRY(open_file(spool, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(directory.release()), &::closedir);
  while (const dirent* entry = listing == nullptr ? nullptr : ::readdir(listing.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") remove_result_folder(spool + "/" + name);
  }
  return {};
}

// The parts of `path` that stand where the pattern has "{}"; nothing when it is another path.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
  std::vector<std::string> parts;
  while (!pattern.empty()) {
    const auto hole = pattern.find("{}");
    const auto fixed = pattern.substr(0, hole);
    if (!path.starts_with(fixed)) return {};
    path.remove_prefix(fixed.size());
    if (hole == std::string_view::npos) break;
    pattern.remove_prefix(hole + 2);
    const auto end = path.find('/');
    if (path.empty() || end == 0) return {};
    parts.emplace_back(path.substr(0, end));
    path.remove_prefix(std::min(parts.back().size(), path.size()));
  }
  if (!path.empty()) return {};
  return parts;
}

}  // namespace

Service::Service(boost::asio::io_context& io, Config given, Keys read_keys, Results opened,
                 JobOptions options)
    : config(std::move(given)),
      keys(std::move(read_keys)),
      jobs(io, std::move(options), metrics),
      results(std::move(opened)),
      loop(io),
      sweep_timer_(io) {
  sweep();
}

Result<std::unique_ptr<Service>> Service::make(boost::asio::io_context& loop, Config config) {
  if (::mkdir(config.state.c_str(), 0700) != 0 && errno != EEXIST) {
    return system_error("mkdir " + config.state);
  }
  Keys keys;
  if (!config.keys.empty()) keys = TRY(Keys::read(config.keys));
  TRY(clean_spool(config.state + "/spool"));
  auto results = TRY(Results::open(config.state + "/results", config.results));
  JobOptions options;
  options.runtime = config.runtime;
  options.root = config.state + "/runtime";
  options.spool = config.state + "/spool";
  options.workers =
      config.workers > 0 ? config.workers : std::max(1U, std::thread::hardware_concurrency());
  options.waiting = config.waiting;
  options.waiting_of_key = config.waiting_of_key;
  if (::mkdir(options.root.c_str(), 0700) != 0 && errno != EEXIST) {
    return system_error("mkdir " + options.root);
  }
  auto audit = TRY(Audit::open(config.audit));
  auto callback_hosts = TRY(find_callback_hosts(config.callback_hosts));
  auto made = std::make_unique<Service>(loop, std::move(config), std::move(keys),
                                        std::move(results), std::move(options));
  made->audit = std::move(audit);
  made->callback_hosts = std::move(callback_hosts);
  made->languages = languages_here(made->jobs.options().root);
  return made;
}

std::variant<Key, Reply> Service::admit(const Call& call, bool open, bool local) {
  Key nobody;
  nobody.id = "none";
  nobody.allowed = config.allowed;
  if (open) return nobody;
  if (!config.keys.empty()) {
    const auto read = keys.refresh(config.keys);
    if (!read.ok()) log_fault(read.error().to_string() + "; nobody's key counts until it is right");
  }
  const auto secret = secret_of(call);
  if (!secret.empty() && !config.keys.empty()) {
    const Key* known = keys.find(secret);
    if (known != nullptr) return *known;
  } else if (config.keys.empty() || local) {
    return nobody;
  }
  auto reply = error_reply(401, "unauthorized",
                           "a key is needed: Authorization: Bearer KEY, or X-API-Key: KEY");
  reply.headers.push_back({"www-authenticate", "Bearer"});
  return reply;
}

const Route* Service::find_route(Call& call, bool& other_method) {
  other_method = false;
  for (const auto& route : all_routes()) {
    auto parts = match(route.path, call.path);
    if (!parts) continue;
    if (route.method == call.method || (call.method == "HEAD" && route.method == "GET")) {
      call.parts = std::move(*parts);
      return &route;
    }
    other_method = true;
  }
  return nullptr;
}

void Service::sweep() {
  results.drop_old();
  std::erase_if(async_runs, [&](const auto& run) {
    return run.second.feed->closed() && !results.find(run.first, run.second.key);
  });
  sweep_timer_.expires_after(kSweep);
  sweep_timer_.async_wait([this](const boost::system::error_code& stopped) {
    if (!stopped) sweep();
  });
}

}  // namespace langsbx::serve
