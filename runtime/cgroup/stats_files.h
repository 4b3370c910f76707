// Reading statistics: a file that is not there contributes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/cgroup/stats.h"

namespace langsbx::cgroup {

// Empty when it can't be read.
std::string text_or_empty(const std::string& path);
// 0 when it can't be read; "max" is the largest.
std::uint64_t number_or_zero(const std::string& path);
std::optional<Pressure> pressure_in(const std::string& path);
std::vector<std::uint64_t> numbers_in(const std::string& path);
// The page sizes of this machine as the file names spell them: "2MB", "1GB".
std::vector<std::string> huge_page_sizes(const std::string& directory = "/sys/kernel/mm/hugepages");

namespace v1 {
// `directory` of the hierarchy that has `controller`.
void read_stats(const std::string& controller, const std::string& directory, Stats& out);
}  // namespace v1
namespace v2 {
void read_stats(const std::string& directory, Stats& out);
void read_hugetlb(const std::string& directory, Stats& out);
}  // namespace v2

}  // namespace langsbx::cgroup
