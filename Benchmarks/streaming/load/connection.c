#define _GNU_SOURCE
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PREFIX = 5, RAW_HEAD = 14, READ_SIZE = 1 << 17, EVENTS = 512 };

uint64_t received_messages_bytes, received_socket_bytes;
static int poller = -1;
static uint8_t read_buffer[READ_SIZE];

void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("load: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  exit(1);
}

uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void bytes_add(struct bytes *bytes, const void *more, size_t size) {
  if (bytes->start == bytes->size) bytes->start = bytes->size = 0;
  if (bytes->size + size > bytes->capacity) {
    bytes->capacity = (bytes->size + size) * 2;
    bytes->base = realloc(bytes->base, bytes->capacity);
    if (bytes->base == NULL) fail("out of memory");
  }
  memcpy(bytes->base + bytes->size, more, size);
  bytes->size += size;
}

static void bytes_free(struct bytes *bytes) {
  free(bytes->base);
  *bytes = (struct bytes){0};
}

static uint32_t big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_big_endian(uint8_t *bytes, uint32_t value) {
  bytes[0] = (uint8_t)(value >> 24);
  bytes[1] = (uint8_t)(value >> 16);
  bytes[2] = (uint8_t)(value >> 8);
  bytes[3] = (uint8_t)value;
}

// --- Sockets

static void watch(struct connection *connection, int operation) {
  struct epoll_event event = {.data.ptr = connection};
  event.events = (connection->is_reading ? EPOLLIN : 0) | (connection->is_writing ? EPOLLOUT : 0);
  if (epoll_ctl(poller, operation, connection->descriptor, &event) != 0) fail("epoll_ctl: %s", strerror(errno));
}

void connection_set_reading(struct connection *connection, bool is_reading) {
  if (connection->is_reading == is_reading) return;
  connection->is_reading = is_reading;
  watch(connection, EPOLL_CTL_MOD);
}

// Writes as much as the socket accepts; the rest waits until it is writable.
static void write_out(struct connection *connection) {
  struct bytes *out = &connection->out;
  while (out->start < out->size) {
    ssize_t count = send(connection->descriptor, out->base + out->start, out->size - out->start, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN) fail("write: %s", strerror(errno));
    if (count < 0) break;
    out->start += (size_t)count;
  }
  bool has_more = out->start < out->size;
  if (!has_more) bytes_free(out);
  if (has_more != connection->is_writing) {
    connection->is_writing = has_more;
    watch(connection, EPOLL_CTL_MOD);
  }
}

static void flush(struct connection *connection) {
  if (!connection->is_raw) {
    const uint8_t *chunk;
    ssize_t count;
    while ((count = nghttp2_session_mem_send(connection->session, &chunk)) > 0) bytes_add(&connection->out, chunk, (size_t)count);
    if (count < 0) fail("nghttp2: %s", nghttp2_strerror((int)count));
  }
  write_out(connection);
}

static int connect_unix(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) fail("%s: path too long for a socket", path);
  memcpy(address.sun_path, path, strlen(path));
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("%s: %s", path, strerror(errno));
  return descriptor;
}

static int connect_tcp(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("port %d: %s", port, strerror(errno));
  int yes = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  return descriptor;
}

static int connect_to(const char *address) {
  if (strncmp(address, "unix:", 5) == 0) return connect_unix(address + 5);
  if (strncmp(address, "tcp:", 4) == 0) return connect_tcp(atoi(address + 4));
  fail("%s: expected unix:PATH or tcp:PORT", address);
}

// --- Messages

static void read_messages(struct call *call, const uint8_t *chunk, size_t size, size_t head, size_t length_at) {
  bool is_whole = call->in.start == call->in.size;
  if (!is_whole) {
    bytes_add(&call->in, chunk, size);
    chunk = call->in.base + call->in.start;
    size = call->in.size - call->in.start;
  }
  size_t used = 0;
  while (size - used >= head) {
    size_t length = big_endian(chunk + used + length_at);
    if (size - used - head < length) break;
    received_messages_bytes += PREFIX + length;
    call->events->on_message(call, chunk + used + head, length);
    used += head + length;
  }
  if (is_whole && used < size) bytes_add(&call->in, chunk + used, size - used);
  if (!is_whole) {
    call->in.start += used;
    if (call->in.start == call->in.size) bytes_free(&call->in);
  }
}

static void read_raw(struct connection *connection, const uint8_t *chunk, size_t size) {
  struct call *call = connection->raw_call;
  if (!call->has_headers) {
    call->has_headers = true;
    call->events->on_headers(call);
  }
  read_messages(call, chunk, size, RAW_HEAD, 0);
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *data, size_t size, void *user) {
  (void)flags;
  (void)user;
  struct call *call = nghttp2_session_get_stream_user_data(session, stream);
  if (call != NULL) read_messages(call, data, size, PREFIX, 1);
  return 0;
}

static int on_header(
  nghttp2_session *session, const nghttp2_frame *frame, const uint8_t *name, size_t name_size, const uint8_t *value, size_t value_size,
  uint8_t flags, void *user) {
  (void)flags;
  (void)user;
  struct call *call = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
  if (call == NULL) return 0;
  if (name_size == 11 && memcmp(name, "grpc-status", 11) == 0) call->status = atoi((const char *)value);
  if (name_size == 12 && memcmp(name, "grpc-message", 12) == 0 && value_size > 0) {
    fprintf(stderr, "load: %.*s\n", (int)value_size, value);
  }
  return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *user) {
  struct connection *connection = user;
  if (frame->hd.type == NGHTTP2_SETTINGS && (frame->hd.flags & NGHTTP2_FLAG_ACK) == 0) connection->is_settled = true;
  if (frame->hd.type == NGHTTP2_HEADERS) {
    struct call *call = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    if (call != NULL && !call->has_headers) {
      call->has_headers = true;
      call->events->on_headers(call);
    }
  }
  return 0;
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t error, void *user) {
  (void)error;
  (void)user;
  struct call *call = nghttp2_session_get_stream_user_data(session, stream);
  if (call == NULL) return 0;
  call->events->on_end(call, call->status);
  bytes_free(&call->in);
  bytes_free(&call->up);
  free(call);
  return 0;
}

