// PT_INTERP of an ELF file: the program that the kernel starts in its place.
#pragma once

#include <string>
#include <string_view>

namespace langsbx {

// `head`: the file's first bytes. Empty when it is no ELF file of 64 bits, is static, or names its
// loader behind those bytes.
[[nodiscard]] std::string elf_loader(std::string_view head);

}  // namespace langsbx
