#include <sqlite3.h>

/// Whether closing the last connection leaves the write-ahead log as it is. sqlite3_db_config() is variadic, which
/// Swift can't call.
static inline int sqlite3_keep_log_on_close(sqlite3 *database, int keeps) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps, (int *)0);
}
