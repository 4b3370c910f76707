#include "cmd/langsbxd/result_files.h"

#include <dirent.h>
#include <unistd.h>

#include <memory>

#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

constexpr std::size_t kMostInAnAnswer = 64U << 20U;

void leave_out(nlohmann::json& record, const std::string& name, const std::string& reason) {
  auto& left_out = record["left_out"];
  left_out["count"] = left_out.value("count", 0U) + 1;
  left_out["files"].push_back({{"name", name}, {"reason", reason}});
}

}  // namespace

void take_result_files(const std::string& folder, RunResult& result) {
  if (!result.record.is_object()) return;
  const auto directory = open_file(folder, O_RDONLY | O_DIRECTORY);
  std::size_t taken = 0;
  for (const auto& artifact : result.record.value("artifacts", nlohmann::json::array())) {
    const std::string name = artifact.value("name", "");
    if (name.empty() || name.find('/') != std::string::npos || !directory.ok()) continue;
    auto bytes = read_file_at(directory->get(), name.c_str(), kMostInAnAnswer - taken);
    if (!bytes.ok()) {
      leave_out(result.record, name, bytes.error().to_string());
      continue;
    }
    taken += bytes->size();
    result.files.push_back({name, bytes.release_value()});
  }
}

void remove_result_folder(const std::string& folder) {
  const auto directory = open_file(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!directory.ok()) return;
  auto copy = open_at(directory->get(), ".", O_RDONLY | O_DIRECTORY);
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(
      copy.ok() ? ::fdopendir(copy->release()) : nullptr, &::closedir);
  while (const dirent* entry = listing == nullptr ? nullptr : ::readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") ::unlinkat(directory->get(), entry->d_name, 0);
  }
  ::rmdir(folder.c_str());
}

}  // namespace langsbx::serve
