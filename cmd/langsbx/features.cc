// features: what this runtime can, for engines that ask before they use it.
#include "cmd/langsbx/command.h"
#include "cmd/langsbx/features_document.h"
#include "cmd/langsbx/version.h"
#include "runtime/confine/capabilities.h"
#include "runtime/kernel/landlock.h"
#include "runtime/plan/mount_options.h"

namespace langsbx::cmd {
namespace {

Result<int> run(const Invocation& invocation) {
  OptionTable table;
  if (!TRY(parse(invocation, table))) return 0;
  constexpr int kLastCapability = 40;  // CAP_CHECKPOINT_RESTORE, the newest that is named
  FeatureFacts facts;
  facts.mount_options = plan::known_mount_options();
  for (int number = 0; number <= kLastCapability; ++number)
    facts.capabilities.push_back(confine::capability_name(number));
  facts.libseccomp_version = libseccomp_version();
  facts.landlock_abi = landlock_abi();
  TRY(print(features_json(facts)));
  return 0;
}

}  // namespace

extern const Command kFeatures{
    .name = "features", .arguments = "", .summary = "show the enabled features", .run = run};

}  // namespace langsbx::cmd
