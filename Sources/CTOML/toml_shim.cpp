#include "CTOML.h"

// Errors are values, and the language of release 1.0 only.
#define TOML_EXCEPTIONS 0
#define TOML_UNRELEASED_FEATURES 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <vector>

namespace {

class walker {
public:
  walker(void *context, void (*visit)(void *, const ctoml_value *)) : context(context), visit(visit) {}

  void walk(const toml::table &table) {
    // A table is sorted by key; people expect the order in which they wrote.
    std::vector<std::pair<const toml::key *, const toml::node *>> items;
    for (const auto &[key, node] : table) items.emplace_back(&key, &node);
    std::sort(items.begin(), items.end(), [](const auto &left, const auto &right) {
      return position(*left.first) < position(*right.first);
    });
    for (const auto &[key, node] : items) {
      keys.push_back({key->str().data(), key->str().size()});
      value(*node, *key);
      keys.pop_back();
    }
  }

private:
  static std::pair<uint32_t, uint32_t> position(const toml::key &key) {
    return {key.source().begin.line, key.source().begin.column};
  }

  void value(const toml::node &node, const toml::key &key) {
    if (const toml::table *table = node.as_table(); table != nullptr && !table->empty()) {
      walk(*table);
    } else if (const toml::array *array = node.as_array(); array != nullptr && !array->empty()) {
      for (const toml::node &element : *array) leaf(element, element.source().begin, true);
    } else {
      leaf(node, key.source().begin, false);
    }
  }

  void leaf(const toml::node &node, toml::source_position place, bool is_element) {
    ctoml_kind kind = CTOML_OTHER;
    std::string text;
    if (const auto *string = node.as_string()) {
      kind = CTOML_STRING;
      text = string->get();
    } else if (const auto *integer = node.as_integer()) {
      kind = CTOML_INTEGER;
      text = std::to_string(integer->get());
    } else if (const auto *number = node.as_floating_point()) {
      kind = CTOML_FLOAT;
      char digits[64];
      text.assign(digits, std::to_chars(digits, digits + sizeof digits, number->get()).ptr);
    } else if (const auto *truth = node.as_boolean()) {
      kind = CTOML_BOOLEAN;
      text = truth->get() ? "true" : "false";
    }
    ctoml_value value = {keys.data(), keys.size(), is_element, kind, {text.data(), text.size()}, place.line, place.column};
    visit(context, &value);
  }

  void *context;
  void (*visit)(void *, const ctoml_value *);
  std::vector<ctoml_text> keys;
};

void fill(ctoml_error *error, std::string_view message, toml::source_position place) {
  size_t size = std::min(message.size(), sizeof error->message - 1);
  // A character is not cut.
  while (size < message.size() && size > 0 && (uint8_t(message[size]) & 0xC0) == 0x80) size--;
  std::memcpy(error->message, message.data(), size);
  error->message[size] = 0;
  error->line = place.line;
  error->column = place.column;
}

}  // namespace

bool ctoml_read(
  const char *bytes, size_t size, void *context, void (*visit)(void *context, const ctoml_value *value), ctoml_error *error) {
  toml::parse_result result = toml::parse(std::string_view(bytes, size));
  if (!result) {
    fill(error, result.error().description(), result.error().source().begin);
    return false;
  }
  walker(context, visit).walk(result.table());
  return true;
}
