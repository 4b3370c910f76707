// What a program's names and imports, and the folders of packages, say about `site`.
#include "runtime/execute/python_site.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>
#include <string_view>

#include "languages/python/names.h"
#include "languages/python/tokens.h"

namespace langsbx::execute {
namespace {

using languages::python::Scan;
using languages::python::Token;
using languages::python::TokenKind;

// Of the standard library; none of them imports what a text names, runs a text as a program's
// code, or asks which packages are there. Sorted.
constexpr auto kOrdinary = std::to_array<std::string_view>({"__future__",
                                                            "_thread",
                                                            "abc",
                                                            "argparse",
                                                            "array",
                                                            "ast",
                                                            "asyncio",
                                                            "atexit",
                                                            "base64",
                                                            "binascii",
                                                            "bisect",
                                                            "bz2",
                                                            "calendar",
                                                            "cmath",
                                                            "codecs",
                                                            "collections",
                                                            "colorsys",
                                                            "concurrent",
                                                            "configparser",
                                                            "contextlib",
                                                            "contextvars",
                                                            "copy",
                                                            "copyreg",
                                                            "csv",
                                                            "dataclasses",
                                                            "datetime",
                                                            "decimal",
                                                            "difflib",
                                                            "email",
                                                            "enum",
                                                            "errno",
                                                            "faulthandler",
                                                            "filecmp",
                                                            "fileinput",
                                                            "fnmatch",
                                                            "fractions",
                                                            "functools",
                                                            "gc",
                                                            "getopt",
                                                            "gettext",
                                                            "glob",
                                                            "graphlib",
                                                            "gzip",
                                                            "hashlib",
                                                            "heapq",
                                                            "hmac",
                                                            "html",
                                                            "http",
                                                            "io",
                                                            "ipaddress",
                                                            "itertools",
                                                            "json",
                                                            "keyword",
                                                            "linecache",
                                                            "locale",
                                                            "logging",
                                                            "lzma",
                                                            "math",
                                                            "mimetypes",
                                                            "mmap",
                                                            "multiprocessing",
                                                            "numbers",
                                                            "operator",
                                                            "optparse",
                                                            "os",
                                                            "pathlib",
                                                            "platform",
                                                            "pprint",
                                                            "queue",
                                                            "random",
                                                            "re",
                                                            "reprlib",
                                                            "resource",
                                                            "sched",
                                                            "secrets",
                                                            "select",
                                                            "selectors",
                                                            "shlex",
                                                            "shutil",
                                                            "signal",
                                                            "socket",
                                                            "sqlite3",
                                                            "stat",
                                                            "statistics",
                                                            "string",
                                                            "stringprep",
                                                            "struct",
                                                            "subprocess",
                                                            "sys",
                                                            "tarfile",
                                                            "tempfile",
                                                            "textwrap",
                                                            "threading",
                                                            "time",
                                                            "token",
                                                            "tokenize",
                                                            "tomllib",
                                                            "traceback",
                                                            "tracemalloc",
                                                            "types",
                                                            "typing",
                                                            "unicodedata",
                                                            "urllib",
                                                            "uuid",
                                                            "warnings",
                                                            "wave",
                                                            "weakref",
                                                            "xml",
                                                            "zipfile",
                                                            "zlib"});
static_assert(std::is_sorted(kOrdinary.begin(), kOrdinary.end()));

// What of `sys` is the same with and without.
constexpr auto kOfSys = std::to_array<std::string_view>({"argv",
                                                         "byteorder",
                                                         "exc_info",
                                                         "executable",
                                                         "exit",
                                                         "float_info",
                                                         "getrecursionlimit",
                                                         "getrefcount",
                                                         "getsizeof",
                                                         "hash_info",
                                                         "implementation",
                                                         "int_info",
                                                         "intern",
                                                         "maxsize",
                                                         "maxunicode",
                                                         "platform",
                                                         "set_int_max_str_digits",
                                                         "setrecursionlimit",
                                                         "stderr",
                                                         "stdin",
                                                         "stdout",
                                                         "version",
                                                         "version_info"});
static_assert(std::is_sorted(kOfSys.begin(), kOfSys.end()));

// As values of their own; `x.help` and `f(help=1)` are others.
constexpr auto kBuiltins = std::to_array<std::string_view>(
    {"breakpoint", "compile", "copyright", "credits", "eval", "exec", "exit", "globals", "help",
     "license", "locals", "quit", "vars"});
static_assert(std::is_sorted(kBuiltins.begin(), kBuiltins.end()));

// Ways to the above through what other modules hold.
constexpr auto kLeads = std::to_array<std::string_view>(
    {"builtins", "find_spec", "import_module", "importlib", "modules", "pkgutil", "runpy", "site"});
static_assert(std::is_sorted(kLeads.begin(), kLeads.end()));

constexpr auto kPlainDunders =
    std::to_array<std::string_view>({"__class__", "__doc__", "__file__", "__init__", "__name__"});
static_assert(std::is_sorted(kPlainDunders.begin(), kPlainDunders.end()));

template <typename Table>
bool is_in(const Table& table, std::string_view name) {
  return std::binary_search(table.begin(), table.end(), name);
}

class Reading {
 public:
  explicit Reading(std::string_view source)
      : source_(source), scan_(languages::python::scan(source, kNesting)) {}

