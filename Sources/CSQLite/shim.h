#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. A NULL pointer would bind NULL. */
static inline int stack_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* The same for bytes. */
static inline int stack_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* memcmp under a name of its own, so that Store needs no import of the C library. */
static inline int stack_memcmp(const void *left, const void *right, unsigned long count) {
  return memcmp(left, right, count);
}

/* open is variadic. Makes an empty file that only its owner may read, if there is none (errno otherwise): SQLite would make
   it 0644. An existing file is not even opened, as closing a second descriptor of it would drop this process's locks on it
   (fcntl(2)). */
static inline int stack_create_private_file(const char *path) {
  int descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

/* unlink under a name of its own: what is left of a copy that failed. */
static inline void stack_remove_file(const char *path) { unlink(path); }

/* sqlite3_config is variadic. Without statistics of its memory SQLite takes no global mutex for each allocation; nobody here
   asks for them. To be called before anything else of SQLite; later it does nothing. */
static inline int stack_sqlite3_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* stat's structure and its function have one name. Whether a file is missing or has no bytes. */
static inline int stack_file_is_empty(const char *path) {
  struct stat status;
  return stat(path, &status) != 0 || status.st_size == 0;
}
