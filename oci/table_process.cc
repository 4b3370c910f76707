// Tables of `process`: also the file of `exec --process`.
#include "oci/tables.h"

namespace langsbx::oci::decode {
namespace {

constexpr Field kConsoleSizeFields[] = {
    field<&ConsoleSize::height>("height"),
    field<&ConsoleSize::width>("width"),
};
constexpr Type kConsoleSize = object<kConsoleSizeFields>();

constexpr Type kIds = array<std::vector<std::uint32_t>, &kId>();
constexpr Type kUmask = kInteger<std::uint32_t, 0, 0777>;
constexpr Field kUserFields[] = {
    field<&User::uid>("uid", &kId),
    field<&User::gid>("gid", &kId),
    field<&User::umask>("umask", &kUmask),
    field<&User::additional_gids>("additionalGids", &kIds),
};
constexpr Type kUser = object<kUserFields>();

constexpr Field kRlimitFields[] = {
    required(field<&Rlimit::type>("type")),
    required(field<&Rlimit::soft>("soft")),
    required(field<&Rlimit::hard>("hard")),
};
constexpr Type kRlimit = object<kRlimitFields>();
constexpr Type kRlimits = array<std::vector<Rlimit>, &kRlimit>();

constexpr Field kSchedulerFields[] = {
    required(field<&Scheduler::policy>("policy")), field<&Scheduler::nice>("nice"),
    field<&Scheduler::priority>("priority"),       field<&Scheduler::flags>("flags"),
    field<&Scheduler::runtime>("runtime"),         field<&Scheduler::deadline>("deadline"),
    field<&Scheduler::period>("period"),
};
constexpr Type kScheduler = object<kSchedulerFields>();

constexpr Field kIoPriorityFields[] = {
    required(field<&IoPriority::io_class>("class")),
    field<&IoPriority::priority>("priority"),
};
constexpr Type kIoPriority = object<kIoPriorityFields>();

constexpr Field kExecCpuAffinityFields[] = {
    field<&ExecCpuAffinity::initial>("initial"),
    field<&ExecCpuAffinity::final_mask>("final"),
};
constexpr Type kExecCpuAffinity = object<kExecCpuAffinityFields>();

constexpr Type kOomScoreAdj = kInteger<std::int32_t, -1000, 1000>;

constexpr Field kProcessFields[] = {
    field<&Process::terminal>("terminal"),
    field<&Process::console_size>("consoleSize", &kConsoleSize),
    field<&Process::user>("user", &kUser),
    field<&Process::args>("args"),
    field<&Process::env>("env"),
    field<&Process::cwd>("cwd"),
    field<&Process::capabilities>("capabilities"),
    field<&Process::rlimits>("rlimits", &kRlimits),
    field<&Process::no_new_privileges>("noNewPrivileges"),
    field<&Process::apparmor_profile>("apparmorProfile"),
    field<&Process::selinux_label>("selinuxLabel"),
    field<&Process::oom_score_adj>("oomScoreAdj", &kOomScoreAdj),
    field<&Process::scheduler>("scheduler", &kScheduler),
    field<&Process::io_priority>("ioPriority", &kIoPriority),
    field<&Process::exec_cpu_affinity>("execCPUAffinity", &kExecCpuAffinity),
    field<&Process::landlock>("landlock"),
};

}  // namespace

constinit const Type kProcessTable = object<kProcessFields>();

}  // namespace langsbx::oci::decode
