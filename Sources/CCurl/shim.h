/* libcurl, with a short `static inline` function for each of its variadic calls that Fetch makes. */
#ifndef STACK_CCURL_SHIM_H
#define STACK_CCURL_SHIM_H

#include <arpa/inet.h>
#include <curl/curl.h>
#include <locale.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* Prepares libcurl, which reads international names in the encoding of the process's locale. */
static inline CURLcode ccurl_start(void) {
  setlocale(LC_CTYPE, "C.UTF-8");
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

/* Returns an address with its host in ASCII (IDNA 2008), to be freed by curl_free; NULL if its host cannot be so written. */
static inline char *ccurl_ascii(const char *address) {
  char *text = NULL;
  CURLU *url = curl_url();
  if (url && curl_url_set(url, CURLUPART_URL, address, 0) == CURLUE_OK)
    curl_url_get(url, CURLUPART_URL, &text, CURLU_PUNYCODE);
  curl_url_cleanup(url);
  return text;
}

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_fields(CURL *easy, struct curl_slist *fields) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
}
/* Sends a form by POST, of which libcurl keeps a copy. */
static inline CURLcode ccurl_set_form(CURL *easy, const char *form, curl_off_t bytes) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, bytes);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, form) : code;
}
/* Sends a body of a known length by POST, which it is given piece by piece. */
typedef size_t (*ccurl_give)(char *bytes, size_t size, size_t count, void *user);
static inline CURLcode ccurl_set_body(CURL *easy, ccurl_give give, void *user, curl_off_t bytes) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POST, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, bytes);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, give);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_READDATA, user) : code;
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

/* Sets what is told of progress, in bytes as they came. It returns another number than 0 to end the transfer. */
typedef int (*ccurl_progress)(void *user, curl_off_t total, curl_off_t now, curl_off_t sendTotal, curl_off_t sent);
static inline CURLcode ccurl_set_progress(CURL *easy, ccurl_progress progress, void *user) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, progress);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_XFERINFODATA, user) : code;
}

/* Returns the microseconds since the transfer began. (CURLINFO_STARTTRANSFER_TIME is no time of the response: libcurl before 8.7 sets
   it when the first byte of a body is sent.) */
static inline curl_off_t ccurl_elapsed(CURL *easy) {
  curl_off_t total = 0;
  curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &total);
  return total;
}

/* Allows http and https only, at first and in redirects. */
static inline CURLcode ccurl_set_web_only(CURL *easy) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https") : code;
}

/* Sets what opens sockets. It returns CURL_SOCKET_BAD for an address that is not to be asked. */
typedef curl_socket_t (*ccurl_open)(void *user, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode ccurl_set_opener(CURL *easy, ccurl_open open, void *user) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, user) : code;
}
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Writes an address as the sixteen bytes of IPv6, an IPv4 address mapped. Returns 0 for any other kind. */
static inline int ccurl_address_bytes(const struct curl_sockaddr *address, uint8_t *bytes) {
  if (address->addr.sa_family == AF_INET) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    memcpy(bytes, mapped, 12);
    memcpy(bytes + 12, &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr, 4);
    return 1;
  }
  if (address->addr.sa_family != AF_INET6) return 0;
  memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr, 16);
  return 1;
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
/* Returns the bytes of requests that were sent. */
static inline long ccurl_sent(CURL *easy) {
  long bytes = 0;
  return curl_easy_getinfo(easy, CURLINFO_REQUEST_SIZE, &bytes) == CURLE_OK ? bytes : 0;
}
static inline curl_socket_t ccurl_socket(CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
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
  /* Two requests never share a connection, as HTTP/2 would allow. */
  return code == CURLM_OK ? curl_multi_setopt(multi, CURLMOPT_PIPELINING, (long)CURLPIPE_NOTHING) : code;
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
