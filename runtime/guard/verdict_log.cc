// Opening, rotating and writing the log of verdicts.
#include "runtime/guard/verdict_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "runtime/kernel/file.h"

namespace langsbx::guard {
namespace {

constexpr const char* kFolder = "/var/log/langsbx";
constexpr const char* kJournal = "/run/systemd/journal/socket";
constexpr const char* kSyslog = "/dev/log";
constexpr mode_t kWritableForOthers = 022;
constexpr std::size_t kMostOfFact = 256;  // a pod's author may write more than a datagram takes

Error not_ours(const std::string& place) {
  return make_error(ErrorKind::kInvalidInput,
                    place + ": is not ours alone: it must belong to user " +
                        std::to_string(::geteuid()) + ", have no other name, and be writable for " +
                        "nobody else");
}

// mkdir -p; what is there stays as it is.
Result<void> make_folders(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  const auto slash = path.rfind('/');
  if (errno != ENOENT || slash == 0 || slash == std::string::npos) {
    return system_error("mkdir " + path);
  }
  TRY(make_folders(path.substr(0, slash)));
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return system_error("mkdir " + path);
}

Result<UniqueFd> open_folder(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
  auto folder = open_file(path, kFlags);
  if (!folder.ok() && folder.error().errno_value == ENOENT) {
    TRY(make_folders(path));
    folder = open_file(path, kFlags);
  }
  if (!folder.ok()) return folder;
  struct stat facts {};
  if (::fstat(folder->get(), &facts) != 0) return system_error("fstat " + path);
  if (facts.st_uid != ::geteuid() || (facts.st_mode & kWritableForOthers) != 0) {
    return not_ours(path);
  }
  return folder;
}

struct OpenedFile {
  UniqueFd fd;
  struct stat facts {};
};

Result<OpenedFile> open_log(int folder, const std::string& place) {
  // Not waiting: a pipe in its place would hold us for good.
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;
  OpenedFile file;
  file.fd = TRY_CONTEXT(open_at(folder, kVerdictLog, kFlags, 0600), place);
  if (::fstat(file.fd.get(), &file.facts) != 0) return system_error("fstat " + place);
  const auto& facts = file.facts;
  if (!S_ISREG(facts.st_mode) || facts.st_uid != ::geteuid() || facts.st_nlink > 1 ||
      (facts.st_mode & kWritableForOthers) != 0) {
    return not_ours(place);
  }
  return file;
}

// Whoever may read the folder can lock it, and would hold every start for good.
Result<bool> lock_for_a_while(int folder, const std::string& place) {
  constexpr int kTries = 40;
  constexpr timespec kPause{0, 50'000'000};
  for (int i = 0; i < kTries; ++i) {
    if (::flock(folder, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno != EINTR && errno != EWOULDBLOCK) return system_error("flock " + place);
    ::nanosleep(&kPause, nullptr);
  }
  return false;
}

// Who still has the full file open goes on appending to it there. Under a lock, so that two do not
// put aside two; without it the file grows on.
Result<void> put_aside(int folder, const struct stat& full, unsigned keep,
                       const std::string& place) {
  if (!TRY(lock_for_a_while(folder, place))) return {};
  struct stat now {};
  const bool same = ::fstatat(folder, kVerdictLog, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
                    now.st_ino == full.st_ino && now.st_dev == full.st_dev;
  if (!same) return {};  // somebody else was faster
  const auto older = [](unsigned number) {
    return std::string(kVerdictLog) + "." + std::to_string(number);
  };
  for (unsigned number = keep; number > 1; --number) {
    const int moved = ::renameat(folder, older(number - 1).c_str(), folder, older(number).c_str());
    if (moved != 0 && errno != ENOENT) return system_error("rename " + place);
  }
  const int done = keep == 0 ? ::unlinkat(folder, kVerdictLog, 0)
                             : ::renameat(folder, kVerdictLog, folder, older(1).c_str());
  return done == 0 ? Result<void>() : Result<void>(system_error("rename " + place));
}

Result<UniqueFd> open_rotated(const VerdictLogSettings& settings, const std::string& folder) {
  const std::string place = folder + "/" + kVerdictLog;
  const auto directory = TRY(open_folder(folder));
  auto file = TRY(open_log(directory.get(), place));
  if (static_cast<std::uint64_t>(file.facts.st_size) < settings.most_bytes) {
    return std::move(file.fd);
  }
  TRY(put_aside(directory.get(), file.facts, settings.keep, place));
  return TRY(open_log(directory.get(), place)).fd;
}

// A journal that reads nothing holds neither a start nor a limit of time.
Result<void> limit_waiting(int fd) {
  constexpr timeval kLongest{2, 0};
  if (::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &kLongest, sizeof kLongest) == 0) return {};
  return system_error("setsockopt SO_SNDTIMEO");
}

Result<UniqueFd> connect_to(const std::string& path) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return system_error("socket");
  TRY(limit_waiting(fd.get()));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return system_error(path, ENAMETOOLONG);
  std::memcpy(address.sun_path, path.data(), path.size());
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return system_error("connect " + path);
  }
  return fd;
}

}  // namespace

