// A log-linear histogram of durations: 64 steps per power of two, so that a value is exact to 1.6 %, in 30 KB for any number of values.
#ifndef HISTOGRAM_H
#define HISTOGRAM_H
#include <stdint.h>
#include <string.h>

enum { HISTOGRAM_STEPS_A_POWER = 64, HISTOGRAM_STEPS = 59 * HISTOGRAM_STEPS_A_POWER };

struct histogram {
  uint64_t count;
  uint64_t maximum;
  uint64_t steps[HISTOGRAM_STEPS];
};

// Returns the step of a value: values below 64 have one each, later powers of two are divided into 64.
static inline unsigned histogram_step(uint64_t value) {
  if (value < HISTOGRAM_STEPS_A_POWER) return (unsigned)value;
  unsigned shift = 63 - (unsigned)__builtin_clzll(value) - 6;
  return (shift + 1) * HISTOGRAM_STEPS_A_POWER + (unsigned)(value >> shift) - HISTOGRAM_STEPS_A_POWER;
}

// Returns the smallest value of a step.
static inline uint64_t histogram_value(unsigned step) {
  if (step < HISTOGRAM_STEPS_A_POWER) return step;
  unsigned shift = step / HISTOGRAM_STEPS_A_POWER - 1;
  return (uint64_t)(HISTOGRAM_STEPS_A_POWER + step % HISTOGRAM_STEPS_A_POWER) << shift;
}

static inline void histogram_add(struct histogram *histogram, uint64_t value) {
  histogram->count++;
  histogram->steps[histogram_step(value)]++;
  if (value > histogram->maximum) histogram->maximum = value;
}

// Returns the value that a `share` (0 to 1) of all values does not exceed, to within a step; 0 without values.
static inline uint64_t histogram_percentile(const struct histogram *histogram, double share) {
  if (histogram->count == 0) return 0;
  uint64_t wanted = (uint64_t)(share * (double)(histogram->count - 1)) + 1;
  uint64_t below = 0;
  for (unsigned step = 0; step < HISTOGRAM_STEPS; step++) {
    below += histogram->steps[step];
    if (below >= wanted) return histogram_value(step);
  }
  return histogram->maximum;
}

static inline void histogram_reset(struct histogram *histogram) { memset(histogram, 0, sizeof *histogram); }

#endif
