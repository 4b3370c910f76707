// Functions, variables and types of the libraries, with the capability each needs.
#include "languages/c/names.h"

#include <algorithm>
#include <array>

#include "languages/scanner/name_map.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::c {
namespace {

using scanner::NameEntry;
using scanner::NameMap;
using Entry = NameEntry<Function>;
using C = Capability;

constexpr Function kSpawn{C::kProcessSpawn};
constexpr Function kNative{C::kNativeCode};
constexpr Function kConnect{C::kNetworkConnect};
constexpr Function kConnectWord{C::kNetworkConnect, true};
constexpr Function kListenWord{C::kNetworkListen, true};
constexpr Function kAdmin{C::kSystemAdmin};
constexpr Function kAdminWord{C::kSystemAdmin, true};
constexpr Function kEnvironment{C::kEnvironment};
constexpr Function kSignal{C::kSignals};
constexpr Function kSecret{C::kSecrets};
constexpr Function kThread{C::kThreads};
constexpr Function kRead{C::kFilesRead, false, 1};
constexpr Function kReadWord{C::kFilesRead, true, 1};
constexpr Function kWrite{C::kFilesWrite, false, 1};
constexpr Function kWriteTwo{C::kFilesWrite, false, 2};
constexpr Function kWriteWordTwo{C::kFilesWrite, true, 2};
constexpr Function kDelete{C::kFilesDelete, false, 1};
constexpr Function kDeleteWord{C::kFilesDelete, true, 1};

// clang-format off
constexpr auto kFunctionList = std::to_array<Entry>({
    // processes
    {"system", kSpawn}, {"popen", kSpawn}, {"_popen", kSpawn}, {"execl", kSpawn},
    {"execlp", kSpawn}, {"execle", kSpawn}, {"execv", kSpawn}, {"execvp", kSpawn},
    {"execve", kSpawn}, {"execvpe", kSpawn}, {"fexecve", kSpawn}, {"execveat", kSpawn},
    {"posix_spawn", kSpawn}, {"posix_spawnp", kSpawn}, {"fork", {C::kProcessSpawn, true}},
    {"vfork", kSpawn}, {"_Fork", kSpawn}, {"clone", {C::kProcessSpawn, true}}, {"clone3", kSpawn},
    {"__clone", kSpawn}, {"__clone2", kSpawn}, {"wordexp", kSpawn}, {"forkpty", kSpawn},
    {"daemon", {C::kProcessSpawn, true}}, {"__libc_system", kSpawn}, {"__libc_fork", kSpawn},
    {"__fork", kSpawn}, {"__vfork", kSpawn}, {"WinExec", kSpawn}, {"ShellExecuteA", kSpawn},
    {"CreateProcessA", kSpawn}, {"CreateProcess", kSpawn}, {"_IO_proc_open", kSpawn},
    {"rexec", kSpawn}, {"rcmd", kSpawn}, {"pidfd_open", kSpawn},
    {"posix_spawn_file_actions_addopen", kSpawn}, {"posix_spawn_file_actions_init", kSpawn},
    {"posix_spawn_file_actions_adddup2", kSpawn}, {"posix_spawn_file_actions_addclose", kSpawn},
    {"posix_spawnattr_init", kSpawn}, {"posix_spawnattr_setflags", kSpawn},
    // code that is not in the source
    {"dlopen", kNative}, {"dlmopen", kNative}, {"dlsym", kNative}, {"dlvsym", kNative},
    {"dlinfo", kNative}, {"dladdr", kNative}, {"dladdr1", kNative}, {"dl_iterate_phdr", kNative},
    {"__libc_dlopen_mode", kNative}, {"__libc_dlsym", kNative}, {"syscall", kNative},
    {"__syscall", kNative}, {"mprotect", kNative}, {"pkey_mprotect", kNative}, {"mmap", kNative},
    {"mmap64", kNative}, {"mremap", kNative}, {"remap_file_pages", kNative},
    {"memfd_create", kNative}, {"shm_open", kNative}, {"shmat", kNative}, {"shmget", kNative},
    {"ptrace", kNative}, {"keyctl", kNative}, {"add_key", kNative}, {"request_key", kNative}, {"process_vm_readv", kNative}, {"process_vm_writev", kNative},
    {"personality", kNative}, {"makecontext", kNative}, {"setcontext", kNative},
    {"swapcontext", kNative}, {"_dl_open", kNative}, {"LoadLibraryA", kNative},
    {"GetProcAddress", kNative}, {"VirtualAlloc", kNative}, {"VirtualProtect", kNative},
    {"io_uring_setup", kNative}, {"userfaultfd", kNative}, {"perf_event_open", kNative},
    {"bpf", {C::kNativeCode, true}}, {"_r_debug", kNative}, {"_DYNAMIC", kNative},
    {"_GLOBAL_OFFSET_TABLE_", kNative}, {"__malloc_hook", kNative}, {"__free_hook", kNative},
    {"__builtin_return_address", kNative}, {"__builtin_frame_address", kNative},
    {"__builtin_apply", kNative}, {"__builtin_return", kNative}, {"__builtin_eh_return", kNative},
    {"process_madvise", kNative}, {"process_mrelease", kNative}, {"pidfd_getfd", kNative},
    {"getcontext", kNative}, {"modify_ldt", kNative}, {"sigreturn", kNative},
    {"getauxval", kNative}, {"uselib", kNative}, {"create_module", kNative},
    {"query_module", kNative}, {"get_kernel_syms", kNative}, {"nfsservctl", kNative},
    {"profil", kNative}, {"sprofil", kNative}, {"monstartup", kNative},
    {"__builtin_unwind_init", kNative}, {"__builtin_longjmp", kNative},
    {"__builtin_setjmp", kNative}, {"__builtin_extract_return_addr", kNative},
    {"__builtin_frob_return_addr", kNative}, {"__builtin_dwarf_cfa", kNative},
    {"__builtin_init_dwarf_reg_size_table", kNative}, {"__builtin_call_with_static_chain", kNative},
    {"__builtin_apply_args", kNative}, {"msgget", kNative}, {"semget", kNative},
    {"shm_unlink", kNative}, {"mq_open", kNative}, {"sem_open", kNative}, {"shmctl", kNative},
    {"semop", kNative}, {"msgsnd", kNative},
    // network
    {"socket", {C::kNetworkConnect, true}}, {"socketpair", kConnect}, {"connect", kConnectWord},
    {"bind", kListenWord}, {"listen", kListenWord}, {"accept", kListenWord}, {"accept4", kConnect},
    {"send", kConnectWord}, {"sendto", kConnect}, {"sendmsg", kConnect}, {"sendmmsg", kConnect},
    {"recv", kConnectWord}, {"recvfrom", kConnect}, {"recvmsg", kConnect}, {"recvmmsg", kConnect},
    {"gethostbyname", kConnect}, {"gethostbyname2", kConnect}, {"gethostbyaddr", kConnect},
    {"getaddrinfo", kConnect}, {"getnameinfo", kConnect}, {"res_query", kConnect},
    {"res_search", kConnect}, {"setsockopt", kConnect}, {"WSAStartup", kConnect},
    {"InternetOpenA", kConnect}, {"if_nameindex", kConnect}, {"getifaddrs", kConnect},
    {"getaddrinfo_a", kConnect}, {"gethostbyname_r", kConnect}, {"gethostbyname2_r", kConnect},
    {"gethostbyaddr_r", kConnect}, {"gethostent", kConnect}, {"gethostent_r", kConnect},
    {"getnetbyname", kConnect}, {"getnetbyaddr", kConnect}, {"getnetent", kConnect},
    {"res_send", kConnect}, {"res_nquery", kConnect}, {"res_nsearch", kConnect},
    {"res_nsend", kConnect}, {"res_mkquery", kConnect}, {"res_querydomain", kConnect},
    {"res_nquerydomain", kConnect}, {"rcmd_af", kConnect}, {"rexec_af", kConnect},
    {"rresvport", kConnect}, {"rresvport_af", kConnect}, {"ruserok", kConnect},
    {"ruserok_af", kConnect}, {"iruserok", kConnect}, {"iruserok_af", kConnect},
    {"ruserpass", kConnect}, {"bindresvport", kConnect}, {"getpeername", kConnect},
    {"getsockname", kConnect}, {"getsockopt", kConnect}, {"callrpc", kConnect},
    {"registerrpc", kConnect}, {"clnt_create", kConnect}, {"clnt_broadcast", kConnect},
    {"clnttcp_create", kConnect}, {"clntudp_create", kConnect}, {"clntudp_bufcreate", kConnect},
    {"clntunix_create", kConnect}, {"clntraw_create", kConnect}, {"svc_run", kConnect},
    {"svc_register", kConnect}, {"svctcp_create", kConnect}, {"svcudp_create", kConnect},
    {"svcunix_create", kConnect}, {"svcunixfd_create", kConnect}, {"svcfd_create", kConnect},
    {"pmap_set", kConnect}, {"pmap_unset", kConnect}, {"pmap_getport", kConnect},
    {"pmap_getmaps", kConnect}, {"pmap_rmtcall", kConnect}, {"syslog", kConnect},
    {"vsyslog", kConnect}, {"openlog", kConnect}, {"ether_hostton", kConnect},
    // environment, signals, secrets
    {"getenv", kEnvironment}, {"secure_getenv", kEnvironment}, {"setenv", kEnvironment},
    {"putenv", kEnvironment}, {"unsetenv", kEnvironment}, {"clearenv", kEnvironment},
    {"environ", kEnvironment}, {"__environ", kEnvironment}, {"_environ", kEnvironment},
    {"kill", {C::kSignals, true}}, {"killpg", kSignal}, {"tgkill", kSignal}, {"tkill", kSignal},
    {"sigqueue", kSignal}, {"pthread_kill", kSignal}, {"pidfd_send_signal", kSignal},
    {"getpass", kSecret}, {"getpwnam", kSecret}, {"getpwuid", kSecret}, {"getpwent", kSecret},
    {"getpwnam_r", kSecret}, {"getpwuid_r", kSecret}, {"getspnam", kSecret}, {"getspent", kSecret},
    {"getgrnam", kSecret}, {"getgrgid", kSecret}, {"getpwent_r", kSecret}, {"getspent_r", kSecret},
    {"getspnam_r", kSecret}, {"getgrent", kSecret}, {"getgrent_r", kSecret},
    {"getgrnam_r", kSecret}, {"getgrgid_r", kSecret}, {"getgrouplist", kSecret}, {"getpw", kSecret},
    {"fgetpwent", kSecret}, {"fgetpwent_r", kSecret}, {"fgetspent", kSecret},
    {"fgetspent_r", kSecret}, {"fgetgrent", kSecret}, {"sgetspent", kSecret}, {"getsgent", kSecret},
    {"getsgnam", kSecret}, {"putpwent", kSecret}, {"putspent", kSecret}, {"putgrent", kSecret},
    {"putsgent", kSecret}, {"lckpwdf", kSecret}, {"setpwent", kSecret}, {"setspent", kSecret},
    {"getlogin", kSecret}, {"getlogin_r", kSecret}, {"cuserid", kSecret}, {"getutent", kSecret},
    {"getutid", kSecret}, {"getutline", kSecret}, {"getutxent", kSecret}, {"getutxid", kSecret},
    {"getutxline", kSecret}, {"pututline", kSecret}, {"pututxline", kSecret}, {"updwtmp", kSecret},
    {"updwtmpx", kSecret}, {"logwtmp", kSecret}, {"login", {C::kSecrets, true}},
    {"logout", {C::kSecrets, true}}, {"utmpname", kSecret}, {"utmpxname", kSecret},
    {"getsecretkey", kSecret}, {"getpublickey", kSecret}, {"pthread_sigqueue", kSignal},
    // administration
    {"chroot", kAdmin}, {"mount", kAdminWord}, {"umount", kAdminWord}, {"umount2", kAdmin},
    {"pivot_root", kAdmin}, {"unshare", kAdmin}, {"setns", kAdmin}, {"reboot", kAdminWord},
    {"swapon", kAdmin}, {"swapoff", kAdmin}, {"sethostname", kAdmin}, {"setdomainname", kAdmin},
    {"setuid", kAdmin}, {"setgid", kAdmin}, {"seteuid", kAdmin}, {"setegid", kAdmin},
    {"setreuid", kAdmin}, {"setregid", kAdmin}, {"setresuid", kAdmin}, {"setresgid", kAdmin},
    {"setgroups", kAdmin}, {"initgroups", kAdmin}, {"prctl", kAdmin}, {"arch_prctl", kAdmin},
    {"capset", kAdmin}, {"setrlimit", kAdmin}, {"prlimit", kAdmin}, {"setpriority", kAdmin},
    {"sched_setaffinity", kAdmin}, {"settimeofday", kAdmin}, {"clock_settime", kAdmin},
    {"adjtimex", kAdmin}, {"acct", kAdminWord}, {"ioctl", kAdmin}, {"fcntl", kAdmin},
    {"ioperm", kAdmin}, {"iopl", kAdmin}, {"init_module", kAdmin}, {"delete_module", kAdmin},
    {"kexec_load", kAdmin}, {"quotactl", kAdmin}, {"mknod", {C::kSystemAdmin, false, 1}},
    {"setfsuid", kAdmin}, {"setfsgid", kAdmin}, {"move_mount", kAdmin}, {"open_tree", kAdmin},
    {"fsopen", kAdmin}, {"fsconfig", kAdmin}, {"fsmount", kAdmin}, {"fspick", kAdmin},
    {"mount_setattr", kAdmin}, {"sethostid", kAdmin}, {"stime", kAdmin}, {"adjtime", kAdmin},
    {"ntp_adjtime", kAdmin}, {"clock_adjtime", kAdmin}, {"klogctl", kAdmin}, {"sysctl", kAdmin},
    {"vhangup", kAdmin}, {"revoke", kAdmin}, {"mknodat", kAdmin}, {"prlimit64", kAdmin},
    {"setrlimit64", kAdmin}, {"fcntl64", kAdmin}, {"setsid", kAdmin}, {"setpgid", kAdmin},
    {"setpgrp", kAdmin}, {"capget", kAdmin}, {"bdflush", kAdmin}, {"posix_openpt", kAdmin},
    {"getpt", kAdmin}, {"grantpt", kAdmin}, {"unlockpt", kAdmin}, {"ptsname", kAdmin},
    {"ptsname_r", kAdmin}, {"openpty", kAdmin}, {"login_tty", kAdmin},
    {"sched_setscheduler", kAdmin}, {"sched_setparam", kAdmin}, {"mlock", kAdmin},
    {"mlock2", kAdmin}, {"mlockall", kAdmin}, {"fanotify_mark", kAdmin}, {"fattach", kAdmin},
    {"tcsetpgrp", kAdmin},
    // files
    {"fopen", kRead}, {"fopen64", kRead}, {"freopen", kRead}, {"fopen_s", kRead},
    {"open", kReadWord}, {"open64", kRead}, {"openat", kRead}, {"openat64", kRead},
    {"openat2", kRead}, {"fdopen", {C::kFilesRead}}, {"opendir", kRead},
    {"fdopendir", {C::kFilesRead}}, {"scandir", kRead}, {"ftw", kRead}, {"nftw", kRead},
    {"glob", kReadWord}, {"fts_open", {C::kFilesRead}}, {"stat", kReadWord}, {"lstat", kRead},
    {"fstatat", kRead}, {"access", kReadWord}, {"faccessat", kRead}, {"readlink", kRead},
    {"readlinkat", kRead}, {"realpath", kRead}, {"statx", kRead}, {"statvfs", kRead},
    {"statfs", kRead}, {"inotify_add_watch", {C::kFilesRead}}, {"fanotify_init", kAdmin},
    {"open_by_handle_at", kAdmin}, {"name_to_handle_at", kAdmin}, {"getxattr", kRead},
    {"creat", kWrite}, {"creat64", kWrite}, {"mkdir", kWrite}, {"mkdirat", kWrite},
    {"mkfifo", kWrite}, {"truncate", {C::kFilesWrite, true, 1}}, {"rename", kWriteWordTwo},
    {"renameat", kWriteTwo}, {"renameat2", kWriteTwo}, {"link", kWriteWordTwo},
    {"linkat", kWriteTwo}, {"symlink", kWriteTwo}, {"symlinkat", kWriteTwo}, {"chmod", kWrite},
    {"fchmod", {C::kFilesWrite}}, {"fchmodat", kWrite}, {"chown", kWrite}, {"lchown", kWrite},
    {"fchown", {C::kFilesWrite}}, {"utime", kWrite}, {"utimes", kWrite}, {"utimensat", kWrite},
    {"setxattr", kWrite}, {"mkstemp", {C::kFilesWrite}}, {"mkdtemp", {C::kFilesWrite}},
    {"tmpfile", {C::kFilesWrite}}, {"chdir", kRead}, {"current_path", kRead}, {"fchdir", {C::kFilesRead}},
    {"unlink", kDelete}, {"unlinkat", kDelete}, {"rmdir", kDelete}, {"remove", kDeleteWord},
    {"freopen64", kRead}, {"stat64", kRead}, {"lstat64", kRead}, {"fstatat64", kRead},
    {"statvfs64", kRead}, {"statfs64", kRead}, {"scandir64", kRead}, {"scandirat", kRead},
    {"scandirat64", kRead}, {"ftw64", kRead}, {"nftw64", kRead}, {"glob64", kRead},
    {"canonicalize_file_name", kRead}, {"eaccess", kRead}, {"euidaccess", kRead},
    {"lgetxattr", kRead}, {"listxattr", kRead}, {"llistxattr", kRead}, {"catopen", kRead},
    {"setmntent", kRead}, {"getfsent", kRead}, {"pathconf", kRead}, {"truncate64", kWrite},
    {"mkfifoat", kWrite}, {"mkostemp64", kWrite}, {"lutimes", kWrite}, {"futimesat", kWrite},
    {"lchmod", kWrite}, {"fchownat", kWrite}, {"removexattr", kWrite}, {"lremovexattr", kWrite},
    {"lsetxattr", kWrite}, {"mktemp", kWrite}, {"mkostemp", {C::kFilesWrite}},
    {"mkostemps", {C::kFilesWrite}}, {"mkostemps64", {C::kFilesWrite}},
    {"mkstemp64", {C::kFilesWrite}}, {"mkstemps", {C::kFilesWrite}},
    {"mkstemps64", {C::kFilesWrite}}, {"tmpfile64", {C::kFilesWrite}},
    {"futimens", {C::kFilesWrite}}, {"futimes", {C::kFilesWrite}}, {"fsetxattr", {C::kFilesWrite}},
    {"fremovexattr", {C::kFilesWrite}}, {"copy_file_range", {C::kFilesWrite}},
    {"sendfile", {C::kFilesWrite}}, {"sendfile64", {C::kFilesWrite}},
    {"fallocate", {C::kFilesWrite}}, {"fallocate64", {C::kFilesWrite}},
    {"fts64_open", {C::kFilesRead}}, {"getdents64", {C::kFilesRead}},
    {"getdirentries", {C::kFilesRead}}, {"getdirentries64", {C::kFilesRead}},
    {"inotify_init", {C::kFilesRead}}, {"inotify_init1", {C::kFilesRead}},
    {"readahead", {C::kFilesRead}},
    // threads
    {"pthread_create", kThread}, {"thrd_create", kThread},
    // C++
    {"ifstream", kRead}, {"wifstream", kRead}, {"basic_ifstream", kRead}, {"ofstream", kWrite},
    {"wofstream", kWrite}, {"basic_ofstream", kWrite}, {"fstream", kWrite}, {"wfstream", kWrite},
    {"basic_fstream", kWrite}, {"filebuf", kWrite}, {"basic_filebuf", kWrite},
    {"filesystem", {C::kFilesRead}}, {"remove_all", kDelete}, {"create_directory", kWrite},
    {"create_directories", kWrite}, {"copy_file", kWriteTwo}, {"create_symlink", kWriteTwo},
    {"directory_iterator", kRead}, {"recursive_directory_iterator", kRead}});
// clang-format on
constexpr NameMap<kFunctionList> kFunctions;

bool is_dangerous(const Entry& entry) {
  const Capability need = entry.value.capability;
  return need == C::kProcessSpawn || need == C::kNativeCode || need == C::kNetworkConnect ||
         need == C::kSystemAdmin;
}

template <typename Test>
bool any_dangerous(Test test) {
  return std::any_of(kFunctionList.begin(), kFunctionList.end(),
                     [&](const Entry& entry) { return is_dangerous(entry) && test(entry.name); });
}

// The library's inner names are the same functions: __libc_system, __open64_2, __builtin_execve.
const Function* find_inner(std::string_view name) {
  static constexpr auto kPrefixes = text_list("__builtin_", "__libc_", "__GI_", "__IO_", "_IO_",
                                              "__new_", "__old_", "__nss_", "___", "__", "_");
  static constexpr auto kSuffixes =
      text_list("", "_2", "64_2", "64", "_chk", "_nocancel", "_time64");
  for (const std::string_view prefix : kPrefixes) {
    if (!name.starts_with(prefix)) continue;
    const std::string_view core = name.substr(prefix.size());
    for (const std::string_view suffix : kSuffixes) {
      if (!core.ends_with(suffix)) continue;
      const auto* const found = kFunctions.find(core.substr(0, core.size() - suffix.size()));
      // A word stands for the library's function only behind two underscores.
      if (found != nullptr && (!found->word || prefix.size() > 1)) return found;
    }
  }
  static constexpr auto kInner =
      text_list("_dl_", "__libc_dl", "__nss_", "__gconv_", "_IO_file", "_IO_proc", "_rtld_",
                "__libc_alloc_buffer", "__res_", "__printf_fp", "__libc_allocate", "_nl_");
  const bool inner =
      std::ranges::any_of(kInner, [&](std::string_view start) { return name.starts_with(start); });
  return inner ? &kNative : nullptr;
}

}  // namespace

const scanner::WordFilter& function_words() { return kFunctions.words(); }

const Function* find_function(std::string_view name) {
  const Function* const found = kFunctions.find(name);
  return found != nullptr || name.size() < 4 || name[0] != '_' ? found : find_inner(name);
}

void each_dangerous(const std::function<void(std::string_view)>& visit) {
  for (const Entry& entry : kFunctionList) {
    if (is_dangerous(entry)) visit(entry.name);
  }
}

bool begins_function(std::string_view part) {
  return any_dangerous([&](std::string_view name) { return name.starts_with(part); });
}

bool ends_function(std::string_view part) {
  return any_dangerous([&](std::string_view name) { return name.ends_with(part); });
}

}  // namespace langsbx::languages::c
