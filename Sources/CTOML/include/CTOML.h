#pragma once
// A C interface to toml++: a document is given to a function, value by value.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of a value.
typedef enum ctoml_kind {
  CTOML_STRING = 0,
  CTOML_INTEGER = 1,
  CTOML_FLOAT = 2,
  CTOML_BOOLEAN = 3,
  /// A date or a time, an array or a table within an array, or a table or an array that is empty.
  CTOML_OTHER = 4,
} ctoml_kind;

/// UTF-8 that is valid during a call, without a NUL at its end.
typedef struct ctoml_text {
  const char *bytes;
  size_t size;
} ctoml_text;

/// A value with its place in the document.
typedef struct ctoml_value {
  /// The keys of the tables that it is in, and its own.
  const ctoml_text *keys;
  size_t key_count;
  /// True for an element of an array, which has the keys of the array.
  bool is_element;
  ctoml_kind kind;
  /// A string's content, or a number or a truth value as TOML writes it; empty for others.
  ctoml_text text;
  /// The position in the document, both counted from 1.
  uint32_t line, column;
} ctoml_value;

/// The first mistake in a document.
typedef struct ctoml_error {
  /// A sentence without a full stop, as UTF-8 that ends with a NUL.
  char message[256];
  uint32_t line, column;
} ctoml_error;

/// Reads a document. Calls `visit` with each value in the order of the document, or fills `error` in and calls nothing.
/// Returns false if the document is not TOML 1.0.
bool ctoml_read(
  const char *bytes, size_t size, void *context, void (*visit)(void *context, const ctoml_value *value), ctoml_error *error);

#ifdef __cplusplus
}
#endif
