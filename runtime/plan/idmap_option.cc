// Reads crun's idmap option.
#include "runtime/plan/idmap_option.h"

#include <cstdint>

#include "runtime/base/text.h"

namespace langsbx::plan {
namespace {

bool to_id(std::string_view text, std::uint32_t& value) {
  const auto number = to_number<std::uint32_t>(text);
  value = number.value_or(0);
  return number.has_value();
}

Result<oci::IdMapping> parse_range(std::string_view text,
                                   const std::vector<oci::IdMapping>& container,
                                   const std::string& field) {
  const std::string whole(text);
  const auto invalid = [&](const char* problem) {
    return make_error(ErrorKind::kInvalidInput,
                      field + ".options: idmap: \"" + whole + "\" " + problem);
  };
  const bool relative = text.starts_with('@');
  if (relative) text.remove_prefix(1);
  oci::IdMapping mapping;
  const auto first = take_part(text, '-');
  const auto second = take_part(text, '-');
  if (!to_id(first, mapping.container_id) || !to_id(second, mapping.host_id) ||
      !to_id(text, mapping.size) || mapping.size == 0) {
    return invalid("is not FROM-TO-LENGTH");
  }
  if (!relative) return mapping;
  for (const auto& entry : container) {
    if (mapping.host_id < entry.container_id) continue;
    const std::uint32_t offset = mapping.host_id - entry.container_id;
    if (offset >= entry.size || mapping.size > entry.size - offset) continue;
    mapping.host_id = entry.host_id + offset;
    return mapping;
  }
  return invalid("lies in no mapping of the container's user namespace");
}

}  // namespace

Result<IdMapOption> parse_idmap_option(std::string_view value,
                                       const std::vector<oci::IdMapping>& container_uids,
                                       const std::vector<oci::IdMapping>& container_gids,
                                       const std::string& field) {
  IdMapOption option;
  while (!value.empty()) {
    std::string_view part = take_part(value, ';');
    const auto kind = take_part(part, '=');
    const bool uids = kind == "uids";
    if (!uids && kind != "gids") {
      return make_error(ErrorKind::kInvalidInput, field +
                                                      ".options: idmap: expected uids= or gids=, "
                                                      "found \"" +
                                                      std::string(kind) + "\"");
    }
    auto& target = uids ? option.uids : option.gids;
    while (!part.empty()) {
      target.push_back(
          TRY(parse_range(take_part(part, '#'), uids ? container_uids : container_gids, field)));
    }
  }
  return option;
}

}  // namespace langsbx::plan
