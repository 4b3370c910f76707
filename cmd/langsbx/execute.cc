// execute: judges one source file and runs it in a sandbox made of this host's /usr.
#include "runtime/execute/execute.h"

#include <algorithm>
#include <optional>

#include "cmd/langsbx/command.h"
#include "cmd/langsbx/execute_request.h"
#include "languages/report.h"
#include "runtime/execute/bring_back.h"
#include "runtime/execute/events.h"
#include "runtime/execute/record_json.h"
#include "runtime/execute/watch.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/outlet.h"

namespace langsbx::cmd {
namespace {

// What was asked for and did not come back is no success.
Result<void> bring_results(const execute::Request& request, const std::string& artifact_dir,
                           execute::Record& record) {
  TRY_CONTEXT(execute::bring_artifacts(record, artifact_dir), "--artifact");
  if (request.keep && record.status != execute::Status::kRejected) {
    TRY_CONTEXT(execute::bring_kept(record), "--keep");
  }
  const bool failed = record.left_out.count > 0 && record.exit_code == 0;
  if (failed) record.exit_code = execute::kExitFault;
  return {};
}

std::string left_out_lines(const execute::LeftOut& left_out) {
  std::string text;
  for (const auto& file : left_out.files) {
    text += "langsbx: left out: " + languages::printable(file.name + ": " + file.reason) + "\n";
  }
  const auto more = left_out.count - left_out.files.size();
  if (more > 0) text += "langsbx: left out: " + std::to_string(more) + " more files\n";
  return text;
}

// What langsbx itself has to say of the run.
std::string remarks(const execute::Record& record) {
  std::string text;
  for (const auto& warning : record.warnings) text += "langsbx: warning: " + warning + "\n";
  for (const auto& denial : record.refused.value_or(std::vector<explain::Denial>())) {
    text += "langsbx: refused: " + languages::printable(explain::denial_text(denial)) + "\n";
  }
  if (record.refused && record.refused->empty()) text += "langsbx: refused: nothing\n";
  text += left_out_lines(record.left_out);
  text += execute::record_summary(record);
  return text;
}

Result<int> report(execute::Record record, const execute::Request& request,
                   const ExecuteOptions& options) {
  if (options.json) {
    TRY(print(execute::record_json(record)));
    return record.exit_code;
  }
  std::string text;
  if (!record.guard.safe()) {
    text = languages::to_text(record.guard, [&](std::string_view file) -> std::string_view {
      if (file == request.file) return request.source;
      const auto found = std::ranges::find(record.texts, file, &execute::Input::name);
      return found != record.texts.end() ? std::string_view(found->content) : std::string_view();
    });
  }
  // The compiler quotes the source, which must not steer a terminal.
  text += languages::printable_lines(record.err);
  if (!options.quiet) text += remarks(record);
  // A run that was cut has its status, whether somebody reads why or not.
  if (auto said = write_out(2, text, "stderr");
      !said.ok() && said.error().kind != ErrorKind::kTimeout) {
    return said.release_error();
  }
  return record.exit_code;
}

// A file is made; a pipe will do.
Result<void> write_record(const std::string& path, const execute::Record& record) {
  const auto file =
      TRY_CONTEXT(open_file(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY, 0600), "--record");
  return write_fd(file.get(), execute::record_json(record), "--record");
}

Result<int> execute_file(const Invocation& invocation) {
  ExecuteOptions options;
  options.profile =
      invocation.global.guard_profile.empty() ? "default" : invocation.global.guard_profile;
  OptionTable table;
  declare(table, options);
  auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  if (positionals->empty() && options.request.empty()) {
    return make_error(ErrorKind::kInvalidInput, "execute needs a FILE, - or --request");
  }
  HeldFiles held;
  auto request =
      TRY(options.request.empty() ? make_request(invocation, options, *positionals, held)
                                  : request_of_document(invocation, options, *positionals, held));
  std::optional<execute::Events> events;
  if (!options.events.empty()) {
    events = TRY(execute::Events::open(options.events, request.id));
    request.events = &*events;
  }
  auto record = TRY(execute::execute(request));
  const bool source_came_by_stdin = !positionals->empty() && positionals->front() == "-";
  if (source_came_by_stdin && record.status == execute::Status::kFailed) {
    record.warnings.emplace_back(
        "the source came by standard input, so the program's own input was empty; --stdin FILE "
        "gives it one");
  }
  // No signal ends us between two files: they arrive together.
  TRY(bring_results(request, options.artifact_dir, record));
  if (events) events->drain();
  // Nothing is in our charge any more: a signal may end us while somebody reads slowly. A run that
  // was cut or interrupted does not wait for long.
  if (!record.killed() && !record.interrupted) execute::release_signals();
  if (!options.record.empty()) TRY(write_record(options.record, record));
  if (events && events->lost()) record.warnings.emplace_back("--events: not all were written");
  // Who takes the record needs no words beside what the program wrote.
  if (!options.record.empty() && !options.json) return record.exit_code;
  return report(std::move(record), request, options);
}

Result<int> run(const Invocation& invocation) {
  auto status = execute_file(invocation);
  if (status.ok() || status.error().kind != ErrorKind::kNotFound) return status;
  invocation.log.failure(status.error().to_string());
  return execute::kExitNotFound;
}

}  // namespace

extern const Command kExecute{
    .name = "execute",
    .arguments = "<file | folder | -> [-- arguments...] | --request <file>",
    .summary = "judge a program and run it in a sandbox",
    .fewest = 0,
    .most = kAnyNumber,
    .run = run,
    .positionals = Positionals::kEndOptions,
    .failure_status = execute::kExitFault};

}  // namespace langsbx::cmd
