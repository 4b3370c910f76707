// langsbx serve: options, configuration, signals; the loop.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/program_options.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "cmd/langsbxd/key_command.h"
#include "cmd/langsbxd/listener.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::serve {
namespace {

namespace po = boost::program_options;

constexpr const char* kUsualAddress = "127.0.0.1:8700";

void say(const std::string& text) { std::cerr << "langsbx serve: " << text << "\n"; }

po::typed_value<std::string>* text(const char* name) {
  return po::value<std::string>()->value_name(name);
}

po::options_description described() {
  po::options_description options;
  auto add = options.add_options();
  add("config", text("FILE"), "the configuration in YAML; flags stand above it");
  add("listen", po::value<std::vector<std::string>>()->value_name("ADDRESS"),
      "ADDRESS:PORT or unix:/PATH; may be repeated (default 127.0.0.1:8700)");
  add("state", text("DIR"), "folder for results and caches (default /var/lib/langsbx as root)");
  add("keys", text("FILE"), "the keys that callers need; made by serve key add");
  add("audit", text("FILE"), "a line for each call is appended there (OCSF, JSON)");
  add("workers", po::value<std::size_t>()->value_name("N"), "runs at a time (default: processors)");
  add("waiting", po::value<std::size_t>()->value_name("N"), "runs that may wait (default 256)");
  add("runtime", text("FILE"), "the langsbx that runs programs (default: this one)");
  add("check", "only check the configuration");
  add("help", "show help");
  return options;
}

// In the form of the runtime's own commands: manual and completions are made from it.
void print_help(const po::options_description& options) {
  std::cout << "NAME:\n   langsbx serve - run code over HTTP\n\n"
               "USAGE:\n   langsbx serve [command options] | key add|list|revoke\n\nOPTIONS:\n";
  for (const auto& option : options.options()) {
    std::string name = "--" + option->long_name();
    if (option->semantic()->max_tokens() > 0) name += " " + option->semantic()->name();
    name.resize(std::max<std::size_t>(name.size(), 19), ' ');
    std::cout << "   " << name << "  " << option->description() << "\n";
  }
}

std::string usual_state() {
  if (::geteuid() == 0) return "/var/lib/langsbx";
  if (const char* home = std::getenv("XDG_STATE_HOME")) return std::string(home) + "/langsbx";
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/.local/state/langsbx";
}

// $STATE_DIRECTORY: of the unit, made by systemd.
std::string state_of_unit() {
  const char* folder = std::getenv("STATE_DIRECTORY");
  return folder != nullptr ? folder : usual_state();
}

Result<Config> read_options(const po::variables_map& given) {
  Config config;
  if (given.count("config") > 0) TRY(read_config(given["config"].as<std::string>(), config));
  const auto text = [&](const char* name, std::string& target) {
    if (given.count(name) > 0) target = given[name].as<std::string>();
  };
  text("state", config.state);
  text("keys", config.keys);
  text("audit", config.audit);
  text("runtime", config.runtime);
  if (given.count("listen") > 0) config.listen = given["listen"].as<std::vector<std::string>>();
  if (given.count("workers") > 0) config.workers = given["workers"].as<std::size_t>();
  if (given.count("waiting") > 0) config.waiting = given["waiting"].as<std::size_t>();
  if (config.state.empty()) config.state = state_of_unit();
  TRY(check_config(config));
  return config;
}

// Of socket activation, as sd_listen_fds(3) says it.
std::vector<UniqueFd> handed_over() {
  std::vector<UniqueFd> sockets;
  const char* pid = std::getenv("LISTEN_PID");
  const char* count = std::getenv("LISTEN_FDS");
  if (pid == nullptr || count == nullptr || std::atol(pid) != ::getpid()) return sockets;
  for (int i = 0; i < std::atoi(count); ++i) {
    const int fd = 3 + i;
    if (::fcntl(fd, F_SETFD, FD_CLOEXEC) == 0) sockets.emplace_back(fd);
  }
  return sockets;
}

// Type=notify: sd_notify(3).
void tell_manager(const char* state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  if (path == nullptr || (path[0] != '/' && path[0] != '@')) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::strlen(path);
  if (length >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';
  const UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  ::sendto(socket.get(), state, std::strlen(state), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address), size);
}

Result<std::vector<std::unique_ptr<Listener>>> open_listeners(Service& service,
                                                              std::vector<UniqueFd> sockets) {
  std::vector<std::unique_ptr<Listener>> listeners;
  for (auto& socket : sockets) {
    listeners.push_back(TRY(listen_on(service, std::move(socket))));
  }
  if (service.config.listen.empty() && listeners.empty()) {
    service.config.listen = {kUsualAddress};
  }
  for (const auto& text : service.config.listen) {
    listeners.push_back(TRY(listen_at(service, TRY(parse_address(text)))));
  }
  return listeners;
}

void greet(const Service& service, const std::vector<std::unique_ptr<Listener>>& listeners) {
  std::string languages;
  for (const auto& here : service.languages) languages += " " + here.name;
  for (const auto& listener : listeners) say("listening on " + listener->name());
  say("languages:" + languages);
  if (listeners.empty() || listeners[0]->name().starts_with("unix:")) return;
  say("try: curl -s http://" + listeners[0]->name() +
      R"sh(/v1/execute -d '{"language": "python", "source": "print(6 * 7)"}')sh");
}

Result<int> serve(Config config) {
  ::signal(SIGPIPE, SIG_IGN);
  auto sockets = handed_over();
  boost::asio::io_context loop(1);
  const auto service = TRY(Service::make(loop, std::move(config)));
  auto listeners = TRY(open_listeners(*service, std::move(sockets)));
  boost::asio::signal_set signals(loop, SIGTERM, SIGINT);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    tell_manager("STOPPING=1");
    service->stopping = true;
    for (auto& listener : listeners) listener->close();
    service->jobs.shut_down(service->config.stop_time, [&] {
      // What has ended is answered first.
      boost::asio::post(loop, [&] { loop.stop(); });
    });
  });
  greet(*service, listeners);
  tell_manager("READY=1");
  loop.run();
  listeners.clear();
  return 0;
}

Result<int> run(int argc, char** argv) {
  TRY(fill_closed_streams());
  if (argc > 1 && std::string_view(argv[1]) == "key") return key_command(argc - 1, argv + 1);
  po::variables_map given;
  const auto options = described();
  po::store(po::command_line_parser(argc, argv).options(options).positional({}).run(), given);
  po::notify(given);
  if (given.count("help") > 0) {
    print_help(options);
    return 0;
  }
  auto config = TRY(read_options(given));
  if (given.count("check") == 0) return serve(std::move(config));
  std::cout << "the configuration is right\n";
  return 0;
}

}  // namespace
}  // namespace langsbx::serve

int main(int argc, char** argv) {
  try {
    const auto status = langsbx::serve::run(argc, argv);
    if (status.ok()) return *status;
    langsbx::serve::say(status.error().to_string());
  } catch (const std::exception& error) {
    langsbx::serve::say(error.what());
  }
  return 1;
}
