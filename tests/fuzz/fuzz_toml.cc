// Any bytes as a client's TOML file. The statements lie in it in order, each with its value inside,
// and strings that were read are read again as the same ones when written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cmd/langsbx/clients/toml_scan.h"

namespace clients = langsbx::clients;

namespace {

void check_value(std::string_view text, const clients::TomlStatement& statement) {
  const char* const begin = text.data() + statement.begin;
  const char* const end = text.data() + statement.end;
  if (statement.value.empty() || statement.value.data() < begin ||
      statement.value.data() + statement.value.size() > end) {
    std::abort();
  }
  const auto strings = clients::toml_strings(statement.value);
  if (!strings) return;
  const auto again = clients::toml_strings(clients::toml_array(*strings));
  if (!again || *again != *strings) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = clients::scan_toml(text);
  if (!statements.ok()) return 0;
  std::size_t last = 0;
  for (const auto& statement : *statements) {
    if (statement.begin < last || statement.end < statement.begin || statement.end > size) {
      std::abort();
    }
    if (statement.path.empty()) std::abort();
    last = statement.end;
    if (statement.kind == clients::TomlStatement::Kind::kValue) check_value(text, statement);
  }
  return 0;
}
