// pause and resume: freeze all processes of a container, and thaw them.
#include "cmd/langsbx/verbs.h"

namespace langsbx::cmd {

extern const Command kPause{
    .name = "pause",
    .arguments = "<container-id>",
    .summary = "suspend all processes inside the container",
    .fewest = 1,
    .most = 1,
    .run = [](const Invocation& invocation) { return run_with_id(invocation, runtime::pause); }};

extern const Command kResume{
    .name = "resume",
    .arguments = "<container-id>",
    .summary = "resume all processes that have been paused",
    .fewest = 1,
    .most = 1,
    .run = [](const Invocation& invocation) { return run_with_id(invocation, runtime::resume); }};

}  // namespace langsbx::cmd
