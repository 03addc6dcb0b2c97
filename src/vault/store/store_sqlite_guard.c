#include "vault/store/store_sqlite_guard.h"

#include "base/descriptor.h"
#include "base/fork_guard.h"
#include "vault/store/safe_folder.h"
#include "vault/store/store_sqlite_call.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER_BYTES 100 /* of a SQLite file; has a counter that every commit changes */

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

/* Are our descriptor, SQLite's and the name of the vault still the same file? */
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

/* Has somebody closed SQLite's descriptor? Its number then is not open, or is that of a file that is too short. */
static bool is_closed(sqlite3_file *file, int code)
{
    int number = 0;
    return code == SQLITE_IOERR_SHORT_READ ||
           (code != SQLITE_OK &&
            file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) ==
                SQLITE_OK &&
            number == EBADF);
}

/* Our descriptor was opened a moment ago and is certainly the vault's file. The host program may
 * have closed SQLite's descriptor by mistake, and its number may name another file now: then the
 * two read different headers. */
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

/* The file is opened for each transaction. So a child that is forked between two of them has no
 * copy of the descriptor, with which the lock would outlive its owner. */
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

/* Unlocks explicitly before closing: a child that was forked without the fork guard may have a copy of the
 * descriptor, which would keep the lock. */
void sc_store_sqlite_lock_give(sc_store_sqlite_lock *lock)
{
    if (lock->file < 0)
        return;
    sc_fork_guard_leave();
    (void)flock(lock->file, LOCK_UN);
    close(lock->file);
    lock->file = -1;
}

#define MARK "-unverified"

static void name_beside(const char *path, const char *tail, char name[PATH_MAX])
{
    if (snprintf(name, PATH_MAX, "%s%s", path, tail) >= PATH_MAX)
        name[0] = '\0';
}

/* The file must be a regular one of the owner or the superuser, for them alone. */
static bool is_owned(const struct stat *file, uid_t owner)
{
    return S_ISREG(file->st_mode) && (file->st_uid == owner || file->st_uid == 0) &&
           file->st_nlink <= 1 && (file->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

static scrim_status check_one(const char *path, const char *tail, uid_t owner,
                              bool is_legal, scrim_error *error)
{
    char name[PATH_MAX];
    struct stat file;
    name_beside(path, tail, name);
    if (lstat(name, &file) != 0)
        return errno == ENOENT
                   ? SCRIM_OK
                   : sc_fail(error, SCRIM_E_LEDGER, "'%s' cannot be inspected: %s", name,
                             strerror(errno));
    if (!is_legal)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "'%s' does not belong to this vault, which keeps no log beside "
                       "it; move that file away",
                       name);
    if (!is_owned(&file, owner))
        return sc_fail(error, SCRIM_E_LEDGER,
                       "'%s' is not a file of the vault's owner alone (mode 0600); find "
                       "out who put it there before the vault is used",
                       name);
    return SCRIM_OK;
}

scrim_status sc_beside_check(const char *path, bool has_log, scrim_error *error)
{
    struct stat file;
    if (stat(path, &file) != 0)
        return sc_fail(error, SCRIM_E_LEDGER, "the vault '%s' cannot be read: %s", path,
                       strerror(errno));
    SC_TRY(check_one(path, "-journal", file.st_uid, true, error));
    SC_TRY(check_one(path, "-wal", file.st_uid, has_log, error));
    return check_one(path, "-shm", file.st_uid, has_log, error);
}

static bool is_there(const char *name)
{
    struct stat file;
    return lstat(name, &file) == 0 || errno != ENOENT;
}

/* A look at the files through SQLite's file layer, below its pager, which would roll the journal back at once. Takes the same locks
 * as the pager. */
typedef struct below {
    sqlite3_file *file;
    const char *journal;
    bool is_waiting;
} below;

static int begin_below(sqlite3 *database, below *b)
{
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER,
                                    (void *)&b->file);
    return code == SQLITE_OK ? b->file->pMethods->xLock(b->file, SQLITE_LOCK_SHARED)
                             : code;
}

static int end_below(const below *b, int code)
{
    const int unlocked = b->file->pMethods->xUnlock(b->file, SQLITE_LOCK_NONE);
    return code == SQLITE_OK ? unlocked : code;
}

/* A busy lock means that another process is at work, which is no error here. */
static int unless_busy(int code)
{
    return (code & 0xff) == SQLITE_BUSY ? SQLITE_OK : code;
}

/* A journal waits for its rollback if it exists and nobody holds the reserved lock: a process
 * that commits holds it from before the journal is made until it is gone. */
static int find_waiting(sqlite3 *database, below *b)
{
    int is_reserved = 1;
    if (!is_there(b->journal))
        return SQLITE_OK;
    int code = begin_below(database, b);
    if (code != SQLITE_OK)
        return unless_busy(code);
    if (is_there(b->journal)) /* still, now that we hold a lock */
        code = b->file->pMethods->xCheckReservedLock(b->file, &is_reserved);
    b->is_waiting = code == SQLITE_OK && is_reserved == 0;
    return end_below(b, code);
}

typedef enum journal_kind { JOURNAL_OURS, JOURNAL_EMPTY, JOURNAL_FOREIGN } journal_kind;

/* A journal whose first byte is 0 is empty or was never finished: SQLite ignores it and leaves
 * it there. One that ends in the magic number names a super-journal, a further file that decides
 * what SQLite does with it; ours never do. */
