// Tests the histogram and the frame reader of the load client. Exits with 1 at the first failure.
#include <stdio.h>
#include <stdlib.h>

#include "frame.h"
#include "histogram.h"

static void expect(int condition, const char *expectation) {
  if (condition) return;
  fprintf(stderr, "failed: %s\n", expectation);
  exit(1);
}

static void test_steps(void) {
  for (unsigned step = 0; step < HISTOGRAM_STEPS; step++) {
    expect(histogram_step(histogram_value(step)) == step, "the smallest value of a step is in that step");
  }
  expect(histogram_step(UINT64_MAX) == HISTOGRAM_STEPS - 1, "the largest value is in the last step");
  for (uint64_t value = 1; value < UINT64_MAX / 3; value = value * 3 + 1) {
    uint64_t rounded = histogram_value(histogram_step(value));
    expect(rounded <= value && value - rounded <= value / 64, "a value is exact to a sixty-fourth");
  }
}

static void test_percentiles(void) {
  static struct histogram histogram;
  expect(histogram_percentile(&histogram, 0.5) == 0, "the percentile of an empty histogram is 0");
  for (uint64_t value = 1; value <= 63; value++) histogram_add(&histogram, value);
  expect(histogram_percentile(&histogram, 0.5) == 32, "the median of 1 to 63 is 32");
  expect(histogram_percentile(&histogram, 0) == 1 && histogram_percentile(&histogram, 1) == 63, "the ends are minimum and maximum");
  histogram_add(&histogram, 1000000);
  expect(histogram.maximum == 1000000 && histogram.count == 64, "the maximum is exact");
}

static void test_frame(void) {
  // Number 5, and an operation rows_inserted with pane_id 1 and one row: row_id 3, a post as text, and a label.
  uint8_t frame[] =
    "\x08\x05\x4a\x3d\x2a\x3b\x08\x01\x1a\x37\x0a\x30\x08\x03\x32\x2c"
    "stack-bench 0000000000 0000000000000000000 !"
    "\x1a\x03now";
  size_t size = sizeof frame - 1;
  struct frame read;
  expect(post_stamp(frame, size, (struct post){1234567890, 9876543210}), "post_stamp finds the mark");
  expect(frame_read(frame, size, &read), "frame_read reads a frame");
  expect(read.number == 5 && read.count == 1, "a frame has its number and one post");
  expect(read.posts[0].sequence == 1234567890 && read.posts[0].sent_at == 9876543210, "the stamp is read");
  for (size_t cut = 1; cut < size; cut++) {
    if (cut != 2) expect(!frame_read(frame, cut, &read), "frame_read rejects a truncated frame");
  }
  expect(!post_stamp(frame, 20, (struct post){1, 1}), "post_stamp rejects bytes without a mark");
}

int main(void) {
  test_steps();
  test_percentiles();
  test_frame();
  return 0;
}
