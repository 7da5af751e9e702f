#include <plist/plist.h>
#include <stdlib.h>

/// Frees what libplist allocated with malloc: keys and iterators (libplist 2.2 has no function for it).
static inline void cplist_free(void *memory) { free(memory); }
