// Proof of where a process's root is, made by the functions that put it there.
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::isolate {

class Isolated;
struct Rootfs;
struct JoinPlan;

// Proof: the root is the program's, and any other is out of reach. It carries the plan of the one
// program that it was made for.
class Rooted {
 public:
  // The root stays the host's: Landlock alone keeps the program from it (execute's light tier), or
  // nothing does (its off tier).
  static Rooted on_host(const plan::ProgramPlan& program) { return {program, {}}; }

  Rooted(Rooted&&) noexcept = default;
  Rooted& operator=(Rooted&&) noexcept = default;
  [[nodiscard]] const plan::ProgramPlan& program() const { return *program_; }
  // A descriptor of the root, if there is one that shows all mounts in it.
  UniqueFd take_root() { return std::move(root_); }

 private:
  friend Result<Rooted> enter_rootfs(Isolated isolated, Rootfs rootfs);
  friend Result<Rooted> join_container(const JoinPlan& plan);
  Rooted(const plan::ProgramPlan& program, UniqueFd root)
      : program_(&program), root_(std::move(root)) {}
  const plan::ProgramPlan* program_;
  UniqueFd root_;
};

}  // namespace langsbx::isolate
