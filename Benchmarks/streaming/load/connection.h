// Connections of the load client, and the calls on them: gRPC on nghttp2, or the raw writer's own bytes.
//
// One thread, one epoll. A call's messages go to `on_message` as they are complete; the bytes are lent for the call.
#ifndef CONNECTION_H
#define CONNECTION_H
#include <nghttp2/nghttp2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;

// Bytes that grow; `start` of them are done with.
struct bytes {
  uint8_t *base;
  size_t start, size, capacity;
};
void bytes_add(struct bytes *bytes, const void *more, size_t size);

// Where and how to connect; the same for every connection.
struct target {
  const char *address;  // "unix:PATH" or "tcp:PORT" on 127.0.0.1
  bool is_raw;          // the raw writer's bytes instead of gRPC
  const char *token;    // sent as authorization, or NULL
};

struct connection {
  int descriptor;
  bool is_raw, is_reading, is_writing, is_settled;  // settled: the server's SETTINGS have come
  nghttp2_session *session;                         // NULL for raw
  struct call *raw_call;                            // the only call of a raw connection
  struct bytes out;                                 // what the socket has not taken yet
};

struct call_events {
  void (*on_headers)(struct call *call);
  void (*on_message)(struct call *call, const uint8_t *message, size_t size);
  // The call has ended with a gRPC status (0 is OK, -1 for none told); it is freed afterwards.
  void (*on_end)(struct call *call, int status);
};

struct call {
  struct connection *connection;
  const struct call_events *events;
  void *owner;
  int32_t stream;
  int status;
  bool has_headers, is_half_open;  // half open: more messages of ours may follow
  struct bytes in;                 // a message that has come in part
  struct bytes up;                 // what we have not sent yet
};

// Bytes of messages and their five-byte prefixes received so far, and bytes read from sockets.
extern uint64_t received_messages_bytes, received_socket_bytes;

// Nanoseconds of CLOCK_MONOTONIC.
uint64_t now(void);

// Opens a connection whose streams have a receive window of `window` bytes. Ends the process where that fails.
struct connection *connection_open(const struct target *target, uint32_t window);
// Begins a call and says its first message; `stays_open` keeps our half open for more.
struct call *call_begin(
  struct connection *connection, const struct target *target, const char *path, const void *message, size_t size, bool stays_open,
  const struct call_events *events, void *owner);
// Says another message.
void call_send(struct call *call, const void *message, size_t size);
// Stops or resumes reading from a connection's socket.
void connection_set_reading(struct connection *connection, bool is_reading);
// Waits up to `milliseconds` for something to happen and lets it; true where standard input can be read.
bool pump(int milliseconds);
// Says what went wrong and ends the process.
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

#endif
