// Speed of the whole judgement, by CPU time: judge_speed LANGUAGE PROFILE ROUNDS FILE...
// Prints MB/s of the fastest and of the median round, and microseconds a file of 4.5 to 5.5 kB.
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "languages/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace {

using namespace langsbx::languages;  // NOLINT: a program of one file

double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

struct Result {
  double fastest = 0;
  double median = 0;
};

// Seconds that judging all of them once takes.
Result measure(const Language& language, const Policy& policy,
               const std::vector<std::string>& files, int rounds) {
  std::vector<double> taken;
  std::size_t kept = 0;
  for (int round = 0; round < rounds; ++round) {
    const double start = user_seconds();
    for (const std::string& file : files) {
      kept += judge(language, {"file", file}, policy).report.violations.size();
    }
    taken.push_back(user_seconds() - start);
  }
  std::sort(taken.begin(), taken.end());
  if (kept == 1) std::puts("");  // what is computed is used
  return {taken.front(), taken[taken.size() / 2]};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  // As the runtime does: a heap that shrinks and grows again measures the kernel.
  ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  const Language* language = find_language(argv[1]);
  if (language == nullptr) return 2;
  auto profile = load_profile(*language, argv[2]);
  if (!profile.ok()) return 2;
  const Policy policy = make_policy(*profile);
  const int rounds = std::max(1, std::atoi(argv[3]));
  std::vector<std::string> files;
  std::vector<std::string> small;
  std::size_t bytes = 0;
  for (int n = 4; n < argc; ++n) {
    std::ifstream file(argv[n], std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    files.push_back(text.str());
    bytes += files.back().size();
    if (files.back().size() > 4500 && files.back().size() < 5500) small.push_back(files.back());
  }
  const Result all = measure(*language, policy, files, rounds);
  const auto megabytes = static_cast<double>(bytes) / 1e6;
  std::printf("%zu files, %.1f MB: %.0f MB/s fastest, %.0f median", files.size(), megabytes,
              megabytes / all.fastest, megabytes / all.median);
  if (!small.empty()) {
    const Result one = measure(*language, policy, small, rounds * 4);
    std::printf("; %zu files of about 5 kB: %.1f us each", small.size(),
                one.fastest * 1e6 / static_cast<double>(small.size()));
  }
  std::puts("");
  return 0;
}
