// Mounts, namespaces, roots.
#pragma once
#include <linux/mount.h>
#include <sched.h>
#include <sys/mount.h>

#include "attack.h"

static long a_mount(void) { return mount("none", "/mnt", "tmpfs", 0, NULL); }
static long a_remount(void) {
  return mount("none", "/", NULL, MS_REMOUNT | MS_BIND | MS_NOSUID, NULL);
}
static long a_remount_sys(void) { return mount("none", "/sys", NULL, MS_REMOUNT | MS_BIND, NULL); }
static long a_bind_proc(void) { return mount("/proc", "/mnt", NULL, MS_BIND | MS_REC, NULL); }
static long a_move_mount_old(void) { return mount("/proc/sys", "/mnt", NULL, MS_MOVE, NULL); }
static long a_propagate(void) { return mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL); }
static long a_umount(void) { return umount2("/proc/kcore", MNT_DETACH); }
static long a_umount_proc(void) { return umount2("/proc/sys", MNT_DETACH); }
static long a_fsopen(void) { return syscall(SYS_fsopen, "proc", 0); }
static long a_fspick(void) { return syscall(433, AT_FDCWD, "/", 0); }
static long a_open_tree(void) { return syscall(428, AT_FDCWD, "/", 1); }
static long a_mount_setattr(void) {
  const uint64_t attributes[4] = {0, 1, 0, 0};  // clears read-only
  return syscall(442, AT_FDCWD, "/proc/sys", 0, attributes, sizeof(attributes));
}
static long a_pivot(void) { return syscall(SYS_pivot_root, "/", "/mnt"); }
static long a_unshare_user(void) { return unshare(CLONE_NEWUSER); }
static long a_unshare_mount(void) { return unshare(CLONE_NEWNS); }
static long a_unshare_net(void) { return unshare(CLONE_NEWNET); }
static long a_unshare_cgroup(void) { return unshare(0x02000000); }
// Root of a user namespace of one's own may mount: the door to most bugs of file systems.
static long a_userns_mount(void) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return -1;
  return mount("none", "/mnt", "tmpfs", 0, NULL);
}
static long cloned(unsigned long flags) {
  const long child = syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}
static long a_clone_user(void) { return cloned(CLONE_NEWUSER); }
static long a_clone3_user(void) {
  uint64_t arguments[8] = {CLONE_NEWUSER, 0, 0, 0, SIGCHLD};
  const long child = syscall(435, arguments, sizeof(arguments));
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}
static long a_setns_init(void) {
  const int fd = open("/proc/1/ns/mnt", O_RDONLY);
  return fd < 0 ? -1 : setns(fd, CLONE_NEWNS);
}
static long a_listmount(void) {
  struct {
    uint32_t size, spare;
    uint64_t id, parameter;
  } request = {24, 0, ~0ULL, 0};
  uint64_t ids[64];
  return syscall(458, &request, ids, 64, 0);
}
// Climbs out of a chroot into whatever is above the container's root.
static long a_chroot_climb(void) {
  struct stat before, after;
  if (stat("/", &before) != 0) return -1;
  mkdir("/tmp/steps", 0700);
  if (chroot("/tmp/steps") != 0) return -1;
  for (int i = 0; i < 64; ++i) {
    if (chdir("..") != 0) return -1;
  }
  if (chroot(".") != 0 || stat("/", &after) != 0) return -1;
  if (before.st_ino == after.st_ino && before.st_dev == after.st_dev) return refused(EXDEV);
  return 0;
}
static long a_proc_root(void) {
  struct stat own, other;
  if (stat("/", &own) != 0 || stat("/proc/1/root/", &other) != 0) return -1;
  return own.st_ino == other.st_ino && own.st_dev == other.st_dev ? refused(EXDEV) : 0;
}
// A descriptor of a directory that the runtime left open leads out (CVE-2024-21626).
static long a_leaked_directory(void) {
  struct stat root, found;
  if (stat("/", &root) != 0) return -1;
  for (int fd = 3; fd < 256; ++fd) {
    char path[64];
    if (fstat(fd, &found) != 0 || !S_ISDIR(found.st_mode)) continue;
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (chdir(path) == 0) return 0;
  }
  return refused(EBADF);
}

#define MOUNT_ATTACKS                                                                             \
  ATTACK(mount), ATTACK(remount), ATTACK(remount_sys), ATTACK(bind_proc), ATTACK(move_mount_old), \
      ATTACK(propagate), ATTACK(umount), ATTACK(umount_proc), ATTACK(fsopen), ATTACK(fspick),     \
      ATTACK(open_tree), ATTACK(mount_setattr), ATTACK(pivot), ATTACK(unshare_user),              \
      ATTACK(unshare_mount), ATTACK(unshare_net), ATTACK(unshare_cgroup), ATTACK(userns_mount),   \
      ATTACK(clone_user), ATTACK(clone3_user), ATTACK(setns_init), ATTACK(listmount),             \
      ATTACK(chroot_climb), ATTACK(proc_root), ATTACK(leaked_directory)
