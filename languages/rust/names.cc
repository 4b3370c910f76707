// Rust's names as tables.
#include "languages/rust/names.h"

#include <algorithm>
#include <array>

#include "languages/scanner/name_map.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::rust {
namespace {

using scanner::NameEntry;
using scanner::NameMap;
using C = Capability;

constexpr PathRule kHarmless{};
constexpr PathRule kSpawn{C::kProcessSpawn, true};
constexpr PathRule kRead{C::kFilesRead};
constexpr PathRule kWrite{C::kFilesWrite};
constexpr PathRule kDelete{C::kFilesDelete};
constexpr PathRule kConnect{C::kNetworkConnect};
constexpr PathRule kListen{C::kNetworkListen};
constexpr PathRule kNative{C::kNativeCode};
constexpr PathRule kEnvironment{C::kEnvironment};

// clang-format off
constexpr auto kPathList = std::to_array<NameEntry<PathRule>>({
    {"process", kSpawn}, {"process::exit", kHarmless}, {"process::abort", kHarmless},
    {"process::id", kHarmless}, {"process::ExitCode", kHarmless},
    {"process::Termination", kHarmless}, {"process::Command", {C::kProcessSpawn}},
    {"process::Child", {C::kProcessSpawn}}, {"process::Stdio", {C::kProcessSpawn}},
    {"process::Output", {C::kProcessSpawn}}, {"process::ExitStatus", {C::kProcessSpawn}},
    {"net", {C::kNetworkConnect, true}}, {"net::IpAddr", kHarmless}, {"net::Ipv4Addr", kHarmless},
    {"net::Ipv6Addr", kHarmless}, {"net::AddrParseError", kHarmless},
    {"net::SocketAddr", kHarmless}, {"net::SocketAddrV4", kHarmless},
    {"net::SocketAddrV6", kHarmless}, {"net::TcpStream", kConnect},
    {"net::ToSocketAddrs", kConnect}, {"net::TcpListener", kListen}, {"net::UdpSocket", kListen},
    {"fs", {C::kFilesWrite, true}}, {"fs::File", kRead}, {"fs::File::open", kRead},
    {"fs::File::create", kWrite}, {"fs::File::create_new", kWrite},
    {"fs::File::options", kWrite}, {"fs::OpenOptions", kWrite}, {"fs::read", kRead},
    {"fs::read_to_string", kRead}, {"fs::read_dir", kRead}, {"fs::read_link", kRead},
    {"fs::metadata", kRead}, {"fs::symlink_metadata", kRead}, {"fs::canonicalize", kRead},
    {"fs::exists", kRead}, {"fs::DirEntry", kRead}, {"fs::Metadata", kRead},
    {"fs::remove_file", kDelete}, {"fs::remove_dir", kDelete}, {"fs::remove_dir_all", kDelete},
    {"env", {C::kEnvironment, true}}, {"env::args", kHarmless}, {"env::args_os", kHarmless},
    {"env::Args", kHarmless}, {"env::ArgsOs", kHarmless}, {"env::consts", kHarmless},
    {"env::current_dir", kHarmless}, {"env::var", kEnvironment}, {"env::vars", kEnvironment},
    {"env::set_var", kEnvironment}, {"env::set_current_dir", kRead},
    {"env::temp_dir", kHarmless}, {"os::unix::ffi", kHarmless}, {"os::windows::ffi", kHarmless},
    {"os", kNative}, {"os::raw", kHarmless}, {"arch", kNative}, {"intrinsics", kNative},
    {"mem::transmute", kNative}, {"mem::transmute_copy", kNative}, {"thread", {C::kThreads, true}},
    {"thread::spawn", {C::kThreads}}, {"thread::sleep", kHarmless},
    {"asm", kNative}, {"global_asm", kNative}, {"include", {C::kFilesOutside}},
    {"include_str", {C::kFilesOutside}}, {"include_bytes", {C::kFilesOutside}},
    {"option_env", kEnvironment}, {"concat_idents", {C::kDynamicCode}},
    {"prelude", kHarmless}});
constexpr NameMap<kPathList> kPaths;

constexpr auto kCrateList = std::to_array<NameEntry<Capability>>({
    {"libc", C::kNativeCode}, {"nix", C::kNativeCode}, {"rustix", C::kNativeCode},
    {"libloading", C::kNativeCode}, {"dlopen", C::kNativeCode}, {"syscalls", C::kNativeCode},
    {"winapi", C::kNativeCode}, {"windows", C::kNativeCode}, {"windows_sys", C::kNativeCode},
    {"proc_macro", C::kNativeCode}, {"memmap", C::kNativeCode}, {"memmap2", C::kNativeCode},
    {"ctor", C::kNativeCode}, {"linkme", C::kNativeCode}, {"inventory", C::kNativeCode},
    {"duct", C::kProcessSpawn}, {"subprocess", C::kProcessSpawn}, {"xshell", C::kProcessSpawn},
    {"signal_hook", C::kSignals}, {"reqwest", C::kNetworkConnect}, {"hyper", C::kNetworkConnect},
    {"ureq", C::kNetworkConnect}, {"curl", C::kNetworkConnect}, {"isahc", C::kNetworkConnect},
    {"tokio", C::kNetworkConnect}, {"async_std", C::kNetworkConnect}, {"smol", C::kNetworkConnect},
    {"mio", C::kNetworkConnect}, {"socket2", C::kNetworkConnect}, {"rustc_driver", C::kNativeCode},
    // these compute
    {"rand", C::kNone}, {"rand_chacha", C::kNone}, {"rand_core", C::kNone}, {"rand_distr", C::kNone},
    {"getrandom", C::kNone}, {"num", C::kNone}, {"num_bigint", C::kNone}, {"num_traits", C::kNone},
    {"num_integer", C::kNone}, {"num_rational", C::kNone}, {"num_complex", C::kNone},
    {"itertools", C::kNone}, {"regex", C::kNone}, {"serde", C::kNone}, {"serde_json", C::kNone},
    {"ndarray", C::kNone}, {"nalgebra", C::kNone}, {"petgraph", C::kNone}, {"hashbrown", C::kNone},
    {"indexmap", C::kNone}, {"smallvec", C::kNone}, {"arrayvec", C::kNone}, {"bitflags", C::kNone},
    {"bitvec", C::kNone}, {"either", C::kNone}, {"lazy_static", C::kNone}, {"once_cell", C::kNone}, {"num_cpus", C::kNone}, {"fastrand", C::kNone},
    {"rustc_hash", C::kNone}, {"itoa", C::kNone}, {"ryu", C::kNone}, {"memchr", C::kNone},
    {"log", C::kNone}, {"anyhow", C::kNone}, {"thiserror", C::kNone}, {"chrono", C::kNone},
    {"time", C::kNone}, {"uuid", C::kNone}, {"sha2", C::kNone}, {"sha1", C::kNone}, {"md5", C::kNone},
    {"hex", C::kNone}, {"base64", C::kNone}, {"bytes", C::kNone}, {"byteorder", C::kNone},
    {"fnv", C::kNone}, {"ahash", C::kNone}, {"rayon", C::kThreads}, {"crossbeam", C::kThreads},
    {"parking_lot", C::kNone}, {"quickcheck", C::kNone}, {"quickcheck_macros", C::kNone},
    {"proptest", C::kNone}, {"approx", C::kNone}, {"criterion", C::kNone}, {"rstest", C::kNone},
    {"test", C::kNone}, {"nom", C::kNone}, {"unicode_segmentation", C::kNone}, {"strum", C::kNone}});
constexpr NameMap<kCrateList> kCrates;

constexpr auto kMacroList = std::to_array<NameEntry<Capability>>({
    {"asm", C::kNativeCode}, {"global_asm", C::kNativeCode}, {"llvm_asm", C::kNativeCode},
    {"naked_asm", C::kNativeCode}, {"include", C::kFilesOutside},
    {"include_str", C::kFilesOutside}, {"include_bytes", C::kFilesOutside},
    {"env", C::kEnvironment}, {"option_env", C::kEnvironment},
    {"concat_idents", C::kDynamicCode}});
constexpr NameMap<kMacroList> kMacros;

constexpr std::string_view kHarmlessAttributes[] = {
    "derive", "allow", "warn", "deny", "forbid", "expect", "cfg", "cfg_attr", "test", "inline",
    "must_use", "deprecated", "doc", "repr", "non_exhaustive", "ignore", "should_panic",
    "macro_export", "macro_use", "track_caller", "cold", "default", "automatically_derived",
    "rustfmt", "clippy", "recursion_limit", "type_length_limit", "target_feature", "crate_type",
    "crate_name", "bench", "diagnostic", "no_implicit_prelude", "rustfmt_skip", "debugger_visualizer",
    "instruction_set", "rust_analyzer", "miri", "test_case", "rstest", "case", "serde", "quickcheck",
    "quickcheck_macros",
    // what the known crates' derive macros read
    "error", "source", "from", "backtrace", "strum"};

constexpr auto kBlockedAttributeList = std::to_array<NameEntry<bool>>({
    {"no_mangle", true}, {"export_name", true}, {"link_section", true}, {"link_name", true}, {"link_ordinal", true}, {"link_args", true}, {"no_main", true}, {"naked", true}, {"ffi_const", true}, {"ffi_pure", true}, {"proc_macro", true}, {"proc_macro_derive", true}, {"proc_macro_attribute", true}, {"global_allocator", true}, {"panic_handler", true}, {"lang", true}, {"rustc_std_internal_symbol", true}, {"windows_subsystem", true}, {"no_link", true}, {"thread_local", true}, {"linkage", true}, {"alloc_error_handler", true}});
constexpr NameMap<kBlockedAttributeList> kBlockedAttributes;
// clang-format on

template <typename Text, std::size_t N>
bool contains(const Text (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

}  // namespace

constexpr scanner::WordFilter kMeaningfulWords = [] {
  scanner::WordFilter words(std::to_array<std::string_view>(
      {"unsafe", "extern", "mod", "use", "enum", "struct", "trait", "type", "union", "std"}));
  words.add(kMacros.words());
  words.add(kBlockedAttributes.words());
  return words;
}();

PathMatch find_path(std::string_view path) {
  for (std::string_view part = path;;) {
    if (const PathRule* rule = kPaths.find(part)) return {rule, part.size() == path.size()};
    const std::size_t cut = part.rfind("::");
    if (cut == std::string_view::npos) return {};
    part = part.substr(0, cut);
  }
}

void each_member(std::string_view module, const std::function<void(std::string_view)>& visit) {
  for (const auto& entry : kPathList) {
    const std::string_view name = entry.name;
    const bool member = name.size() > module.size() + 2 && name.starts_with(module) &&
                        name.substr(module.size()).starts_with("::") &&
                        name.find("::", module.size() + 2) == std::string_view::npos;
    if (member && entry.value.capability != Capability::kNone) {
      visit(name.substr(module.size() + 2));
    }
  }
}

bool ends_blocked_path(std::string_view name) {
  return std::any_of(kPathList.begin(), kPathList.end(), [&](const auto& entry) {
    const std::string_view path = entry.name;
    const std::size_t cut = path.rfind("::");
    return cut != std::string_view::npos && path.substr(cut + 2) == name &&
           entry.value.capability != Capability::kNone;
  });
}

bool is_known_module(std::string_view name) {
  static constexpr auto kModules = text_list(
      "any", "array", "ascii", "async_iter", "backtrace", "borrow", "boxed", "cell", "char",
      "clone", "cmp", "collections", "convert", "default", "error", "ffi", "fmt", "future", "hash",
      "hint", "io", "iter", "marker", "mem", "num", "ops", "option", "panic", "path", "pin",
      "primitive", "ptr", "random", "range", "rc", "result", "simd", "slice", "string", "sync",
      "task", "time", "vec", "alloc", "autodiff", "pat", "assert_matches", "f16", "f128");
  static constexpr auto kPlainMacros =
      text_list("assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq",
                "debug_assert_ne", "print", "println", "eprint", "eprintln", "format",
                "format_args", "write", "writeln", "panic", "todo", "unimplemented", "unreachable",
                "matches", "dbg", "thread_local", "line", "column", "file", "module_path",
                "stringify", "concat", "cfg", "compile_error", "is_x86_feature_detected");
  return kModules.contains(name) || kPlainMacros.contains(name) || is_primitive(name);
}

bool is_root_crate(std::string_view name) {
  return name == "std" || name == "core" || name == "alloc";
}

bool is_primitive(std::string_view name) {
  static constexpr auto kNames =
      text_list("u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
                "isize", "f32", "f64", "str", "char", "bool", "clippy", "rustfmt");
  return kNames.contains(name);
}

const Capability* find_crate(std::string_view name) { return kCrates.find(name); }

const Capability* find_macro(std::string_view name) { return kMacros.find(name); }

bool is_harmless_attribute(std::string_view name) { return contains(kHarmlessAttributes, name); }

bool is_blocked_attribute(std::string_view name) {
  return kBlockedAttributes.find(name) != nullptr;
}

}  // namespace langsbx::languages::rust
