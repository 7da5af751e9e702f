// The load client of the streaming benchmarks: opens views on a server, posts, and measures when each view sees each post.
//
//   load --address unix:PATH|tcp:PORT [--raw] [--token TEXT] --view-path PATH --view-body FILE --post-path PATH --post-body FILE
//        [--acknowledge] [--opened-by-frame] [--views-per-connection N]
//
// Reads commands from standard input, one a line, and replies to each with a line of JSON on standard output:
//
//   connect N           opens N connections without views
//   watch N [WINDOW]    opens N views with a receive window of WINDOW bytes; replies when all are open
//   own                 opens a view on the connection that posts; it acknowledges its frames if the others do
//   post N MS           posts N times, each MS milliseconds after all views have the previous post
//   pace N SECONDS      posts N times a second without waiting for the views
//   write N SECONDS [RATE]
//                       posts on N separate connections, each its next post after the reply to the last; at most RATE posts a
//                       second in all, evenly
//   stall N             stops reading in the newest N views; 0 resumes all
//   settle LAST SECONDS waits until every reading view has the post LAST
//   reset               sets all counts to 0
//   report              prints the counts
//
// A view is open once its headers have arrived, or with --opened-by-frame its first frame. Any wait of more than a minute is fatal.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "connection.h"
#include "frame.h"
#include "histogram.h"

enum { DEFAULT_WINDOW = 1 << 20, MAXIMUM_VIEWS = 20000, MAXIMUM_BODY = 1 << 16, PATIENCE_SECONDS = 60, OPENING_AT_ONCE = 64 };
// The minimum number of rows in a daemon's window: a frame with fewer new posts has all of them.
enum { SMALLEST_WINDOW = 8 };
static const uint64_t second = 1000000000, millisecond = 1000000;

struct view {
  struct call *call;
  uint64_t last;      // newest post seen
  uint64_t seen;      // posts seen since the last reset
  uint64_t repeated;  // posts seen that were not newer than the last
  uint64_t passed;    // posts not seen because the window moved past them in one frame
  uint64_t lost;      // posts not seen for any other reason
  bool is_open, is_own, is_stalled, has_ended;
};

struct options {
  struct target target;
  const char *view_path, *post_path;
  uint8_t view_body[MAXIMUM_BODY], post_body[MAXIMUM_BODY];
  size_t view_size, post_size;
  bool acknowledges, opened_by_frame;
  int views_per_connection;
};

static struct options options = {.views_per_connection = 1};
static struct view *views[MAXIMUM_VIEWS];
static int view_count, open_count, ended_count;
static struct connection *control, *newest;
static int views_on_newest;

// The awaited post, and the number of views that still lack it.
static uint64_t awaited, last_post;
static int awaiting, unanswered;
static uint64_t frames, posts, refused;
static struct histogram own_latency, other_latency, answer_latency;

// --- Events

static int reading_views(void) {
  int count = 0;
  for (int index = 0; index < view_count; index++) count += !views[index]->is_stalled && !views[index]->has_ended;
  return count;
}

static void await_post(uint64_t sequence) {
  awaited = sequence;
  awaiting = 0;
  for (int index = 0; index < view_count; index++) {
    struct view *view = views[index];
    awaiting += !view->is_stalled && !view->has_ended && view->last < sequence;
  }
}

static void set_open(struct view *view) {
  if (view->is_open) return;
  view->is_open = true;
  open_count++;
}

static void view_headers(struct call *call) {
  if (!options.opened_by_frame) set_open(call->owner);
}

static void acknowledge(struct call *call, uint64_t number) {
  uint8_t message[16] = {0x22, 0, 0x08};  // ClientFrame.ack, its length, Ack.frame
  size_t size = 3;
  for (; number >= 0x80; number >>= 7) message[size++] = (uint8_t)(number | 0x80);
  message[size++] = (uint8_t)number;
  message[1] = (uint8_t)(size - 2);
  call_send(call, message, size);
}

