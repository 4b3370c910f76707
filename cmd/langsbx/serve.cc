// serve: the service is a program of its own (cmd/langsbxd); this finds and executes it.
#include <unistd.h>

#include <string>
#include <vector>

#include "cmd/langsbx/command.h"
#include "runtime/kernel/new_program.h"
#include "runtime/kernel/own_binary.h"

#ifndef LANGSBX_LIBEXEC_DIR
#define LANGSBX_LIBEXEC_DIR "/usr/libexec/langsbx"
#endif

namespace langsbx::cmd {
namespace {

// As installed, beside the binary, and as built.
std::vector<std::string> places(const std::string& own) {
  const std::string folder = own.substr(0, own.rfind('/'));
  return {folder + "/langsbxd", folder + "/../libexec/langsbx/langsbxd",
          folder + "/../langsbxd/langsbxd", LANGSBX_LIBEXEC_DIR "/langsbxd"};
}

Result<int> run(const Invocation& invocation) {
  const std::string own = own_binary_path();
  std::vector<std::string> words = {"langsbx serve"};
  const auto& args = invocation.args;
  const bool starts = args.empty() || args[0] != "key";
  if (starts) words.insert(words.end(), {"--runtime", own});
  words.insert(words.end(), args.begin(), args.end());
  for (const auto& place : places(own)) {
    if (::access(place.c_str(), X_OK) == 0) return execute_program(place, words);
  }
  return make_error(ErrorKind::kNotFound, "serve: langsbxd is neither beside " + own +
                                              " nor in " LANGSBX_LIBEXEC_DIR
                                              "; install the package, or build it");
}

}  // namespace

extern const Command kServe{.name = "serve",
                            .arguments = "| key add|list|revoke",
                            .summary = "run code over HTTP",
                            .most = kAnyNumber,
                            .run = run,
                            .positionals = Positionals::kEndOptions,
                            .passes_descriptors = true};

}  // namespace langsbx::cmd
