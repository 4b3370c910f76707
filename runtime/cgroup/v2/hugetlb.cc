// v2 hugetlb: the reservation limit first, which prevents what the plain one only punishes.
#include "runtime/cgroup/controllers.h"

namespace langsbx::cgroup::v2 {

Result<void> plan_hugetlb(const std::vector<oci::HugepageLimit>& limits, Writes& out) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    TRY(check_page_size(limits[i], i));
    const std::string prefix = "hugetlb." + limits[i].page_size;
    const std::string field = "hugepageLimits[" + std::to_string(i) + "].limit";
    const std::string value = std::to_string(limits[i].limit);
    // Kernels before 5.7 count no reservations.
    out.add("hugetlb", prefix + ".rsvd.max", value, field).missing_ok = true;
    out.add("hugetlb", prefix + ".max", value, field);
  }
  return {};
}

}  // namespace langsbx::cgroup::v2
