// The upper bound of the streaming benchmarks: only libuv. It writes as many bytes to each watcher as a gRPC server (9 of HTTP/2's DATA
// frame, 5 of gRPC's prefix, the message) with one uv_try_write a delivery, without HTTP/2 or flow control.
//
//   raw unix:PATH|tcp:PORT
//
// A request is one byte (W watches, P publishes), the size of the message (32 bits, big-endian) and the message. Every reply has a head of
// 14 bytes that begins with the size of the message. As a benchmark's peer it exits on anything unexpected.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { HEAD = 14, REQUEST_HEAD = 5, MAXIMUM_MESSAGE = 1 << 16, MAXIMUM_WATCHERS = 20000, BACKLOG = 4096 };

struct client {
  union {
    uv_stream_t stream;
    uv_tcp_t tcp;
    uv_pipe_t pipe;
  } handle;
  int place;  // index among the watchers, or -1
};

static struct client *watchers[MAXIMUM_WATCHERS];
static int watcher_count, is_pipe;
static uint8_t request[REQUEST_HEAD + MAXIMUM_MESSAGE], reply[HEAD + MAXIMUM_MESSAGE];
static size_t request_size;

static void check(int result, const char *what) {
  if (result >= 0) return;
  fprintf(stderr, "raw: %s: %s\n", what, uv_strerror(result));
  exit(1);
}

static void put_size(uint8_t *bytes, uint32_t size) {
  bytes[0] = (uint8_t)(size >> 24);
  bytes[1] = (uint8_t)(size >> 16);
  bytes[2] = (uint8_t)(size >> 8);
  bytes[3] = (uint8_t)size;
}

static void write_reply(struct client *client, size_t message_size) {
  uv_buf_t buffer = uv_buf_init((char *)reply, (unsigned)(HEAD + message_size));
  int written = uv_try_write(&client->handle.stream, &buffer, 1);
  check(written, "write");
  if ((size_t)written != buffer.len) check(UV_ENOBUFS, "a watcher is not reading");
}

static void publish(struct client *from, const uint8_t *message, size_t size) {
  memcpy(reply + HEAD, message, size);
  put_size(reply, (uint32_t)size);
  for (int index = 0; index < watcher_count; index++) write_reply(watchers[index], size);
  put_size(reply, 0);
  write_reply(from, 0);
}

static void add_watcher(struct client *client) {
  if (watcher_count == MAXIMUM_WATCHERS) check(UV_ENOBUFS, "watchers");
  client->place = watcher_count;
  watchers[watcher_count++] = client;
  put_size(reply, 0);
  write_reply(client, 0);
}

static void on_closed(uv_handle_t *handle) { free(handle->data); }

static void close_client(struct client *client) {
  if (client->place >= 0) {
    watchers[client->place] = watchers[--watcher_count];
    watchers[client->place]->place = client->place;
  }
  uv_close((uv_handle_t *)&client->handle, on_closed);
}

// All requests share one buffer, because they arrive one at a time: the load client waits for each reply.
static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  (void)buffer;
  struct client *client = stream->data;
  if (count < 0) {
    close_client(client);
    return;
  }
  request_size += (size_t)count;
  if (request_size < REQUEST_HEAD) return;
  size_t size = (size_t)request[3] << 8 | request[4];
  if (request_size < REQUEST_HEAD + size) return;
  request_size = 0;
  if (request[0] == 'W') add_watcher(client);
  if (request[0] == 'P') publish(client, request + REQUEST_HEAD, size);
}

static void provide_buffer(uv_handle_t *handle, size_t wanted, uv_buf_t *buffer) {
  (void)handle;
  (void)wanted;
  *buffer = uv_buf_init((char *)request + request_size, (unsigned)(sizeof request - request_size));
}

static void on_connection(uv_stream_t *listener, int status) {
  check(status, "accept");
  struct client *client = calloc(1, sizeof *client);
  if (client == NULL) check(UV_ENOMEM, "accept");
  client->place = -1;
  check(is_pipe ? uv_pipe_init(listener->loop, &client->handle.pipe, 0) : uv_tcp_init(listener->loop, &client->handle.tcp), "accept");
  client->handle.stream.data = client;
  check(uv_accept(listener, &client->handle.stream), "accept");
  if (!is_pipe) check(uv_tcp_nodelay(&client->handle.tcp, 1), "accept");
  check(uv_read_start(&client->handle.stream, provide_buffer, on_read), "read");
}

int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  if (count != 2 || (strncmp(words[1], "unix:", 5) != 0 && strncmp(words[1], "tcp:", 4) != 0)) {
    fputs("Usage: raw unix:PATH|tcp:PORT\n", stderr);
    return 2;
  }
  uv_loop_t *loop = uv_default_loop();
  struct client listener;
  is_pipe = words[1][0] == 'u';
  if (is_pipe) {
    check(uv_pipe_init(loop, &listener.handle.pipe, 0), "listen");
    check(uv_pipe_bind(&listener.handle.pipe, words[1] + 5), words[1]);
  } else {
    struct sockaddr_in address;
    check(uv_ip4_addr("127.0.0.1", atoi(words[1] + 4), &address), "listen");
    check(uv_tcp_init(loop, &listener.handle.tcp), "listen");
    check(uv_tcp_bind(&listener.handle.tcp, (const struct sockaddr *)&address, 0), words[1]);
  }
  check(uv_listen(&listener.handle.stream, BACKLOG, on_connection), words[1]);
  puts("ready");
  fflush(stdout);
  return uv_run(loop, UV_RUN_DEFAULT);
}
