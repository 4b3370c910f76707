// Speed of preflight and of the whole judgement, for a 5 kB sample and for a corpus.
// Usage: languages_bench [--benchmark_...] [LANGUAGE FILE...]
#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "languages/judge.h"
#include "languages/preflight.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace {

using namespace langsbx::languages;  // NOLINT: a program of one file

struct Corpus {
  const Language* language = nullptr;
  Policy policy;
  std::vector<std::string> files;
  std::size_t bytes = 0;
};

void judge_all(benchmark::State& state, const Corpus& corpus) {
  for (auto _ : state) {
    for (const std::string& file : corpus.files) {
      benchmark::DoNotOptimize(judge(*corpus.language, {"file", file}, corpus.policy));
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(corpus.bytes));
}

void preflight_ascii(benchmark::State& state) {
  const std::string text(1U << 20U, 'a');
  const Policy policy;
  const Source source{"x", text};
  for (auto _ : state) {
    Findings findings(source, policy);
    benchmark::DoNotOptimize(preflight(source, policy, {}, findings));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * (1 << 20));
}
BENCHMARK(preflight_ascii);

bool fill(Corpus& corpus, std::string_view name) {
  corpus.language = find_language(name);
  if (corpus.language == nullptr) return false;
  auto profile = load_profile(*corpus.language, "default");
  if (!profile.ok()) return false;
  corpus.policy = make_policy(*profile);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  Corpus corpus;
  Corpus small;
  if (argc > 2 && fill(corpus, argv[1])) {
    (void)fill(small, argv[1]);
    for (int n = 2; n < argc; ++n) {
      std::ifstream file(argv[n], std::ios::binary);
      std::stringstream text;
      text << file.rdbuf();
      corpus.files.push_back(text.str());
      corpus.bytes += corpus.files.back().size();
      if (small.files.empty() && corpus.files.back().size() > 4500 &&
          corpus.files.back().size() < 5500) {
        small.files.push_back(corpus.files.back());
        small.bytes = small.files[0].size();
      }
    }
    benchmark::RegisterBenchmark("judge_corpus", judge_all, corpus);
    if (!small.files.empty()) benchmark::RegisterBenchmark("judge_5kB", judge_all, small);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
