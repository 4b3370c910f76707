// Every number of the file is compared with what is there before it is used.
#include "runtime/kernel/elf_loader.h"

#include <elf.h>

#include <cstdint>
#include <cstring>

namespace langsbx {

std::string elf_loader(std::string_view head) {
  Elf64_Ehdr header{};
  if (head.size() < sizeof header || !head.starts_with(ELFMAG)) return {};
  std::memcpy(&header, head.data(), sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phoff > head.size()) return {};
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    const std::uint64_t at = header.e_phoff + std::uint64_t{i} * sizeof segment;
    if (at + sizeof segment > head.size()) return {};
    std::memcpy(&segment, head.data() + at, sizeof segment);
    if (segment.p_type != PT_INTERP) continue;
    if (segment.p_offset >= head.size() || segment.p_filesz > head.size() - segment.p_offset) {
      return {};
    }
    const auto name = head.substr(segment.p_offset, segment.p_filesz);
    return std::string(name.substr(0, name.find('\0')));
  }
  return {};
}

}  // namespace langsbx
