// Tests what the load client measures with: its histogram, and what it reads out of a frame. Ends with 1 at the first thing wrong.
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#include "histogram.h"

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "not so: %s\n", what);
  exit(1);
}

static void test_steps(void) {
  for (unsigned step = 0; step < HISTOGRAM_STEPS; step++) {
    expect(histogram_step(histogram_value(step)) == step, "a step's smallest value is in that step");
  }
  expect(histogram_step(UINT64_MAX) == HISTOGRAM_STEPS - 1, "the largest value is in the last step");
  for (uint64_t value = 1; value < UINT64_MAX / 3; value = value * 3 + 1) {
    uint64_t told = histogram_value(histogram_step(value));
    expect(told <= value && value - told <= value / 64, "a value is told within a sixty-fourth");
  }
}

static void test_percentiles(void) {
  static struct histogram histogram;
  expect(histogram_percentile(&histogram, 0.5) == 0, "nothing has no percentile");
  for (uint64_t value = 1; value <= 63; value++) histogram_add(&histogram, value);
  expect(histogram_percentile(&histogram, 0.5) == 32, "the median of 1 to 63 is 32");
  expect(histogram_percentile(&histogram, 0) == 1 && histogram_percentile(&histogram, 1) == 63, "the ends are the least and the most");
  histogram_add(&histogram, 1000000);
  expect(histogram.maximum == 1000000 && histogram.count == 64, "the maximum is exact");
}

static void test_frame(void) {
  // number 5; an operation rows_inserted with pane_id 1 and one row with a label, whose row_id is 3 and whose text is a post.
  uint8_t frame[] =
    "\x08\x05\x4a\x3d\x2a\x3b\x08\x01\x1a\x37\x0a\x30\x08\x03\x32\x2c"
    "stack-bench 0000000000 0000000000000000000 !"
    "\x1a\x03now";
  size_t size = sizeof frame - 1;
  struct frame read;
  expect(post_stamp(frame, size, (struct post){1234567890, 9876543210}), "a post is stamped");
  expect(frame_read(frame, size, &read), "a frame is read");
  expect(read.number == 5 && read.count == 1, "its number and its one post");
  expect(read.posts[0].sequence == 1234567890 && read.posts[0].sent_at == 9876543210, "what was stamped is read");
  for (size_t cut = 1; cut < size; cut++) {
    if (cut != 2) expect(!frame_read(frame, cut, &read), "a frame that is cut short is none");
  }
  expect(!post_stamp(frame, 20, (struct post){1, 1}), "what has no mark is not stamped");
}

int main(void) {
  test_steps();
  test_percentiles();
  test_frame();
  return 0;
}
