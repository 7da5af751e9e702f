#define _GNU_SOURCE
#include "frame.h"

#include <string.h>

// A position in a protobuf message.
struct reader {
  const uint8_t *at;
  const uint8_t *end;
};

// One field: the value of a varint, or the bytes of a length-delimited one.
struct field {
  uint32_t number;
  uint64_t value;
  struct reader bytes;
};

static bool read_varint(struct reader *reader, uint64_t *value) {
  *value = 0;
  for (unsigned shift = 0; shift < 64 && reader->at < reader->end; shift += 7) {
    uint8_t byte = *reader->at++;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

static bool read_bytes(struct reader *reader, uint64_t size, struct reader *bytes) {
  if (size > (uint64_t)(reader->end - reader->at)) return false;
  *bytes = (struct reader){reader->at, reader->at + size};
  reader->at += size;
  return true;
}

static bool read_field(struct reader *reader, struct field *field) {
  uint64_t key, size;
  *field = (struct field){0};
  if (!read_varint(reader, &key)) return false;
  field->number = (uint32_t)(key >> 3);
  switch (key & 7) {
    case 0: return read_varint(reader, &field->value);
    case 1: return read_bytes(reader, 8, &field->bytes);
    case 2: return read_varint(reader, &size) && read_bytes(reader, size, &field->bytes);
    case 5: return read_bytes(reader, 4, &field->bytes);
    default: return false;
  }
}

static uint64_t read_digits(const uint8_t *digits, int count) {
  uint64_t value = 0;
  for (int index = 0; index < count; index++) value = value * 10 + (uint64_t)(digits[index] - '0');
  return value;
}

static void write_digits(uint8_t *digits, int count, uint64_t value) {
  for (int index = count - 1; index >= 0; index--, value /= 10) digits[index] = (uint8_t)('0' + value % 10);
}

static const size_t mark_size = sizeof POST_MARK - 1;
static const size_t stamp_size = sizeof POST_MARK - 1 + POST_SEQUENCE_DIGITS + 1 + POST_TIME_DIGITS;

static void read_text(struct reader text, struct frame *frame) {
  if ((size_t)(text.end - text.at) < stamp_size || memcmp(text.at, POST_MARK, mark_size) != 0) return;
  if (frame->count == FRAME_MAXIMUM_POSTS) return;
  const uint8_t *digits = text.at + mark_size;
  frame->posts[frame->count++] = (struct post){
    read_digits(digits, POST_SEQUENCE_DIGITS), read_digits(digits + POST_SEQUENCE_DIGITS + 1, POST_TIME_DIGITS)};
}

// The field numbers from a frame to the text of an inserted row: ServerFrame.operations, Operation.rows_inserted, RowsInserted.rows,
// PlacedRow.row, Row.text.
static const uint32_t path[] = {9, 5, 3, 1, 6};
enum { PATH_LENGTH = sizeof path / sizeof path[0] };

static bool read_level(struct reader message, unsigned level, struct frame *frame) {
  while (message.at < message.end) {
    struct field field;
    if (!read_field(&message, &field)) return false;
    if (level == 0 && field.number == 1) frame->number = field.value;
    if (field.number != path[level] || field.bytes.at == NULL) continue;
    if (level + 1 == PATH_LENGTH) {
      read_text(field.bytes, frame);
    } else if (!read_level(field.bytes, level + 1, frame)) {
      return false;
    }
  }
  return true;
}

bool frame_read(const uint8_t *bytes, size_t size, struct frame *frame) {
  frame->number = 0;
  frame->count = 0;
  return read_level((struct reader){bytes, bytes + size}, 0, frame);
}

bool post_stamp(uint8_t *bytes, size_t size, struct post post) {
  uint8_t *mark = memmem(bytes, size, POST_MARK, mark_size);
  if (mark == NULL || (size_t)(bytes + size - mark) < stamp_size) return false;
  write_digits(mark + mark_size, POST_SEQUENCE_DIGITS, post.sequence);
  write_digits(mark + mark_size + POST_SEQUENCE_DIGITS + 1, POST_TIME_DIGITS, post.sent_at);
  return true;
}