static ssize_t read_request(
  nghttp2_session *session, int32_t stream, uint8_t *buffer, size_t size, uint32_t *flags, nghttp2_data_source *source, void *user) {
  (void)session;
  (void)stream;
  (void)user;
  struct call *call = source->ptr;
  size_t count = call->up.size - call->up.start;
  if (count > size) count = size;
  if (count == 0 && call->is_half_open) return NGHTTP2_ERR_DEFERRED;
  memcpy(buffer, call->up.base + call->up.start, count);
  call->up.start += count;
  if (call->up.start == call->up.size) {
    bytes_free(&call->up);
    if (!call->is_half_open) *flags |= NGHTTP2_DATA_FLAG_EOF;
  }
  return (ssize_t)count;
}

// --- Connections and calls

static nghttp2_session *open_session(struct connection *connection, uint32_t window) {
  static nghttp2_session_callbacks *callbacks;
  if (callbacks == NULL) {
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  }
  nghttp2_session *session;
  if (nghttp2_session_client_new(&session, callbacks, connection) != 0) fail("out of memory");
  nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0}, {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window}};
  nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, 2);
  nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, 1 << 24);
  return session;
}

struct connection *connection_open(const struct target *target, uint32_t window) {
  if (poller < 0) {
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, STDIN_FILENO, &input) != 0) fail("standard input must be a pipe");
  }
  struct connection *connection = calloc(1, sizeof *connection);
  if (connection == NULL) fail("out of memory");
  connection->descriptor = connect_to(target->address);
  fcntl(connection->descriptor, F_SETFL, O_NONBLOCK);
  connection->is_reading = true;
  connection->is_raw = target->is_raw;
  connection->is_settled = target->is_raw;
  watch(connection, EPOLL_CTL_ADD);
  if (!connection->is_raw) {
    connection->session = open_session(connection, window);
    flush(connection);
  }
  return connection;
}

static void add_message(struct bytes *up, const void *message, size_t size) {
  uint8_t prefix[PREFIX] = {0};
  put_big_endian(prefix + 1, (uint32_t)size);
  bytes_add(up, prefix, PREFIX);
  bytes_add(up, message, size);
}

static void begin_raw(struct call *call, const char *path, const void *message, size_t size) {
  uint8_t head[PREFIX] = {(uint8_t)path[0]};
  put_big_endian(head + 1, (uint32_t)size);
  call->connection->raw_call = call;
  bytes_add(&call->connection->out, head, PREFIX);
  bytes_add(&call->connection->out, message, size);
}

#define HEADER(name, value) \
  {(uint8_t *)(name), (uint8_t *)(value), strlen(name), strlen(value), NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE}

struct call *call_begin(
  struct connection *connection, const struct target *target, const char *path, const void *message, size_t size, bool stays_open,
  const struct call_events *events, void *owner) {
  struct call *call = calloc(1, sizeof *call);
  if (call == NULL) fail("out of memory");
  *call = (struct call){.connection = connection, .events = events, .owner = owner, .status = -1, .is_half_open = stays_open};
  if (connection->is_raw) {
    begin_raw(call, path, message, size);
    flush(connection);
    return call;
  }
  nghttp2_nv headers[] = {
    HEADER(":method", "POST"), HEADER(":scheme", "http"), HEADER(":path", path), HEADER(":authority", "localhost"),
    HEADER("te", "trailers"), HEADER("content-type", "application/grpc"), HEADER("authorization", target->token ? target->token : "")};
  size_t count = sizeof headers / sizeof headers[0] - (target->token == NULL);
  add_message(&call->up, message, size);
  nghttp2_data_provider provider = {.source.ptr = call, .read_callback = read_request};
  call->stream = nghttp2_submit_request(connection->session, NULL, headers, count, &provider, call);
  if (call->stream < 0) fail("nghttp2: %s", nghttp2_strerror(call->stream));
  flush(connection);
  return call;
}

void call_send(struct call *call, const void *message, size_t size) {
  add_message(&call->up, message, size);
  nghttp2_session_resume_data(call->connection->session, call->stream);
}

static void read_in(struct connection *connection) {
  ssize_t count = recv(connection->descriptor, read_buffer, READ_SIZE, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) fail("the server closed a connection: %s", count < 0 ? strerror(errno) : "end of stream");
  received_socket_bytes += (uint64_t)count;
  if (connection->is_raw) {
    read_raw(connection, read_buffer, (size_t)count);
    return;
  }
  ssize_t used = nghttp2_session_mem_recv(connection->session, read_buffer, (size_t)count);
  if (used < 0) fail("nghttp2: %s", nghttp2_strerror((int)used));
  flush(connection);
}

bool pump(int milliseconds) {
  struct epoll_event events[EVENTS];
  bool has_input = false;
  int count = epoll_wait(poller, events, EVENTS, milliseconds);
  for (int index = 0; index < count; index++) {
    struct connection *connection = events[index].data.ptr;
    if (connection == NULL) {
      has_input = true;
      continue;
    }
    if (events[index].events & EPOLLOUT) write_out(connection);
    if (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) read_in(connection);
  }
  return has_input;
}
