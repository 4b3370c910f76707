// Reads PT_INTERP and DT_NEEDED as ld.so does, without running anything.
#include "runtime/guard/program_files.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "runtime/base/text_list.h"

namespace langsbx::guard {
namespace {

constexpr std::size_t kMostLibraries = 64;
constexpr std::size_t kMostNames = 256;  // in one file

constexpr auto kFolders =
    text_list("/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib", "/lib/x86_64-linux-gnu",
              "/usr/lib/x86_64-linux-gnu", "/usr/local/lib/x86_64-linux-gnu",
              "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu");
// ld.so reads these; musl's the last one.
constexpr auto kLookups = text_list("/etc/ld.so.cache", "/etc/ld-musl-x86_64.path");

// What one ELF file names. Everything in it is the container's claim: nothing outside of its bytes
// is read.
class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {
    Elf64_Ehdr header{};
    if (!bytes.starts_with(ELFMAG) || !copy(0, header)) return;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) return;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment{};
      if (!copy(header.e_phoff + std::uint64_t{i} * sizeof segment, segment)) return;
      segments_.push_back(segment);
    }
    for (const auto& segment : segments_) {
      if (segment.p_type == PT_INTERP) loader_ = text_at(segment.p_offset);
      if (segment.p_type == PT_DYNAMIC) read_dynamic(segment);
    }
  }

  [[nodiscard]] const std::string& loader() const { return loader_; }
  [[nodiscard]] const std::vector<std::string>& needed() const { return needed_; }
  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }

 private:
  template <typename Value>
  bool copy(std::uint64_t at, Value& out) const {
    if (at > bytes_.size() || sizeof out > bytes_.size() - at) return false;
    std::memcpy(&out, bytes_.data() + at, sizeof out);
    return true;
  }

  [[nodiscard]] std::string text_at(std::uint64_t at) const {
    if (at >= bytes_.size()) return {};
    const auto rest = bytes_.substr(at);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  [[nodiscard]] std::uint64_t offset_of(std::uint64_t address) const {
    for (const auto& segment : segments_) {
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
          address - segment.p_vaddr < segment.p_filesz) {
        return segment.p_offset + (address - segment.p_vaddr);
      }
    }
    return bytes_.size();
  }

  void read_dynamic(const Elf64_Phdr& segment) {
    std::vector<Elf64_Dyn> entries;
    std::uint64_t strings = bytes_.size();
    for (std::uint64_t at = segment.p_offset; entries.size() < kMostNames;
         at += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry{};
      if (!copy(at, entry) || entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr);
      if (entry.d_tag == DT_NEEDED || entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) {
        entries.push_back(entry);
      }
    }
    if (strings >= bytes_.size()) return;
    for (const auto& entry : entries) {
      if (entry.d_un.d_val > bytes_.size()) continue;
      const std::string text = text_at(strings + entry.d_un.d_val);
      if (entry.d_tag == DT_NEEDED) {
        needed_.push_back(text);
      } else {
        add_folders(text);
      }
    }
  }

  void add_folders(std::string_view list) {
    while (!list.empty() && folders_.size() < kMostNames) {
      const auto end = std::min(list.find(':'), list.size());
      folders_.emplace_back(list.substr(0, end));
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  }

  std::string_view bytes_;
  std::vector<Elf64_Phdr> segments_;
  std::string loader_;
  std::vector<std::string> needed_;
  std::vector<std::string> folders_;
};

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string with_origin(std::string folder, const std::string& file) {
  for (const std::string_view name : {"$ORIGIN", "${ORIGIN}"}) {
    if (const auto at = folder.find(name); at != std::string::npos) {
      folder.replace(at, name.size(), folder_of(file));
    }
  }
  return folder;
}

class Collecting {
 public:
  explicit Collecting(const FileViewer& viewer) : viewer_(viewer) {}

  void add_program(const std::string& path) {
    add(files_.executed, path);
    add_needs(path);
  }

  ProgramFiles take() {
    if (!files_.read.empty()) {
      for (const std::string_view path : kLookups) add(files_.read, std::string(path));
    }
    return std::move(files_);
  }

 private:
  static void add(std::vector<std::string>& list, const std::string& path) {
    if (std::find(list.begin(), list.end(), path) == list.end()) list.push_back(path);
  }

  void add_needs(const std::string& path) {
    if (!seen_.insert(path).second) return;
    Elf elf({});
    viewer_(path, [&](std::string_view bytes) { elf = Elf(bytes); });
    if (elf.loader().starts_with('/') && is_elf(elf.loader())) {
      add(files_.executed, elf.loader());
      seen_.insert(elf.loader());
    }
    for (const std::string& name : elf.needed()) add_library(name, elf, path);
  }

  void add_library(const std::string& name, const Elf& elf, const std::string& by) {
    if (name.empty() || files_.read.size() >= kMostLibraries) return;
    if (name.find('/') != std::string::npos) return take_library(with_origin(name, by));
    for (const std::string& folder : elf.folders()) {
      const std::string path = with_origin(folder, by) + "/" + name;
      if (is_elf(path)) return take_library(path);
    }
    for (const std::string_view folder : kFolders) {
      const std::string path = std::string(folder) + "/" + name;
      if (is_elf(path)) return take_library(path);
    }
  }

  // A program may claim that any file is its library: no other kind becomes readable by that.
  [[nodiscard]] bool is_elf(const std::string& path) const {
    bool elf = false;
    if (!path.starts_with('/')) return false;
    viewer_(path, [&](std::string_view bytes) { elf = bytes.starts_with(ELFMAG); });
    return elf;
  }

  void take_library(const std::string& path) {
    if (!is_elf(path)) return;
    add(files_.read, path);
    add_needs(path);
  }

  const FileViewer& viewer_;
  ProgramFiles files_;
  std::set<std::string> seen_;
};

}  // namespace

ProgramFiles files_of(const std::vector<std::string>& programs, const FileViewer& viewer) {
  Collecting collecting(viewer);
  for (const std::string& program : programs) collecting.add_program(program);
  return collecting.take();
}

void allow_program(const ProgramFiles& files, Besides besides, confine::LandlockPlan& landlock) {
  namespace fs = confine::fs;
  for (auto& layer : landlock.layers) {
    if (layer.name != "program") continue;
    if (besides == Besides::kNothing) {
      for (auto& rule : layer.paths) rule.access &= ~fs::kExecute;
    }
    const auto grant = [&layer](const std::string& path, std::uint64_t access) {
      // Libraries are links as a rule; what they are has been looked at.
      layer.paths.push_back({path, access & layer.handled_fs, false, {}, true});
    };
    for (const std::string& path : files.executed) grant(path, fs::kExecute | fs::kReadFile);
    for (const std::string& path : files.read) grant(path, fs::kReadFile);
  }
}

}  // namespace langsbx::guard
