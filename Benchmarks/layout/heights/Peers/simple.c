#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { SPARE = 1 << 22 };  // rows that may be added

struct prefixes {
  uint32_t count;
  uint8_t *heights;
  uint32_t *before;  // one more than there are rows; the last is the sum of all
};

static void sum_from(struct prefixes *index, uint32_t row) {
  uint32_t sum = index->before[row];
  for (; row < index->count; row++) index->before[row + 1] = sum += index->heights[row];
}

struct prefixes *prefixes_make(const uint8_t *heights, uint32_t count) {
  struct prefixes *index = malloc(sizeof *index);
  index->count = count;
  index->heights = malloc(count + SPARE);
  index->before = malloc(sizeof(uint32_t) * (count + SPARE + 1));
  memcpy(index->heights, heights, count);
  index->before[0] = 0;
  sum_from(index, 0);
  return index;
}

uint64_t prefixes_run(struct prefixes *index, enum operation operation, const uint32_t *arguments, uint32_t count) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t argument = arguments[i], row = argument & 0xFFFFFF;
    switch (operation) {
      case APPEND:
        index->heights[index->count] = argument;
        index->before[index->count + 1] = index->before[index->count] + argument;
        index->count++;
        break;
      case INSERT:
        memmove(index->heights + row + 1, index->heights + row, index->count - row);
        index->heights[row] = 6;
        index->count++;
        sum_from(index, row);
        break;
      case CHANGE:
        found += index->heights[row];
        index->heights[row] = argument >> 24;
        sum_from(index, row);
        break;
      case OFFSET_OF_ROW: found += index->before[row]; break;
      case ROW_AT_OFFSET: {
        uint32_t low = 0;
        for (uint32_t size = index->count; size > 1;) {
          uint32_t half = size / 2;
          low = index->before[low + half] <= argument ? low + half : low;
          size -= half;
        }
        found += low;
        break;
      }
      case REMOVE:
        found += index->heights[row];
        index->count--;
        memmove(index->heights + row, index->heights + row + 1, index->count - row);
        sum_from(index, row);
        break;
    }
  }
  return found;
}

uint64_t prefixes_bytes(const struct prefixes *index) { return index->count * (uint64_t)5; }

struct fenwick {
  uint32_t count, top;  // `top`: the greatest power of two not above `count`
  uint8_t *heights;
  uint32_t *sums;  // sums[i]: of the i & -i heights that end with row i - 1
};

static void build(struct fenwick *index) {
  for (uint32_t i = 1; i <= index->count; i++) index->sums[i] = index->heights[i - 1];
  for (uint32_t i = 1; i <= index->count; i++) {
    uint32_t parent = i + (i & -i);
    if (parent <= index->count) index->sums[parent] += index->sums[i];
  }
  for (index->top = 1; index->top * 2 <= index->count;) index->top *= 2;
}

struct fenwick *fenwick_make(const uint8_t *heights, uint32_t count) {
  struct fenwick *index = malloc(sizeof *index);
  index->count = count;
  index->heights = malloc(count + SPARE);
  index->sums = malloc(sizeof(uint32_t) * (count + SPARE + 1));
  memcpy(index->heights, heights, count);
  build(index);
  return index;
}

static inline uint32_t sum_before(const struct fenwick *index, uint32_t row) {
  uint32_t sum = 0;
  for (; row; row &= row - 1) sum += index->sums[row];
  return sum;
}

uint64_t fenwick_run(struct fenwick *index, enum operation operation, const uint32_t *arguments, uint32_t count) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t argument = arguments[i], row = argument & 0xFFFFFF;
    switch (operation) {
      case APPEND: {
        index->heights[index->count++] = argument;
        uint32_t place = index->count, sum = argument;
        for (uint32_t step = 1; step < (place & -place); step *= 2) sum += index->sums[place - step];
        index->sums[place] = sum;
        if (index->top * 2 <= index->count) index->top *= 2;
        break;
      }
      case INSERT:
        memmove(index->heights + row + 1, index->heights + row, index->count - row);
        index->heights[row] = 6;
        index->count++;
        build(index);
        break;
      case CHANGE: {
        uint32_t old = index->heights[row], change = (argument >> 24) - old;
        index->heights[row] = argument >> 24;
        for (uint32_t place = row + 1; place <= index->count; place += place & -place) index->sums[place] += change;
        found += old;
        break;
      }
      case OFFSET_OF_ROW: found += sum_before(index, row); break;
      case ROW_AT_OFFSET: {
        uint32_t place = 0;
        for (uint32_t step = index->top; step; step /= 2) {
          if (place + step <= index->count && index->sums[place + step] <= argument) {
            place += step;
            argument -= index->sums[place];
          }
        }
        found += place;
        break;
      }
      case REMOVE:
        found += index->heights[row];
        index->count--;
        memmove(index->heights + row, index->heights + row + 1, index->count - row);
        build(index);
        break;
    }
  }
  return found;
}

uint64_t fenwick_bytes(const struct fenwick *index) { return index->count * (uint64_t)5; }
