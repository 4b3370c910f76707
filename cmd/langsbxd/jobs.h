// All runs of the service: they wait in a bounded fair queue, run as processes, and end.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>

#include "cmd/langsbxd/fair_queue.h"
#include "cmd/langsbxd/metrics.h"
#include "cmd/langsbxd/run_request.h"
#include "cmd/langsbxd/runner.h"

namespace langsbx::serve {

struct JobOptions {
  std::string runtime, root, spool;  // langsbx, its state directory, where results arrive
  std::size_t workers = 1;           // runs at a time
  std::size_t waiting = 256;         // in all
  std::size_t waiting_of_key = 64;
};

// How a run ends that never started.
enum class NotRun { kDeadline, kCancelled, kShutdown };

struct JobEvents {
  std::function<void()> started;
  Runner::Output output;  // absent: the record brings the outputs
  std::function<void(RunResult)> done;
  std::function<void(NotRun)> not_run;
};

struct QueueFull {
  std::size_t depth = 0;
  std::chrono::seconds retry_after{1};
};

class Jobs {
 public:
  Jobs(boost::asio::io_context& loop, JobOptions options, Metrics& metrics);

  // The job's id. One of done and not_run is called once, later, from the loop.
  std::variant<std::string, QueueFull> submit(const Key& key, RunRequest request, JobEvents events);
  // False: it has ended, or there never was one.
  bool cancel(const std::string& id);
  void resume(const std::string& id);
  // What waits is turned away at once, what runs is given until `patience` is over.
  void shut_down(std::chrono::milliseconds patience, std::function<void()> when_empty);

  [[nodiscard]] std::size_t queued() const { return queue_.size(); }
  [[nodiscard]] std::size_t running() const { return running_; }
  [[nodiscard]] const JobOptions& options() const { return options_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    explicit Job(boost::asio::io_context& loop) : deadline_timer(loop) {}
    std::string id, key, results;
    std::size_t most_running = 0;
    RunRequest request;
    JobEvents events;
    Clock::time_point asked, started;
    std::optional<Clock::time_point> deadline;
    boost::asio::steady_timer deadline_timer;
    std::shared_ptr<Runner> runner;
  };
  using JobPointer = std::shared_ptr<Job>;

  void start_more();
  void start(const JobPointer& job);
  void ended(const JobPointer& job, RunResult result);
  void turn_away(const JobPointer& job, NotRun why);
  void count(const RunResult& result, double seconds);

  boost::asio::io_context& loop_;
  JobOptions options_;
  Metrics& metrics_;
  FairQueue<JobPointer> queue_;
  std::map<std::string, JobPointer> jobs_;
  std::map<std::string, std::size_t> most_running_;  // of a key
  std::size_t running_ = 0;
  double usual_seconds_ = 0.1;  // of a run, of late
  bool closed_ = false;
  boost::asio::steady_timer patience_;
  std::function<void()> when_empty_;
};

}  // namespace langsbx::serve
