// Symbols, code bytes, sections and segments of an object, against the policy.
#include "languages/elf/judge.h"

#include <algorithm>
#include <string>

#include "languages/c/judge.h"
#include "languages/elf/rules.h"
#include "languages/elf/symbols.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::elf {
namespace {

constexpr std::uint32_t kSegmentExecutable = 1;
constexpr std::uint32_t kSegmentWritable = 2;
constexpr std::uint32_t kLoaded = 1;  // PT_LOAD
constexpr std::uint16_t kReservedSections = 0xff00;

constexpr auto kKnownSections =
    text_list(".text", ".data", ".rodata", ".bss", ".tdata", ".tbss", ".eh_frame",
              ".gcc_except_table", ".note", ".comment", ".group", ".ldata", ".lrodata", ".lbss",
              ".ltext", ".init_array", ".fini_array", ".llvm", ".gnu", ".debug", ".toc", ".sdata",
              ".sbss", ".rel", ".symtab", ".strtab", ".shstrtab", ".stab");
// What the linker and the C library's start files add.
constexpr auto kLinkedSections =
    text_list(".init", ".fini", ".plt", ".got", ".dynamic", ".dynsym", ".dynstr", ".interp",
              ".hash", ".tm_clone_table", ".copyrel");
constexpr auto kStartSymbols =
    text_list("_start", "_init", "_fini", "__libc_start_main", "_dl_start", "__init_array_start");

template <typename Names>
bool is_known(const Names& names, std::string_view name) {
  return std::ranges::any_of(names, [&](std::string_view known) {
    return name == known || (name.starts_with(known) && name[known.size()] == '.') ||
           (name.starts_with(known) && known == ".debug") ||
           (name.starts_with(known) && known == ".rel");
  });
}

class ObjectJudge {
 public:
  ObjectJudge(const Object& object, const Policy& policy, Findings& findings,
              const NameSet& elsewhere)
      : object_(object), policy_(policy), findings_(findings), elsewhere_(elsewhere) {}

  void run() {
    for (const Symbol& symbol : object_.symbols) judge_symbol(symbol);
    for (const Section& section : object_.sections) judge_section(section);
    judge_stack();
    for (const Segment& segment : object_.segments) {
      const bool both =
          (segment.flags & kSegmentExecutable) != 0 && (segment.flags & kSegmentWritable) != 0;
      if (segment.type == kLoaded && both) add("object-writable-code"_rule, "a segment");
      // What runs is what the loader maps, whatever sections there are.
      const bool code = (segment.flags & kSegmentExecutable) != 0;
      if (segment.type == kLoaded && code) judge_code("a segment", segment.bytes);
    }
  }

 private:
  void add(const Rule& rule, std::string_view detail) { findings_.add(rule, 0, 0, detail); }

  void judge_symbol(const Symbol& symbol) {
    if (symbol.type == kIndirectFunction) add("object-ifunc"_rule, symbol.name);
    const bool global = symbol.binding != kLocalBinding;
    if (symbol.section == 0) {
      if (!symbol.name.empty()) judge_undefined(symbol.name);
      return;
    }
    const bool start = global && is_known(kStartSymbols, symbol.name);
    if (start && object_.kind == FileKind::kRelocatable) add("object-start"_rule, symbol.name);
    if (symbol.type == kDataSymbol && symbol.section < kReservedSections &&
        symbol.section < object_.sections.size() &&
        (object_.sections[symbol.section].flags & kExecutable) != 0) {
      add("object-data-in-code"_rule, symbol.name);
    }
    if (symbol.type == kDataSymbol && global && symbol.name == "main")
      add("object-data-in-code"_rule, "main");
    // An address written down; compilers make none but for the file's name.
    const bool relocatable = object_.kind == FileKind::kRelocatable;
    if (relocatable && symbol.section == kAbsolute && symbol.type != kFileSymbol) {
      add("object-data-in-code"_rule, symbol.name);
    }
  }

