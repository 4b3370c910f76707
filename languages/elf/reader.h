// A bounds-checked reader of 64-bit little-endian ELF objects and executables: sections, segments,
// symbols. Reads nothing outside the bytes it was given, whatever they claim.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::languages::elf {

struct Section {
  std::string_view name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint32_t link = 0;  // of symbols: the section with their names
  std::string_view bytes;  // empty for sections without content in the file
};

struct Segment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::string_view bytes;
};

struct Symbol {
  std::string_view name;
  std::uint8_t type = 0;
  std::uint8_t binding = 0;
  std::uint16_t section = 0;  // 0: undefined
};

enum class Machine : std::uint8_t { kX86, kArm };

enum class FileKind : std::uint8_t { kRelocatable, kExecutable, kShared };

struct Object {
  FileKind kind = FileKind::kRelocatable;
  Machine machine = Machine::kX86;
  std::vector<Section> sections;
  std::vector<Segment> segments;
  std::vector<Symbol> symbols;  // .symtab and .dynsym
};

inline constexpr std::uint64_t kAllocated = 2;              // SHF_ALLOC
inline constexpr std::uint64_t kWritable = 1;               // SHF_WRITE
inline constexpr std::uint64_t kExecutable = 4;             // SHF_EXECINSTR
inline constexpr std::uint64_t kCompressed = 0x800;         // SHF_COMPRESSED
inline constexpr std::uint32_t kDynamicSymbols = 11;        // SHT_DYNSYM
inline constexpr std::uint32_t kDynamicSegment = 2;         // PT_DYNAMIC
inline constexpr std::uint16_t kAbsolute = 0xfff1;          // SHN_ABS
inline constexpr std::uint8_t kFileSymbol = 4;              // STT_FILE
inline constexpr std::uint32_t kNoBits = 8;                 // SHT_NOBITS
inline constexpr std::uint32_t kStackSegment = 0x6474e551;  // PT_GNU_STACK
inline constexpr std::uint8_t kIndirectFunction = 10;       // STT_GNU_IFUNC
inline constexpr std::uint8_t kDataSymbol = 1;              // STT_OBJECT
inline constexpr std::uint8_t kLocalBinding = 0;            // STB_LOCAL

// Refers to `bytes`. Refuses other classes, byte orders and machines, and tables that do not fit.
[[nodiscard]] Result<Object> read_object(std::string_view bytes);

}  // namespace langsbx::languages::elf
