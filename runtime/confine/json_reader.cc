// nlohmann::json behind Result.
#include "runtime/confine/json_reader.h"

namespace langsbx::confine {
namespace {
constexpr std::size_t kMostBytes = 4U << 20U;
}

Result<Json> parse_json(std::string_view text, std::string_view name) {
  if (text.size() > kMostBytes) {
    return make_error(ErrorKind::kInvalidInput, std::string(name) + ": larger than 4 MiB");
  }
  Json document = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) {
    return make_error(ErrorKind::kInvalidInput, std::string(name) + ": not valid JSON");
  }
  return document;
}

Error JsonView::error(std::string_view what) const {
  return make_error(ErrorKind::kInvalidInput, path_ + ": " + std::string(what));
}

Result<std::optional<JsonView>> JsonView::member(const char* key) const {
  if (!value_->is_object()) return error("not an object");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::optional<JsonView>{};
  return std::optional<JsonView>{JsonView(*found, path_ + "." + key)};
}

Result<std::string> JsonView::text() const {
  if (!value_->is_string()) return error("not a string");
  return *value_->get_ptr<const std::string*>();
}

Result<std::uint64_t> JsonView::number(std::uint64_t most) const {
  if (!value_->is_number_unsigned()) return error("not a non-negative integer");
  const std::uint64_t value = *value_->get_ptr<const std::uint64_t*>();
  if (value > most) return error("larger than " + std::to_string(most));
  return value;
}

Result<bool> JsonView::boolean() const {
  if (!value_->is_boolean()) return error("not true or false");
  return *value_->get_ptr<const bool*>();
}

Result<std::vector<JsonView>> JsonView::elements() const {
  if (!value_->is_array()) return error("not a list");
  std::vector<JsonView> views;
  views.reserve(value_->size());
  for (const Json& item : *value_) {
    views.emplace_back(item, path_ + "[" + std::to_string(views.size()) + "]");
  }
  return views;
}

Result<std::vector<std::string>> JsonView::texts() const {
  std::vector<std::string> values;
  for (const JsonView& item : TRY(elements())) values.push_back(TRY(item.text()));
  return values;
}

Result<void> JsonView::read(const char* key, std::string& target) const {
  const auto found = TRY(member(key));
  if (found) target = TRY(found->text());
  return {};
}

Result<void> JsonView::read(const char* key, bool& target) const {
  const auto found = TRY(member(key));
  if (found) target = TRY(found->boolean());
  return {};
}

Result<void> JsonView::read(const char* key, std::vector<std::string>& target) const {
  const auto found = TRY(member(key));
  if (found) target = TRY(found->texts());
  return {};
}

Result<void> JsonView::each(const char* key,
                            const std::function<Result<void>(const JsonView&)>& visit) const {
  const auto found = TRY(member(key));
  if (!found) return {};
  for (const JsonView& item : TRY(found->elements())) TRY(visit(item));
  return {};
}

}  // namespace langsbx::confine
