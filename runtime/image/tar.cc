// Headers of 512 bytes, and what extends them.
#include "runtime/image/tar.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace langsbx::image {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::uint64_t kMostExtension = 1U << 20U;
constexpr std::uint64_t kMostContent = std::uint64_t{64} << 30U;
constexpr std::size_t kChunk = 64U << 10U;

Error broken(const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, "tar: " + what);
}

std::string_view text_field(std::string_view header, std::size_t place, std::size_t size) {
  const auto field = header.substr(place, size);
  return field.substr(0, std::min(field.find('\0'), field.size()));
}

// Octal text, or, with the first bit set, a binary number.
std::optional<std::uint64_t> number_field(std::string_view header, std::size_t place,
                                          std::size_t size) {
  const auto field = header.substr(place, size);
  std::uint64_t value = 0;
  if ((static_cast<unsigned char>(field[0]) & 0x80U) != 0) {
    value = static_cast<unsigned char>(field[0]) & 0x7fU;
    for (const char byte : field.substr(1)) {
      if (value >> 55U != 0) return {};
      value = value << 8U | static_cast<unsigned char>(byte);
    }
    return value;
  }
  const auto first = field.find_first_not_of(' ');
  if (first == std::string_view::npos) return 0;
  const auto* const begin = field.data() + first;
  const auto* const end = field.data() + field.size();
  if (*begin == '\0') return 0;
  const auto [stop, error] = std::from_chars(begin, end, value, 8);
  if (error != std::errc() || (stop != end && *stop != ' ' && *stop != '\0')) return {};
  return value;
}

bool checksum_fits(std::string_view header) {
  constexpr std::size_t kPlace = 148;
  constexpr std::size_t kSize = 8;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const bool own = i >= kPlace && i < kPlace + kSize;
    sum += own ? static_cast<unsigned char>(' ') : static_cast<unsigned char>(header[i]);
  }
  return number_field(header, kPlace, kSize) == sum;
}

EntryType type_of(char flag) {
  switch (flag) {
    case '0':
    case '\0':
    case '7':
      return EntryType::kFile;
    case '1':
      return EntryType::kHardLink;
    case '2':
      return EntryType::kSymlink;
    case '5':
      return EntryType::kDirectory;
    default:
      return EntryType::kOther;
  }
}

}  // namespace

Result<std::string> TarReader::take(std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) {
    auto part = TRY(source_(size - bytes.size()));
    if (part.empty()) break;
    bytes += part;
  }
  return bytes;
}

Result<void> TarReader::skip(std::uint64_t size) {
  while (size > 0) {
    const auto part = TRY(take(std::min<std::uint64_t>(size, kChunk)));
    if (part.empty()) return broken("ends within an entry");
    size -= part.size();
  }
  return {};
}

Result<std::string> TarReader::read() {
  auto part = TRY(take(std::min<std::uint64_t>(left_, kChunk)));
  if (part.empty() && left_ > 0) return broken("ends within an entry");
  left_ -= part.size();
  return part;
}

Result<std::string> TarReader::whole() {
  if (left_ > kMostExtension) return broken("an extension of more than 1 MiB");
  std::string text;
  while (left_ > 0) text += TRY(read());
  return text;
}

// "27 path=some/where\n", one after the other; the number counts the whole record.
Result<void> TarReader::take_pax(std::string_view text) {
  while (!text.empty()) {
    std::size_t length = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), length);
    const auto digits = static_cast<std::size_t>(stop - text.data());
    const bool good = error == std::errc() && length > digits + 1 && length <= text.size() &&
                      text[digits] == ' ' && text[length - 1] == '\n';
    if (!good) return broken("a damaged extension");
    const auto record = text.substr(digits + 1, length - digits - 2);
    text.remove_prefix(length);
    const auto equals = record.find('=');
    if (equals == std::string_view::npos) return broken("an extension without a value");
    const auto key = record.substr(0, equals);
    const auto value = record.substr(equals + 1);
    if (key == "path") pax_name_ = value;
    if (key == "linkpath") pax_target_ = value;
    if (key != "size") continue;
    const auto* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, pax_size_);
    if (read.ec != std::errc() || read.ptr != end) return broken("an extension's size");
    has_pax_size_ = true;
  }
  return {};
}

// What the extensions before this header say about it. A name goes to the kernel as it is checked:
// to the kernel it would end at a NUL.
Result<void> TarReader::finish(Entry& entry) {
  if (!long_name_.empty()) entry.name = long_name_;
  if (!long_target_.empty()) entry.target = long_target_;
  if (!pax_name_.empty()) entry.name = pax_name_;
  if (!pax_target_.empty()) entry.target = pax_target_;
  if (has_pax_size_) entry.size = pax_size_;
  for (auto* text : {&long_name_, &long_target_, &pax_name_, &pax_target_}) text->clear();
  has_pax_size_ = false;
  for (const auto* text : {&entry.name, &entry.target}) {
    if (text->find('\0') != std::string::npos) return broken("a name with a NUL");
  }
  return {};
}

Result<bool> TarReader::next(Entry& entry) {
  for (;;) {
    TRY(skip(left_ + padding_));
    left_ = padding_ = 0;
    const auto header = TRY(take(kBlock));
    if (header.empty() || header.find_first_not_of('\0') == std::string::npos) return false;
    if (header.size() < kBlock || !checksum_fits(header)) return broken("a damaged header");
    const auto size = number_field(header, 124, 12);
    const auto mode = number_field(header, 100, 8);
    if (!size || !mode || *size > kMostContent) return broken("a header's number");
    const char flag = header[156];
    entry = {type_of(flag), std::string(text_field(header, 0, 100)),
             std::string(text_field(header, 157, 100)), static_cast<mode_t>(*mode & 07777U), *size};
    const auto prefix = text_field(header, 345, 155);
    if (header.compare(257, 6, std::string("ustar\0", 6)) == 0 && !prefix.empty()) {
      entry.name = std::string(prefix) + "/" + entry.name;
    }
    const bool extension = flag == 'L' || flag == 'K' || flag == 'x' || flag == 'g';
    if (!extension) TRY(finish(entry));
    if (entry.size > kMostContent) return broken("a file of more than 64 GiB");
    left_ = entry.type == EntryType::kFile || extension || entry.type == EntryType::kOther
                ? entry.size
                : 0;
    padding_ = (kBlock - left_ % kBlock) % kBlock;
    if (!extension) return true;
    const auto text = TRY(whole());
    if (flag == 'L') long_name_ = text.substr(0, text.find('\0'));
    if (flag == 'K') long_target_ = text.substr(0, text.find('\0'));
    if (flag == 'x') TRY(take_pax(text));
  }
}

}  // namespace langsbx::image
