/* Folders above a folder, and their owners, are tried in tests/vault/beside_test.c. */
#include "check.h"
#include "vault/store/safe_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(const char *path, mode_t mode, size_t bytes)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    CHECK(file >= 0 && ftruncate(file, (off_t)bytes) == 0 && fchmod(file, mode) == 0);
    close(file);
}

static mode_t mode_of(const char *path)
{
    struct stat found = {0};
    CHECK(stat(path, &found) == 0);
    return found.st_mode & 0777;
}

TEST(A87_files_that_a_umask_took_are_taken_back)
{
    CLAIM("safe_folder.regain");
    char folder[] = "/tmp/scrim-safe-XXXXXX", empty[64], full[64], other[64];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(empty, sizeof empty, "%s/empty", folder);
    snprintf(full, sizeof full, "%s/full", folder);
    snprintf(other, sizeof other, "%s/link", folder);
    make(empty, 0, 0);
    make(full, 0, 1);
    CHECK(symlink(full, other) == 0);
    CHECK(sc_safe_folder_regain(empty) && mode_of(empty) == 0600);
    CHECK(!sc_safe_folder_regain(empty)); /* once is enough: nobody waits for it again */
    CHECK(!sc_safe_folder_regain(full) && mode_of(full) == 0);
    CHECK(!sc_safe_folder_regain(other) && !sc_safe_folder_regain(folder));
    CHECK(unlink(empty) == 0 && unlink(full) == 0 && unlink(other) == 0 &&
          rmdir(folder) == 0);
}
