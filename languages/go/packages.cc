// Go's standard library as tables.
#include "languages/go/packages.h"

#include <array>
#include <string>

#include "languages/scanner/name_map.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::go {
namespace {

using scanner::NameEntry;
using scanner::NameMap;
using C = Capability;

// clang-format off
constexpr auto kPackageList = std::to_array<NameEntry<Capability>>({
    // files and the system: names judged one by one
    {"os", C::kNone}, {"io/ioutil", C::kNone}, {"path/filepath", C::kNone}, {"io/fs", C::kNone},
    {"text/template", C::kNone}, {"html/template", C::kNone}, {"archive/zip", C::kNone},
    {"debug/elf", C::kFilesRead}, {"debug/macho", C::kFilesRead}, {"debug/pe", C::kFilesRead},
    {"debug/plan9obj", C::kFilesRead}, {"debug/gosym", C::kNone}, {"debug/dwarf", C::kNone},
    {"debug/buildinfo", C::kFilesRead}, {"reflect", C::kNone}, {"runtime", C::kNone},
    // what they are for is what they need
    {"os/exec", C::kProcessSpawn}, {"os/signal", C::kNone}, {"os/user", C::kSecrets},
    {"unsafe", C::kNativeCode}, {"syscall", C::kNativeCode}, {"syscall/js", C::kNativeCode},
    {"plugin", C::kNativeCode}, {"runtime/cgo", C::kNativeCode}, {"runtime/race", C::kNativeCode},
    {"runtime/debug", C::kNone}, {"runtime/pprof", C::kIntrospection},
    {"runtime/trace", C::kIntrospection}, {"runtime/metrics", C::kNone},
    {"runtime/coverage", C::kIntrospection}, {"go/build", C::kProcessSpawn},
    {"go/importer", C::kProcessSpawn}, {"net", C::kNetworkConnect},
    {"net/http", C::kNetworkConnect}, {"net/http/cgi", C::kProcessSpawn},
    {"net/http/cookiejar", C::kNetworkConnect}, {"net/http/fcgi", C::kNetworkListen},
    {"net/http/httptest", C::kNetworkListen}, {"net/http/httptrace", C::kNetworkConnect},
    {"net/http/httputil", C::kNetworkConnect}, {"net/http/pprof", C::kNetworkListen},
    {"net/rpc", C::kNetworkConnect}, {"net/rpc/jsonrpc", C::kNetworkConnect},
    {"net/smtp", C::kNetworkConnect}, {"net/textproto", C::kNetworkConnect},
    {"net/url", C::kNone}, {"net/netip", C::kNone}, {"net/mail", C::kNone},
    {"crypto/tls", C::kNetworkConnect}, {"log/syslog", C::kNetworkConnect},
    {"expvar", C::kNetworkListen}, {"database/sql", C::kNetworkConnect},
    {"database/sql/driver", C::kNone}, {"embed", C::kFilesRead}, {"C", C::kNativeCode},
    // the rest computes
    {"bufio", C::kNone}, {"builtin", C::kNone}, {"bytes", C::kNone}, {"cmp", C::kNone},
    {"context", C::kNone}, {"errors", C::kNone}, {"flag", C::kNone}, {"fmt", C::kNone},
    {"hash", C::kNone}, {"html", C::kNone}, {"image", C::kNone}, {"io", C::kNone},
    {"iter", C::kNone}, {"log", C::kNone}, {"log/slog", C::kNone}, {"maps", C::kNone},
    {"math", C::kNone}, {"mime", C::kNone}, {"mime/multipart", C::kNone},
    {"mime/quotedprintable", C::kNone}, {"path", C::kNone}, {"regexp", C::kNone},
    {"regexp/syntax", C::kNone}, {"slices", C::kNone}, {"sort", C::kNone}, {"strconv", C::kNone},
    {"strings", C::kNone}, {"structs", C::kNone}, {"sync", C::kNone}, {"sync/atomic", C::kNone},
    {"testing", C::kNone}, {"time", C::kNone}, {"time/tzdata", C::kNone}, {"unicode", C::kNone},
    {"unique", C::kNone}, {"weak", C::kNone}, {"crypto", C::kNone}, {"encoding", C::kNone}});

// Everything below these only computes.
constexpr auto kHarmlessTrees = text_list(
    "archive/", "compress/", "container/", "crypto/", "encoding/", "go/", "hash/", "image/",
    "index/", "math/", "testing/", "text/", "unicode/");

constexpr Member kSpawn{C::kProcessSpawn};
constexpr Member kEnvironment{C::kEnvironment};
constexpr Member kRead{C::kFilesRead, 1};
constexpr Member kWrite{C::kFilesWrite, 1};
constexpr Member kWriteTwo{C::kFilesWrite, 2};
constexpr Member kDelete{C::kFilesDelete, 1};
constexpr Member kReadAny{C::kFilesRead, 8};
constexpr Member kNative{C::kNativeCode};

// "package.Name"
constexpr auto kMemberList = std::to_array<NameEntry<Member>>({
    {"os.StartProcess", kSpawn}, {"os.ProcAttr", kSpawn}, {"os.Process", kSpawn},
    {"os.ProcessState", kSpawn}, {"os.FindProcess", {C::kSignals}},
    {"os.Getenv", kEnvironment}, {"os.LookupEnv", kEnvironment}, {"os.Environ", kEnvironment},
    {"os.ExpandEnv", kEnvironment}, {"os.Setenv", kEnvironment}, {"os.Unsetenv", kEnvironment},
    {"os.Clearenv", kEnvironment}, {"os.UserHomeDir", kEnvironment},
    {"os.UserConfigDir", kEnvironment}, {"os.UserCacheDir", kEnvironment},
    {"os.Open", kRead}, {"os.ReadFile", kRead}, {"os.ReadDir", kRead}, {"os.Stat", kRead},
    {"os.Lstat", kRead}, {"os.DirFS", kRead}, {"os.Readlink", kRead}, {"os.Chdir", kRead},
    {"os.OpenRoot", kRead}, {"os.OpenInRoot", kRead}, {"os.NewFile", {C::kFilesRead}},
    {"os.OpenFile", kWrite}, {"os.Create", kWrite}, {"os.WriteFile", kWrite},
    {"os.Mkdir", kWrite}, {"os.MkdirAll", kWrite}, {"os.CreateTemp", kWrite},
    {"os.MkdirTemp", kWrite}, {"os.Rename", kWriteTwo}, {"os.Link", kWriteTwo},
    {"os.Symlink", kWriteTwo}, {"os.Chmod", kWrite}, {"os.Chown", kWrite}, {"os.Lchown", kWrite},
    {"os.Chtimes", kWrite}, {"os.Truncate", kWrite}, {"os.CopyFS", kWrite},
    {"os.Remove", kDelete}, {"os.RemoveAll", kDelete},
    {"io/ioutil.ReadFile", kRead}, {"io/ioutil.ReadDir", kRead}, {"io/ioutil.WriteFile", kWrite},
    {"io/ioutil.TempFile", kWrite}, {"io/ioutil.TempDir", kWrite},
    {"path/filepath.Walk", kRead}, {"path/filepath.WalkDir", kRead},
    {"path/filepath.Glob", kRead}, {"path/filepath.EvalSymlinks", kRead},
    {"text/template.ParseFiles", kReadAny}, {"text/template.ParseGlob", kRead},
    {"html/template.ParseFiles", kReadAny}, {"html/template.ParseGlob", kRead},
    {"archive/zip.OpenReader", kRead},
    {"reflect.NewAt", kNative}, {"reflect.SliceHeader", kNative},
    {"reflect.StringHeader", kNative}, {"runtime.Breakpoint", {C::kIntrospection}},
    {"runtime/debug.WriteHeapDump", {C::kIntrospection}},
    {"runtime/debug.SetCrashOutput", {C::kFilesWrite}},
    {"runtime/debug.SetPanicOnFault", {C::kIntrospection}},
    {"debug/elf.Open", kRead}, {"debug/pe.Open", kRead}, {"debug/macho.Open", kRead}});
constexpr NameMap<kMemberList> kMembers;
// clang-format on

constexpr NameMap<kPackageList> kPackages;

constexpr auto kWithMembers =
    text_list("os", "io/ioutil", "path/filepath", "text/template", "html/template", "archive/zip",
              "reflect", "runtime", "runtime/debug", "debug/elf", "debug/pe", "debug/macho");

}  // namespace

