#pragma once
#include <stdint.h>

// The structures that the heights index is compared with. Each runs one operation for each of `count` arguments, in C. Rows are counted
// from the oldest. The sum of all results is returned, so that the compiler cannot remove the work. Heights are 1 to 255.

/// An operation, each with its argument.
enum operation {
  APPEND,         ///< a height, after the newest row
  INSERT,         ///< a row; inserts a height of 6 before it
  CHANGE,         ///< a row in the low 24 bits, its new height above them
  OFFSET_OF_ROW,  ///< a row; returns the sum of the heights before it
  ROW_AT_OFFSET,  ///< an offset; returns its row
  REMOVE,         ///< a row
};

/// Leaves of up to 512 one-byte heights under three levels of sums: of a leaf, of 16 and of 256 leaves. The prototype that set the goals
/// had this structure.
struct leaves;
struct leaves *leaves_make(const uint8_t *heights, uint32_t count);
uint64_t leaves_run(struct leaves *, enum operation, const uint32_t *arguments, uint32_t count);
uint32_t leaves_total(const struct leaves *);
uint64_t leaves_bytes(const struct leaves *);

/// The heights as bytes, and for each row the sum of all heights before it.
struct prefixes;
struct prefixes *prefixes_make(const uint8_t *heights, uint32_t count);
uint64_t prefixes_run(struct prefixes *, enum operation, const uint32_t *arguments, uint32_t count);
uint64_t prefixes_bytes(const struct prefixes *);

/// The heights as bytes, and a Fenwick tree over them (Fenwick 1994, "A new data structure for cumulative frequency tables").
struct fenwick;
struct fenwick *fenwick_make(const uint8_t *heights, uint32_t count);
uint64_t fenwick_run(struct fenwick *, enum operation, const uint32_t *arguments, uint32_t count);
uint64_t fenwick_bytes(const struct fenwick *);
