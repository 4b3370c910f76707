// In init: the planned layers become rulesets of the calling thread.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "runtime/confine/landlock.h"
#include "runtime/confine/no_new_privs.h"
#include "runtime/kernel/landlock.h"
#include "runtime/kernel/openat2.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::confine {
namespace {

UniqueFd open_path(int directory, const char* path, std::uint64_t resolve) {
  return open_resolved(directory, path, O_PATH, resolve | RESOLVE_NO_MAGICLINKS);
}

UniqueFd open_granted(int root, const LandlockPathGrant& grant) {
  UniqueFd above;
  std::size_t opened = 0;
  for (const std::string& path : grant.beneath) {
    above = above ? open_path(above.get(), path.c_str() + opened, RESOLVE_BENEATH)
                  : open_path(root, path.c_str(), RESOLVE_IN_ROOT);
    if (!above) return above;
    opened = path.size() + (path.ends_with('/') ? 0 : 1);
  }
  if (!above) return open_path(root, grant.path.c_str(), RESOLVE_IN_ROOT);
  return open_path(above.get(), grant.path.c_str() + opened, RESOLVE_BENEATH);
}

// Below these a container's programs are. Who can read one can have the ELF loader run it.
constexpr const char* kHoldPrograms[] = {
    ".",   "usr",  "usr/bin",     "usr/sbin", "usr/local", "usr/local/bin", "usr/local/sbin",
    "bin", "sbin", "usr/libexec",
};

// Compared by what they are, since "/usr/..", "//" and a link of the image are other names of it.
bool holds_programs(int root, const struct stat& place) {
  return std::any_of(std::begin(kHoldPrograms), std::end(kHoldPrograms), [&](const char* path) {
    struct stat info {};
    return ::fstatat(root, path, &info, 0) == 0 && info.st_dev == place.st_dev &&
           info.st_ino == place.st_ino;
  });
}

bool is_program(const UniqueFd& file) {
  struct stat info {};
  constexpr mode_t kAnyExecute = 0111;
  return ::fstat(file.get(), &info) == 0 && S_ISREG(info.st_mode) &&
         (info.st_mode & kAnyExecute) != 0;
}

UniqueFd open_program(int root, const std::string& path) {
  UniqueFd file = open_path(root, path.c_str(), RESOLVE_IN_ROOT);
  if (!file || is_program(file)) return file;
  errno = ELOOP;
  return {};
}

// In the layer of a program that the guard has judged. Paths are the profile's, links the image's.
UniqueFd open_guarded(int root, const LandlockPathGrant& grant) {
  if (!grant.own) {
    UniqueFd file = open_path(root, grant.path.c_str(), RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS);
    const bool link = !file && errno == ELOOP && (grant.access & fs::kExecute) != 0;
    return link ? open_program(root, grant.path) : std::move(file);
  }
  UniqueFd file = open_path(root, grant.path.c_str(), RESOLVE_IN_ROOT);
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0) return {};
  if (!S_ISDIR(info.st_mode) || !holds_programs(root, info)) return file;
  errno = ELOOP;
  return {};
}

// Of what the layer grants by itself.
std::uint64_t granted(const LandlockLayer& layer, const LandlockPathGrant& grant,
                      const LandlockHeld& held) {
  const bool none = layer.starts_program && held.programs.alone;
  return grant.access & (none ? ~fs::kExecute : ~std::uint64_t{0});
}

// What holds for everything below the root: rules are found by going up from a file to the root of
// its mount tree, so a rule that grants no more than this one changes nothing.
std::uint64_t everywhere(const LandlockLayer& layer, const LandlockHeld& held) {
  std::uint64_t access = 0;
  for (const LandlockPathGrant& grant : layer.paths) {
    if (grant.path == "/" && !grant.own) access |= granted(layer, grant, held);
  }
  return access;
}

Result<void> allow_opened(int ruleset, const LandlockPathGrant& grant, const UniqueFd& file) {
  if (!file) {
    // Nothing there, nothing allowed; whatever appears later is refused. EXDEV: it leads up.
    const bool missing =
        errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP || errno == EXDEV;
    if (missing && !grant.must_exist) return {};
    return system_error("Landlock rule for " + grant.path + ": open");
  }
  std::uint64_t access = grant.access;
  if ((access & ~file_rights()) != 0) {
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) return system_error("fstat " + grant.path);
    // The kernel refuses directory rights on anything else.
    if (!S_ISDIR(info.st_mode)) access &= file_rights();
  }
  if (access == 0) return {};
  TRY_CONTEXT(landlock_allow_beneath(ruleset, file.get(), access),
              "Landlock rule for " + grant.path);
  return {};
}

