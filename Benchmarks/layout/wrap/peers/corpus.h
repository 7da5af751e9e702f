// Reads a corpus and measures an engine on it; wrap.py describes the commands.
#pragma once
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// A corpus is a u32 count, count + 1 offsets as u32, then the bytes of the posts, all little-endian.
static uint32_t *offsets;
static uint8_t *texts;
static uint32_t post_count;

// Wraps a post into lines of `width` cells, stores the line ends, and returns the number of lines.
static uint32_t wrap(const uint8_t *text, uint32_t size, uint32_t width);

// Returns the size of the longest post in bytes.
static uint32_t longest_post(void) {
  uint32_t longest = 0;
  for (uint32_t i = 0; i < post_count; i++) {
    uint32_t size = offsets[i + 1] - offsets[i];
    if (size > longest) longest = size;
  }
  return longest;
}

static void read_corpus(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint32_t *content = malloc(size);
  if (!content || fread(content, 1, size, file) != size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  post_count = content[0];
  offsets = content + 1;
  texts = (uint8_t *)(offsets + post_count + 1);
}

static int64_t cpu_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// Prints CPU nanoseconds and the number of lines for each line `wrap WIDTH` of standard input.
static void serve(void) {
  unsigned width;
  while (scanf("%*s %u", &width) == 1) {
    uint64_t lines = 0;
    int64_t began = cpu_nanoseconds();
    for (uint32_t i = 0; i < post_count; i++) lines += wrap(texts + offsets[i], offsets[i + 1] - offsets[i], width);
    printf("%lld %llu\n", (long long)(cpu_nanoseconds() - began), (unsigned long long)lines);
    fflush(stdout);
  }
}
