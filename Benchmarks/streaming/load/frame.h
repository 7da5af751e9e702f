// Reads the number and the benchmark's posts of a ServerFrame (Proto/stack/v1/frames.proto).
#ifndef FRAME_H
#define FRAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A post of a benchmark begins with this mark, its sequence number (10 digits) and the time of sending (CLOCK_MONOTONIC in nanoseconds,
// 19 digits), each followed by a space.
#define POST_MARK "stack-bench "
enum { POST_SEQUENCE_DIGITS = 10, POST_TIME_DIGITS = 19, FRAME_MAXIMUM_POSTS = 256 };

struct post {
  uint64_t sequence;
  uint64_t sent_at;
};

struct frame {
  uint64_t number;
  unsigned count;
  struct post posts[FRAME_MAXIMUM_POSTS];
};

// Reads a frame; returns false if the bytes are not a protobuf message. Ignores posts beyond the maximum.
bool frame_read(const uint8_t *bytes, size_t size, struct frame *frame);

// Writes a sequence number and a time after the mark in `bytes`; returns false if there is no mark.
bool post_stamp(uint8_t *bytes, size_t size, struct post post);

#endif
