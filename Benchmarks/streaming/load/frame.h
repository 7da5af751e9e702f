// What the load client reads of a ServerFrame (Proto/stack/v1/frames.proto): its number and the benchmark's posts in it.
#ifndef FRAME_H
#define FRAME_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A post of a benchmark begins with this, its sequence number (10 digits) and when it was sent (CLOCK_MONOTONIC, nanoseconds, 19
// digits), each followed by a space.
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

// Reads a frame; false where the bytes are no protobuf message. Posts beyond the maximum are left out.
bool frame_read(const uint8_t *bytes, size_t size, struct frame *frame);

// Writes a sequence number and a time behind the mark in `bytes`; false where there is no mark.
bool post_stamp(uint8_t *bytes, size_t size, struct post post);

#endif
