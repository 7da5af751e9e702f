// Wraps with libunistring's u8_width_linebreaks, which marks the first byte of each line.
#include "corpus.h"

#include <unilbrk.h>

static char *marks;

static uint32_t wrap(const uint8_t *text, uint32_t size, uint32_t width) {
  u8_width_linebreaks(text, size, (int)width, 0, 0, NULL, "UTF-8", marks);
  uint32_t lines = 1;
  for (uint32_t i = 0; i < size; i++) lines += marks[i] == UC_BREAK_POSSIBLE || (marks[i] == UC_BREAK_MANDATORY && i + 1 < size);
  return lines;
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  read_corpus(arguments[1]);
  marks = malloc(longest_post() + 1);
  serve();
}
