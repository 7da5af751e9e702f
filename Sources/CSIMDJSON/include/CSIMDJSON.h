#pragma once
// A C interface to simdjson's DOM parser and minifier. Swift reads the parser's tape itself, so that a document costs one
// call. The tape has simdjson's documented format (doc/tape.md of version 3): 64-bit words with the type in the top byte.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that must be readable (their values do not matter) after the last byte of a document, and writable after the
/// space for a minified one.
#define CSJ_PADDING 64

/// A parser with the buffers of the documents it reads. Not thread-safe.
typedef struct csj_parser csj_parser;

/// The result of parsing a document.
typedef enum csj_result {
  CSJ_OK = 0,
  /// Not JSON: brackets, commas or literals are wrong.
  CSJ_MALFORMED = 1,
  /// A string holds a lone surrogate, a raw control character or ill-formed UTF-8: repairable, see JSONRepair.swift.
  CSJ_BAD_TEXT = 2,
  /// Not enough memory.
  CSJ_NO_MEMORY = 3,
  /// Nested more than 1,024 deep.
  CSJ_TOO_DEEP = 4,
  /// A number is not well-formed, or exceeds 64 bits or a double. simdjson does not tell these apart.
  CSJ_BAD_NUMBER = 5,
} csj_result;

/// A parsed document, owned by the parser and valid until it parses again or is destroyed.
typedef struct csj_tape {
  /// The words; word 0 is the root, word 1 the document's value.
  const uint64_t *words;
  /// Strings the words point into: 4 bytes of length in the machine's order, the bytes, a NUL.
  const uint8_t *strings;
} csj_tape;

/// Returns a new parser, or NULL if memory is short. The caller owns it.
csj_parser *csj_parser_create(void);

/// Frees a parser and the last document it parsed.
void csj_parser_destroy(csj_parser *parser);

/// Parses `length` bytes at `json`, which have CSJ_PADDING readable bytes after them and are only read during the call.
csj_result csj_parse(csj_parser *parser, const uint8_t *json, size_t length, csj_tape *tape);

/// Returns the index of the value of the first field `key` in the object at `object`, or 0. Linear in the number of fields.
size_t csj_find(csj_tape tape, size_t object, const uint8_t *key, size_t key_length);

/// Copies `length` bytes of JSON without the white space between tokens. Returns the new length, or 0 if a string is not
/// closed. `destination` must have space for `length` + CSJ_PADDING bytes.
size_t csj_minify(const uint8_t *json, size_t length, uint8_t *destination);

#ifdef __cplusplus
}
#endif
