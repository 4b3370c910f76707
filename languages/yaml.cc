// libfyaml behind the YamlDocument door.
#include "languages/yaml.h"

#include <libfyaml.h>

#include <string>

namespace langsbx::languages {
namespace {

constexpr std::size_t kMaxBytes = 1U << 20U;

struct DestroyDiag {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};

std::string first_error(fy_diag* diag) {
  void* iterator = nullptr;
  const fy_diag_error* error = fy_diag_errors_iterate(diag, &iterator);
  if (error == nullptr) return "1:1: expected a YAML mapping";
  return std::to_string(error->line) + ":" + std::to_string(error->column) +
         ": not valid YAML: " + (error->msg != nullptr ? error->msg : "");
}

}  // namespace

YamlNode::Kind YamlNode::kind() const {
  if (fy_node_is_alias(node_)) return Kind::kAlias;
  switch (fy_node_get_type(node_)) {
    case FYNT_SEQUENCE:
      return Kind::kSequence;
    case FYNT_MAPPING:
      return Kind::kMapping;
    case FYNT_SCALAR:
      break;
  }
  return Kind::kScalar;
}

std::string_view YamlNode::kind_name() const {
  switch (kind()) {
    case Kind::kSequence:
      return "a list";
    case Kind::kMapping:
      return "a mapping";
    case Kind::kAlias:
      return "an alias";
    case Kind::kScalar:
      break;
  }
  return scalar().empty() && !quoted() ? "nothing" : "a single value";
}

std::string_view YamlNode::scalar() const {
  if (kind() != Kind::kScalar) return {};
  std::size_t length = 0;
  const char* text = fy_node_get_scalar(node_, &length);
  return text == nullptr ? std::string_view() : std::string_view(text, length);
}

bool YamlNode::quoted() const {
  const fy_node_style style = fy_node_get_style(node_);
  return style != FYNS_PLAIN && style != FYNS_ANY;
}

std::vector<YamlNode> YamlNode::items() const {
  std::vector<YamlNode> items;
  if (kind() != Kind::kSequence) return items;
  void* iterator = nullptr;
  while (fy_node* item = fy_node_sequence_iterate(node_, &iterator)) items.emplace_back(item);
  return items;
}

std::vector<std::pair<YamlNode, YamlNode>> YamlNode::pairs() const {
  std::vector<std::pair<YamlNode, YamlNode>> pairs;
  if (kind() != Kind::kMapping) return pairs;
  void* iterator = nullptr;
  while (fy_node_pair* pair = fy_node_mapping_iterate(node_, &iterator)) {
    pairs.emplace_back(YamlNode(fy_node_pair_key(pair)), YamlNode(fy_node_pair_value(pair)));
  }
  return pairs;
}

std::string YamlNode::position() const {
  // Collections written in block style carry no token of their own; their first scalar does.
  fy_node* node = node_;
  for (int depth = 0; node != nullptr && depth < 8; ++depth) {
    if (fy_node_get_type(node) == FYNT_SCALAR) {
      fy_token* token = fy_node_get_scalar_token(node);
      const fy_mark* mark = token != nullptr ? fy_token_start_mark(token) : nullptr;
      if (mark == nullptr) break;
      return std::to_string(mark->line + 1) + ":" + std::to_string(mark->column + 1);
    }
    if (fy_node_get_type(node) == FYNT_SEQUENCE) {
      node = fy_node_sequence_get_by_index(node, 0);
    } else {
      fy_node_pair* pair = fy_node_mapping_get_by_index(node, 0);
      node = pair != nullptr ? fy_node_pair_key(pair) : nullptr;
    }
  }
  return "1:1";
}

// The first line that begins with '%', or 0: libfyaml 0.7 never ends on a directive that is no
// text. A profile has no use for directives, and nothing at column one of it begins so.
static int line_of_directive(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\n') ++line;
    if (text[at] != '%') continue;
    const std::string_view before = text.substr(0, at);
    if (before.empty()) return line;
    // U+0085, U+2028 and U+2029 end a line in YAML 1.1.
    for (const std::string_view end : {"\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"}) {
      if (before.ends_with(end)) return line;
    }
  }
  return 0;
}

void YamlDocument::Destroy::operator()(fy_document* document) const {
  fy_document_destroy(document);
}

Result<YamlDocument> YamlDocument::parse(std::string_view text, std::string_view file) {
  const std::string prefix = std::string(file) + ":";
  if (text.size() > kMaxBytes) {
    return make_error(ErrorKind::kInvalidInput, prefix + "1:1: larger than 1 MB");
  }
  if (const int line = line_of_directive(text); line > 0) {
    return make_error(ErrorKind::kInvalidInput,
                      prefix + std::to_string(line) + ":1: a YAML directive (%) is not accepted");
  }
  fy_diag_cfg diag_config;
  fy_diag_cfg_default(&diag_config);
  diag_config.fp = nullptr;
  const std::unique_ptr<fy_diag, DestroyDiag> diag(fy_diag_create(&diag_config));
  if (diag == nullptr) return make_error(ErrorKind::kInternal, "libfyaml: out of memory");
  fy_diag_set_collect_errors(diag.get(), true);

  fy_parse_cfg config{};
  config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                                 FYPCF_DEFAULT_VERSION_AUTO);
  config.diag = diag.get();
  fy_document* document = fy_document_build_from_string(&config, text.data(), text.size());
  YamlDocument owner(document);
  if (document == nullptr || fy_document_root(document) == nullptr) {
    return make_error(ErrorKind::kInvalidInput, prefix + first_error(diag.get()));
  }
  return owner;
}

YamlNode YamlDocument::root() const { return YamlNode(fy_document_root(document_.get())); }

}  // namespace langsbx::languages