  void judge_undefined(std::string_view name) {
    if (elsewhere_.contains(name) || policy_.functions_allowed.contains(name)) return;
    const auto need = find_symbol(name);
    if (!need) {
      // Start files refer to these from every linked program.
      const bool linked = object_.kind != FileKind::kRelocatable && name == "__libc_start_main";
      if (!linked) add("object-unknown-symbol"_rule, name);
    } else if (*need == Capability::kFilesRead) {
      // The symbol opens for reading and writing alike: one of the two is enough to have it.
      if (policy_.allows(Capability::kFilesRead) || policy_.allows(Capability::kFilesWrite)) return;
      findings_.add("object-blocked-symbol"_rule, *need, 0, 0, name);
    } else if (*need != Capability::kNone) {
      findings_.add("object-blocked-symbol"_rule, *need, 0, 0, name);
    }
  }

  void judge_section(const Section& section) {
    // The linker puts ".text.x" among the code whatever its flags say.
    const bool code = (section.flags & kExecutable) != 0 || section.name.starts_with(".text") ||
                      section.name.starts_with(".ltext");
    if (code && (section.flags & kWritable) != 0) add("object-writable-code"_rule, section.name);
    if (code) judge_code(section.name, section.bytes);
    // Code that is made only when linking.
    const bool unfinished = section.name.starts_with(".gnu.lto_") ||
                            section.name.starts_with(".llvmbc") ||
                            section.name.starts_with(".llvm.lto");
    if (unfinished) add("object-section"_rule, section.name);
    if ((section.flags & kAllocated) == 0) return;
    if ((section.flags & kCompressed) != 0) add("object-section"_rule, section.name);
    const bool linked = object_.kind != FileKind::kRelocatable;
    if (!is_known(kKnownSections, section.name) &&
        !(linked && is_known(kLinkedSections, section.name))) {
      add("object-section"_rule, section.name);
    }
    // C has no initialisers to run; every C++ object with iostream has.
    const bool starts =
        section.name.starts_with(".init_array") || section.name.starts_with(".fini_array");
    if (!linked && starts && c::has_no_constructors(policy_))
      add("object-start"_rule, section.name);
  }

  // Any occurrence counts, also inside another instruction: code can be entered anywhere.
  void judge_code(std::string_view name, std::string_view bytes) {
    if (object_.machine == Machine::kArm) {
      for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
        const bool svc = (static_cast<unsigned char>(bytes[at]) & 0x1FU) == 1 &&
                         (static_cast<unsigned char>(bytes[at + 2]) & 0xE0U) == 0 &&
                         static_cast<unsigned char>(bytes[at + 3]) == 0xD4;
        if (svc) return add("object-system-call"_rule, name);
      }
      return;
    }
    for (const std::string_view opcode : {"\x0f\x05", "\x0f\x34", "\xcd\x80"}) {
      if (bytes.find(opcode) != std::string_view::npos) return add("object-system-call"_rule, name);
    }
  }

  // An object without the note makes the linker ask for an executable stack.
  void judge_stack() {
    for (const Segment& segment : object_.segments) {
      if (segment.type != kStackSegment) continue;
      if ((segment.flags & kSegmentExecutable) != 0)
        add("object-executable-stack"_rule, "PT_GNU_STACK");
      return;
    }
    for (const Section& section : object_.sections) {
      if (section.name != ".note.GNU-stack") continue;
      if ((section.flags & kExecutable) != 0) add("object-executable-stack"_rule, section.name);
      return;
    }
    add("object-executable-stack"_rule, "no stack note");
  }

  const Object& object_;
  const Policy& policy_;
  Findings& findings_;
  const NameSet& elsewhere_;
};

}  // namespace

void judge_object(std::string_view bytes, const Policy& policy, Findings& findings,
                  const NameSet& elsewhere) {
  const auto object = read_object(bytes);
  if (!object.ok()) {
    findings.add("object-broken"_rule, 0, 0, object.error().message);
    return;
  }
  ObjectJudge(*object, policy, findings, elsewhere).run();
}

NameSet defined_symbols(const Object& object) {
  NameSet names;
  for (const Symbol& symbol : object.symbols) {
    if (symbol.section != 0 && symbol.binding != kLocalBinding) {
      names.insert(std::string(symbol.name));
    }
  }
  return names;
}

}  // namespace langsbx::languages::elf
