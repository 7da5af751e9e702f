#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

enum { LEAF = 512, FILL = 384, MOST_LEAVES = 65536 };

struct leaf {
  uint16_t rows;
  uint8_t heights[LEAF];
};

struct sum {
  uint32_t rows, lines;
};

struct leaves {
  struct leaf *leaf;
  uint32_t *order;  // position in the order of rows -> index in `leaf`
  uint32_t count, used;
  uint32_t rows, lines;
  struct sum low[MOST_LEAVES + 256], middle[MOST_LEAVES / 16 + 16], high[MOST_LEAVES / 256 + 1];
};

/// Returns the sum of 32 bytes.
static inline uint32_t sum_of_32(const uint8_t *heights) {
#ifdef __AVX2__
  __m256i sums = _mm256_sad_epu8(_mm256_loadu_si256((const void *)heights), _mm256_setzero_si256());
  __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
#else
  __m128i two = _mm_add_epi64(
      _mm_sad_epu8(_mm_loadu_si128((const void *)heights), _mm_setzero_si128()),
      _mm_sad_epu8(_mm_loadu_si128((const void *)(heights + 16)), _mm_setzero_si128()));
#endif
  return _mm_cvtsi128_si64(two) + _mm_cvtsi128_si64(_mm_unpackhi_epi64(two, two));
}

static uint32_t sum_of(const uint8_t *heights, uint32_t count) {
  uint32_t sum = 0, i = 0;
#ifdef __AVX2__
  __m256i sums = _mm256_setzero_si256();
  for (; i + 32 <= count; i += 32)
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(_mm256_loadu_si256((const void *)(heights + i)), _mm256_setzero_si256()));
  sum = _mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) + _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3);
#else
  for (; i + 32 <= count; i += 32) sum += sum_of_32(heights + i);
#endif
  for (; i < count; i++) sum += heights[i];
  return sum;
}

/// Rebuilds the sums above those of the leaves.
static void rebuild_sums(struct leaves *index) {
  memset(index->middle, 0, sizeof index->middle);
  memset(index->high, 0, sizeof index->high);
  for (uint32_t i = 0; i < index->count; i++) {
    struct sum sum = index->low[i];
    index->middle[i >> 4].rows += sum.rows, index->middle[i >> 4].lines += sum.lines;
    index->high[i >> 8].rows += sum.rows, index->high[i >> 8].lines += sum.lines;
  }
}

static inline void add(struct leaves *index, uint32_t i, int rows, int lines) {
  index->low[i].rows += rows, index->low[i].lines += lines;
  index->middle[i >> 4].rows += rows, index->middle[i >> 4].lines += lines;
  index->high[i >> 8].rows += rows, index->high[i >> 8].lines += lines;
  index->rows += rows, index->lines += lines;
}

struct leaves *leaves_make(const uint8_t *heights, uint32_t count) {
  struct leaves *index = calloc(1, sizeof *index);
  index->leaf = malloc(sizeof(struct leaf) * MOST_LEAVES);
  index->order = malloc(sizeof(uint32_t) * MOST_LEAVES);
  for (uint32_t first = 0; first < count; first += FILL) {
    struct leaf *leaf = &index->leaf[index->used];
    leaf->rows = count - first < FILL ? count - first : FILL;
    memcpy(leaf->heights, heights + first, leaf->rows);
    index->low[index->count] = (struct sum){leaf->rows, sum_of(leaf->heights, leaf->rows)};
    index->rows += leaf->rows, index->lines += index->low[index->count].lines;
    index->order[index->count++] = index->used++;
  }
  rebuild_sums(index);
  return index;
}

/// Returns the leaf of a row; sets `*row` to the row's index in the leaf and `*lines` to the lines of all leaves before.
static inline uint32_t leaf_of_row(const struct leaves *index, uint32_t *row, uint32_t *lines) {
  uint32_t r = *row, s = 0, a = 0, last = index->count - 1;
  while (a < last >> 8 && r >= index->high[a].rows) r -= index->high[a].rows, s += index->high[a].lines, a++;
  uint32_t b = a << 4;
  while (b < last >> 4 && r >= index->middle[b].rows) r -= index->middle[b].rows, s += index->middle[b].lines, b++;
  uint32_t c = b << 4;
  while (c < last && r >= index->low[c].rows) r -= index->low[c].rows, s += index->low[c].lines, c++;
  *row = r, *lines = s;
  return c;
}

static inline uint32_t leaf_at_offset(const struct leaves *index, uint32_t *offset, uint32_t *rows) {
  uint32_t o = *offset, s = 0, a = 0, last = index->count - 1;
  while (a < last >> 8 && o >= index->high[a].lines) o -= index->high[a].lines, s += index->high[a].rows, a++;
  uint32_t b = a << 4;
  while (b < last >> 4 && o >= index->middle[b].lines) o -= index->middle[b].lines, s += index->middle[b].rows, b++;
  uint32_t c = b << 4;
  while (c < last && o >= index->low[c].lines) o -= index->low[c].lines, s += index->low[c].rows, c++;
  *offset = o, *rows = s;
  return c;
}

