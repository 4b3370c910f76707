#include "runtime/execute/judged_program.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "languages/closure.h"
#include "languages/closure_names.h"
#include "runtime/execute/toolchain.h"

namespace langsbx::execute {
namespace {

// The part of `path` below `folder`, which ends in '/'; empty when it is elsewhere.
std::string below(const std::string& path, const std::string& folder) {
  const bool inside = path.size() > folder.size() && path.starts_with(folder);
  const std::string name = inside ? path.substr(folder.size()) : std::string();
  return name.starts_with("../") || name.find("/../") != std::string::npos ? std::string() : name;
}

// What `path` and `folder` have in common, with its '/'.
std::string common_folder(const std::string& folder, const std::string& path) {
  std::string common = folder;
  while (!path.starts_with(common))
    common = common.substr(0, common.rfind('/', common.size() - 2) + 1);
  return common;
}

// What the closure asks for: the host's files below the program's folder, and the caller's inputs,
// which stand beside the program.
class Reader {
 public:
  Reader(const Request& request, const Case& made) : request_(request), made_(made) {
    here_ = made.folder ? request.here : "/";
    const bool named_in_request = !made.folder && !request.file.starts_with('/');
    top_ = named_in_request ? "/" : languages::folder_of(absolute(request.file));
    if (!request.top.empty()) top_ = request.top;
  }

  std::optional<std::string> operator()(const std::string& path) {
    const std::string plain = absolute(path);
    if (path.ends_with('/')) return names_in(plain);
    const auto known = taken_.find(plain);
    if (known != taken_.end()) return known->second.content;
    auto bytes = read(plain);
    if (!bytes) return bytes;
    std::string identity = identity_of(plain);
    // Another name of a file that was read: the same bytes, whatever it holds by now.
    const auto [first, fresh] = by_identity_.try_emplace(identity, plain);
    if (!fresh) bytes = taken_.at(first->second).content;
    taken_[plain] = {*bytes, std::move(identity)};
    return bytes;
  }

  [[nodiscard]] std::string absolute(const std::string& path) const {
    return languages::without_dots(path.starts_with('/') ? path : here_ + path);
  }

  // Names in the folder of the program's own file, or in all of what the caller named.
  [[nodiscard]] std::vector<std::string> beside_entry() {
    const std::string folder = languages::folder_of(request_.file);
    std::vector<std::string> found;
    const auto names = (*this)(folder.empty() ? "./" : folder).value_or("");
    for (std::size_t at = 0; at < names.size();) {
      const auto end = std::min(names.find('\n', at), names.size());
      found.push_back(folder + names.substr(at, end - at));
      at = end + 1;
    }
    return found;
  }

  // Everything that was judged, by each name under which it was found.
  void hand_out(const std::vector<std::string>& judged, JudgedProgram& program) const {
    std::set<std::string> identities;
    for (const auto& path : judged) identities.insert(identity_of(absolute(path)));
    const std::string entry = absolute(request_.file);
    std::string top = top_;
    for (const auto& [path, file] : taken_) {
      if (identities.contains(file.identity)) top = common_folder(top, path);
    }
    program.entry = entry_name(below(entry, top));
    for (const auto& [path, file] : taken_) {
      if (path == entry || !identities.contains(file.identity)) continue;
      program.others.push_back({below(path, top), file.content});
    }
    for (const auto& path : judged) {
      const auto found = taken_.find(absolute(path));
      if (found != taken_.end()) program.texts.push_back({path, found->second.content});
    }
  }

 private:
  struct Taken {
    std::string content, identity;
  };

  [[nodiscard]] std::string entry_name(const std::string& path) const {
    const std::string name = inside_name(*made_.toolchain, path);
    return languages::folder_of(path) + name;
  }

  [[nodiscard]] std::string identity_of(const std::string& plain) const {
    if (!made_.folder || input_of(plain) != nullptr) return plain;
    std::string real = guard::real_path(plain);
    return real.empty() ? plain : real;
  }

  [[nodiscard]] const Input* input_of(const std::string& plain) const {
    const std::string name = below(plain, top_);
    for (const auto& input : request_.inputs) {
      if (!name.empty() && input.name == name) return &input;
    }
    return nullptr;
  }

  [[nodiscard]] std::optional<std::string> read(const std::string& plain) const {
    if (const Input* const input = input_of(plain)) return input->content;
    const std::string name = made_.folder ? below(plain, request_.folder) : std::string();
    if (name.empty()) return {};
    auto bytes = made_.folder->read(name);
    if (!bytes.ok()) return {};
    return bytes.release_value();
  }

