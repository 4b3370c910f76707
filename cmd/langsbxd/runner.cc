#include "cmd/langsbxd/runner.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "runtime/kernel/file.h"
#include "runtime/kernel/new_program.h"
#include "runtime/kernel/session.h"
#include "runtime/kernel/signals.h"

namespace langsbx::serve {
namespace {

using boost::system::error_code;

constexpr auto kUntilKill = std::chrono::seconds(5);
constexpr auto kUntilPipesEnd = std::chrono::seconds(1);
constexpr std::size_t kMostRecord = 256U << 20U;
constexpr std::size_t kMostFault = 64U << 10U;
constexpr int kRequestFd = 3;
constexpr int kRecordFd = 4;

struct Ends {
  UniqueFd read, write;
};

Result<Ends> make_pipe() {
  int both[2];
  if (::pipe2(both, O_CLOEXEC) != 0) return system_error("pipe2");
  return Ends{UniqueFd(both[0]), UniqueFd(both[1])};
}

// Above the numbers that the new process gives them.
Result<UniqueFd> away(const UniqueFd& file) {
  UniqueFd copy(::fcntl(file.get(), F_DUPFD_CLOEXEC, 16));
  if (!copy.valid()) return system_error("fcntl F_DUPFD_CLOEXEC");
  return copy;
}

Result<UniqueFd> document_file(const std::string& document) {
  UniqueFd file(::memfd_create("langsbx-request", MFD_CLOEXEC));
  if (!file.valid()) return system_error("memfd_create for the request");
  TRY(write_fd(file.get(), document, "the request"));
  return away(file);
}

std::vector<std::string> words_of(const RunCommand& command) {
  std::vector<std::string> words = {command.runtime, "--root",
                                    command.root,    "execute",
                                    "--request",     "/proc/self/fd/" + std::to_string(kRequestFd)};
  if (command.streams) {
    words.insert(words.end(), {"--record", "/proc/self/fd/" + std::to_string(kRecordFd)});
  } else {
    words.emplace_back("--json");
  }
  if (!command.results.empty()) words.insert(words.end(), {"--artifact-dir", command.results});
  return words;
}

struct Given {
  int in, out, err, request, record;
};

// Holds back what this thread is sent. A new process has our handlers, which write into a pipe of
// ours, until it resets them: a signal to it would be taken for one to the service.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

// In the new process. SIGTERM when the service dies: the sandbox is taken down in order.
int execute_runtime(const Given& given, const std::vector<std::string>& words, pid_t service) {
  for (const int signal : {SIGTERM, SIGINT}) {
    if (!reset_signal(signal).ok()) return 127;
  }
  if (!unblock_all_signals().ok()) return 127;
  if (!die_with_parent(SIGTERM, service).ok()) return 127;
  const std::pair<int, int> places[] = {{given.in, 0},
                                        {given.out, 1},
                                        {given.err, 2},
                                        {given.request, kRequestFd},
                                        {given.record, kRecordFd}};
  for (const auto& [from, to] : places) {
    if (from >= 0 && ::dup2(from, to) < 0) return 127;
  }
  if (!close_on_exec_from(given.record >= 0 ? kRecordFd + 1 : kRequestFd + 1).ok()) return 127;
  if (!start_session().ok()) return 127;
  const Error error = execute_program(words[0], words);
  static_cast<void>(write_fd(STDERR_FILENO, error.to_string() + "\n", "stderr"));
  return 127;
}

}  // namespace

Runner::Runner(boost::asio::io_context& loop)
    : out_(loop), err_(loop), record_(loop), ended_(loop), patience_(loop) {}

Result<std::shared_ptr<Runner>> Runner::start(boost::asio::io_context& loop,
                                              const RunCommand& command, Output output, Done done) {
  auto runner = std::make_shared<Runner>(loop);
  runner->output_ = std::move(output);
  runner->done_ = std::move(done);
  runner->streams_ = command.streams;
  TRY_CONTEXT(runner->spawn(command), "start langsbx execute");
  runner->wait_for_end();
  for (Pipe* pipe : {&runner->out_, &runner->err_, &runner->record_}) {
    if (pipe->open) runner->read(*pipe);
  }
  return runner;
}

Result<void> Runner::spawn(const RunCommand& command) {
  const auto nothing = TRY(away(TRY(open_file("/dev/null", O_RDONLY))));
  const auto document = TRY(document_file(command.document));
  auto out = TRY(make_pipe());
  auto err = TRY(make_pipe());
  Ends record;
  if (command.streams) record = TRY(make_pipe());
  const auto out_end = TRY(away(out.write)), err_end = TRY(away(err.write));
  UniqueFd record_end;
  if (command.streams) record_end = TRY(away(record.write));
  const auto words = words_of(command);
  const Given given{nothing.get(), out_end.get(), err_end.get(), document.get(), record_end.get()};
  const pid_t service = ::getpid();
  {
    const SignalsHeld held;
    process_ = TRY(fork_child({}, [&] { return execute_runtime(given, words, service); }));
  }
  const auto take = [](Pipe& pipe, UniqueFd end, int stream, std::size_t most) {
    pipe.end.assign(end.release());
    pipe.open = true;
    pipe.stream = stream;
    pipe.most = most;
  };
  take(out_, std::move(out.read), command.streams ? 1 : 0, kMostRecord);
  take(err_, std::move(err.read), command.streams ? 2 : 0, kMostFault);
  if (command.streams) take(record_, std::move(record.read), 0, kMostRecord);
  UniqueFd ended(::fcntl(process_.pidfd(), F_DUPFD_CLOEXEC, 3));
  if (!ended.valid()) return system_error("fcntl of a pidfd");
  ended_.assign(ended.release());
  return {};
}

void Runner::read(Pipe& pipe) {
  pipe.end.async_read_some(
      boost::asio::buffer(pipe.buffer),
      [this, self = shared_from_this(), &pipe](const error_code& error, std::size_t count) {
        if (error) {
          pipe.open = false;
          error_code ignored;
          pipe.end.close(ignored);
          return finish_when_over();
        }
        took(pipe, count);
      });
}

void Runner::took(Pipe& pipe, std::size_t count) {
  const std::string_view bytes(pipe.buffer.data(), count);
  if (pipe.stream != 0) {
    // What was cancelled is read to its end, whoever takes it: else it would never end.
    const bool more = output_(pipe.stream, bytes);
    pipe.paused = !more && !cancelled_;
  } else {
    pipe.kept += bytes.substr(0, pipe.most - pipe.kept.size());
  }
  if (!pipe.paused) read(pipe);
}

void Runner::resume() {
  for (Pipe* pipe : {&out_, &err_}) {
    if (!pipe->open || !pipe->paused) continue;
    pipe->paused = false;
    read(*pipe);
  }
}

void Runner::wait_for_end() {
  ended_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [this, self = shared_from_this()](const error_code& error) {
                      if (error) return;
                      const auto status = process_.wait();
                      status_ = status.ok() ? *status : -1;
                      over_ = true;
                      error_code ignored;
                      ended_.close(ignored);
                      // Nobody of ours holds the pipes any more; who else does is not waited for.
                      patience_.expires_after(kUntilPipesEnd);
                      patience_.async_wait([this, self](const error_code& stopped) {
                        if (stopped) return;
                        for (Pipe* pipe : {&out_, &err_, &record_}) {
                          error_code unused;
                          if (pipe->open && !pipe->paused) pipe->end.cancel(unused);
                        }
                      });
                      finish_when_over();
                    });
}

