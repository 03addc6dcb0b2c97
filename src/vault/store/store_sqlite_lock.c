#include "vault/store/store_sqlite_lock.h"

#include "base/descriptor.h"
#include "base/fork_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_BYTES 100 /* of a database of SQLite's, with the count of its changes */

static scrim_status fail_lock(int failure, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "the vault cannot be locked: %s; it must be on a local disk",
                   strerror(failure));
}

static bool take(int file, sc_store_sqlite_wait *wait)
{
    for (int count = 0; flock(file, LOCK_EX | LOCK_NB) != 0; count++) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        if (!sc_store_sqlite_wait_more(wait, count)) {
            errno = EWOULDBLOCK;
            return false;
        }
    }
    return true;
}

/* Is the file still that of the database, by the name that both were opened by? */
static bool is_in_place(int file, sqlite3 *database)
{
    struct stat held, named;
    int has_moved = 1;
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved) ==
               SQLITE_OK &&
           has_moved == 0 && fstat(file, &held) == 0 &&
           stat(sqlite3_db_filename(database, "main"), &named) == 0 &&
           held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

static scrim_status fail_closed(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER,
                   "this program has closed a file of the vault's, which is not damaged; "
                   "open the vault again");
}

static bool is_closed(sqlite3_file *file, int code)
{
    int number = 0;
    return code == SQLITE_IOERR_SHORT_READ ||
           (code != SQLITE_OK &&
            file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) ==
                SQLITE_OK &&
            number == EBADF);
}

/* Our descriptor was opened a moment ago and is that of the file. SQLite's may have been closed by the
 * host, and its number given to another file: then the two do not read the same. */
scrim_status sc_store_sqlite_lock_check(const sc_store_sqlite_lock *lock,
                                        sqlite3 *database, scrim_error *error)
{
    unsigned char ours[HEADER_BYTES], theirs[HEADER_BYTES];
    sqlite3_file *file = NULL;
    int code =
        sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, (void *)&file);
    if (code == SQLITE_OK) {
        code = file->pMethods->xRead(file, theirs, sizeof theirs, 0);
        if (is_closed(file, code))
            return fail_closed(error);
    }
    if (code == SQLITE_OK &&
        pread(lock->file, ours, sizeof ours, 0) != (ssize_t)sizeof ours)
        code = SQLITE_IOERR_READ;
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    return memcmp(ours, theirs, sizeof ours) == 0 ? SCRIM_OK : fail_closed(error);
}

/* Opened for each transaction: a child that is forked between two of them holds no copy, with which
 * the lock would outlive its owner. */
scrim_status sc_store_sqlite_lock_take(sc_store_sqlite_lock *lock, sqlite3 *database,
                                       sc_store_sqlite_wait *wait, scrim_error *error)
{
    const bool is_read_only = sqlite3_db_readonly(database, "main") != 0;
    lock->file = sc_descriptor_open(sqlite3_db_filename(database, "main"),
                                    is_read_only ? O_RDONLY : O_RDWR);
    if (lock->file < 0)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault cannot be read: %s",
                       sc_descriptor_why(errno, false));
    const bool is_taken = take(lock->file, wait);
    const int failure = errno;
    sc_fork_guard_enter();
    if (is_taken && is_in_place(lock->file, database))
        return SCRIM_OK;
    sc_store_sqlite_lock_give(lock);
    if (is_taken)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the vault's file was moved or replaced while it was open; open "
                       "it again");
    return failure == EWOULDBLOCK ? sc_store_sqlite_fail(database, SQLITE_BUSY, error)
                                  : fail_lock(failure, error);
}

/* Given back by name: a child that was made past the guard has a copy of the descriptor. */
void sc_store_sqlite_lock_give(sc_store_sqlite_lock *lock)
{
    if (lock->file < 0)
        return;
    sc_fork_guard_leave();
    (void)flock(lock->file, LOCK_UN);
    close(lock->file);
    lock->file = -1;
}
