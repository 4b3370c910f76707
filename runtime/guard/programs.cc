// From names to files of the container. PT_INTERP and DT_NEEDED are read as ld.so does, without
// running anything.
#include "runtime/guard/programs.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "languages/registry.h"
#include "runtime/base/text_list.h"
#include "runtime/kernel/elf_loader.h"

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

// The libraries that one ELF file names, and where it looks for them. Everything in it is the
// container's claim: nothing outside of its bytes is read.
class Libraries {
 public:
  explicit Libraries(std::string_view bytes) : bytes_(bytes) {
    Elf64_Ehdr header{};
    if (!bytes.starts_with(ELFMAG) || !copy(0, header)) return;
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr)) return;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      Elf64_Phdr segment{};
      if (!copy(header.e_phoff + std::uint64_t{i} * sizeof segment, segment)) return;
      segments_.push_back(segment);
    }
    for (const auto& segment : segments_) {
      if (segment.p_type == PT_DYNAMIC) read_dynamic(segment);
    }
  }

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
  Collecting(Needs needs, const FileViewer& viewer) : needs_(needs), viewer_(viewer) {}

  void add_program(const std::string& path) {
    add(files_.executed, path);
    add_needs(path);
  }

  confine::LandlockPrograms take() {
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
    std::string loader;
    Libraries libraries({});
    viewer_(path, [&](std::string_view bytes) {
      loader = elf_loader(bytes);
      if (needs_ == Needs::kLibraries) libraries = Libraries(bytes);
    });
    if (is_elf(loader)) {
      add(files_.executed, loader);
      seen_.insert(loader);
    }
    for (const std::string& name : libraries.needed()) add_library(name, libraries, path);
  }

  void add_library(const std::string& name, const Libraries& of, const std::string& by) {
    if (name.empty() || files_.read.size() >= kMostLibraries) return;
    if (name.find('/') != std::string::npos) return take_library(with_origin(name, by));
    for (const std::string& folder : of.folders()) {
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

  const Needs needs_;
  const FileViewer& viewer_;
  confine::LandlockPrograms files_;
  std::set<std::string> seen_;
};

}  // namespace

bool starts_any_program(const languages::Policy& policy) {
  if (policy.allows(languages::Capability::kProcessSpawn)) return true;
  const languages::Language* const language = languages::find_language(policy.language);
  return language != nullptr && language->commands && policy.commands_allowed.empty();
}

const std::vector<std::string>& program_folders() {
  static const std::vector<std::string> kFolders = {
      "/bin",     "/sbin",           "/usr/bin",     "/usr/sbin", "/usr/local/bin",
      "/usr/lib", "/usr/local/sbin", "/usr/libexec", "/lib",      "/lib64"};
  return kFolders;
}

const std::vector<std::string>& library_folders() {
  static const std::vector<std::string> kFolders = {
      "/usr/lib",         "/usr/lib64", "/usr/share", "/usr/local/lib",
      "/usr/local/share", "/lib",       "/lib64",     "/etc/ld.so.cache"};
  return kFolders;
}

confine::LandlockPrograms files_of(const std::vector<std::string>& programs, const std::string& cwd,
                                   Needs needs, const FileViewer& viewer) {
  Collecting collecting(needs, viewer);
  for (const std::string& program : programs) {
    collecting.add_program(program.starts_with('/') ? program : cwd + "/" + program);
  }
  return collecting.take();
}

std::vector<std::string> installed_commands(const languages::Policy& policy,
                                            const NamesIn& names_in) {
  std::vector<std::string> paths;
  if (policy.commands_allowed.empty()) return paths;
  // zcat, egrep and which are scripts of sh, and a shell can be started anyway: the program's own.
  paths.emplace_back("/bin/sh");
  for (const std::string folder : {"/usr/local/bin/", "/usr/bin/", "/bin/"}) {
    const auto names = names_in(folder);
    for (std::size_t at = 0; names && at < names->size();) {
      const std::size_t end = std::min(names->find('\n', at), names->size());
      const auto name = std::string_view(*names).substr(at, end - at);
      // "." is a builtin on the list, and the folder itself here.
      const bool folder_itself = name == "." || name == "..";
      if (!folder_itself && policy.commands_allowed.contains(name))
        paths.push_back(folder + std::string(name));
      at = end + 1;
    }
  }
  return paths;
}

}  // namespace langsbx::guard