std::optional<Capability> find_package(std::string_view path) {
  if (const Capability* known = kPackages.find(path)) return *known;
  // "math/../os/exec" is below no tree.
  if (path.find("/.") != std::string_view::npos || path.find("//") != std::string_view::npos) {
    return std::nullopt;
  }
  for (const std::string_view tree : kHarmlessTrees) {
    if (path.starts_with(tree) && path.find("internal") == std::string_view::npos) {
      return Capability::kNone;
    }
  }
  return std::nullopt;
}

const Member* find_member(std::string_view path, std::string_view name) {
  std::string dotted(path);
  dotted += '.';
  dotted += name;
  return kMembers.find(dotted);
}

std::string_view default_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return path;
  const std::string_view last = path.substr(slash + 1);
  const bool version = last.size() >= 2 && last[0] == 'v' &&
                       last.find_first_not_of("0123456789", 1) == std::string_view::npos;
  return version ? default_name(path.substr(0, slash)) : last;
}

void each_package(const std::function<void(std::string_view, std::string_view)>& visit) {
  for (const auto& [path, need] : kPackageList) visit(path, default_name(path));
  // Of what only computes, the packages that pieces of programs name.
  for (const std::string_view path :
       {"container/heap",    "container/list", "container/ring",  "math/rand",     "math/big",
        "math/bits",         "math/cmplx",     "unicode/utf8",    "unicode/utf16", "encoding/json",
        "encoding/binary",   "encoding/hex",   "encoding/base64", "encoding/csv",  "encoding/xml",
        "encoding/gob",      "text/tabwriter", "text/scanner",    "crypto/md5",    "crypto/sha1",
        "crypto/sha256",     "crypto/sha512",  "crypto/rand",     "crypto/hmac",   "crypto/aes",
        "crypto/cipher",     "hash/fnv",       "hash/crc32",      "hash/maphash",  "compress/gzip",
        "index/suffixarray", "image/color"}) {
    visit(path, default_name(path));
  }
  for (const std::string_view name :
       {"redblacktree", "avltree",         "btree",       "binaryheap",       "treemap",
        "treebidimap",  "hashmap",         "hashbidimap", "linkedhashmap",    "treeset",
        "hashset",      "linkedhashset",   "arraylist",   "singlylinkedlist", "doublylinkedlist",
        "arraystack",   "linkedliststack", "arrayqueue",  "linkedlistqueue",  "circularbuffer",
        "priorityqueue"}) {
    visit("github.com/emirpasic/gods/", name);
  }
}

bool has_members(std::string_view path) { return kWithMembers.contains(path); }

}  // namespace langsbx::languages::go
