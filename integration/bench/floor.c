// floor ROOTFS CGROUP PROGRAM [ARG...]: the system calls that the bench's container needs and nothing else.
// No config.json, no state, no checks, no error texts: what is left is the kernel's own price. Ends with
// the program's status; 125 and a line on stderr when a call failed.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif

enum { kMaxHierarchies = 32, kMsRec = 1 << 14, kMsSlave = 1 << 19, kDetach = 2 };
int mount(const char*, const char*, const char*, unsigned long, const void*);
int umount2(const char*, int);

static int hierarchies[kMaxHierarchies];
static int hierarchy_count;

static void must(long result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  _exit(125);
}

static void find_hierarchies(void) {
  struct stat status;
  if (stat("/sys/fs/cgroup/cgroup.procs", &status) == 0) {
    hierarchies[hierarchy_count++] = open("/sys/fs/cgroup", O_PATH | O_DIRECTORY | O_CLOEXEC);
    return;
  }
  const int top = open("/sys/fs/cgroup", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = fdopendir(top);
  must(stream == NULL ? -1 : 0, "/sys/fs/cgroup");
  const struct dirent* entry;
  while ((entry = readdir(stream)) != NULL && hierarchy_count < kMaxHierarchies) {
    if (entry->d_name[0] == '.' || entry->d_type != DT_DIR) continue;
    hierarchies[hierarchy_count++] = openat(top, entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  }
}

static int write_at(int directory, const char* path, const char* text) {
  const int fd = openat(directory, path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  const long count = write(fd, text, strlen(text));
  close(fd);
  return count < 0 ? -1 : 0;
}

// A new v1 cpuset takes no process before its CPUs and nodes are written.
static void fill_cpuset(int hierarchy, const char* group) {
  static const char* const files[] = {"cpuset.cpus", "cpuset.mems"};
  for (int i = 0; i < 2; ++i) {
    char path[512], value[256];
    const int above = openat(hierarchy, files[i], O_RDONLY | O_CLOEXEC);
    if (above < 0) return;
    const long count = read(above, value, sizeof value - 1);
    close(above);
    if (count <= 0) return;
    value[count] = '\0';
    snprintf(path, sizeof path, "%s/%s", group, files[i]);
    must(write_at(hierarchy, path, value), path);
  }
}

static void make_groups(const char* group) {
  for (int i = 0; i < hierarchy_count; ++i) {
    must(mkdirat(hierarchies[i], group, 0755), group);
    fill_cpuset(hierarchies[i], group);
  }
}

static void join_groups(const char* group, pid_t pid) {
  char path[512], number[32];
  snprintf(path, sizeof path, "%s/cgroup.procs", group);
  snprintf(number, sizeof number, "%d", pid);
  for (int i = 0; i < hierarchy_count; ++i) must(write_at(hierarchies[i], path, number), path);
}

// Nothing but making nodes and the devices that every container has (v1; a v2 host has no such file).
static void limit_devices(const char* group) {
  static const char* const rules[] = {"c *:* m",   "b *:* m",   "c 1:3 rwm", "c 1:5 rwm", "c 1:7 rwm",  "c 1:8 rwm",
                                      "c 1:9 rwm", "c 5:0 rwm", "c 5:2 rwm", "c 136:* rwm"};
  char path[512];
  for (int i = 0; i < hierarchy_count; ++i) {
    snprintf(path, sizeof path, "%s/devices.deny", group);
    if (write_at(hierarchies[i], path, "a") != 0) continue;
    snprintf(path, sizeof path, "%s/devices.allow", group);
    const int fd = openat(hierarchies[i], path, O_WRONLY | O_CLOEXEC);
    for (unsigned r = 0; r < sizeof rules / sizeof *rules; ++r) must(write(fd, rules[r], strlen(rules[r])), rules[r]);
    close(fd);
    return;
  }
}

static void remove_groups(const char* group) {
  for (int i = 0; i < hierarchy_count; ++i) {
    for (int attempt = 0; unlinkat(hierarchies[i], group, AT_REMOVEDIR) != 0 && attempt < 1000; ++attempt) {
      usleep(200);
    }
  }
}

static int new_filesystem(const char* type, const char* const options[][2], unsigned attributes) {
  const int context = (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);
  must(context, type);
  for (int i = 0; options != NULL && options[i][0] != NULL; ++i) {
    const int command = options[i][1] == NULL ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING;
    must(syscall(SYS_fsconfig, context, command, options[i][0], options[i][1], 0), options[i][0]);
  }
  must(syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0), type);
  const int made = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, attributes);
  must(made, type);
  close(context);
  return made;
}

static void attach(int what, int root, const char* path) {
  must(syscall(SYS_move_mount, what, "", root, path, MOVE_MOUNT_F_EMPTY_PATH), path);
  close(what);
}

static void add_mounts(int root) {
  static const char* const dev[][2] = {{"mode", "755"}, {"size", "65536k"}, {NULL, NULL}};
  static const char* const pts[][2] = {{"newinstance", NULL}, {"ptmxmode", "0666"}, {"mode", "0620"}, {"gid", "5"},
                                       {NULL, NULL}};
  static const char* const shm[][2] = {{"mode", "1777"}, {"size", "65536k"}, {NULL, NULL}};
  const unsigned closed = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
  attach(new_filesystem("proc", NULL, 0), root, "proc");
  attach(new_filesystem("tmpfs", dev, MOUNT_ATTR_NOSUID | MOUNT_ATTR_STRICTATIME), root, "dev");
  mkdirat(root, "dev/pts", 0755);
  attach(new_filesystem("devpts", pts, closed), root, "dev/pts");
  mkdirat(root, "dev/shm", 0755);
  attach(new_filesystem("tmpfs", shm, closed | MOUNT_ATTR_NODEV), root, "dev/shm");
  mkdirat(root, "dev/mqueue", 0755);
  attach(new_filesystem("mqueue", NULL, closed | MOUNT_ATTR_NODEV), root, "dev/mqueue");
  attach(new_filesystem("sysfs", NULL, closed | MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY), root, "sys");
}

static void add_devices(int root) {
  static const struct {
    const char* path;
    unsigned major, minor;
  } devices[] = {{"dev/null", 1, 3}, {"dev/zero", 1, 5},   {"dev/full", 1, 7},
                 {"dev/tty", 5, 0},  {"dev/random", 1, 8}, {"dev/urandom", 1, 9}};
  for (unsigned i = 0; i < sizeof devices / sizeof *devices; ++i) {
    must(mknodat(root, devices[i].path, S_IFCHR | 0666, makedev(devices[i].major, devices[i].minor)),
         devices[i].path);
  }
  static const char* const links[][2] = {{"/proc/self/fd", "dev/fd"},         {"/proc/self/fd/0", "dev/stdin"},
                                         {"/proc/self/fd/1", "dev/stdout"},   {"/proc/self/fd/2", "dev/stderr"},
                                         {"pts/ptmx", "dev/ptmx"}};
  for (unsigned i = 0; i < sizeof links / sizeof *links; ++i) symlinkat(links[i][0], root, links[i][1]);
}

// The bench's maskedPaths and readonlyPaths; what this kernel does not have is skipped.
static void cover_paths(int root) {
  static const char* const masked[] = {"proc/acpi",       "proc/kcore",       "proc/keys",        "proc/latency_stats",
                                       "proc/timer_list", "proc/timer_stats", "proc/sched_debug", "proc/scsi",
                                       "sys/firmware"};
  static const char* const readonly[] = {"proc/asound", "proc/bus", "proc/fs",
                                         "proc/irq",    "proc/sys", "proc/sysrq-trigger"};
  struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY};
  for (unsigned i = 0; i < sizeof readonly / sizeof *readonly; ++i) {
    const int tree = (int)syscall(SYS_open_tree, root, readonly[i], OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (tree < 0) continue;
    must(syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes), readonly[i]);
    attach(tree, root, readonly[i]);
  }
  for (unsigned i = 0; i < sizeof masked / sizeof *masked; ++i) {
    struct stat status;
    if (fstatat(root, masked[i], &status, 0) != 0) continue;
    const int cover = S_ISDIR(status.st_mode)
                          ? new_filesystem("tmpfs", NULL, MOUNT_ATTR_RDONLY)
                          : (int)syscall(SYS_open_tree, AT_FDCWD, "/dev/null", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
    attach(cover, root, masked[i]);
  }
}

static void raise_loopback(void) {
  struct ifreq request = {.ifr_name = "lo"};
  request.ifr_flags = IFF_UP;
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  must(ioctl(fd, SIOCSIFFLAGS, &request), "lo");
  close(fd);
}

static void drop_capabilities(void) {
  const uint64_t kept = 0xa80405fb;  // Docker's default set
  for (int i = 0; i <= 40; ++i) {
    if ((kept >> i & 1) == 0) prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
  }
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  const struct __user_cap_data_struct data[2] = {{(uint32_t)kept, (uint32_t)kept, 0}, {0, 0, 0}};
  must(syscall(SYS_capset, &header, data), "capset");
}

static void child(const char* rootfs, int gate, char** argv) {
  char go;
  must(read(gate, &go, 1) == 1 ? 0 : -1, "gate");
  must(unshare(CLONE_NEWCGROUP), "unshare");
  raise_loopback();
  must(mount(NULL, "/", NULL, kMsSlave | kMsRec, NULL), "propagation");
  const int root = (int)syscall(SYS_open_tree, AT_FDCWD, rootfs, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
  must(root, rootfs);
  must(syscall(SYS_move_mount, root, "", AT_FDCWD, rootfs, MOVE_MOUNT_F_EMPTY_PATH), rootfs);
  add_mounts(root);
  add_devices(root);
  cover_paths(root);
  must(sethostname("box", 3), "sethostname");
  must(fchdir(root), "fchdir");
  must(syscall(SYS_pivot_root, ".", "."), "pivot_root");
  must(umount2(".", kDetach), "umount");
  must(chdir("/"), "chdir");
  setsid();
  drop_capabilities();
  execv(argv[0], argv);
  must(-1, argv[0]);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  int gate[2], status = 0;
  find_hierarchies();
  make_groups(argv[2]);
  must(pipe2(gate, O_CLOEXEC), "pipe2");
  struct clone_args args = {.flags = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS,
                            .exit_signal = SIGCHLD};
  const pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
  must(pid, "clone3");
  if (pid == 0) child(argv[1], gate[0], argv + 3);
  join_groups(argv[2], pid);
  limit_devices(argv[2]);
  must(write(gate[1], "g", 1), "gate");
  must(waitpid(pid, &status, 0), "waitpid");
  remove_groups(argv[2]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
