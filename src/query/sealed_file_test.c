#include "check.h"
#include "query/sealed_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECES 40

/* Piece i: so many bytes, each of them its number. */
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
    REQUIRE_OK(sc_sealed_file_open(&file, NULL));
    REQUIRE_OK(sc_cipher_open(&cipher, NULL));
    for (size_t i = 0; i < PIECES; i++) {
        const size_t count = fill(bytes, i);
        REQUIRE_OK(sc_sealed_file_append(file, bytes, count, &offsets[i], NULL));
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
