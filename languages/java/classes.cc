// The tables of packages, classes and methods.
#include "languages/java/classes.h"
#include "runtime/base/text_list.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace langsbx::languages::java {
namespace {

using std::string_view;
using enum Capability;

struct Prefix {
  std::string_view name;
  Capability capability;
};

// The longest prefix of whole names decides. Of the JDK, what is not here is kIntrospection.
constexpr Prefix kPrefixes[] = {
    // sorted
    {"com.sun", kIntrospection},
    {"com.sun.jdi", kIntrospection},
    {"com.sun.net", kNetworkListen},
    {"com.sun.nio.sctp", kNetworkConnect},
    {"com.sun.tools.attach", kNativeCode},
    {"java.applet", kInteractive},
    {"java.awt", kInteractive},
    {"java.awt.BasicStroke", kNone},
    {"java.awt.Color", kNone},
    {"java.awt.Dimension", kNone},
    {"java.awt.Font", kNone},
    {"java.awt.Graphics", kNone},
    {"java.awt.Graphics2D", kNone},
    {"java.awt.Point", kNone},
    {"java.awt.Polygon", kNone},
    {"java.awt.Rectangle", kNone},
    {"java.awt.RenderingHints", kNone},
    {"java.awt.Shape", kNone},
    {"java.awt.color", kNone},
    {"java.awt.geom", kNone},
    {"java.awt.image", kNone},
    {"java.beans", kIntrospection},
    {"java.beans.PropertyChangeEvent", kNone},
    {"java.beans.PropertyChangeListener", kNone},
    {"java.beans.PropertyChangeSupport", kNone},
    {"java.io", kNone},
    {"java.io.ObjectInput", kDeserialise},
    {"java.io.ObjectInputFilter", kDeserialise},
    {"java.io.ObjectInputStream", kDeserialise},
    {"java.lang", kNone},
    {"java.lang.ClassLoader", kDynamicCode},
    {"java.lang.Module", kIntrospection},
    {"java.lang.ModuleLayer", kDynamicCode},
    {"java.lang.ProcessBuilder", kProcessSpawn},
    {"java.lang.ProcessHandle", kSignals},
    {"java.lang.Runtime.getRuntime", kProcessSpawn},
    {"java.lang.SecurityManager", kSystemAdmin},
    {"java.lang.StackWalker", kIntrospection},
    {"java.lang.System.getenv", kEnvironment},
    {"java.lang.System.load", kNativeCode},
    {"java.lang.System.loadLibrary", kNativeCode},
    {"java.lang.System.setProperty", kSystemAdmin},
    {"java.lang.Thread.Builder", kThreads},
    {"java.lang.annotation", kNone},
    {"java.lang.constant", kIntrospection},
    {"java.lang.foreign", kNativeCode},
    {"java.lang.instrument", kNativeCode},
    {"java.lang.invoke", kIntrospection},
    {"java.lang.management", kIntrospection},
    {"java.lang.module", kIntrospection},
    {"java.lang.ref", kNone},
    {"java.lang.reflect", kIntrospection},
    {"java.lang.reflect.Array", kNone},
    {"java.lang.reflect.InvocationTargetException", kNone},
    {"java.lang.reflect.ParameterizedType", kNone},
    {"java.lang.reflect.Type", kNone},
    {"java.lang.runtime", kIntrospection},
    {"java.math", kNone},
    {"java.net", kNetworkConnect},
    {"java.net.ServerSocket", kNetworkListen},
    {"java.net.URLClassLoader", kDynamicCode},
    {"java.net.URLDecoder", kNone},
    {"java.net.URLEncoder", kNone},
    {"java.net.URISyntaxException", kNone},
    {"java.net.URI", kNone},
    {"java.net.UnknownHostException", kNone},
    {"java.net.MalformedURLException", kNone},
    {"java.nio", kNone},
    {"java.nio.channels", kNetworkConnect},
    {"java.nio.channels.FileChannel", kFilesOutside},
    {"java.nio.channels.AsynchronousFileChannel", kFilesOutside},
    {"java.nio.channels.ServerSocketChannel", kNetworkListen},
    {"java.nio.channels.spi", kIntrospection},
    {"java.nio.charset", kNone},
    {"java.nio.charset.spi", kIntrospection},
    {"java.nio.file", kNone},
    {"java.nio.file.FileSystems", kFilesOutside},
    {"java.nio.file.spi", kIntrospection},
    {"java.rmi", kNetworkConnect},
    {"java.security", kNone},
    {"java.security.AccessController", kSystemAdmin},
    {"java.security.Policy", kSystemAdmin},
    {"java.security.Provider", kIntrospection},
    {"java.security.SecureClassLoader", kDynamicCode},
    {"java.security.SignedObject", kDeserialise},
    {"java.security.Security", kSystemAdmin},
    {"java.sql", kNetworkConnect},
    {"java.sql.Date", kNone},
    {"java.sql.Timestamp", kNone},
    {"java.text", kNone},
    {"java.text.spi", kIntrospection},
    {"java.time", kNone},
    {"java.util", kNone},
    {"java.util.ServiceLoader", kDynamicCode},
    {"java.util.Timer", kThreads},
    {"java.util.concurrent.CompletableFuture", kThreads},
    {"java.util.concurrent.ExecutorCompletionService", kThreads},
    {"java.util.concurrent.Executors", kThreads},
    {"java.util.concurrent.ForkJoinPool", kThreads},
    {"java.util.concurrent.ForkJoinWorkerThread", kThreads},
    {"java.util.concurrent.ScheduledThreadPoolExecutor", kThreads},
    {"java.util.concurrent.StructuredTaskScope", kThreads},
    {"java.util.concurrent.ThreadPoolExecutor", kThreads},
    {"java.util.logging.FileHandler", kFilesOutside},
    {"java.util.logging.LogManager", kDynamicCode},
    {"java.util.logging.SocketHandler", kNetworkConnect},
    {"java.util.prefs", kPersistence},
    {"java.util.spi", kIntrospection},
    {"javax.crypto", kNone},
    {"javax.crypto.SealedObject", kDeserialise},
    {"javax.imageio", kNone},
    {"javax.imageio.spi", kIntrospection},
    {"javax.management", kIntrospection},
    {"javax.naming", kNetworkConnect},
    {"javax.net", kNetworkConnect},
    {"javax.script", kDynamicCode},
    {"javax.security.auth", kNone},
    {"javax.sql", kNetworkConnect},
    {"javax.swing", kInteractive},
    {"javax.tools", kDynamicCode},
    {"javax.xml", kDeserialise},
    {"javax.annotation", kNone},
    {"jdk.incubator.vector", kNone},
    {"org.w3c.dom", kNone},
    {"sun.misc", kNativeCode},
};

constexpr auto kPlatform = text_list("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.",
                                     "org.xml.", "org.ietf.", "netscape.", "org.omg.");

constexpr SpecialClass kSpecial[] = {
    {"Runtime", "java.lang", Special::kRuntime, kProcessSpawn},
    {"ProcessBuilder", "java.lang", Special::kBlocked, kProcessSpawn},
    {"ProcessHandle", "java.lang", Special::kBlocked, kSignals},
    {"ClassLoader", "java.lang", Special::kBlocked, kDynamicCode},
    {"ModuleLayer", "java.lang", Special::kBlocked, kDynamicCode},
    {"Module", "java.lang", Special::kBlocked, kIntrospection},
    {"StackWalker", "java.lang", Special::kBlocked, kIntrospection},
    {"SecurityManager", "java.lang", Special::kBlocked, kSystemAdmin},
    {"ClassValue", "java.lang", Special::kBlocked, kIntrospection},
    {"ScopedValue", "java.lang", Special::kNone, kNone},
    {"Thread", "java.lang", Special::kBlocked, kThreads},
    {"System", "java.lang", Special::kSystem, kNone},
    {"Class", "java.lang", Special::kClass, kIntrospection},
    {"File", "java.io", Special::kFile, kNone},
    {"FileReader", "java.io", Special::kFile, kFilesRead},
    {"FileInputStream", "java.io", Special::kFile, kFilesRead},
    {"FileWriter", "java.io", Special::kFile, kFilesWrite},
    {"FileOutputStream", "java.io", Special::kFile, kFilesWrite},
    {"PrintWriter", "java.io", Special::kFile, kNone},
    {"PrintStream", "java.io", Special::kFile, kNone},
    {"RandomAccessFile", "java.io", Special::kFile, kFilesWrite},
    {"Formatter", "java.util", Special::kFile, kNone},
    {"ZipFile", "java.util.zip", Special::kFile, kFilesRead},
    {"JarFile", "java.util.jar", Special::kFile, kFilesRead},
    {"Files", "java.nio.file", Special::kFile, kNone},
    {"Paths", "java.nio.file", Special::kFile, kNone},
    {"Path", "java.nio.file", Special::kFile, kNone},
    {"ImageIO", "javax.imageio", Special::kFile, kNone},
};

// What a piece of a file, without package and imports, means by these.
constexpr auto kImplied = text_list(
    "java.net.Socket", "java.net.ServerSocket", "java.net.DatagramSocket",
    "java.net.HttpURLConnection", "java.net.URLConnection", "java.net.InetAddress",
    "java.net.URLClassLoader", "java.net.http.HttpClient", "java.nio.channels.SocketChannel",
    "java.io.ObjectInputStream", "java.beans.XMLDecoder", "javax.net.ssl.SSLSocket",
    "javax.naming.InitialContext", "javax.naming.directory.InitialDirContext",
    "javax.naming.ldap.InitialLdapContext", "javax.script.ScriptEngineManager",
    "java.lang.invoke.MethodHandles", "java.sql.DriverManager");

constexpr std::size_t kSlots = 128;

constexpr std::size_t hash_of(string_view word) {
  const auto at = [word](std::size_t i) { return static_cast<unsigned char>(word[i]); };
  return (word.size() * 29 + at(0) * std::size_t{7} + at(word.size() - 1) * std::size_t{3} +
          at(word.size() / 2)) %
         kSlots;
}

constexpr string_view name_of(const SpecialClass& special) { return special.name; }
constexpr string_view name_of(string_view name) { return name; }

template <typename Entries>
constexpr std::array<std::uint8_t, kSlots> build_slots(const Entries& entries) {
  std::array<std::uint8_t, kSlots> slots{};
  for (std::size_t i = 0; i < std::size(entries); ++i) {
    std::size_t slot = hash_of(name_of(entries[i]));
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<std::uint8_t>(i + 1);
  }
  return slots;
}

constexpr std::array<std::uint8_t, kSlots> kTable = build_slots(kSpecial);

constexpr auto kSystemHarmless =
    text_list("out", "in", "err", "arraycopy", "currentTimeMillis", "nanoTime", "exit", "gc",
              "lineSeparator", "identityHashCode", "getProperty", "setOut", "setErr", "setIn",
              "getLogger", "Logger", "console", "runFinalization");

constexpr auto kRuntimeHarmless =
    text_list("availableProcessors", "freeMemory", "totalMemory", "maxMemory", "gc", "version",
              "runFinalization", "addShutdownHook", "exit", "halt");

constexpr auto kReflection = text_list(
    "forName", "getMethod", "getMethods", "getDeclaredMethod", "getDeclaredMethods", "getField",
    "getDeclaredField", "getDeclaredFields", "getConstructor", "getConstructors",
    "getDeclaredConstructor", "getDeclaredConstructors", "getClassLoader", "getContextClassLoader",
    "getSystemClassLoader", "getPlatformClassLoader", "setContextClassLoader", "loadClass",
    "defineClass", "setAccessible", "trySetAccessible", "getEnclosingMethod",
    "getEnclosingConstructor", "getProtectionDomain", "forPrimitiveName", "getDeclaredClasses",
    "getRecordComponents", "getNestMembers", "getPermittedSubclasses", "findLoader", "addOpens",
    "addExports");
constexpr std::array<std::uint8_t, kSlots> kReflectionTable = build_slots(kReflection);
constexpr auto kNetworkMethods = text_list("openConnection", "openStream", "toURL");

}  // namespace

