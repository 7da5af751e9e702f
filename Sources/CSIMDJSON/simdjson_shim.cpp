#include "CSIMDJSON.h"

#include <cstring>
#include <new>
#include <simdjson.h>

static_assert(CSJ_PADDING >= simdjson::SIMDJSON_PADDING, "the padding promised to simdjson");

namespace {

/// Buffers for documents up to this size are kept for the next one; larger ones are freed.
constexpr size_t kept_capacity = 256 * 1024;

constexpr uint64_t payload_mask = (uint64_t(1) << 56) - 1;

/// Returns the index after the value at `index`.
size_t after(const uint64_t *words, size_t index) {
  switch (char(words[index] >> 56)) {
  case '{':
  case '[':
    return uint32_t(words[index]);
  case 'l':
  case 'u':
  case 'd':
    return index + 2;
  default:
    return index + 1;
  }
}

}  // namespace

struct csj_parser {
  simdjson::dom::parser parser;
};

csj_parser *csj_parser_create(void) { return new (std::nothrow) csj_parser; }

void csj_parser_destroy(csj_parser *parser) { delete parser; }

csj_result csj_parse(csj_parser *parser, const uint8_t *json, size_t length, csj_tape *tape) {
  if (parser->parser.capacity() > kept_capacity && length <= kept_capacity) parser->parser = simdjson::dom::parser();
  switch (parser->parser.parse(json, length, false).error()) {
  case simdjson::SUCCESS:
    tape->words = parser->parser.doc.tape.get();
    tape->strings = parser->parser.doc.string_buf.get();
    return CSJ_OK;
  case simdjson::UTF8_ERROR:
  case simdjson::UNESCAPED_CHARS:
  case simdjson::STRING_ERROR:
    return CSJ_BAD_TEXT;
  case simdjson::MEMALLOC:
    return CSJ_NO_MEMORY;
  case simdjson::DEPTH_ERROR:
    return CSJ_TOO_DEEP;
  case simdjson::NUMBER_ERROR:
    return CSJ_BAD_NUMBER;
  default:
    return CSJ_MALFORMED;
  }
}

size_t csj_find(csj_tape tape, size_t object, const uint8_t *key, size_t key_length) {
  if (char(tape.words[object] >> 56) != '{') return 0;
  const size_t end = uint32_t(tape.words[object]) - 1;
  for (size_t index = object + 1; index < end;) {
    const uint8_t *name = tape.strings + (tape.words[index] & payload_mask);
    uint32_t length;
    std::memcpy(&length, name, sizeof length);
    if (length == key_length && std::memcmp(name + sizeof length, key, key_length) == 0) return index + 1;
    index = after(tape.words, index + 1);
  }
  return 0;
}

size_t csj_minify(const uint8_t *json, size_t length, uint8_t *destination) {
  size_t result = 0;
  const auto error = simdjson::minify(
      reinterpret_cast<const char *>(json), length, reinterpret_cast<char *>(destination), result);
  return error ? 0 : result;
}
