// A setting of SQLite that Swift cannot reach: sqlite3_config takes a variable number of arguments.

#include <sqlite3.h>

/// Turns off SQLite's count of the memory that it uses. Every allocation takes a lock for that count, which all
/// connections of a process share (https://www.sqlite.org/malloc.html, section 3.3).
///
/// Call it before SQLite is used. Afterwards it returns SQLITE_MISUSE and changes nothing.
static inline int benji_sqlite_without_memory_count(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
