#include "check.h"
#include "query/rows/sealed_file.h"
#include "remains.h"
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECES 40

/* Fills piece i with its number and returns its length. */
static size_t fill(unsigned char *bytes, size_t i)
{
    const size_t count = 1 + i * 37;
    memset(bytes, (int)i, count);
    return count;
}

TEST(sealed_file_gives_back_what_was_appended)
{
    unsigned char bytes[37 * PIECES + 1], want[37 * PIECES + 1];
    uint64_t offsets[PIECES];
    sc_sealed_file *file = NULL;
    sc_cipher *cipher = NULL;
    struct stat now;
    REQUIRE_OK(sc_sealed_file_open(0, &file, NULL));
    REQUIRE_OK(sc_cipher_open(&cipher, NULL));
    for (size_t i = 0; i < PIECES; i++) {
        const size_t count = fill(bytes, i);
        REQUIRE_OK(sc_sealed_file_append(file, cipher, bytes, count, &offsets[i], NULL));
    }
    /* It has no name, is its owner's alone, and holds nothing as it was. */
    REQUIRE(fstat(sc_sealed_file_descriptor(file), &now) == 0);
    CHECK(now.st_nlink == 0 && (now.st_mode & 077) == 0);
    for (size_t i = PIECES; i-- > 0;) {
        const size_t count = fill(want, i);
        REQUIRE(pread(sc_sealed_file_descriptor(file), bytes, count, (off_t)offsets[i]) ==
                (ssize_t)count);
        CHECK(i < 2 || memcmp(bytes, want, count) != 0);
        REQUIRE_OK(sc_sealed_file_read(file, cipher, offsets[i], bytes, count, NULL));
        CHECK(memcmp(bytes, want, count) == 0);
    }
    sc_cipher_close(cipher);
    sc_sealed_file_close(file);
}

/* Zeros at two places of the file: no block of either is encrypted as another. */
TEST(sealed_file_encrypts_each_place_by_itself)
{
    enum { BLOCK = 16, BLOCKS = 4 };
    unsigned char bytes[2 * BLOCKS * BLOCK];
    sc_sealed_file *file = NULL;
    sc_cipher *cipher = NULL;
    uint64_t offset = 0;
    REQUIRE_OK(sc_sealed_file_open(0, &file, NULL));
    REQUIRE_OK(sc_cipher_open(&cipher, NULL));
    for (int i = 0; i < 2; i++) {
        memset(bytes, 0, sizeof bytes / 2);
        REQUIRE_OK(
            sc_sealed_file_append(file, cipher, bytes, sizeof bytes / 2, &offset, NULL));
        CHECK_INT(offset, (size_t)i * sizeof bytes / 2);
    }
    REQUIRE(pread(sc_sealed_file_descriptor(file), bytes, sizeof bytes, 0) ==
            (ssize_t)sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i += BLOCK)
        for (size_t j = 0; j < i; j += BLOCK)
            CHECK(memcmp(bytes + i, bytes + j, BLOCK) != 0);
    sc_cipher_close(cipher);
    sc_sealed_file_close(file);
}

static void open_file(void *context)
{
    sc_sealed_file **file = context;
    CHECK_STATUS(sc_sealed_file_open(0, file, NULL), SCRIM_OK);
}

TEST(sealed_file_keeps_its_key_off_the_stack)
{
    sc_sealed_file *file = NULL;
    keys_watch();
    remains_run(open_file, &file);
    CHECK_INT(freed_remains(), 0);
    CHECK_INT(keys_drawn(), 1);
    CHECK_INT(stack_remains(key_drawn_at(0)), 0);
    sc_sealed_file_close(file);
}

TEST(sealed_file_fails_without_a_folder)
{
    const char *before = getenv("TMPDIR");
    char *kept = before == NULL ? NULL : strdup(before);
    sc_sealed_file *file = NULL;
    scrim_error error;
    setenv("TMPDIR", "/dev/null/at/all", 1);
    CHECK_STATUS(sc_sealed_file_open(0, &file, &error), SCRIM_E_MEMORY);
    CHECK(file == NULL);
    if (kept == NULL)
        unsetenv("TMPDIR");
    else
        setenv("TMPDIR", kept, 1);
    free(kept);
}

static int failing_errno;

static int failing_fallocate(int descriptor, int mode, off_t offset, off_t bytes)
{
    (void)descriptor, (void)mode, (void)offset, (void)bytes;
    errno = failing_errno;
    return -1;
}

static uint64_t blocks_left;
static bool can_say;

static int some_fstatfs(int descriptor, struct statfs *out)
{
    (void)descriptor;
    *out = (struct statfs){.f_bsize = 4096, .f_bavail = blocks_left};
    return can_say ? 0 : -1;
}

/* Reserved space is there or the file is not opened, also where it can only be looked at. */
TEST(A73_sealed_file_reserves_or_is_not_opened)
{
    static const struct {
        int number;
        uint64_t blocks;
        bool can_say;
        scrim_status want;
    } cases[] = {{ENOSPC, 99, true, SCRIM_E_MEMORY},
                 {EDQUOT, 99, true, SCRIM_E_MEMORY},
                 {EOPNOTSUPP, 99, true, SCRIM_OK},
                 {EOPNOTSUPP, 4, true, SCRIM_E_MEMORY},
                 {EOPNOTSUPP, 99, false, SCRIM_E_MEMORY}};
    struct stat now;
    sc_sealed_file *file = NULL;
    REQUIRE_OK(sc_sealed_file_open(1 << 20, &file, NULL));
    REQUIRE(fstat(sc_sealed_file_descriptor(file), &now) == 0);
    CHECK(now.st_size == 0 && now.st_blocks >= (1 << 20) / 512);
    sc_sealed_file_close(file);
    /* A limit of the caller's would end the program by a signal once rows are written. */
    struct rlimit limit, less;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    less = (struct rlimit){(1 << 20) - 1, limit.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &less) == 0);
    file = NULL;
    CHECK_STATUS(sc_sealed_file_open(1 << 20, &file, NULL), SCRIM_E_MEMORY);
    CHECK_STATUS(sc_sealed_file_open((1 << 20) - 1, &file, NULL), SCRIM_OK);
    sc_sealed_file_close(file);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scrim_error error = {.status = SCRIM_OK};
        file = NULL;
        failing_errno = cases[i].number;
        blocks_left = cases[i].blocks;
        can_say = cases[i].can_say;
        system_call.fallocate = failing_fallocate;
        system_call.fstatfs = some_fstatfs;
        const scrim_status status =
            sc_sealed_file_open((uint64_t)5 * 4096, &file, &error);
        system_call.fallocate = NULL;
        system_call.fstatfs = NULL;
        CHECK_STATUS(status, cases[i].want);
        CHECK(status == SCRIM_OK || strstr(error.message, "TMPDIR") != NULL);
        sc_sealed_file_close(file);
    }
}
