#include "vault/store/safe_folder.h"

#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define BOTH (S_IWGRP | S_IWOTH)

/* The folder of a file, without links; false with errno. */
static bool folder_of(const char *path, char real[PATH_MAX])
{
    char name[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const size_t bytes = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (bytes >= sizeof name) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(name, path, bytes);
    name[bytes] = '\0';
    return realpath(bytes == 0 ? "." : name, real) != NULL;
}

static scrim_status fail_look(const char *path, const char *what, scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LEDGER, "the folder of %s '%s' cannot be read: %s",
                   what, path, sc_descriptor_why(errno, true));
}

static scrim_status check_own(const char *folder, const struct stat *found, uid_t owner,
                              const char *what, scrim_error *error)
{
    const mode_t open_to = found->st_mode & BOTH;
    const bool is_shared = (found->st_mode & S_ISVTX) != 0 || found->st_uid != owner;
    if (open_to != 0 && is_shared) /* a folder such as /tmp, which others need */
        return sc_fail(error, SCRIM_E_LEDGER,
                       "others can put files beside %s: they may write '%s'; keep it in "
                       "a folder that only its owner can write (mkdir -m 700)",
                       what, folder);
    if (open_to != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "others can put files beside %s: they may write '%s'; run chmod "
                       "%s '%s'",
                       what, folder,
                       open_to == BOTH      ? "go-w"
                       : open_to == S_IWGRP ? "g-w"
                                            : "o-w",
                       folder);
    if (found->st_uid != owner && found->st_uid != 0)
        return sc_fail(error, SCRIM_E_LEDGER,
                       "the folder '%s' belongs to another user than %s; keep it in a "
                       "folder of its owner",
                       folder, what);
    return SCRIM_OK;
}

/* A user who can rename a folder can put another one in its place: those who may write the
 * folder above it, unless its sticky bit reserves that to the owners of its files. */
static scrim_status check_above(char *folder, uid_t owner, const char *what,
                                scrim_error *error)
{
    for (char *slash; (slash = strrchr(folder, '/')) != NULL;) {
        struct stat found;
        slash[slash == folder] = '\0';
        if (stat(folder, &found) != 0)
            return fail_look(folder, what, error);
        const bool is_open =
            (found.st_mode & BOTH) != 0 && (found.st_mode & S_ISVTX) == 0;
        if (is_open || (found.st_uid != owner && found.st_uid != 0))
            return sc_fail(error, SCRIM_E_LEDGER,
                           "others can replace the folder of %s: they may write '%s'; "
                           "%s",
                           what, folder,
                           is_open && found.st_uid == owner
                               ? "run chmod go-w on it"
                               : "keep it below folders that only its owner can write");
        if (folder[1] == '\0')
            break;
    }
    return SCRIM_OK;
}

scrim_status sc_safe_folder_check(const char *path, uid_t owner, const char *what,
                                  scrim_error *error)
{
    char folder[PATH_MAX];
    struct stat found;
    if (!folder_of(path, folder) || stat(folder, &found) != 0)
        return fail_look(path, what, error);
    scrim_status status = check_own(folder, &found, owner, what, error);
    return status == SCRIM_OK ? check_above(folder, owner, what, error) : status;
}

bool sc_safe_folder_regain(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_size == 0 &&
           found.st_uid == geteuid() && (found.st_mode & 0777) != 0600 &&
           chmod(path, 0600) == 0;
}

scrim_status sc_safe_folder_lock(const char *path, int wait_ms, int *out,
                                 scrim_error *error)
{
    char name[PATH_MAX];
    int folder =
        folder_of(path, name) ? sc_descriptor_open(name, O_RDONLY | O_DIRECTORY) : -1;
    if (folder < 0)
        return fail_look(path, "the vault", error);
    for (int waited = 0; flock(folder, LOCK_EX | LOCK_NB) != 0; waited++) {
        const bool is_held = errno == EWOULDBLOCK || errno == EINTR;
        if (!is_held || waited >= wait_ms) {
            scrim_status status =
                is_held ? sc_fail(error, SCRIM_E_BUSY,
                                  "the vault's folder is busy: another process creates "
                                  "or converts a vault there; try again")
                        : sc_fail(error, SCRIM_E_LEDGER,
                                  "the folder '%s' cannot be locked: %s; move the vault "
                                  "to a local disk",
                                  name, strerror(errno));
            close(folder);
            return status;
        }
        (void)nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    *out = folder;
    return SCRIM_OK;
}