void allow_held(int ruleset, const LandlockLayer& layer, const std::vector<int>& handed_over) {
  std::vector<int> held{0, 1, 2};
  held.insert(held.end(), handed_over.begin(), handed_over.end());
  for (const int fd : held) {
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags < 0) continue;
    const int mode = flags & O_ACCMODE;
    // Only for reading can a directory be open.
    struct stat info {};
    if (mode == O_RDONLY && (::fstat(fd, &info) != 0 || S_ISDIR(info.st_mode))) continue;
    std::uint64_t access = layer.stdio & fs::kIoctlDev;
    if (mode != O_WRONLY) access |= layer.stdio & fs::kReadFile;
    if (mode != O_RDONLY) access |= layer.stdio & (fs::kWriteFile | fs::kTruncate);
    access &= layer.handled_fs;
    // Pipes and sockets can't carry a rule (EBADFD) and need none: they are not restricted.
    if (access != 0) (void)landlock_allow_beneath(ruleset, fd, access);
  }
}

Result<void> allow_programs(int ruleset, int root, const LandlockPrograms& programs,
                            std::uint64_t access) {
  for (const std::string& path : programs.executed) {
    TRY(allow_opened(ruleset, {path, access & (fs::kExecute | fs::kReadFile)},
                     open_program(root, path)));
  }
  for (const std::string& path : programs.read) {
    // Libraries are links as a rule; what they are has been looked at.
    const LandlockPathGrant grant{path, access & fs::kReadFile, false, {}, true};
    TRY(allow_opened(ruleset, grant, open_guarded(root, grant)));
  }
  return {};
}

Result<void> apply_layer(const LandlockLayer& layer, int abi, int root, std::uint32_t flags,
                         const LandlockHeld& held) {
  const UniqueFd ruleset =
      TRY(landlock_create_ruleset({layer.handled_fs, layer.handled_net, layer.scoped}, abi));
  if (layer.handled_fs != 0) {
    const std::uint64_t anywhere = everywhere(layer, held);
    if (anywhere != 0) {
      TRY_CONTEXT(landlock_allow_beneath(ruleset.get(), root, anywhere), "Landlock rule for /");
    }
    for (LandlockPathGrant grant : layer.paths) {
      grant.access = granted(layer, grant, held);
      if ((grant.access & ~anywhere) == 0 && !grant.must_exist) continue;
      TRY(allow_opened(
          ruleset.get(), grant,
          layer.starts_program ? open_guarded(root, grant) : open_granted(root, grant)));
    }
    if (layer.starts_program) {
      TRY(allow_programs(ruleset.get(), root, held.programs, layer.handled_fs & ~anywhere));
    }
    allow_held(ruleset.get(), layer, held.descriptors);
  }
  for (const LandlockPortGrant& grant : layer.ports) {
    if (grant.access == 0) continue;
    TRY(landlock_allow_port(ruleset.get(), grant.port, grant.access));
  }
  return landlock_restrict_self(ruleset.get(), flags);
}

}  // namespace

bool sets_no_new_privs(const LandlockPlan& plan) {
  constexpr int kNoNewPrivsAbi = 11;
  return !plan.empty() && plan.abi >= kNoNewPrivsAbi;
}

std::uint32_t restrict_flags(const LandlockPlan& plan, bool no_new_privs) {
  constexpr int kLogFlagsAbi = 7;
  constexpr int kAllThreadsAbi = 8;
  std::uint32_t flags = 0;
  if (plan.log_denials && plan.abi >= kLogFlagsAbi) flags |= kLandlockLogNewExecOn;
  // There is one thread. Should a library ever start another, it is not left outside.
  if (plan.abi >= kAllThreadsAbi) flags |= kLandlockAllThreads;
  if (no_new_privs && sets_no_new_privs(plan)) flags |= kLandlockNoNewPrivs;
  return flags;
}

Result<void> apply_landlock(const LandlockPlan& plan, int root, const LandlockHeld& held) {
  const std::uint32_t flags = restrict_flags(plan, held.no_new_privs);
  // Any order would do: opening with O_PATH, which is all a rule needs, is never restricted.
  for (const LandlockLayer& layer : plan.layers) {
    TRY_CONTEXT(apply_layer(layer, plan.abi, root, flags, held), "Landlock layer " + layer.name);
  }
  const bool promised = held.no_new_privs && sets_no_new_privs(plan);
  return promised ? verify_no_new_privs() : Result<void>{};
}

}  // namespace langsbx::confine