constexpr scanner::WordFilter kMethodWords = [] {
  scanner::WordFilter filter;
  for (const string_view name : kReflection) filter.add(name);
  for (const string_view name : kNetworkMethods) filter.add(name);
  return filter;
}();

constexpr scanner::WordFilter kMarkedWords = [] {
  scanner::WordFilter words = kLearnt;
  words.add(kLeading);
  words.add(kMethodWords);
  return words;
}();

string_view implied_class(string_view simple) {
  for (const string_view qualified : kImplied) {
    if (qualified.size() > simple.size() && qualified.ends_with(simple) &&
        qualified[qualified.size() - simple.size() - 1] == '.') {
      return qualified;
    }
  }
  return {};
}

bool is_platform_name(string_view qualified) {
  return std::ranges::any_of(
      kPlatform, [qualified](string_view prefix) { return qualified.starts_with(prefix); });
}

Reach reach_of(string_view qualified) {
  if (!is_platform_name(qualified)) return {};
  const Prefix* best = nullptr;
  for (const Prefix& prefix : kPrefixes) {
    const bool whole =
        qualified.starts_with(prefix.name) &&
        (qualified.size() == prefix.name.size() || qualified[prefix.name.size()] == '.');
    if (whole && (best == nullptr || prefix.name.size() > best->name.size())) best = &prefix;
  }
  return {true, best == nullptr ? kIntrospection : best->capability};
}

