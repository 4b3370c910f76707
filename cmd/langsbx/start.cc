// start: executes the program of a created container.
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {

extern const Command kStart{
    .name = "start",
    .arguments = "<container-id>",
    .summary = "execute the user-defined process of a created container",
    .fewest = 1,
    .most = 1,
    .run = [](const Invocation& invocation) { return run_with_id(invocation, runtime::start); }};

}  // namespace langsbx::cmd
