// ELF tables, read field by field with every offset checked.
#include "languages/elf/reader.h"

#include <cstring>
#include <string>
#include <type_traits>

namespace langsbx::languages::elf {
namespace {

constexpr std::size_t kHeaderSize = 64;
constexpr std::size_t kSectionSize = 64;
constexpr std::size_t kSegmentSize = 56;
constexpr std::size_t kSymbolSize = 24;
constexpr std::uint32_t kSymbolTable = 2;          // SHT_SYMTAB
constexpr std::uint16_t kIndexElsewhere = 0xffff;  // SHN_XINDEX

Error broken(std::string_view what) {
  return make_error(ErrorKind::kInvalidInput, "ELF object: " + std::string(what));
}

// Callers have checked that the bytes are there.
template <typename Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  Number value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

bool fits(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

// Up to the NUL; empty when `offset` is outside or there is no NUL.
std::string_view text_at(std::string_view table, std::size_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view rest = table.substr(offset);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

struct RawSection {
  Section section;
  std::uint32_t name = 0;
};

Result<std::vector<RawSection>> read_sections(std::string_view bytes) {
  const auto offset = number_at<std::uint64_t>(bytes, 40);
  const auto count = number_at<std::uint16_t>(bytes, 60);
  std::vector<RawSection> sections;
  if (count == 0) {
    if (offset != 0) return broken("more sections than fit the header");
    return sections;
  }
  if (number_at<std::uint16_t>(bytes, 58) != kSectionSize ||
      !fits(bytes, offset, count * kSectionSize)) {
    return broken("the section table is outside the file");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(offset) + i * kSectionSize;
    RawSection raw;
    raw.name = number_at<std::uint32_t>(bytes, at);
    raw.section.type = number_at<std::uint32_t>(bytes, at + 4);
    raw.section.flags = number_at<std::uint64_t>(bytes, at + 8);
    raw.section.address = number_at<std::uint64_t>(bytes, at + 16);
    raw.section.offset = number_at<std::uint64_t>(bytes, at + 24);
    const auto size = number_at<std::uint64_t>(bytes, at + 32);
    raw.section.link = number_at<std::uint32_t>(bytes, at + 40);
    if (raw.section.type != kNoBits && raw.section.type != 0) {
      if (!fits(bytes, raw.section.offset, size)) return broken("a section is outside the file");
      raw.section.bytes = bytes.substr(static_cast<std::size_t>(raw.section.offset),
                                       static_cast<std::size_t>(size));
    }
    sections.push_back(raw);
  }
  const auto names = number_at<std::uint16_t>(bytes, 62);
  if (names >= sections.size()) return broken("no section holds the names");
  for (RawSection& raw : sections) {
    raw.section.name = text_at(sections[names].section.bytes, raw.name);
  }
  return sections;
}

Result<void> read_symbols(const std::vector<RawSection>& sections, const RawSection& table,
                          std::vector<Symbol>& symbols) {
  if (table.section.link >= sections.size()) return broken("symbols without their names");
  const std::string_view names = sections[table.section.link].section.bytes;
  // A linker reads a last name without its end; here it would be no name.
  if (!names.empty() && names.back() != '\0') return broken("names without an end");
  const std::string_view bytes = table.section.bytes;
  if (bytes.size() % kSymbolSize != 0) return broken("a symbol is cut off");
  for (std::size_t at = kSymbolSize; at + kSymbolSize <= bytes.size(); at += kSymbolSize) {
    const auto name = number_at<std::uint32_t>(bytes, at);
    const auto info = number_at<std::uint8_t>(bytes, at + 4);
    Symbol symbol;
    if (name >= names.size() && name != 0) return broken("a symbol's name is outside the file");
    symbol.name = text_at(names, name);
    symbol.type = static_cast<std::uint8_t>(info & 0xFU);
    symbol.binding = static_cast<std::uint8_t>(info >> 4U);
    symbol.section = number_at<std::uint16_t>(bytes, at + 6);
    if (symbol.section == kIndexElsewhere) return broken("more sections than symbols can name");
    symbols.push_back(symbol);
  }
  return {};
}

Result<std::vector<Segment>> read_segments(std::string_view bytes) {
  const auto offset = number_at<std::uint64_t>(bytes, 32);
  const auto count = number_at<std::uint16_t>(bytes, 56);
  std::vector<Segment> segments;
  if (count == 0) return segments;
  if (number_at<std::uint16_t>(bytes, 54) != kSegmentSize ||
      !fits(bytes, offset, count * kSegmentSize)) {
    return broken("the segment table is outside the file");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = static_cast<std::size_t>(offset) + i * kSegmentSize;
    const auto start = number_at<std::uint64_t>(bytes, at + 8);
    const auto size = number_at<std::uint64_t>(bytes, at + 32);
    if (!fits(bytes, start, size)) return broken("a segment is outside the file");
    segments.push_back(
        {number_at<std::uint32_t>(bytes, at), number_at<std::uint32_t>(bytes, at + 4),
         bytes.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(size))});
  }
  return segments;
}

// The loader goes by the dynamic segment, sections are only a view: both must name one table.
Result<void> check_dynamic_symbols(const std::vector<RawSection>& sections,
                                   const Segment& dynamic) {
  constexpr std::uint64_t kNames = 5;    // DT_STRTAB
  constexpr std::uint64_t kSymbols = 6;  // DT_SYMTAB
  std::uint64_t names = 0;
  std::uint64_t symbols = 0;
  for (std::size_t at = 0; at + 16 <= dynamic.bytes.size(); at += 16) {
    const auto tag = number_at<std::uint64_t>(dynamic.bytes, at);
    if (tag == 0) break;
    if (tag == kNames) names = number_at<std::uint64_t>(dynamic.bytes, at + 8);
    if (tag == kSymbols) symbols = number_at<std::uint64_t>(dynamic.bytes, at + 8);
  }
  for (const RawSection& raw : sections) {
    const bool same = raw.section.type == kDynamicSymbols && raw.section.address == symbols &&
                      raw.section.link < sections.size() &&
                      sections[raw.section.link].section.address == names;
    if (same) return {};
  }
  return broken("what it is linked with at run time can't be read");
}

}  // namespace

Result<Object> read_object(std::string_view bytes) {
  if (bytes.size() < kHeaderSize || !bytes.starts_with("\x7f"
                                                       "ELF")) {
    return broken("not an ELF file");
  }
  if (bytes[4] != 2 || bytes[5] != 1) return broken("not 64-bit little-endian");
  Object object;
  switch (number_at<std::uint16_t>(bytes, 16)) {
    case 1:
      object.kind = FileKind::kRelocatable;
      break;
    case 2:
      object.kind = FileKind::kExecutable;
      break;
    case 3:
      object.kind = FileKind::kShared;
      break;
    default:
      return broken("neither an object nor a program");
  }
  switch (number_at<std::uint16_t>(bytes, 18)) {
    case 62:
      object.machine = Machine::kX86;
      break;
    case 183:
      object.machine = Machine::kArm;
      break;
    default:
      return broken("for another machine");
  }
  const auto sections = TRY(read_sections(bytes));
  object.segments = TRY(read_segments(bytes));
  for (const Segment& segment : object.segments) {
    if (segment.type == kDynamicSegment) TRY(check_dynamic_symbols(sections, segment));
  }
  for (const RawSection& raw : sections) {
    object.sections.push_back(raw.section);
    if (raw.section.type == kSymbolTable || raw.section.type == kDynamicSymbols) {
      TRY(read_symbols(sections, raw, object.symbols));
    }
  }
  return object;
}

}  // namespace langsbx::languages::elf