  bool reaches_site() {
    if (scan_.error != nullptr) return true;
    for (const auto place : scan_.imports) {
      if (!is_ordinary_import(place)) return true;
    }
    for (std::size_t i = 0; i < scan_.tokens.size(); ++i) {
      if (at(i).kind == TokenKind::kName && reaches(i)) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kNesting = 200;

  [[nodiscard]] const Token& at(std::size_t i) const { return scan_.tokens[i]; }
  [[nodiscard]] std::string_view text(std::size_t i) const {
    return source_.substr(at(i).offset, at(i).length);
  }
  [[nodiscard]] bool is_op(std::size_t i, char op) const {
    return at(i).kind == TokenKind::kOperator && at(i).op == static_cast<std::uint8_t>(op);
  }
  [[nodiscard]] bool is_name(std::size_t i, std::string_view name) const {
    return at(i).kind == TokenKind::kName && text(i) == name;
  }

  // The module's first name; `i` moves behind the last one.
  std::string_view module(std::size_t& i) const {
    if (at(i).kind != TokenKind::kName) return {};
    const auto first = text(i++);
    while (is_op(i, '.') && at(i + 1).kind == TokenKind::kName) i += 2;
    return first;
  }

  // `import a.b, c as d` and `from a import b`.
  [[nodiscard]] bool is_ordinary_import(std::size_t i) const {
    const bool from = text(i++) == "from";
    for (;;) {
      const auto name = module(i);
      if (!is_in(kOrdinary, name)) return false;
      const bool renamed = is_name(i, "as");
      if (name == "sys" && (from || renamed)) return false;
      if (from) return is_name(i, "import") && brings_plain_names(i + 1, name);
      if (renamed) i += 2;
      if (!is_op(i, ',')) return true;
      ++i;
    }
  }

  // Of `from module import a, b as c`: no modules that lead on.
  [[nodiscard]] bool brings_plain_names(std::size_t i, std::string_view module) const {
    for (; at(i).kind != TokenKind::kNewline && !is_op(i, ';'); ++i) {
      if (at(i).kind != TokenKind::kName) continue;
      const auto name = text(i);
      if (name == "sys" || is_in(kLeads, name)) return false;
      if (module == "logging" && name == "config") return false;
    }
    return true;
  }

  // `import a, sys`.
  [[nodiscard]] bool is_import_of_sys(std::size_t i) const {
    return i > 0 && (is_name(i - 1, "import") || is_op(i - 1, ','));
  }

  // `help=...` in a call, or an assignment to that name.
  [[nodiscard]] bool is_only_named(std::size_t i) const { return is_op(i + 1, '='); }

  [[nodiscard]] bool reaches(std::size_t i) const {
    if ((at(i).op & languages::python::kMarkDisguise) != 0) return true;
    const auto name = text(i);
    const bool attribute = i > 1 && is_op(i - 1, '.');
    if (languages::python::is_dunder(name)) {
      return !is_in(kPlainDunders, name) && !(i > 0 && is_name(i - 1, "def")) &&
             !is_in(kOrdinary, name);
    }
    if (attribute) {
      if (is_name(i - 2, "sys")) return !is_in(kOfSys, name);
      return is_in(kLeads, name) || (name == "config" && is_name(i - 2, "logging"));
    }
    if (name == "sys") return !is_op(i + 1, '.') && !is_import_of_sys(i);
    return is_in(kBuiltins, name) && !is_only_named(i);
  }

  std::string_view source_;
  Scan scan_;
};

// Packages of Debian. Of the files that are run, setuptools brings the one that its own `distutils`
// comes by, and writes others that say where parts of a package are.
bool is_ordinary_entry(std::string_view name) {
  if (name.ends_with(".pth")) {
    return name == "distutils-precedence.pth" || name.ends_with("-nspkg.pth");
  }
  return !name.starts_with("sitecustomize");
}

bool has_only_packages(const std::string& folder) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(folder.c_str()), &::closedir);
  if (directory == nullptr) return errno == ENOENT;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (!is_ordinary_entry(entry->d_name)) return false;
  }
  return true;
}

// A distribution's is a link to its own in /etc, which no sandbox shows.
bool is_shipped(const std::string& customisation) {
  struct stat status {};
  if (::lstat(customisation.c_str(), &status) != 0) return errno == ENOENT;
  return S_ISLNK(status.st_mode);
}

}  // namespace

bool needs_site(std::string_view source) { return Reading(source).reaches_site(); }

bool site_is_ordinary(const std::string& root, const std::string& program) {
  // Elsewhere the folders are others.
  if (program != "/usr/bin/python3") return false;
  char target[PATH_MAX];
  const ssize_t length = ::readlink((root + program).c_str(), target, sizeof target);
  const std::string version(target, length > 0 ? static_cast<std::size_t>(length) : 0);
  if (!version.starts_with("python3.") || version.find('/') != std::string::npos) return false;
  const std::string library = root + "/usr/lib/" + version;
  return is_shipped(library + "/sitecustomize.py") &&
         has_only_packages(root + "/usr/lib/python3/dist-packages") &&
         has_only_packages(library + "/dist-packages") &&
         has_only_packages(library + "/site-packages") &&
         has_only_packages(root + "/usr/local/lib/" + version + "/dist-packages");
}

}  // namespace langsbx::execute
