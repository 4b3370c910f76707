// The options of `execute`, and the request that they make.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cmd/langsbx/command.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/request.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cmd {

struct ExecuteOptions {
  std::string language, entry, workdir, profile = "default", preset, network;
  std::string isolation = "auto", oci_runtime, setup, rootfs, image, events, input_stream,
              artifact_dir;
  std::array<std::string, execute::kLimitCount> limits;
  std::vector<std::string> env, inputs, artifacts, allowed_hosts;
  std::string request, record;
  bool json = false, keep = false, no_cache = false, explain = false, tty = false, quiet = false;
};

// Open until the run has ended.
struct HeldFiles {
  UniqueFd stdin_file, image;
};

void declare(OptionTable& table, ExecuteOptions& options);
Result<execute::Request> make_request(const Invocation& invocation, const ExecuteOptions& options,
                                      std::vector<std::string> positionals, HeldFiles& held);
// Of --request: the document says what is run; where results go is the caller's to say.
Result<execute::Request> request_of_document(const Invocation& invocation,
                                             const ExecuteOptions& options,
                                             const std::vector<std::string>& positionals,
                                             HeldFiles& held);

}  // namespace langsbx::cmd
