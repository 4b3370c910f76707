// The one place where limits reach the kernel.
#include "runtime/cgroup/write_values.h"

#include <fcntl.h>

#include <cerrno>

#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

// What v1 says when a limit can't be pushed below what is in use.
Error explain_busy(const std::string& directory, const Write& write) {
  const auto number = [&](const char* file) {
    auto text = read_file(directory + "/" + file);
    return text.ok() ? std::string(trim(*text)) : std::string("unknown");
  };
  return make_error(ErrorKind::kSystem, "unable to set memory limit to " + write.value +
                                            " (current usage: " + number("memory.usage_in_bytes") +
                                            ", peak usage: " + number("memory.max_usage_in_bytes") +
                                            ")");
}

// The file that was written to last: a list of device rules is many writes to one.
class LastFile {
 public:
  explicit LastFile(UsedFiles& used) : used_(&used) {}

  Result<void> write(const std::string& path, std::string_view value) {
    TRY(open(path));
    return write_fd(fd_, value, path);
  }
  Result<void> write_lines(const std::string& path, std::string_view values) {
    TRY(open(path));
    for (std::string_view line; next_part(values, '\n', line);) TRY(write_fd(fd_, line, path));
    return {};
  }

 private:
  Result<void> open(const std::string& path) {
    if (path == path_) return {};
    path_.clear();
    fd_ = TRY(used_->open(path, O_WRONLY));
    path_ = path;
    return {};
  }

  UsedFiles* used_;
  std::string path_;
  int fd_ = -1;
};

Result<void> write_one(const Write& write, const std::string& directory, LastFile& last) {
  std::string path;
  path.reserve(directory.size() + 1 + write.file.size());
  path.append(directory).append("/").append(write.file);
  auto written =
      write.by_line ? last.write_lines(path, write.value) : last.write(path, write.value);
  if (written.ok()) return {};
  const int error = written.error().errno_value;
  if (error == ENOENT && !write.other_file.empty()) {
    return write_file(directory + "/" + write.other_file, write.other_value);
  }
  if (error == ENOENT && write.missing_ok) return {};
  if (error == EBUSY && write.file == "memory.limit_in_bytes") {
    return explain_busy(directory, write);
  }
  return written;
}

}  // namespace

const Placement* placement_of(const std::vector<Placement>& placements,
                              std::string_view controller) {
  const Placement* unified = nullptr;
  for (const auto& placement : placements) {
    if (placement.controllers.empty()) {
      unified = &placement;
    } else if (placement.has(controller)) {
      return &placement;
    }
  }
  return unified;
}

Result<void> check_memory_usage(std::int64_t limit, const std::vector<Placement>& placements) {
  if (limit <= 0) return {};
  const Placement* memory = placement_of(placements, "memory");
  if (memory == nullptr) return {};
  const char* file = memory->controllers.empty() ? "/memory.current" : "/memory.usage_in_bytes";
  const auto usage = to_number(TRY(read_file(memory->directory + file)));
  if (!usage || *usage <= static_cast<std::uint64_t>(limit)) return {};
  return make_error(ErrorKind::kInvalidInput,
                    "linux.resources.memory.limit: " + std::to_string(limit) +
                        " is below the current usage of " + std::to_string(*usage) + " bytes");
}

Result<void> write_values(const std::vector<Write>& writes,
                          const std::vector<Placement>& placements,
                          std::vector<std::string>& warnings, UsedFiles& used) {
  std::vector<const Write*> postponed;
  LastFile last_file(used);
  const auto attempt = [&](const Write& write, bool last) -> Result<void> {
    const Placement* placement = placement_of(placements, write.controller);
    if (placement == nullptr) {
      if (write.missing_ok) return {};
      return make_error(
          ErrorKind::kUnsupported,
          write.field + ": the container has no cgroup with \"" + write.controller + "\"");
    }
    auto written = write_one(write, placement->directory, last_file);
    if (written.ok()) return {};
    if (write.order_free && !last && written.error().errno_value == EINVAL) {
      postponed.push_back(&write);
      return {};
    }
    auto error = written.release_error().with_context(write.field);
    if (!write.best_effort) return error;
    warnings.push_back(error.to_string());
    return {};
  };
  for (const auto& write : writes) TRY(attempt(write, false));
  for (const auto* write : postponed) TRY(attempt(*write, true));
  return {};
}

}  // namespace langsbx::cgroup
