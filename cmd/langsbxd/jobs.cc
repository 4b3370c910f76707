#include "cmd/langsbxd/jobs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cmd/langsbxd/result_files.h"
#include "runtime/execute/limits.h"

namespace langsbx::serve {
namespace {

constexpr std::chrono::seconds kLongestRetry{60};

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// The run's own limit ends with the deadline, so that it says "timeout" like any other.
void limit_to(std::chrono::milliseconds left, nlohmann::json& document) {
  auto& ceiling = document["ceilings"]["wall_time_ms"];
  const auto most = static_cast<std::uint64_t>(left.count());
  if (!ceiling.is_number_unsigned() || ceiling.get<std::uint64_t>() > most) ceiling = most;
}

// No record takes the service along, whatever those who map it did not think of.
void tell_result(const JobEvents& events, RunResult result) {
  if (!events.done) return;
  try {
    events.done(std::move(result));
  } catch (const std::exception& error) {
    events.done({nullptr, error.what(), 1, false, {}});
  }
}

}  // namespace

Jobs::Jobs(boost::asio::io_context& loop, JobOptions options, Metrics& metrics)
    : loop_(loop),
      options_(std::move(options)),
      metrics_(metrics),
      queue_(options_.waiting),
      patience_(loop) {}

std::variant<std::string, QueueFull> Jobs::submit(const Key& key, RunRequest request,
                                                  JobEvents events) {
  auto id = random_id();
  const auto& allowed = key.allowed;
  const std::size_t most_waiting = allowed.waiting > 0 ? allowed.waiting : options_.waiting_of_key;
  auto job = std::make_shared<Job>(loop_);
  if (id.ok()) job->id = "run_" + id.release_value();
  job->key = key.id;
  job->asked = Clock::now();
  most_running_[key.id] = allowed.running > 0 ? allowed.running : options_.workers;
  if (request.deadline) job->deadline = job->asked + *request.deadline;
  job->request = std::move(request);
  job->events = std::move(events);
  if (closed_ || job->id.empty() || !queue_.push(key.id, most_waiting, job)) {
    metrics_.turned_away(closed_ ? "shutdown" : "queue_full");
    const double wait = static_cast<double>(queue_.size() + running_) * usual_seconds_ /
                        static_cast<double>(options_.workers);
    const std::chrono::seconds after(static_cast<long>(std::ceil(wait)));
    return QueueFull{queue_.size(), std::clamp(after, std::chrono::seconds(1), kLongestRetry)};
  }
  jobs_[job->id] = job;
  if (job->deadline) {
    job->deadline_timer.expires_at(*job->deadline);
    job->deadline_timer.async_wait([this, job](const boost::system::error_code& stopped) {
      const auto is = [&](const JobPointer& other) { return other == job; };
      if (!stopped && queue_.remove(job->key, is)) turn_away(job, NotRun::kDeadline);
    });
  }
  boost::asio::post(loop_, [this] { start_more(); });
  return job->id;
}

void Jobs::start_more() {
  while (running_ < options_.workers) {
    auto job = queue_.pop([&](const std::string& key, std::size_t running) {
      const auto most = most_running_.find(key);
      return most == most_running_.end() || running < most->second;
    });
    if (!job) return;
    start(*job);
  }
}

void Jobs::start(const JobPointer& job) {
  job->started = Clock::now();
  metrics_.waited(seconds(job->started - job->asked));
  job->deadline_timer.cancel();
  if (job->deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(*job->deadline - job->started);
    if (left.count() <= 0) {
      queue_.finished(job->key);
      return turn_away(job, NotRun::kDeadline);
    }
    limit_to(left, job->request.document);
  }
  RunCommand command{options_.runtime,
                     options_.root,
                     job->request.document.dump(),
                     {},
                     static_cast<bool>(job->events.output)};
  if (job->request.wants_files) {
    job->results = options_.spool + "/" + job->id;
    if (::mkdir(job->results.c_str(), 0700) == 0) command.results = job->results;
  }
  ++running_;
  auto output = job->events.output;
  auto runner = Runner::start(loop_, command, std::move(output),
                              [this, job](RunResult result) { ended(job, std::move(result)); });
  job->request.document = nullptr;
  if (!runner.ok()) {
    RunResult result;
    result.fault = runner.error().to_string();
    return ended(job, std::move(result));
  }
  job->runner = runner.release_value();
  if (job->events.started) job->events.started();
}

void Jobs::ended(const JobPointer& job, RunResult result) {
  --running_;
  queue_.finished(job->key);
  jobs_.erase(job->id);
  const double took = seconds(Clock::now() - job->started);
  usual_seconds_ = usual_seconds_ * 0.9 + took * 0.1;
  count(result, took);
  if (!job->results.empty()) {
    take_result_files(job->results, result);
    remove_result_folder(job->results);
  }
  job->runner.reset();
  tell_result(job->events, std::move(result));
  if (closed_ && running_ == 0 && when_empty_) return when_empty_();
  start_more();
}

void Jobs::count(const RunResult& result, double took) {
  if (!result.record.is_object()) return metrics_.ran("none", "none", "fault", took);
  const auto& record = result.record;
  metrics_.ran(record.value("language", "none"),
               record.contains("isolation") ? record["isolation"].value("tier", "none") : "none",
               record.value("status", "none"), took);
  for (const auto& violation : record.value("violations", nlohmann::json::array())) {
    const bool finding = violation.contains("rule");
    metrics_.violation(finding ? "guard" : violation.value("type", "other"));
  }
}

void Jobs::turn_away(const JobPointer& job, NotRun why) {
  job->deadline_timer.cancel();
  jobs_.erase(job->id);
  metrics_.turned_away(why == NotRun::kDeadline    ? "deadline"
                       : why == NotRun::kCancelled ? "cancelled"
                                                   : "shutdown");
  if (job->events.not_run) job->events.not_run(why);
}

bool Jobs::cancel(const std::string& id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  const JobPointer job = found->second;
  if (job->runner) {
    job->runner->cancel();
    return true;
  }
  const auto is = [&](const JobPointer& other) { return other == job; };
  if (queue_.remove(job->key, is)) turn_away(job, NotRun::kCancelled);
  return true;
}

void Jobs::resume(const std::string& id) {
  const auto found = jobs_.find(id);
  if (found != jobs_.end() && found->second->runner) found->second->runner->resume();
}

void Jobs::shut_down(std::chrono::milliseconds patience, std::function<void()> when_empty) {
  closed_ = true;
  std::vector<JobPointer> waiting;
  for (const auto& [id, job] : jobs_) {
    if (!job->runner) waiting.push_back(job);
  }
  for (const auto& job : waiting) {
    const auto is = [&](const JobPointer& other) { return other == job; };
    if (queue_.remove(job->key, is)) turn_away(job, NotRun::kShutdown);
  }
  when_empty_ = std::move(when_empty);
  if (running_ == 0) return boost::asio::post(loop_, when_empty_);
  patience_.expires_after(patience);
  patience_.async_wait([this](const boost::system::error_code& stopped) {
    if (stopped) return;
    for (const auto& [id, job] : jobs_) {
      if (job->runner) job->runner->cancel();
    }
  });
}

}  // namespace langsbx::serve
