#pragma once
#include <stdint.h>

// What the heights index is measured against. All take `count` arguments and do one operation for each, in C; rows are counted from the
// oldest. What an operation finds is added up and returned, so that no compiler leaves it out. Heights are 1 to 255.

/// An operation: what its arguments are is said beside it.
enum operation {
  APPEND,         ///< a height, after the newest row
  INSERT,         ///< a row; a height of 6 goes before it
  CHANGE,         ///< a row in the low 24 bits, its new height above them
  OFFSET_OF_ROW,  ///< a row; finds the sum of the heights before it
  ROW_AT_OFFSET,  ///< an offset; finds the row it belongs to
  REMOVE,         ///< a row
};

/// Leaves of up to 512 one-byte heights under three levels of sums: of a leaf, of 16 and of 256 leaves. The structure of the prototype
/// that the goals were set by.
struct leaves;
struct leaves *leaves_make(const uint8_t *heights, uint32_t count);
uint64_t leaves_run(struct leaves *, enum operation, const uint32_t *arguments, uint32_t count);
uint32_t leaves_total(const struct leaves *);
uint64_t leaves_bytes(const struct leaves *);

/// The heights as bytes, and for each row the sum of all before it.
struct prefixes;
struct prefixes *prefixes_make(const uint8_t *heights, uint32_t count);
uint64_t prefixes_run(struct prefixes *, enum operation, const uint32_t *arguments, uint32_t count);
uint64_t prefixes_bytes(const struct prefixes *);

/// The heights as bytes, and a Fenwick tree over them (Fenwick 1994, "A new data structure for cumulative frequency tables").
struct fenwick;
struct fenwick *fenwick_make(const uint8_t *heights, uint32_t count);
uint64_t fenwick_run(struct fenwick *, enum operation, const uint32_t *arguments, uint32_t count);
uint64_t fenwick_bytes(const struct fenwick *);