bool holds_entries(string_view package) {
  const bool below = std::any_of(std::begin(kPrefixes), std::end(kPrefixes), [&](const Prefix& p) {
    return p.name.size() > package.size() && p.name.starts_with(package) &&
           p.name[package.size()] == '.';
  });
  return below || std::any_of(std::begin(kSpecial), std::end(kSpecial),
                              [&](const SpecialClass& c) { return c.package == package; });
}

const SpecialClass* find_special(string_view simple) {
  std::size_t slot = hash_of(simple);
  while (kTable[slot] != 0) {
    const SpecialClass& candidate = kSpecial[kTable[slot] - 1U];
    if (candidate.name == simple) return &candidate;
    slot = (slot + 1) % kSlots;
  }
  return nullptr;
}

Capability reach_of_system(string_view member) {
  if (kSystemHarmless.contains(member)) return kNone;
  if (member == "getenv" || member == "getProperties") return kEnvironment;
  if (member == "load" || member == "loadLibrary" || member == "mapLibraryName") return kNativeCode;
  if (member == "inheritedChannel") return kNetworkListen;
  return kSystemAdmin;
}

bool is_harmless_runtime(string_view member) { return kRuntimeHarmless.contains(member); }

Called meaning_of_method(string_view name) {
  if (name.size() < 5) return Called::kNone;
  std::size_t slot = hash_of(name);
  while (kReflectionTable[slot] != 0) {
    if (kReflection[kReflectionTable[slot] - 1U] == name) return Called::kReflection;
    slot = (slot + 1) % kSlots;
  }
  if (name[0] != 'o' && name[0] != 't') return Called::kNone;
  return kNetworkMethods.contains(name) ? Called::kNetwork : Called::kNone;
}

FileUse use_of_file(string_view owner, string_view member) {
  if (owner == "Files") {
    if (member == "delete" || member == "deleteIfExists") return {kFilesDelete, 1, true};
    if (member == "copy") return {kFilesWrite, 2, false};
    if (member == "move" || member == "createLink" || member == "createSymbolicLink") {
      return {kFilesWrite, 2, true};
    }
    if (member.starts_with("set")) return {kSystemAdmin, 1, true};
    if (member.starts_with("write") || member.starts_with("create") ||
        member == "newOutputStream" || member == "newBufferedWriter" ||
        member == "newByteChannel") {
      return {kFilesWrite, 1, true};
    }
    return {kFilesRead, 1, false};
  }
  return {kNone, 1, false};
}

}  // namespace langsbx::languages::java
