// The child's side of the light tier: a reaper that ends a whole tree without a pid namespace.
#pragma once

#include <csignal>
#include <vector>

#include "runtime/handshake/channel.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::execute {

// Ends the reaper and all below it. A SIGTERM that is meant for the program comes as the other one.
inline constexpr int kEndOfTree = SIGTERM;
inline constexpr int kStandsForTerm = SIGUSR1;

struct LightContext {
  const plan::ProgramPlan* program = nullptr;
  // What Landlock scopes signals to, put on the reaper before it makes the program: the program's
  // own domain lies within, so the reaper can signal it and not the other way round.
  const confine::LandlockPlan* tree = nullptr;
  // kill(-1) reaches the tree and nothing else: by that scope, or by a user id of its own.
  bool may_kill_all = false;
  bool watched = false;  // by a process that is not our ancestor, from before Proceed
  handshake::Channel* channel = nullptr;
  int report = -1;
  std::vector<int> parents_descriptors;
};

// Returns only when something failed, and the parent has been told what.
int light_main(const LightContext& context);

}  // namespace langsbx::execute
