// Records phases in shared memory and prints them.
#include "runtime/base/trace.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <new>

namespace langsbx::trace {

struct Event {
  // Texts, not pointers: the reader trusts nothing that a process inside the container wrote.
  std::array<char, 32> name{};
  std::array<char, 112> detail{};
  bool in_container = false;
  std::int64_t begin_ns = 0;
  std::atomic<std::int64_t> end_ns{0};  // 0: not over
};

namespace {

constexpr std::size_t kMostEvents = 1024;

struct Recording {
  std::atomic<std::size_t> count{0};
  std::int64_t begin_ns = 0;
  std::int64_t processor_ns = 0;  // used before the recording began: loading, command line
  std::array<Event, kMostEvents> events;
};

Recording* recording = nullptr;
bool in_container = false;

std::int64_t now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

template <std::size_t kSize>
void copy_text(std::array<char, kSize>& into, std::string_view text) {
  std::copy_n(text.data(), std::min(text.size(), kSize - 1), into.data());
}

template <std::size_t kSize>
std::string_view text_of(const std::array<char, kSize>& text) {
  const std::string_view whole(text.data(), kSize);
  return whole.substr(0, whole.find('\0'));
}

Event* add(std::string_view name, std::string_view detail) {
  const std::size_t index = recording->count.fetch_add(1);
  if (index >= kMostEvents) return nullptr;
  Event& event = recording->events[index];
  copy_text(event.name, name);
  copy_text(event.detail, detail);
  event.in_container = in_container;
  event.begin_ns = now(CLOCK_MONOTONIC);
  return &event;
}

void append_text(std::string& out, std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (code < 0x20 || code >= 0x7f) {  // bytes of other encodings are shown one by one
      out += "\\u00";
      out += kDigits[code >> 4U];
      out += kDigits[code & 15U];
    } else {
      out += letter;
    }
  }
  out += '"';
}

std::string microseconds(std::int64_t ns) {
  const std::string part = std::to_string(ns % 1000);
  return std::to_string(ns / 1000) + "." + std::string(3 - part.size(), '0') + part;
}

void append_lane(std::string& out, std::string_view name, int number) {
  out += R"({"ph":"M","name":"process_name","pid":)" + std::to_string(number) +
         ",\"tid\":" + std::to_string(number) + ",\"args\":{\"name\":";
  append_text(out, name);
  out += "}}";
}

void append_phase(std::string& out, const Event& event, std::int64_t last) {
  const std::string lane = event.in_container ? "2" : "1";
  const std::int64_t end = event.end_ns.load() != 0 ? event.end_ns.load() : last;
  out += ",\n{\"ph\":\"X\",\"cat\":\"phase\",\"pid\":" + lane + ",\"tid\":" + lane + ",\"name\":";
  append_text(out, text_of(event.name));
  out += ",\"ts\":" + microseconds(event.begin_ns - recording->begin_ns) +
         ",\"dur\":" + microseconds(std::max<std::int64_t>(end - event.begin_ns, 0));
  if (event.detail[0] != '\0') {
    out += ",\"args\":{\"what\":";
    append_text(out, text_of(event.detail));
    out += '}';
  }
  out += '}';
}

}  // namespace

Result<void> begin() {
  void* memory =
      ::mmap(nullptr, sizeof(Recording), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return system_error("trace: mmap");
  recording = new (memory) Recording;  // until the process ends
  recording->begin_ns = now(CLOCK_MONOTONIC);
  recording->processor_ns = now(CLOCK_PROCESS_CPUTIME_ID);
  return {};
}

bool is_on() { return recording != nullptr; }

void enter_container() { in_container = true; }

Span::Span(std::string_view name, std::string_view detail) {
  if (recording != nullptr) event_ = add(name, detail);
}

Span::~Span() { end(); }

void Span::end() {
  if (event_ != nullptr) event_->end_ns = now(CLOCK_MONOTONIC);
  event_ = nullptr;
}

void Span::next(std::string_view name, std::string_view detail) {
  end();
  if (recording != nullptr) event_ = add(name, detail);
}

std::string to_json() {
  if (recording == nullptr) return "";
  const std::int64_t last = now(CLOCK_MONOTONIC);
  const std::size_t count = std::min(recording->count.load(), kMostEvents);
  std::string out = "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"processorTimeBefore\":\"" +
                    microseconds(recording->processor_ns) + " us\"},\"traceEvents\":[\n";
  append_lane(out, "runtime", 1);
  out += ",\n";
  append_lane(out, "container", 2);
  for (std::size_t i = 0; i < count; ++i) {
    const Event& event = recording->events[i];
    // A process may have been killed between taking its place and filling it.
    if (event.begin_ns != 0) append_phase(out, event, last);
  }
  return out + "\n]}\n";
}

}  // namespace langsbx::trace
