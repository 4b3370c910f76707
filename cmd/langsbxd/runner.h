// One run: `langsbx execute` as a process of its own. Whatever a program does to it, the service
// sees pipes that end and a process that has ended.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/kernel/process.h"

namespace langsbx::serve {

// A file that the program left.
struct ResultFile {
  std::string name;
  std::string content;
};

struct RunResult {
  nlohmann::json record;          // of `execute`; null where there is none
  std::string fault;              // then: why, in langsbx's words
  int exit_code = 0;              // of langsbx
  bool cancelled = false;         // by cancel(), perhaps before it could write a record
  std::vector<ResultFile> files;  // that were asked for
};

struct RunCommand {
  std::string runtime;   // langsbx
  std::string root;      // its state directory
  std::string document;  // the request
  std::string results;   // the folder for the files that come back; empty: none do
  bool streams = false;  // the outputs come as they are written
};

class Runner : public std::enable_shared_from_this<Runner> {
 public:
  // 1 or 2, and bytes of that stream. False: no more until resume().
  using Output = std::function<bool(int stream, std::string_view bytes)>;
  using Done = std::function<void(RunResult result)>;

  // `done` is called once, from the loop, when everything has ended.
  static Result<std::shared_ptr<Runner>> start(boost::asio::io_context& loop,
                                               const RunCommand& command, Output output, Done done);
  // The program gets SIGTERM by its supervisor, which ends it; after a while both are killed.
  void cancel();
  void resume();

  explicit Runner(boost::asio::io_context& loop);

 private:
  struct Pipe {
    explicit Pipe(boost::asio::io_context& loop) : end(loop) {}
    boost::asio::posix::stream_descriptor end;
    std::string kept;
    std::array<char, 32768> buffer{};
    std::size_t most = 0;  // of `kept`; what is more is dropped
    int stream = 0;        // handed on instead of kept
    bool open = false, paused = false;
  };

  Result<void> spawn(const RunCommand& command);
  void read(Pipe& pipe);
  void took(Pipe& pipe, std::size_t count);
  void wait_for_end();
  void finish_when_over();
  RunResult result();

  Pipe out_, err_, record_;
  boost::asio::posix::stream_descriptor ended_;  // its pidfd
  boost::asio::steady_timer patience_;
  ChildProcess process_;
  Output output_;
  Done done_;
  int status_ = 0;
  bool over_ = false, cancelled_ = false, streams_ = false;
};

}  // namespace langsbx::serve