void Runner::cancel() {
  const bool again = std::exchange(cancelled_, true);
  resume();
  if (over_ || again) return;
  static_cast<void>(signal_pidfd(process_.pidfd(), SIGTERM));
  patience_.expires_after(kUntilKill);
  patience_.async_wait([this, self = shared_from_this()](const error_code& stopped) {
    if (!stopped && !over_) static_cast<void>(signal_pidfd(process_.pidfd(), SIGKILL));
  });
}

void Runner::finish_when_over() {
  if (!over_ || out_.open || err_.open || record_.open || !done_) return;
  patience_.cancel();
  const auto done = std::move(done_);
  done_ = nullptr;
  output_ = nullptr;
  done(result());
}

RunResult Runner::result() {
  RunResult made;
  made.exit_code = status_;
  made.cancelled = cancelled_;
  auto& text = streams_ ? record_.kept : out_.kept;
  made.record = nlohmann::json::parse(text, nullptr, false);
  if (!made.record.is_object()) {
    made.record = nullptr;
    made.fault = err_.kept.empty() ? "langsbx ended with status " + std::to_string(status_) +
                                         " and without a record"
                                   : err_.kept;
    while (made.fault.ends_with('\n')) made.fault.pop_back();
  }
  return made;
}

}  // namespace langsbx::serve
