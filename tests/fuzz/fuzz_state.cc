// Any bytes as state.json or /proc/PID/stat: what is accepted writes back to the same record.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/state/process_status.h"
#include "runtime/state/record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(langsbx::state::parse_process_stat(text));
  auto record = langsbx::state::record_from_json(text, "state.json");
  if (!record.ok()) return 0;
  if (record->init_pid == 1 || record->init_pid < 0) std::abort();
  const std::string written = langsbx::state::to_json(record.value());
  auto again = langsbx::state::record_from_json(written, "state.json");
  if (!again.ok() || langsbx::state::to_json(again.value()) != written) std::abort();
  return 0;
}
