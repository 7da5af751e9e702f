/* libcurl, with a short `static inline` function for each of its variadic calls that Fetch makes. */
#ifndef STACK_CCURL_SHIM_H
#define STACK_CCURL_SHIM_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_fields(CURL *easy, struct curl_slist *fields) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}
static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

/* Sets what receives the body and the header fields. Both return the bytes taken; fewer than were given end the transfer. */
typedef size_t (*ccurl_receive)(char *bytes, size_t size, size_t count, void *user);
static inline CURLcode ccurl_set_receivers(CURL *easy, ccurl_receive body, ccurl_receive field, void *user) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEDATA, user);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, field);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_HEADERDATA, user);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_PRIVATE, user) : code;
}

/* Allows http and https only, at first and in redirects. */
static inline CURLcode ccurl_set_web_only(CURL *easy) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") : code;
}

/* Returns 1 for an address of this machine, of a private network, or of no single host (RFC 6890). */
static inline int ccurl_is_private_v4(uint32_t address) {
  static const struct { uint32_t network; int bits; } ranges[] = {
      {0x00000000, 8}, {0x0A000000, 8},  {0x64400000, 10}, {0x7F000000, 8},  {0xA9FE0000, 16},
      {0xAC100000, 12}, {0xC0000000, 24}, {0xC0A80000, 16}, {0xC6120000, 15}, {0xE0000000, 3}};
  for (size_t index = 0; index < sizeof ranges / sizeof *ranges; index++)
    if ((address ^ ranges[index].network) >> (32 - ranges[index].bits) == 0) return 1;
  return 0;
}
static inline int ccurl_is_private(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return ccurl_is_private_v4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
  if (address->sa_family != AF_INET6) return 1;
  const uint8_t *bytes = ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr;
  static const uint8_t zero[16] = {0};
  uint32_t last = (uint32_t)bytes[12] << 24 | (uint32_t)bytes[13] << 16 | (uint32_t)bytes[14] << 8 | bytes[15];
  static const uint8_t translated[12] = {0, 0x64, 0xFF, 0x9B};
  if (IN6_IS_ADDR_V4MAPPED(&((const struct sockaddr_in6 *)address)->sin6_addr)) return ccurl_is_private_v4(last);
  if (memcmp(bytes, translated, 12) == 0) return ccurl_is_private_v4(last);
  if (memcmp(bytes, zero, 12) == 0) return 1;
  return (bytes[0] & 0xFE) == 0xFC || (bytes[0] == 0xFE && (bytes[1] & 0xC0) >= 0x80) || bytes[0] == 0xFF;
}

/* Opens a socket unless the address is private; then sets the int at `was_refused`. */
static inline curl_socket_t ccurl_open_public(void *was_refused, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  if (ccurl_is_private(&address->addr)) {
    *(int *)was_refused = 1;
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
static inline CURLcode ccurl_refuse_private(CURL *easy, int *was_refused) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_public);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, was_refused) : code;
}

/* What is known after a transfer. */
static inline long ccurl_status(CURL *easy) {
  long status = 0;
  return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
static inline const char *ccurl_address(CURL *easy) {
  char *address = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIMARY_IP, &address) == CURLE_OK ? address : NULL;
}
static inline void *ccurl_user(CURL *easy) {
  char *user = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &user) == CURLE_OK ? user : NULL;
}

/* Sets what is told which sockets to watch, and when to call again. */
typedef int (*ccurl_watch)(CURL *easy, curl_socket_t socket, int what, void *user, void *assigned);
typedef int (*ccurl_wake)(CURLM *multi, long milliseconds, void *user);
static inline CURLMcode ccurl_multi_set(CURLM *multi, ccurl_watch watch, ccurl_wake wake, void *user) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, user);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, wake);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, user);
  /* Two requests to a host are hours apart: a connection kept open would only cost both sides memory. */
  return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 1L) : code;
}

/* Returns the next transfer that has ended, with its result; NULL if there is none. */
static inline CURL *ccurl_multi_ended(CURLM *multi, CURLcode *result) {
  int left;
  struct CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)))
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  return NULL;
}

#endif
