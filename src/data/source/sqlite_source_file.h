/* A SQLite file, opened to be read and never written: no code that it contains runs, SQLite makes no file
 * beside it, and one with a log is refused, since its version cannot be known by the file. */
#ifndef SC_DATA_SQLITE_SOURCE_FILE_H
#define SC_DATA_SQLITE_SOURCE_FILE_H

#include "base/text.h"
#include "data/source/source_stamp.h"

#include <sqlite3.h>

/* *out is set on failure too, and NULL or to be closed by the caller. The stamp is that of the file before it
 * was opened. SCRIM_E_INPUT, SCRIM_E_STATE when this program limits the memory of SQLite, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_sqlite_file_open(sc_text path, sqlite3 **out,
                                                sc_source_stamp *stamp,
                                                scrim_error *error);
/* Bytes of the file, by SQLite's own descriptor: to close another would drop locks. A code of SQLite. */
SCRIM_MUST_USE int sc_sqlite_file_read(sqlite3 *connection, uint64_t offset, void *to,
                                       size_t bytes);
/* The failure of a code of SQLite. It speaks of the file, never of what SQLite says about its contents. */
scrim_status sc_sqlite_file_fail(int code, scrim_error *error);

#endif
