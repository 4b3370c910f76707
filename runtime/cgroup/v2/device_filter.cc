// bpf(2): load, query, attach, detach of BPF_CGROUP_DEVICE programs.
#include "runtime/cgroup/v2/device_filter.h"

#include <unistd.h>

#include <array>
#include <cstring>

#include "runtime/kernel/bpf.h"

namespace langsbx::cgroup::v2 {
namespace {

constexpr char kProgramName[] = "langsbx_devices";  // how update finds the program of create
static_assert(sizeof(kProgramName) <= BPF_OBJ_NAME_LEN);

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

Result<UniqueFd> program_by_id(std::uint32_t id) {
  bpf_attr attributes{};
  attributes.prog_id = id;
  const long fd = bpf(BPF_PROG_GET_FD_BY_ID, attributes);
  if (fd < 0) return system_error("bpf BPF_PROG_GET_FD_BY_ID");
  return UniqueFd(static_cast<int>(fd));
}

bool is_ours(int program) {
  bpf_prog_info info{};
  bpf_attr attributes{};
  attributes.info.bpf_fd = static_cast<std::uint32_t>(program);
  attributes.info.info_len = sizeof(info);
  attributes.info.info = address_of(&info);
  return bpf(BPF_OBJ_GET_INFO_BY_FD, attributes) == 0 &&
         std::strncmp(info.name, kProgramName, sizeof(info.name)) == 0;
}

Result<std::vector<UniqueFd>> our_programs(int directory) {
  constexpr std::uint32_t kMostPrograms = 64;  // BPF_CGROUP_MAX_PROGS
  std::array<std::uint32_t, kMostPrograms> ids{};
  bpf_attr attributes{};
  attributes.query.target_fd = static_cast<std::uint32_t>(directory);
  attributes.query.attach_type = BPF_CGROUP_DEVICE;
  attributes.query.prog_ids = address_of(ids.data());
  attributes.query.prog_cnt = kMostPrograms;
  if (bpf(BPF_PROG_QUERY, attributes) != 0) return system_error("bpf BPF_PROG_QUERY");
  std::vector<UniqueFd> programs;
  for (std::uint32_t i = 0; i < attributes.query.prog_cnt && i < kMostPrograms; ++i) {
    auto program = TRY(program_by_id(ids[i]));
    if (is_ours(program.get())) programs.push_back(std::move(program));
  }
  return programs;
}

Result<void> detach(int directory, int program) {
  bpf_attr attributes{};
  attributes.target_fd = static_cast<std::uint32_t>(directory);
  attributes.attach_bpf_fd = static_cast<std::uint32_t>(program);
  attributes.attach_type = BPF_CGROUP_DEVICE;
  if (bpf(BPF_PROG_DETACH, attributes) != 0) return system_error("bpf BPF_PROG_DETACH");
  return {};
}

Result<void> attach(int directory, int program, int replaced) {
  bpf_attr attributes{};
  attributes.target_fd = static_cast<std::uint32_t>(directory);
  attributes.attach_bpf_fd = static_cast<std::uint32_t>(program);
  attributes.attach_type = BPF_CGROUP_DEVICE;
  attributes.attach_flags = BPF_F_ALLOW_MULTI;
  if (replaced >= 0) {
    attributes.attach_flags |= BPF_F_REPLACE;
    attributes.replace_bpf_fd = static_cast<std::uint32_t>(replaced);
  }
  if (bpf(BPF_PROG_ATTACH, attributes) != 0) {
    return system_error("linux.resources.devices: bpf BPF_PROG_ATTACH");
  }
  return {};
}

}  // namespace

Result<UniqueFd> load_device_program(const std::vector<std::uint64_t>& program) {
  static constexpr char kLicense[] = "Apache";
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_CGROUP_DEVICE;
  attributes.insns = address_of(program.data());
  attributes.insn_cnt = static_cast<std::uint32_t>(program.size());
  attributes.license = address_of(kLicense);
  std::memcpy(attributes.prog_name, kProgramName, sizeof(kProgramName));
  const long fd = bpf(BPF_PROG_LOAD, attributes);
  if (fd < 0) return system_error("linux.resources.devices: bpf BPF_PROG_LOAD");
  return UniqueFd(static_cast<int>(fd));
}

Result<void> attach_device_program(int directory, const std::vector<std::uint64_t>& program,
                                   bool replace) {
  if (program.empty() && !replace) return {};
  std::vector<UniqueFd> old;
  if (replace) old = TRY(our_programs(directory));
  std::size_t first_to_detach = 0;
  if (!program.empty()) {
    const auto loaded = TRY(load_device_program(program));
    auto attached = attach(directory, loaded.get(), old.size() == 1 ? old[0].get() : -1);
    if (attached.ok()) {
      first_to_detach = old.size() == 1 ? 1 : 0;
    } else {
      if (old.size() != 1) return attached;
      // A kernel without BPF_F_REPLACE: both are in force for a moment, which denies more.
      TRY(attach(directory, loaded.get(), -1));
    }
  }
  for (std::size_t i = first_to_detach; i < old.size(); ++i) {
    TRY(detach(directory, old[i].get()));
  }
  return {};
}

}  // namespace langsbx::cgroup::v2