static void view_message(struct call *call, const uint8_t *message, size_t size) {
  static struct frame frame;
  struct view *view = call->owner;
  if (size == 0) return;
  if (!frame_read(message, size, &frame)) fail("a message of %zu bytes is not a ServerFrame", size);
  frames++;
  bool is_first = options.opened_by_frame && !view->is_open;
  uint64_t time = now(), before = view->last, seen = view->seen;
  for (unsigned index = 0; index < frame.count; index++) {
    struct post post = frame.posts[index];
    if (post.sequence > view->last) view->last = post.sequence;
    if (is_first) continue;
    if (post.sequence <= before) {
      view->repeated++;
      continue;
    }
    view->seen++;
    posts++;
    histogram_add(view->is_own ? &own_latency : &other_latency, time - post.sent_at);
  }
  if (before > 0 && !is_first) {
    uint64_t fresh = view->seen - seen, missing = view->last - before - fresh;
    *(fresh < SMALLEST_WINDOW ? &view->lost : &view->passed) += missing;
  }
  if (before < awaited && view->last >= awaited && !is_first && !view->is_stalled) awaiting--;
  if (is_first) set_open(view);
  if (options.acknowledges) acknowledge(call, frame.number);
}

static void view_end(struct call *call, int status) {
  struct view *view = call->owner;
  fprintf(stderr, "load: a view ended with status %d\n", status);
  if (!view->is_stalled && view->last < awaited) awaiting--;
  view->has_ended = true;
  view->call = NULL;
  ended_count++;
}

static void post_answered(uint64_t *sent_at) {
  histogram_add(&answer_latency, now() - *sent_at);
  free(sent_at);
  unanswered--;
}

// Idle connections of `write`.
enum { MAXIMUM_WRITERS = 1000 };
static struct connection *idle_writers[MAXIMUM_WRITERS];
static int idle_count;

static void post_headers(struct call *call) { (void)call; }

static void post_message(struct call *call, const uint8_t *message, size_t size) {
  (void)message;
  (void)size;
  if (!call->connection->is_raw) return;
  post_answered(call->owner);
  call->connection->raw_call = NULL;
  free(call);
}

static void post_end(struct call *call, int status) {
  if (status != 0) refused++;
  if (status != 0 && refused == 1) fprintf(stderr, "load: a post was refused with status %d\n", status);
  post_answered(call->owner);
}

static void write_end(struct call *call, int status) {
  idle_writers[idle_count++] = call->connection;
  post_end(call, status);
}

static const struct call_events view_events = {view_headers, view_message, view_end};
static const struct call_events post_events = {post_headers, post_message, post_end};
static const struct call_events write_events = {post_headers, post_message, write_end};

// --- Commands

static void open_view(struct connection *connection, bool is_own) {
  if (view_count == MAXIMUM_VIEWS) fail("more than %d views", MAXIMUM_VIEWS);
  struct view *view = calloc(1, sizeof *view);
  if (view == NULL) fail("out of memory");
  view->is_own = is_own;
  views[view_count++] = view;
  view->call = call_begin(
    connection, &options.target, options.view_path, options.view_body, options.view_size, options.acknowledges, &view_events, view);
}

static void wait_until_open(int allowed_missing) {
  uint64_t deadline = now() + PATIENCE_SECONDS * second;
  while (open_count + ended_count + allowed_missing < view_count) {
    pump(100);
    if (now() > deadline) fail("only %d of %d views opened", open_count, view_count);
  }
}

static void open_views(int count, uint32_t window) {
  views_on_newest = options.views_per_connection;
  for (int index = 0; index < count; index++) {
    if (views_on_newest == options.views_per_connection) {
      newest = connection_open(&options.target, window);
      views_on_newest = 0;
    }
    views_on_newest++;
    open_view(newest, false);
    pump(0);
    wait_until_open(OPENING_AT_ONCE);
  }
  wait_until_open(0);
}

static void open_connections(int count) {
  for (int index = 0; index < count; index++) {
    struct connection *connection = connection_open(&options.target, DEFAULT_WINDOW);
    uint64_t deadline = now() + PATIENCE_SECONDS * second;
    while (!connection->is_settled) {
      pump(100);
      if (now() > deadline) fail("connection %d of %d got no SETTINGS", index, count);
    }
  }
}