static inline void append(struct leaves *index, uint8_t height) {
  struct leaf *leaf = &index->leaf[index->order[index->count - 1]];
  if (leaf->rows == LEAF) {
    leaf = &index->leaf[index->used];
    leaf->rows = 0;
    index->low[index->count] = (struct sum){0, 0};
    index->order[index->count++] = index->used++;
  }
  leaf->heights[leaf->rows++] = height;
  add(index, index->count - 1, 1, height);
}

static inline void insert(struct leaves *index, uint32_t row, uint8_t height) {
  uint32_t lines, place = leaf_of_row(index, &row, &lines);
  struct leaf *leaf = &index->leaf[index->order[place]];
  if (leaf->rows == LEAF) {
    struct leaf *second = &index->leaf[index->used];
    second->rows = leaf->rows = LEAF / 2;
    memcpy(second->heights, leaf->heights + LEAF / 2, LEAF / 2);
    uint32_t moved = sum_of(second->heights, LEAF / 2);
    memmove(index->order + place + 2, index->order + place + 1, sizeof *index->order * (index->count - place - 1));
    memmove(index->low + place + 2, index->low + place + 1, sizeof *index->low * (index->count - place - 1));
    index->order[place + 1] = index->used++;
    index->low[place].rows -= LEAF / 2, index->low[place].lines -= moved;
    index->low[place + 1] = (struct sum){LEAF / 2, moved};
    index->count++;
    rebuild_sums(index);
    if (row > LEAF / 2) place++, row -= LEAF / 2, leaf = second;
  }
  memmove(leaf->heights + row + 1, leaf->heights + row, leaf->rows - row);
  leaf->heights[row] = height;
  leaf->rows++;
  add(index, place, 1, height);
}

/// Removes a row. An empty leaf stays, and no search ends in it.
static inline uint32_t remove_row(struct leaves *index, uint32_t row) {
  uint32_t lines, place = leaf_of_row(index, &row, &lines);
  struct leaf *leaf = &index->leaf[index->order[place]];
  uint8_t height = leaf->heights[row];
  leaf->rows--;
  memmove(leaf->heights + row, leaf->heights + row + 1, leaf->rows - row);
  add(index, place, -1, -height);
  return height;
}

static inline uint32_t change(struct leaves *index, uint32_t row, uint8_t height) {
  uint32_t lines, place = leaf_of_row(index, &row, &lines);
  struct leaf *leaf = &index->leaf[index->order[place]];
  uint8_t old = leaf->heights[row];
  leaf->heights[row] = height;
  add(index, place, 0, (int)height - old);
  return old;
}

static inline uint32_t offset_of_row(const struct leaves *index, uint32_t row) {
  uint32_t lines, place = leaf_of_row(index, &row, &lines);
  return lines + sum_of(index->leaf[index->order[place]].heights, row);
}

static inline uint32_t row_at_offset(const struct leaves *index, uint32_t offset) {
  uint32_t rows, place = leaf_at_offset(index, &offset, &rows);
  const struct leaf *leaf = &index->leaf[index->order[place]];
  uint32_t row = 0;
  for (uint32_t sum; row + 32 <= leaf->rows && (sum = sum_of_32(leaf->heights + row)) <= offset; row += 32) offset -= sum;
  for (; row < leaf->rows && leaf->heights[row] <= offset; row++) offset -= leaf->heights[row];
  return rows + row;
}

uint64_t leaves_run(struct leaves *index, enum operation operation, const uint32_t *arguments, uint32_t count) {
  uint64_t found = 0;
  switch (operation) {
    case APPEND: for (uint32_t i = 0; i < count; i++) append(index, arguments[i]); break;
    case INSERT: for (uint32_t i = 0; i < count; i++) insert(index, arguments[i], 6); break;
    case CHANGE: for (uint32_t i = 0; i < count; i++) found += change(index, arguments[i] & 0xFFFFFF, arguments[i] >> 24); break;
    case OFFSET_OF_ROW: for (uint32_t i = 0; i < count; i++) found += offset_of_row(index, arguments[i]); break;
    case ROW_AT_OFFSET: for (uint32_t i = 0; i < count; i++) found += row_at_offset(index, arguments[i]); break;
    case REMOVE: for (uint32_t i = 0; i < count; i++) found += remove_row(index, arguments[i]); break;
  }
  return found;
}

uint32_t leaves_total(const struct leaves *index) { return index->lines; }

uint64_t leaves_bytes(const struct leaves *index) {
  return index->used * sizeof(struct leaf) + index->count * (sizeof(uint32_t) + sizeof(struct sum) * (256 + 16 + 1) / 256);
}