static bool read_kind(const char *journal, journal_kind *out)
{
    static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9,
                                           0x20, 0xa1, 0x63, 0xd7};
    unsigned char first = 0, last[sizeof magic] = {0};
    int file = sc_descriptor_open(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0 && errno == EACCES && sc_safe_folder_regain(journal))
        file = sc_descriptor_open(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        *out = JOURNAL_OURS;
        return errno == ENOENT;
    }
    const off_t size = lseek(file, 0, SEEK_END);
    bool is_read = size >= 0 && (size == 0 || pread(file, &first, 1, 0) == 1);
    if (is_read && size >= (off_t)sizeof last)
        is_read = pread(file, last, sizeof last, size - (off_t)sizeof last) ==
                  (ssize_t)sizeof last;
    close(file);
    *out = first == 0                               ? JOURNAL_EMPTY
           : memcmp(last, magic, sizeof magic) == 0 ? JOURNAL_FOREIGN
                                                    : JOURNAL_OURS;
    return is_read;
}

static scrim_status check_kind(const char *journal, journal_kind *kind,
                               scrim_error *error)
{
    if (!read_kind(journal, kind))
        return sc_fail(error, SCRIM_E_LEDGER, "'%s' cannot be read: %s", journal,
                       strerror(errno));
    if (*kind == JOURNAL_FOREIGN)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "'%s' is not a journal of this vault: it names further files; "
                       "find out who put it there before the vault is used",
                       journal);
    return SCRIM_OK;
}

/* Removes an empty journal, which would otherwise count as waiting until the next commit. Holds the reserved lock, so nobody is
 * writing it. */
static int remove_empty(sqlite3 *database, below *b)
{
    journal_kind kind = JOURNAL_OURS;
    int code = begin_below(database, b);
    if (code != SQLITE_OK)
        return unless_busy(code);
    code = b->file->pMethods->xLock(b->file, SQLITE_LOCK_RESERVED);
    if (code == SQLITE_OK && read_kind(b->journal, &kind) && kind == JOURNAL_EMPTY)
        (void)unlink(b->journal);
    return end_below(b, unless_busy(code));
}

/* The mark must be durable before the journal is used. */
static scrim_status leave_mark(const char *mark, scrim_error *error)
{
    char folder[PATH_MAX];
    const size_t bytes = (size_t)(strrchr(mark, '/') - mark) + 1;
    memcpy(folder, mark, bytes);
    folder[bytes] = '\0';
    const int file = sc_descriptor_open(mark, O_WRONLY | O_CREAT | O_NOFOLLOW);
    const int parent = sc_descriptor_open(folder, O_RDONLY | O_DIRECTORY);
    scrim_status status = SCRIM_OK;
    if (file < 0 || parent < 0 || fsync(file) != 0 || fsync(parent) != 0)
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "the vault needs to be verified, and '%s' cannot be written: "
                         "%s",
                         mark, strerror(errno));
    if (file >= 0)
        close(file);
    if (parent >= 0)
        close(parent);
    return status;
}

/* Lets SQLite roll the journal back, which it does on the first read. A journal that cannot be
 * read stays where it is; SQLite calls that corruption, but the vault is not damaged. */
static int put_back(sqlite3 *database, const below *b)
{
    const int code =
        sc_store_sqlite_ask(database, "PRAGMA schema_version", NULL, NULL, NULL);
    return (code & 0xff) == SQLITE_CORRUPT && is_there(b->journal) ? SQLITE_IOERR : code;
}

/* Marks the vault as unverified before the journal is used or removed. */
static scrim_status prepare_journal(sqlite3 *database, below *b, const char *mark,
                                    scrim_error *error)
{
    journal_kind kind = JOURNAL_OURS;
    int code = find_waiting(database, b);
    if (code != SQLITE_OK)
        return sc_store_sqlite_fail(database, code, error);
    if (!b->is_waiting)
        return SCRIM_OK;
    if (sqlite3_db_readonly(database, "main") != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "a commit was interrupted, and the vault is read-only here: '%s' "
                       "waits to be undone; open the vault once where it can be written",
                       b->journal);
    scrim_status status = check_kind(b->journal, &kind, error);
    if (status == SCRIM_OK)
        status = leave_mark(mark, error);
    if (status != SCRIM_OK)
        return status;
    code = kind == JOURNAL_EMPTY ? remove_empty(database, b) : put_back(database, b);
    return code == SQLITE_OK ? SCRIM_OK : sc_store_sqlite_fail(database, code, error);
}

scrim_status sc_beside_prepare(sqlite3 *database, bool has_log, scrim_error *error)
{
    char journal[PATH_MAX], log[PATH_MAX], mark[PATH_MAX];
    struct stat file;
    below b = {.journal = journal};
    const char *path = sqlite3_db_filename(database, "main");
    name_beside(path, "-journal", journal);
    name_beside(path, "-wal", log);
    name_beside(path, MARK, mark);
    scrim_status status = sc_beside_check(path, has_log, error);
    if (status == SCRIM_OK)
        status = prepare_journal(database, &b, mark, error);
    if (status == SCRIM_OK && has_log && lstat(log, &file) == 0 && file.st_size > 0)
        status = leave_mark(mark, error);
    return status;
}

bool sc_beside_is_marked(sqlite3 *database)
{
    char mark[PATH_MAX];
    name_beside(sqlite3_db_filename(database, "main"), MARK, mark);
    return is_there(mark);
}

void sc_beside_unmark(sqlite3 *database)
{
    char mark[PATH_MAX];
    name_beside(sqlite3_db_filename(database, "main"), MARK, mark);
    (void)unlink(mark);
}
