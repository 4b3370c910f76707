// Functions, variables and types of the libraries, with the capability each needs.
#include "languages/c/names.h"

#include <algorithm>
#include <array>

#include "languages/scanner/name_map.h"

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

constexpr auto kFunctionList = std::to_array<Entry>({
    // processes
    {"system", kSpawn},
    {"popen", kSpawn},
    {"_popen", kSpawn},
    {"execl", kSpawn},
    {"execlp", kSpawn},
    {"execle", kSpawn},
    {"execv", kSpawn},
    {"execvp", kSpawn},
    {"execve", kSpawn},
    {"execvpe", kSpawn},
    {"fexecve", kSpawn},
    {"execveat", kSpawn},
    {"posix_spawn", kSpawn},
    {"posix_spawnp", kSpawn},
    {"fork", {C::kProcessSpawn, true}},
    {"vfork", kSpawn},
    {"_Fork", kSpawn},
    {"clone", {C::kProcessSpawn, true}},
    {"clone3", kSpawn},
    {"__clone", kSpawn},
    {"__clone2", kSpawn},
    {"wordexp", kSpawn},
    {"forkpty", kSpawn},
    {"daemon", {C::kProcessSpawn, true}},
    {"__libc_system", kSpawn},
    {"__libc_fork", kSpawn},
    {"__fork", kSpawn},
    {"__vfork", kSpawn},
    {"WinExec", kSpawn},
    {"ShellExecuteA", kSpawn},
    {"CreateProcessA", kSpawn},
    {"CreateProcess", kSpawn},
    {"_IO_proc_open", kSpawn},
    {"rexec", kSpawn},
    {"rcmd", kSpawn},
    {"pidfd_open", kSpawn},
    // code that is not in the source
    {"dlopen", kNative},
    {"dlmopen", kNative},
    {"dlsym", kNative},
    {"dlvsym", kNative},
    {"dlinfo", kNative},
    {"dladdr", kNative},
    {"dladdr1", kNative},
    {"dl_iterate_phdr", kNative},
    {"__libc_dlopen_mode", kNative},
    {"__libc_dlsym", kNative},
    {"syscall", kNative},
    {"__syscall", kNative},
    {"mprotect", kNative},
    {"pkey_mprotect", kNative},
    {"mmap", kNative},
    {"mmap64", kNative},
    {"mremap", kNative},
    {"remap_file_pages", kNative},
    {"memfd_create", kNative},
    {"shm_open", kNative},
    {"shmat", kNative},
    {"shmget", kNative},
    {"ptrace", kNative},
    {"process_vm_readv", kNative},
    {"process_vm_writev", kNative},
    {"personality", kNative},
    {"makecontext", kNative},
    {"setcontext", kNative},
    {"swapcontext", kNative},
    {"_dl_open", kNative},
    {"LoadLibraryA", kNative},
    {"GetProcAddress", kNative},
    {"VirtualAlloc", kNative},
    {"VirtualProtect", kNative},
    {"io_uring_setup", kNative},
    {"userfaultfd", kNative},
    {"perf_event_open", kNative},
    {"bpf", {C::kNativeCode, true}},
    {"_r_debug", kNative},
    {"_DYNAMIC", kNative},
    {"_GLOBAL_OFFSET_TABLE_", kNative},
    {"__malloc_hook", kNative},
    {"__free_hook", kNative},
    {"__builtin_return_address", kNative},
    {"__builtin_frame_address", kNative},
    {"__builtin_apply", kNative},
    {"__builtin_return", kNative},
    {"__builtin_eh_return", kNative},
    // network
    {"socket", {C::kNetworkConnect, true}},
    {"socketpair", kConnect},
    {"connect", kConnectWord},
    {"bind", kListenWord},
    {"listen", kListenWord},
    {"accept", kListenWord},
    {"accept4", kConnect},
    {"send", kConnectWord},
    {"sendto", kConnect},
    {"sendmsg", kConnect},
    {"sendmmsg", kConnect},
    {"recv", kConnectWord},
    {"recvfrom", kConnect},
    {"recvmsg", kConnect},
    {"recvmmsg", kConnect},
    {"gethostbyname", kConnect},
    {"gethostbyname2", kConnect},
    {"gethostbyaddr", kConnect},
    {"getaddrinfo", kConnect},
    {"getnameinfo", kConnect},
    {"res_query", kConnect},
    {"res_search", kConnect},
    {"setsockopt", kConnect},
    {"WSAStartup", kConnect},
    {"InternetOpenA", kConnect},
    {"if_nameindex", kConnect},
    {"getifaddrs", kConnect},
    // environment, signals, secrets
    {"getenv", kEnvironment},
    {"secure_getenv", kEnvironment},
    {"setenv", kEnvironment},
    {"putenv", kEnvironment},
    {"unsetenv", kEnvironment},
    {"clearenv", kEnvironment},
    {"environ", {C::kEnvironment, true}},
    {"__environ", kEnvironment},
    {"_environ", kEnvironment},
    {"kill", {C::kSignals, true}},
    {"killpg", kSignal},
    {"tgkill", kSignal},
    {"tkill", kSignal},
    {"sigqueue", kSignal},
    {"pthread_kill", kSignal},
    {"pidfd_send_signal", kSignal},
    {"getpass", kSecret},
    {"getpwnam", kSecret},
    {"getpwuid", kSecret},
    {"getpwent", kSecret},
    {"getpwnam_r", kSecret},
    {"getpwuid_r", kSecret},
    {"getspnam", kSecret},
    {"getspent", kSecret},
    {"getgrnam", kSecret},
    {"getgrgid", kSecret},
    // administration
    {"chroot", kAdmin},
    {"mount", kAdminWord},
    {"umount", kAdminWord},
    {"umount2", kAdmin},
    {"pivot_root", kAdmin},
    {"unshare", kAdmin},
    {"setns", kAdmin},
    {"reboot", kAdminWord},
    {"swapon", kAdmin},
    {"swapoff", kAdmin},
    {"sethostname", kAdmin},
    {"setdomainname", kAdmin},
    {"setuid", kAdmin},
    {"setgid", kAdmin},
    {"seteuid", kAdmin},
    {"setegid", kAdmin},
    {"setreuid", kAdmin},
    {"setregid", kAdmin},
    {"setresuid", kAdmin},
    {"setresgid", kAdmin},
    {"setgroups", kAdmin},
    {"initgroups", kAdmin},
    {"prctl", kAdmin},
    {"arch_prctl", kAdmin},
    {"capset", kAdmin},
    {"setrlimit", kAdmin},
    {"prlimit", kAdmin},
    {"setpriority", kAdmin},
    {"sched_setaffinity", kAdmin},
    {"settimeofday", kAdmin},
    {"clock_settime", kAdmin},
    {"adjtimex", kAdmin},
    {"acct", kAdminWord},
    {"ioctl", kAdmin},
    {"fcntl", kAdmin},
    {"ioperm", kAdmin},
    {"iopl", kAdmin},
    {"init_module", kAdmin},
    {"delete_module", kAdmin},
    {"kexec_load", kAdmin},
    {"quotactl", kAdmin},
    {"mknod", {C::kSystemAdmin, false, 1}},
    // files
    {"fopen", kRead},
    {"fopen64", kRead},
    {"freopen", kRead},
    {"fopen_s", kRead},
    {"open", kReadWord},
    {"open64", kRead},
    {"openat", kRead},
    {"openat64", kRead},
    {"openat2", kRead},
    {"fdopen", {C::kFilesRead}},
    {"opendir", kRead},
    {"fdopendir", {C::kFilesRead}},
    {"scandir", kRead},
    {"ftw", kRead},
    {"nftw", kRead},
    {"glob", kReadWord},
    {"fts_open", {C::kFilesRead}},
    {"stat", kReadWord},
    {"lstat", kRead},
    {"fstatat", kRead},
    {"access", kReadWord},
    {"faccessat", kRead},
    {"readlink", kRead},
    {"readlinkat", kRead},
    {"realpath", kRead},
    {"statx", kRead},
    {"statvfs", kRead},
    {"statfs", kRead},
    {"inotify_add_watch", {C::kFilesRead}},
    {"fanotify_init", kAdmin},
    {"open_by_handle_at", kAdmin},
    {"name_to_handle_at", kAdmin},
    {"getxattr", kRead},
    {"creat", kWrite},
    {"creat64", kWrite},
    {"mkdir", kWrite},
    {"mkdirat", kWrite},
    {"mkfifo", kWrite},
    {"truncate", {C::kFilesWrite, true, 1}},
    {"rename", kWriteWordTwo},
    {"renameat", kWriteTwo},
    {"renameat2", kWriteTwo},
    {"link", kWriteWordTwo},
    {"linkat", kWriteTwo},
    {"symlink", kWriteTwo},
    {"symlinkat", kWriteTwo},
    {"chmod", kWrite},
    {"fchmod", {C::kFilesWrite}},
    {"fchmodat", kWrite},
    {"chown", kWrite},
    {"lchown", kWrite},
    {"fchown", {C::kFilesWrite}},
    {"utime", kWrite},
    {"utimes", kWrite},
    {"utimensat", kWrite},
    {"setxattr", kWrite},
    {"mkstemp", {C::kFilesWrite}},
    {"mkdtemp", {C::kFilesWrite}},
    {"tmpfile", {C::kFilesWrite}},
    {"chdir", kRead},
    {"fchdir", {C::kFilesRead}},
    {"unlink", kDelete},
    {"unlinkat", kDelete},
    {"rmdir", kDelete},
    {"remove", kDeleteWord},
    // threads
    {"pthread_create", kThread},
    {"thrd_create", kThread},
    // C++
    {"ifstream", kRead},
    {"wifstream", kRead},
    {"basic_ifstream", kRead},
    {"ofstream", kWrite},
    {"wofstream", kWrite},
    {"basic_ofstream", kWrite},
    {"fstream", kWrite},
    {"wfstream", kWrite},
    {"basic_fstream", kWrite},
    {"filebuf", kWrite},
    {"basic_filebuf", kWrite},
    {"filesystem", {C::kFilesRead}},
    {"remove_all", kDelete},
    {"create_directory", kWrite},
    {"create_directories", kWrite},
    {"copy_file", kWriteTwo},
    {"create_symlink", kWriteTwo},
    {"directory_iterator", kRead},
    {"recursive_directory_iterator", kRead},
});
constexpr NameMap kFunctions{kFunctionList};

template <typename Test>
bool any_dangerous(Test test) {
  return std::any_of(kFunctionList.begin(), kFunctionList.end(), [&](const Entry& entry) {
    const Capability need = entry.value.capability;
    const bool dangerous = need == C::kProcessSpawn || need == C::kNativeCode ||
                           need == C::kNetworkConnect || need == C::kSystemAdmin;
    return dangerous && test(entry.name);
  });
}

}  // namespace

const Function* find_function(std::string_view name) { return kFunctions.find(name); }

bool begins_function(std::string_view part) {
  return any_dangerous([&](std::string_view name) { return name.starts_with(part); });
}

bool ends_function(std::string_view part) {
  return any_dangerous([&](std::string_view name) { return name.ends_with(part); });
}

}  // namespace langsbx::languages::c
