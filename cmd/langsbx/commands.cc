// The list of all commands, in the order of --help.
#include <array>

#include "cmd/langsbx/command.h"

namespace langsbx::cmd {

extern const Command kCheckHost;
extern const Command kCheckpoint;
extern const Command kCreate;
extern const Command kDelete;
extern const Command kEvents;
extern const Command kExec;
extern const Command kExecute;
extern const Command kFeatures;
extern const Command kInspect;
extern const Command kInstall;
extern const Command kKill;
extern const Command kLanguages;
extern const Command kList;
extern const Command kPause;
extern const Command kProfiles;
extern const Command kPs;
extern const Command kRestore;
extern const Command kResume;
extern const Command kRules;
extern const Command kRun;
extern const Command kServe;
extern const Command kSpec;
extern const Command kStart;
extern const Command kState;
extern const Command kUninstall;
extern const Command kUpdate;
extern const Command kValidate;
extern const Command kVerdicts;

std::span<const Command* const> all_commands() {
  static constexpr auto kCommands = std::array{
      &kCreate,   &kStart,      &kRun,       &kExec,      &kExecute,   &kState,    &kList,
      &kKill,     &kDelete,     &kPs,        &kPause,     &kResume,    &kUpdate,   &kEvents,
      &kFeatures, &kCheckpoint, &kRestore,   &kCheckHost, &kInspect,   &kSpec,     &kValidate,
      &kRules,    &kProfiles,   &kLanguages, &kInstall,   &kUninstall, &kVerdicts, &kServe,
  };
  return kCommands;
}

}  // namespace langsbx::cmd
