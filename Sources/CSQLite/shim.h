#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not import. A NULL pointer would bind NULL. */
static inline int stack_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* Binds bytes in the same way. */
static inline int stack_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* memcmp under its own name, so that Store need not import the C library. */
static inline int stack_memcmp(const void *left, const void *right, unsigned long count) {
  return memcmp(left, right, count);
}

/* Creates an empty file that only its owner may read, unless one exists (then returns errno): SQLite would create it with
   mode 0644. An existing file is not even opened, since closing a second descriptor of it would drop this process's locks
   on it (fcntl(2)). A shim because open is variadic. */
static inline int stack_create_private_file(const char *path) {
  int descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  close(descriptor);
  return 0;
}

/* unlink under its own name, for removing the remains of a failed copy. */
static inline void stack_remove_file(const char *path) { unlink(path); }

/* Returns 1 if something is at a path, even a symbolic link that leads nowhere. */
static inline int stack_path_exists(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0;
}

/* Returns 1 if two paths lead to the same folder, by device and inode. */
static inline int stack_is_same_folder(const char *left, const char *right) {
  struct stat first, second;
  return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/* Gives a file another name in its folder unless something has that name (renameat2(2) with RENAME_NOREPLACE, which is 1;
   glibc declares both only under _GNU_SOURCE). File systems without that operation get a second link instead. Returns 0 or
   errno. */
static inline int stack_rename_new(const char *from, const char *to) {
  if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1u) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (link(from, to) != 0) return errno;
  unlink(from);
  return 0;
}

/* Syncs the names in a folder to the disk. Returns 0 or errno; 0 also if its file system cannot do that. */
static inline int stack_sync_folder(const char *path) {
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return errno;
  int error = fsync(descriptor) == 0 || errno == EINVAL ? 0 : errno;
  close(descriptor);
  return error;
}

/* Disables memory statistics, which are not used here, so that SQLite takes no global mutex for each allocation. Must be
   called before any other function of SQLite; later it has no effect. A shim because sqlite3_config is variadic. */
static inline int stack_sqlite3_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Returns 1 if a file is missing or empty. A shim because stat's structure and its function share a name. */
static inline int stack_file_is_empty(const char *path) {
  struct stat status;
  return stat(path, &status) != 0 || status.st_size == 0;
}
