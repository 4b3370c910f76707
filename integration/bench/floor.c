// floor ROOTFS CGROUP PROGRAM [ARG...]: the system calls that the bench's container needs and
// nothing else. No config.json, no state, no checks, no error texts, the cheaper of two ways: what
// is left is the kernel's own price. Ends with the program's status; 125 and a line on stderr when
// a call failed.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
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

enum { kMaxHierarchies = 32 };

static struct hierarchy {
  int directory;
  const char* name;
  const char* entrance;
} hierarchies[kMaxHierarchies];
static int hierarchy_count;

static void must(long result, const char* what) {
  if (result >= 0) return;
  fprintf(stderr, "floor: %s: %s\n", what, strerror(errno));
  _exit(125);
}

// Version 1: each line of /proc/self/cgroup is "4:cpu,cpuacct:/path", mounted under the name of its
// controllers.
static void find_hierarchies(void) {
  static char lines[4096];
  const int top = open("/sys/fs/cgroup", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (faccessat(top, "cgroup.procs", F_OK, 0) == 0) {
    hierarchies[hierarchy_count++] = (struct hierarchy){top, "", "cgroup.procs"};
    return;
  }
  const int list = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
  must(read(list, lines, sizeof lines - 1), "/proc/self/cgroup");
  close(list);
  for (char* line = strtok(lines, "\n"); line != NULL && hierarchy_count < kMaxHierarchies;
       line = strtok(NULL, "\n")) {
    char* name = strchr(line, ':') + 1;
    *strchr(name, ':') = '\0';
    if (strncmp(name, "name=", 5) == 0) name += 5;
    const int directory =
        openat(top, *name == '\0' ? "unified" : name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) continue;
    hierarchies[hierarchy_count++] =
        (struct hierarchy){directory, name, *name == '\0' ? "cgroup.procs" : "tasks"};
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
    must(mkdirat(hierarchies[i].directory, group, 0755), group);
    if (strcmp(hierarchies[i].name, "cpuset") == 0) fill_cpuset(hierarchies[i].directory, group);
  }
}

// By itself: who moves another process waits for a grace period.
static void join_groups(const char* group) {
  char path[512];
  for (int i = 0; i < hierarchy_count; ++i) {
    snprintf(path, sizeof path, "%s/%s", group, hierarchies[i].entrance);
    must(write(openat(hierarchies[i].directory, path, O_WRONLY | O_CLOEXEC), "0", 1), path);
  }
}

// Nothing but making nodes and the devices that every container has (v1; a v2 host has no such
// file).
static void limit_devices(const char* group) {
  static const char* const rules[] = {"c *:* m",   "b *:* m",    "c 1:3 rwm", "c 1:5 rwm",
                                      "c 1:7 rwm", "c 1:8 rwm",  "c 1:9 rwm", "c 5:0 rwm",
                                      "c 5:2 rwm", "c 136:* rwm"};
  char path[512];
  for (int i = 0; i < hierarchy_count; ++i) {
    if (strcmp(hierarchies[i].name, "devices") != 0) continue;
    snprintf(path, sizeof path, "%s/devices.deny", group);
    must(write_at(hierarchies[i].directory, path, "a"), path);
    snprintf(path, sizeof path, "%s/devices.allow", group);
    const int fd = openat(hierarchies[i].directory, path, O_WRONLY | O_CLOEXEC);
    for (unsigned r = 0; r < sizeof rules / sizeof *rules; ++r)
      must(write(fd, rules[r], strlen(rules[r])), rules[r]);
    close(fd);
  }
}

static void remove_groups(const char* group) {
  for (int i = 0; i < hierarchy_count; ++i) {
    for (int attempt = 0;
         unlinkat(hierarchies[i].directory, group, AT_REMOVEDIR) != 0 && attempt < 1000;
         ++attempt) {
      usleep(200);
    }
  }
}

// Paths are relative to the new root, which is the working directory.
static void add(const char* type, const char* path, unsigned long flags, const char* options) {
  must(mount(type, path, type, flags, options), path);
}

static void add_mounts(void) {
  const unsigned long closed = MS_NOSUID | MS_NOEXEC;
  add("proc", "proc", 0, NULL);
  add("tmpfs", "dev", MS_NOSUID | MS_STRICTATIME, "mode=755,size=65536k");
  mkdir("dev/pts", 0755);
  add("devpts", "dev/pts", closed, "newinstance,ptmxmode=0666,mode=0620,gid=5");
  mkdir("dev/shm", 0755);
  add("tmpfs", "dev/shm", closed | MS_NODEV, "mode=1777,size=65536k");
  mkdir("dev/mqueue", 0755);
  add("mqueue", "dev/mqueue", closed | MS_NODEV, NULL);
  add("sysfs", "sys", closed | MS_NODEV, NULL);
  must(mount(NULL, "sys", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NODEV | closed, NULL), "sys");
}

static void add_devices(void) {
  static const struct {
    const char* path;
    unsigned major, minor;
  } devices[] = {{"dev/null", 1, 3}, {"dev/zero", 1, 5},   {"dev/full", 1, 7},
                 {"dev/tty", 5, 0},  {"dev/random", 1, 8}, {"dev/urandom", 1, 9}};
  for (unsigned i = 0; i < sizeof devices / sizeof *devices; ++i) {
    must(mknod(devices[i].path, S_IFCHR | 0666, makedev(devices[i].major, devices[i].minor)),
         devices[i].path);
  }
  static const char* const links[][2] = {{"/proc/self/fd", "dev/fd"},
                                         {"/proc/self/fd/0", "dev/stdin"},
                                         {"/proc/self/fd/1", "dev/stdout"},
                                         {"/proc/self/fd/2", "dev/stderr"},
                                         {"pts/ptmx", "dev/ptmx"}};
  for (unsigned i = 0; i < sizeof links / sizeof *links; ++i) symlink(links[i][0], links[i][1]);
}

// The bench's maskedPaths and readonlyPaths; what this kernel does not have is skipped.
static void cover_paths(void) {
  static const char* const masked[] = {"proc/acpi",          "proc/kcore",      "proc/keys",
                                       "proc/latency_stats", "proc/timer_list", "proc/timer_stats",
                                       "proc/sched_debug",   "proc/scsi",       "sys/firmware"};
  static const char* const readonly[] = {"proc/asound", "proc/bus", "proc/fs",
                                         "proc/irq",    "proc/sys", "proc/sysrq-trigger"};
  for (unsigned i = 0; i < sizeof readonly / sizeof *readonly; ++i) {
    if (mount(readonly[i], readonly[i], NULL, MS_BIND | MS_REC, NULL) != 0) continue;
    must(mount(NULL, readonly[i], NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL), readonly[i]);
  }
  for (unsigned i = 0; i < sizeof masked / sizeof *masked; ++i) {
    struct stat status;
    if (stat(masked[i], &status) != 0) continue;
    // Asked, not tried: a mount that can't stand there costs a grace period.
    if (S_ISDIR(status.st_mode)) {
      add("tmpfs", masked[i], MS_RDONLY, NULL);
    } else {
      must(mount("/dev/null", masked[i], NULL, MS_BIND, NULL), masked[i]);
    }
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

static void child(const char* rootfs, const char* group, const int* limited, const int* joined,
                  char** argv) {
  char go;
  join_groups(group);
  must(write(joined[1], "j", 1), "gate");
  must(read(limited[0], &go, 1) == 1 ? 0 : -1, "gate");
  must(unshare(CLONE_NEWCGROUP), "unshare");
  raise_loopback();
  must(mount(NULL, "/", NULL, MS_SLAVE | MS_REC, NULL), "propagation");
  must(mount(rootfs, rootfs, NULL, MS_BIND | MS_REC, NULL), rootfs);
  must(chdir(rootfs), rootfs);
  add_mounts();
  add_devices();
  cover_paths();
  must(sethostname("box", 3), "sethostname");
  must(syscall(SYS_pivot_root, ".", "."), "pivot_root");
  must(umount2(".", MNT_DETACH), "umount");
  must(chdir("/"), "chdir");
  setsid();
  drop_capabilities();
  execv(argv[0], argv);
  must(-1, argv[0]);
}

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  int limited[2], joined[2], status = 0;
  char told;
  find_hierarchies();
  make_groups(argv[2]);
  must(pipe2(limited, O_CLOEXEC), "pipe2");
  must(pipe2(joined, O_CLOEXEC), "pipe2");
  struct clone_args args = {
      .flags = CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNS,
      .exit_signal = SIGCHLD};
  const pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof args);
  must(pid, "clone3");
  if (pid == 0) child(argv[1], argv[2], limited, joined, argv + 3);
  close(joined[1]);  // of a child that is gone the end is read
  must(read(joined[0], &told, 1) == 1 ? 0 : -1, "gate");
  limit_devices(argv[2]);
  must(write(limited[1], "g", 1), "gate");
  must(waitpid(pid, &status, 0), "waitpid");
  remove_groups(argv[2]);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