static void post_on(struct connection *connection, const struct call_events *events) {
  // Posts are numbered without gaps, from the clock in milliseconds. A later process continues above an earlier one, because the rate stays
  // below a thousand posts a second over time.
  last_post = last_post == 0 ? now() / millisecond : last_post + 1;
  uint64_t *sent_at = malloc(sizeof *sent_at);
  if (sent_at == NULL) fail("out of memory");
  *sent_at = now();
  if (!post_stamp(options.post_body, options.post_size, (struct post){last_post, *sent_at})) fail("the post has no mark");
  unanswered++;
  call_begin(connection, &options.target, options.post_path, options.post_body, options.post_size, false, events, sent_at);
}

static void post(void) { post_on(control, &post_events); }

static void pump_until(uint64_t time) {
  for (uint64_t at = now(); at < time; at = now()) pump(time - at < millisecond ? 1 : (int)((time - at) / millisecond));
}

static void post_in_turn(int count, int pause) {
  for (int index = 0; index < count; index++) {
    uint64_t began = now();
    post();
    await_post(last_post);
    while (unanswered > 0 || awaiting > 0) {
      pump(100);
      if (now() > began + PATIENCE_SECONDS * second) fail("%d of %d views did not receive a post", awaiting, reading_views());
    }
    if (pause > 0) pump_until(now() + (uint64_t)pause * millisecond);
  }
}

static void post_at_pace(int rate, int seconds) {
  uint64_t began = now();
  for (int index = 0; index < rate * seconds; index++) {
    pump_until(began + (uint64_t)index * second / (uint64_t)rate);
    post();
  }
  uint64_t deadline = now() + PATIENCE_SECONDS * second;
  while (unanswered > 0) {
    pump(100);
    if (now() > deadline) fail("no reply to %d posts", unanswered);
  }
}

static void write_posts(int count, int seconds, uint64_t rate) {
  if (count > MAXIMUM_WRITERS) fail("more than %d writers", MAXIMUM_WRITERS);
  for (idle_count = 0; idle_count < count; idle_count++) idle_writers[idle_count] = connection_open(&options.target, DEFAULT_WINDOW);
  uint64_t begin = now(), end = begin + (uint64_t)seconds * second, started = 0;
  while (now() < end) {
    uint64_t due = rate ? (now() - begin) * rate / second : UINT64_MAX;
    for (; idle_count > 0 && started < due; started++) post_on(idle_writers[--idle_count], &write_events);
    pump(1);
  }
  uint64_t deadline = now() + PATIENCE_SECONDS * second;
  while (unanswered > 0) {
    pump(100);
    if (now() > deadline) fail("no reply to %d posts", unanswered);
  }
}

static void stall(int count) {
  for (int index = 0; index < view_count; index++) {
    struct view *view = views[index];
    view->is_stalled = index >= view_count - count;
    if (view->call != NULL) connection_set_reading(view->call->connection, !view->is_stalled);
  }
}

static int wait_for_views(uint64_t last, int seconds) {
  uint64_t deadline = now() + (uint64_t)seconds * second;
  await_post(last);
  while (awaiting > 0 && now() < deadline) pump(100);
  return awaiting;
}

static void reset(void) {
  frames = posts = refused = received_messages_bytes = received_socket_bytes = 0;
  histogram_reset(&own_latency);
  histogram_reset(&other_latency);
  histogram_reset(&answer_latency);
  for (int index = 0; index < view_count; index++) {
    struct view *view = views[index];
    view->seen = view->repeated = view->passed = view->lost = 0;
  }
}

// --- Replies

static void print_latency(const char *name, const struct histogram *histogram) {
  printf(
    ",\"%s\":{\"count\":%" PRIu64 ",\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f}", name, histogram->count,
    (double)histogram_percentile(histogram, 0.5) / 1e6, (double)histogram_percentile(histogram, 0.99) / 1e6,
    (double)histogram->maximum / 1e6);
}

