// Reads /proc/self/status.
#include "runtime/kernel/own_status.h"

#include <fcntl.h>
#include <sys/klog.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <string>

#include "runtime/base/text.h"
#include "runtime/kernel/file.h"

namespace langsbx {
namespace {

// Whether a field that is read may begin so: of some sixty lines most are told apart by that.
bool may_be_read(std::string_view line) {
  return !line.empty() && (line[0] == 'U' || line[0] == 'G' || line[0] == 'S' || line[0] == 'C');
}

bool parse_ids(std::string_view text, OwnStatus::Ids& ids) {
  for (auto* id : {&ids.real, &ids.effective, &ids.saved, &ids.file_system}) {
    const auto number = to_number<std::uint32_t>(take_word(text));
    if (!number) return false;
    *id = *number;
  }
  return true;
}

bool parse_groups(std::string_view text, std::vector<gid_t>& groups) {
  for (auto word = take_word(text); !word.empty(); word = take_word(text)) {
    const auto group = to_number<gid_t>(word);
    if (!group) return false;
    groups.push_back(*group);
  }
  return true;
}

bool parse_bits(std::string_view text, std::uint64_t& bits) {
  const auto number = to_number<std::uint64_t>(take_word(text), 16);
  bits = number.value_or(0);
  return number.has_value();
}

}  // namespace

Result<OwnStatus> parse_own_status(std::string_view text) {
  OwnStatus status;
  unsigned found = 0;
  constexpr unsigned kFields = 9;
  const auto line_of = [&](std::string_view line, std::string_view value) {
    if (line == "Uid") return parse_ids(value, status.uid);
    if (line == "Gid") return parse_ids(value, status.gid);
    if (line == "Groups") return parse_groups(value, status.groups);
    if (line == "SigIgn") return parse_bits(value, status.ignored_signals);
    if (line == "CapInh") return parse_bits(value, status.inheritable);
    if (line == "CapPrm") return parse_bits(value, status.permitted);
    if (line == "CapEff") return parse_bits(value, status.effective);
    if (line == "CapBnd") return parse_bits(value, status.bounding);
    if (line == "CapAmb") return parse_bits(value, status.ambient);
    return false;
  };
  while (!text.empty() && found < kFields) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (!may_be_read(line)) continue;
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (line_of(line.substr(0, colon), line.substr(colon + 1))) ++found;
  }
  if (found != kFields) {
    return make_error(ErrorKind::kUnsupported, "/proc/self/status: " + std::to_string(found) +
                                                   " of " + std::to_string(kFields) +
                                                   " fields understood");
  }
  return status;
}

Result<OwnStatus> read_own_status(int procfs) {
  // All of it comes in one piece; a process of many groups has a longer one.
  const auto text = procfs >= 0 ? read_kernel_file(procfs, "self/status")
                                : read_kernel_file(AT_FDCWD, "/proc/self/status");
  if (!text.ok()) return text.error();
  return parse_own_status(*text);
}

bool in_initial_user_namespace() {
  static const bool is_initial = [] {
    // Closing the kernel's log does nothing, and is allowed to the machine's own root alone: of
    // other namespaces no capability counts there. Much less work than a look into /proc.
    constexpr int kClose = 0;
    if (::klogctl(kClose, nullptr, 0) == 0) return true;
    constexpr ino_t kInitial = 0xEFFFFFFD;  // a fixed number (PROC_USER_INIT_INO)
    struct stat status {};
    return ::stat("/proc/self/ns/user", &status) == 0 && status.st_ino == kInitial;
  }();
  return is_initial;
}

}  // namespace langsbx
