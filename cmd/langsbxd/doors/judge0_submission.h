// Judge0's submission: from its attributes to a run, and from the run's record to its columns.
#pragma once

#include <string>
#include <string_view>

#include "cmd/langsbxd/service.h"

namespace langsbx::serve::doors::judge0 {

struct Language {
  int id = 0;
  const char* name = nullptr;   // of ours
  const char* title = nullptr;  // of Judge0's list, before the version
};
std::span<const Language> all_languages();

struct Status {
  int id = 0;
  const char* description = nullptr;
};
std::span<const Status> all_statuses();

constexpr int kInQueue = 1;
constexpr int kProcessing = 2;

// What is wrong with a submission, by attribute: {"language_id": ["can't be blank"]}.
struct Faults {
  Json by_attribute = Json::object();
  void add(const std::string& attribute, const std::string& what);
  [[nodiscard]] bool any() const { return !by_attribute.empty(); }
};

// A submission as it is kept: texts in Base64, since they may be any bytes.
struct Submission {
  Json columns;
  Json document;         // for execute
  std::string callback;  // where the result is sent; empty: nowhere
};

// `base64`: how the caller wrote the texts.
Submission read_submission(const Service& service, const Json& attributes, bool base64,
                           Faults& faults);
// The columns of one that has ended.
Json judged(Json columns, const RunResult& result);
// Of one that has not: the status, and why there will be no result.
Json not_judged(Json columns, int status, const std::string& message);

// What the caller gets to see. Empty: a text is no UTF-8, and they did not ask for Base64.
std::optional<Json> shown(const Json& columns, std::string_view fields, bool base64);

}  // namespace langsbx::serve::doors::judge0