static void report(void) {
  uint64_t least = UINT64_MAX, most = 0, repeated = 0, passed = 0, lost = 0;
  for (int index = 0; index < view_count; index++) {
    struct view *view = views[index];
    repeated += view->repeated;
    passed += view->passed;
    lost += view->lost;
    if (view->has_ended) continue;
    if (view->seen < least) least = view->seen;
    if (view->seen > most) most = view->seen;
  }
  printf(
    "{\"views\":%d,\"ended\":%d,\"frames\":%" PRIu64 ",\"posts\":%" PRIu64 ",\"refused\":%" PRIu64 ",\"bytes\":%" PRIu64
    ",\"wire\":%" PRIu64 ",\"least\":%" PRIu64 ",\"most\":%" PRIu64 ",\"repeated\":%" PRIu64 ",\"passed\":%" PRIu64
    ",\"lost\":%" PRIu64 ",\"last\":%" PRIu64,
    view_count, ended_count, frames, posts, refused, received_messages_bytes, received_socket_bytes, view_count ? least : 0, most, repeated,
    passed, lost, last_post);
  print_latency("own", &own_latency);
  print_latency("others", &other_latency);
  print_latency("answers", &answer_latency);
  printf("}\n");
}

// Runs the command of a line; returns false if it is unknown.
static bool run_command(const char *line) {
  uint64_t first = 0, other = 0, third = 0;
  char verb[16] = "";
  int words = sscanf(line, "%15s %" SCNu64 " %" SCNu64 " %" SCNu64, verb, &first, &other, &third);
  int count = (int)first, more = (int)other;
  if (strcmp(verb, "report") == 0) {
    report();
    return true;
  }
  if (strcmp(verb, "settle") == 0 && words == 3) {
    printf("{\"behind\":%d}\n", wait_for_views(first, more));
    return true;
  }
  if (strcmp(verb, "connect") == 0 && words == 2) open_connections(count);
  else if (strcmp(verb, "watch") == 0 && words >= 2) open_views(count, words == 3 ? (uint32_t)other : DEFAULT_WINDOW);
  else if (strcmp(verb, "own") == 0) open_view(control, true), wait_until_open(0);
  else if (strcmp(verb, "post") == 0 && words == 3) post_in_turn(count, more);
  else if (strcmp(verb, "pace") == 0 && words == 3) post_at_pace(count, more);
  else if (strcmp(verb, "write") == 0 && words >= 3) write_posts(count, more, third);
  else if (strcmp(verb, "stall") == 0 && words == 2) stall(count);
  else if (strcmp(verb, "reset") == 0) reset();
  else return false;
  printf("{\"views\":%d,\"last\":%" PRIu64 "}\n", view_count, last_post);
  return true;
}

// --- Start

static size_t read_file(const char *path, uint8_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) fail("cannot read %s", path);
  size_t size = fread(bytes, 1, MAXIMUM_BODY, file);
  fclose(file);
  return size;
}

static void read_options(int count, char **words) {
  for (int index = 1; index < count; index++) {
    const char *word = words[index];
    const char *value = index + 1 < count ? words[index + 1] : "";
    if (strcmp(word, "--raw") == 0) options.target.is_raw = true;
    else if (strcmp(word, "--acknowledge") == 0) options.acknowledges = true;
    else if (strcmp(word, "--opened-by-frame") == 0) options.opened_by_frame = true;
    else if (index++, strcmp(word, "--address") == 0) options.target.address = value;
    else if (strcmp(word, "--token") == 0) options.target.token = value;
    else if (strcmp(word, "--view-path") == 0) options.view_path = value;
    else if (strcmp(word, "--view-body") == 0) options.view_size = read_file(value, options.view_body);
    else if (strcmp(word, "--post-path") == 0) options.post_path = value;
    else if (strcmp(word, "--post-body") == 0) options.post_size = read_file(value, options.post_body);
    else if (strcmp(word, "--views-per-connection") == 0) options.views_per_connection = atoi(value);
    else fail("unknown option %s", word);
  }
  if (options.target.address == NULL || options.view_path == NULL || options.post_path == NULL || options.views_per_connection < 1) {
    fail("--address, --view-path and --post-path are required");
  }
}

int main(int count, char **words) {
  read_options(count, words);
  setvbuf(stdout, NULL, _IOLBF, 0);
  control = connection_open(&options.target, DEFAULT_WINDOW);
  char line[256];
  size_t size = 0;
  for (;;) {
    if (!pump(1000)) continue;
    ssize_t got = read(STDIN_FILENO, line + size, sizeof line - 1 - size);
    if (got <= 0) return 0;
    size += (size_t)got;
    line[size] = 0;
    if (strchr(line, '\n') == NULL && size + 1 < sizeof line) continue;
    if (!run_command(line)) fail("unknown command: %s", line);
    size = 0;
  }
}
