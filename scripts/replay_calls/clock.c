// A wall clock that stands still until set. It is preloaded into the daemons of a replay, so that no timer fires between two calls and all
// runs give the same responses. REPLAY_CLOCK names a file with the time, in nanoseconds since 1970. Other clocks are the system's.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *wall;

__attribute__((constructor)) static void open_clock(void) {
  const char *path = getenv("REPLAY_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *wall, PROT_READ, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) _exit(97);
  close(file);
  wall = page;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // No daemon outlives its replay.
}

int clock_gettime(clockid_t id, struct timespec *time) {
  if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE) return (int)syscall(SYS_clock_gettime, id, time);
  time->tv_sec = *wall / 1000000000;
  time->tv_nsec = *wall % 1000000000;
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  time->tv_sec = *wall / 1000000000;
  time->tv_usec = *wall % 1000000000 / 1000;
  return 0;
}

time_t time(time_t *result) {
  time_t now = *wall / 1000000000;
  if (result) *result = now;
  return now;
}
