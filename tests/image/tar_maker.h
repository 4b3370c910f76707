// Archives of our own making, good ones and others.
#pragma once

#include <cstdio>
#include <string>

namespace langsbx::image {

inline std::string padded(std::string text) {
  text.resize((text.size() + 511) / 512 * 512);
  return text;
}

inline void set_checksum(std::string& block) {
  block.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char byte : block) sum += static_cast<unsigned char>(byte);
  char number[13];
  std::snprintf(number, sizeof number, "%06o", sum);
  block.replace(148, 7, std::string(number, 7));
}

inline std::string header(const std::string& name, char type, std::size_t size,
                          const std::string& target = {}, unsigned mode = 0644) {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  char number[13];
  std::snprintf(number, sizeof number, "%07o", mode);
  block.replace(100, 7, number);
  std::snprintf(number, sizeof number, "%011zo", size);
  block.replace(124, 11, number);
  block[156] = type;
  block.replace(157, target.size(), target);
  block.replace(257, 6, std::string("ustar\0", 6));
  set_checksum(block);
  return block;
}

inline std::string file(const std::string& name, const std::string& content, unsigned mode = 0644) {
  return header(name, '0', content.size(), {}, mode) + padded(content);
}

// "12 path=x\n": its own length is part of it.
inline std::string pax_record(const std::string& key, const std::string& value) {
  const std::string rest = " " + key + "=" + value + "\n";
  std::size_t length = rest.size() + 1;
  while (std::to_string(length).size() + rest.size() != length) ++length;
  return std::to_string(length) + rest;
}

inline std::string pax(const std::string& records) {
  return header("PaxHeaders/x", 'x', records.size()) + padded(records);
}

inline std::string end_of_archive() { return std::string(1024, '\0'); }

}  // namespace langsbx::image