std::string verdict_folder(bool user) {
  if (!user) return kFolder;
  const char* const state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && *state == '/') return std::string(state) + "/langsbx";
  const char* const home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::string(home) + "/.local/state/langsbx";
  return {};
}

Result<VerdictLog> VerdictLog::open(const VerdictLogSettings& settings, const std::string& folder) {
  VerdictLog log;
  log.to_ = settings.to;
  if (settings.to == VerdictTarget::kFile) {
    if (folder.empty()) {
      return make_error(ErrorKind::kNotFound,
                        "log of verdicts: neither XDG_STATE_HOME nor HOME says where it is");
    }
    log.place_ = folder + "/" + kVerdictLog;
    log.fd_ = TRY_CONTEXT(open_rotated(settings, folder), "log of verdicts");
  } else if (settings.to != VerdictTarget::kOff) {
    log.place_ = !settings.socket.empty()                 ? settings.socket
                 : settings.to == VerdictTarget::kJournal ? kJournal
                                                          : kSyslog;
    log.fd_ = TRY_CONTEXT(connect_to(log.place_), "log of verdicts");
  }
  return log;
}

Result<void> VerdictLog::write(std::string_view line) const {
  if (to_ == VerdictTarget::kOff) return {};
  std::string text(line);
  if (to_ == VerdictTarget::kFile) {
    text += '\n';
  } else if (to_ == VerdictTarget::kJournal) {
    // JSON has no line feed, so the value needs no length.
    text = "PRIORITY=" + std::to_string(LOG_INFO) + "\nSYSLOG_IDENTIFIER=langsbx\nMESSAGE=" + text +
           "\n";
  } else {
    text = "<" + std::to_string(LOG_DAEMON | LOG_INFO) + ">langsbx: " + text;
  }
  TRY_CONTEXT(write_fd(fd_.get(), text, place_), "log of verdicts");
  return {};
}

VerdictFacts facts_of(const std::string& container,
                      const std::map<std::string, std::string>& annotations) {
  // containerd's names, CRI-O's, and those of images.
  struct Source {
    std::string_view fact;
    std::string_view annotation;
  };
  static constexpr Source kSources[] = {
      {"name", "io.kubernetes.cri.container-name"},
      {"name", "io.kubernetes.container.name"},
      {"image", "io.kubernetes.cri.image-name"},
      {"image", "io.kubernetes.cri-o.ImageName"},
      {"image", "io.kubernetes.cri-o.Image"},
      {"image", "org.opencontainers.image.ref.name"},
      {"pod", "io.kubernetes.cri.sandbox-name"},
      {"pod", "io.kubernetes.pod.name"},
      {"namespace", "io.kubernetes.cri.sandbox-namespace"},
      {"namespace", "io.kubernetes.pod.namespace"},
  };
  VerdictFacts facts{{"container", container}};
  for (const auto& source : kSources) {
    const auto found = annotations.find(std::string(source.annotation));
    const std::string fact(source.fact);
    if (found == annotations.end() || found->second.empty() || facts.back().first == fact) continue;
    facts.emplace_back(fact, found->second.substr(0, kMostOfFact));
  }
  return facts;
}

}  // namespace langsbx::guard
