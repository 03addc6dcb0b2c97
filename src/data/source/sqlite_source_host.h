/* A connection as SQLite opens it, and not as the program around us has made it. A function that a
 * program registers by sqlite3_auto_extension runs on each connection of the process, on ours too: what
 * it hangs on them would see rows and the keys of noise (sqlite3_trace_v2), or leave out what we write
 * (sqlite3_set_authorizer, sqlite3_commit_hook). There is no way to open a connection without it, so that
 * all of it is taken back. Programs are trusted with their own memory: this is for accidents.
 *
 * Claim  sqlite-host.alone  nothing that a program has hung on a connection is called for a statement of
 *                           ours, and no table stands in the place of the file's (A97)
 */
#ifndef SC_DATA_SQLITE_SOURCE_HOST_H
#define SC_DATA_SQLITE_SOURCE_HOST_H

#include "base/status.h"

#include <sqlite3.h>

/* For a connection that was just opened. SCRIM_E_STATE where there are tables on it that are not the
 * file's. What SQLite itself fails with is in code, and the status SCRIM_OK. */
SCRIM_MUST_USE scrim_status sc_sqlite_host_leave(sqlite3 *connection, int *code,
                                                 scrim_error *error);

#endif
