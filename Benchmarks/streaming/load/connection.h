// Connections of the load client and their calls: gRPC on nghttp2, or the protocol of the raw writer.
//
// One thread, one epoll. Each complete message of a call goes to `on_message`; its bytes are valid during that call only.
#ifndef CONNECTION_H
#define CONNECTION_H
#include <nghttp2/nghttp2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call;

// A growing buffer; its first `start` bytes are consumed.
struct bytes {
  uint8_t *base;
  size_t start, size, capacity;
};
void bytes_add(struct bytes *bytes, const void *more, size_t size);

// The address and protocol of all connections.
struct target {
  const char *address;  // "unix:PATH" or "tcp:PORT" on 127.0.0.1
  bool is_raw;          // the raw writer's protocol instead of gRPC
  const char *token;    // sent as authorization, or NULL
};

struct connection {
  int descriptor;
  bool is_raw, is_reading, is_writing, is_settled;  // settled: the server's SETTINGS have arrived
  nghttp2_session *session;                         // NULL for raw
  struct call *raw_call;                            // the only call of a raw connection
  struct bytes out;                                 // bytes not yet written to the socket
};

struct call_events {
  void (*on_headers)(struct call *call);
  void (*on_message)(struct call *call, const uint8_t *message, size_t size);
  // The call ended with a gRPC status (0 is OK, -1 if the server sent none); it is freed afterwards.
  void (*on_end)(struct call *call, int status);
};

struct call {
  struct connection *connection;
  const struct call_events *events;
  void *owner;
  int32_t stream;
  int status;
  bool has_headers, is_half_open;  // half open: the client may send more messages
  struct bytes in;                 // an incomplete message
  struct bytes up;                 // bytes to send
};

// Bytes of messages and their five-byte prefixes received so far, and bytes read from sockets.
extern uint64_t received_messages_bytes, received_socket_bytes;

// Returns CLOCK_MONOTONIC in nanoseconds.
uint64_t now(void);

// Opens a connection whose streams have a receive window of `window` bytes. Ends the process on failure.
struct connection *connection_open(const struct target *target, uint32_t window);
// Starts a call and sends its first message; `stays_open` keeps the stream half open for more.
struct call *call_begin(
  struct connection *connection, const struct target *target, const char *path, const void *message, size_t size, bool stays_open,
  const struct call_events *events, void *owner);
// Sends another message.
void call_send(struct call *call, const void *message, size_t size);
// Stops or resumes reading from a connection's socket.
void connection_set_reading(struct connection *connection, bool is_reading);
// Waits up to `milliseconds` for events and handles them; returns true if standard input is readable.
bool pump(int milliseconds);
// Prints an error and ends the process.
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

#endif