  [[nodiscard]] std::optional<std::string> names_in(const std::string& plain) const {
    std::optional<std::string> names;
    if (made_.folder && (plain == request_.folder || !below(plain, request_.folder).empty())) {
      names = made_.folder->names_in("/" + plain.substr(request_.folder.size()));
    }
    const std::string folder = plain == top_ ? std::string() : below(plain, top_);
    if (plain != top_ && folder.empty()) return names;
    for (const auto& input : request_.inputs) {
      if (!input.name.starts_with(folder)) continue;
      const auto end = input.name.find('/', folder.size());
      if (!names) names.emplace();
      *names += input.name.substr(folder.size(), end - folder.size()) + "\n";
    }
    return names;
  }

  const Request& request_;
  const Case& made_;
  std::string here_;  // where paths that do not begin with '/' begin
  std::string top_;   // the entry's folder, or that of the whole request
  std::map<std::string, Taken> taken_;
  std::map<std::string, std::string> by_identity_;
};

}  // namespace

namespace {

using languages::Together;

bool ends_in_one_of(const std::string& path, std::span<const std::string_view> endings) {
  return std::ranges::any_of(endings, [&](auto ending) { return path.ends_with(ending); });
}

// A package of Go: where a manifest says that the file is part of a module, its folder.
std::vector<std::string> of_folder(const languages::Launch& launch, const Request& request,
                                   Reader& reader, std::string& manifest) {
  std::string above = reader.absolute(request.file);
  bool found = false;
  while (!found && above != "/") {
    above = languages::folder_of(std::string_view(above).substr(0, above.size() - 1));
    found = reader(above + std::string(launch.manifest)).has_value();
  }
  std::vector<std::string> files;
  if (!found) return files;
  for (const auto& path : reader.beside_entry()) {
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool part = ends_in_one_of(name, launch.source_endings) && !name.starts_with('_') &&
                      !name.starts_with('.') && !name.ends_with("_test.go");
    if (part && reader.absolute(path) != reader.absolute(request.file)) files.push_back(path);
  }
  manifest = above + std::string(launch.manifest);
  return files;
}

// The manifests that say how the code beside or below them is read: the nearest of each folder.
std::vector<std::string> of_folders(const languages::Launch& launch, const Request& request,
                                    const std::vector<std::string>& judged, Reader& reader) {
  std::set<std::string> folders = {languages::folder_of(reader.absolute(request.file))};
  for (const auto& path : judged) folders.insert(languages::folder_of(reader.absolute(path)));
  std::set<std::string> manifests;
  for (std::string folder : folders) {
    while (!folder.empty()) {
      const std::string path = folder + std::string(launch.manifest);
      const auto text = reader(path);
      if (text && text->find("\"type\"") != std::string::npos) manifests.insert(path);
      if (text || folder == "/") break;
      folder = languages::folder_of(std::string_view(folder).substr(0, folder.size() - 1));
    }
  }
  return {manifests.begin(), manifests.end()};
}

// "x.c" beside each header "x.h" that was judged.
std::vector<std::string> of_headers(const languages::Launch& launch, const Request& request,
                                    const std::vector<std::string>& judged, Reader& reader) {
  std::vector<std::string> files;
  for (const auto& path : judged) {
    const auto dot = path.rfind('.');
    if (dot == std::string::npos || path[dot + 1] != 'h') continue;
    for (const auto ending : launch.source_endings) {
      const std::string file = path.substr(0, dot) + std::string(ending);
      if (reader.absolute(file) == reader.absolute(request.file) || !reader(file)) continue;
      files.push_back(file);
      break;
    }
  }
  return files;
}

}  // namespace

bool is_of(const JudgedProgram& judged, const std::string& name) {
  return name == judged.entry ||
         std::ranges::find(judged.others, name, &ProgramFile::name) != judged.others.end();
}

JudgedProgram judge_program(const Request& request, const Case& made) {
  Reader reader(request, made);
  languages::ClosureLimits limits;
  if (made.folder) limits.real_path = guard::real_path;
  const languages::FileReader read = [&](const std::string& path) { return reader(path); };
  const languages::Source entry{request.file, request.source};
  const auto judge = [&] {
    return languages::judge_closure(*made.language, entry, made.policy, read, limits);
  };
  const auto& launch = *made.language->launch;
  std::string manifest;
  if (launch.together == Together::kFolder) {
    limits.beside = of_folder(launch, request, reader, manifest);
  }
  auto judgement = judge();
  // What is compiled with a header may include others.
  constexpr int kMostRounds = 64;
  for (int round = 0; launch.together == Together::kHeaders && round < kMostRounds; ++round) {
    auto beside = of_headers(launch, request, judgement.files, reader);
    if (beside == limits.beside) break;
    limits.beside = std::move(beside);
    judgement = judge();
  }
  JudgedProgram program;
  program.report = std::move(judgement.report);
  if (!manifest.empty()) judgement.files.push_back(manifest);
  if (launch.together == Together::kManifests) {
    std::ranges::move(of_folders(launch, request, judgement.files, reader),
                      std::back_inserter(judgement.files));
  }
  reader.hand_out(judgement.files, program);
  return program;
}

}  // namespace langsbx::execute
