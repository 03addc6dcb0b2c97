#include "base/descriptor.h"
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(A91_files_are_apart_from_the_standard_streams)
{
    CLAIM("descriptor.apart");
    const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    REQUIRE(kept >= 0);
    (void)fflush(stdout);
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    const int file = sc_descriptor_open("/dev/null", O_RDONLY);
    const int next = sc_descriptor_open("/dev/null", O_RDWR);
    const bool is_free =
        fcntl(STDIN_FILENO, F_GETFD) < 0 && fcntl(STDOUT_FILENO, F_GETFD) < 0;
    const int given = dup(kept);
    const int moved = sc_descriptor_apart(given);
    CHECK(dup(kept) == STDIN_FILENO && dup2(kept, STDOUT_FILENO) == STDOUT_FILENO);
    CHECK(is_free);
    CHECK(file > STDERR_FILENO && next > STDERR_FILENO && file != next);
    CHECK_INT(given, STDIN_FILENO);
    CHECK(moved > STDERR_FILENO);
    CHECK(fcntl(file, F_GETFD) == FD_CLOEXEC && fcntl(moved, F_GETFD) == FD_CLOEXEC);
}

TEST(descriptor_errors_are_those_of_open)
{
    errno = 0;
    CHECK_INT(sc_descriptor_open("tests/missing", O_RDONLY), -1);
    CHECK_INT(errno, ENOENT);
    errno = EMFILE;
    CHECK_INT(sc_descriptor_apart(-1), -1);
    CHECK_INT(errno, EMFILE);
}

TEST(descriptor_files_are_their_owners_alone)
{
    char path[] = "/tmp/scrim-descriptor.XXXXXX";
    struct stat made;
    REQUIRE(mkdtemp(path) != NULL);
    char name[sizeof path + 2];
    snprintf(name, sizeof name, "%s/f", path);
    (void)umask(0);
    const int file = sc_descriptor_open(name, O_WRONLY | O_CREAT | O_EXCL);
    CHECK(file >= 0 && fstat(file, &made) == 0 && (made.st_mode & 0777) == 0600);
    CHECK(unlink(name) == 0 && rmdir(path) == 0);
}
