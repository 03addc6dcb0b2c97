#include "check.h"
#include "data/source/source_stamp.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TEST(source_stamp_has_one_spelling)
{
    CLAIM("source_stamp.exact");
    static const sc_source_stamp stamps[] = {
        {.is_file = true, .bytes = 0, .modified_ns = 0},
        {.is_file = true, .bytes = 3755, .modified_ns = 1763193600000000001},
        {.is_file = true, .bytes = UINT64_MAX, .modified_ns = INT64_MAX},
        {.is_file = true, .bytes = 7, .modified_ns = INT64_MIN},
        {.is_file = true, .bytes = 1, .modified_ns = -1500000000},
    };
    static const char *const wrong[] = {
        "",
        "bytes=1",
        "bytes=1,modified=1",
        "bytes=1,modified=1.0",
        "bytes=01,modified=1.000000000",
        "bytes=1,modified=-0.000000000",
        "bytes=1,modified=1.000000000 ",
        "bytes=-1,modified=1.000000000",
        "bytes=18446744073709551616,modified=1.000000000",
        "bytes=1,modified=9223372036.854775808",
        "modified=1.000000000,bytes=1",
    };
    char text[SC_SOURCE_STAMP_BYTES];
    sc_source_stamp got = {.is_file = true, .bytes = 7, .modified_ns = 7};
    for (size_t i = 0; i < sizeof stamps / sizeof *stamps; i++) {
        sc_source_stamp_format(&stamps[i], text);
        CHECK(sc_source_stamp_parse(sc_text_of(text), &got));
        CHECK(sc_source_stamp_equal(&got, &stamps[i]));
    }
    CHECK_STR(text, "bytes=1,modified=-1.500000000");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (sc_source_stamp_parse(sc_text_of(wrong[i]), &got))
            CHECK_FAIL("'%s' is taken for a stamp", wrong[i]);
}

TEST(source_stamp_differs_by_size_or_time)
{
    CLAIM("source_stamp.exact");
    const sc_source_stamp stamp = {.is_file = true, .bytes = 10, .modified_ns = 20},
                          others[] = {{.is_file = true, .bytes = 11, .modified_ns = 20},
                                      {.is_file = true, .bytes = 10, .modified_ns = 21},
                                      {.is_file = false, .bytes = 10, .modified_ns = 20}};
    CHECK(sc_source_stamp_equal(&stamp, &stamp));
    for (size_t i = 0; i < 3; i++)
        CHECK(!sc_source_stamp_equal(&stamp, &others[i]));
}

TEST(source_stamp_looks_at_a_file)
{
    CLAIM("source_stamp.exact");
    char path[] = "/tmp/scrim-stamp-XXXXXX", pipe[64];
    const struct timespec times[2] = {{5, 6}, {1700000000, 123456789}};
    sc_source_stamp stamp = {.is_file = false, .bytes = 0, .modified_ns = 0};
    scrim_error error = {.message = ""};
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    CHECK(write(file, "a,b\n1,2\n", 8) == 8 && futimens(file, times) == 0);
    close(file);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &stamp, &error), SCRIM_OK);
    CHECK(sc_source_stamp_equal(
        &stamp, &(sc_source_stamp){
                    .is_file = true, .bytes = 8, .modified_ns = 1700000000123456789}));
    unlink(path);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &stamp, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "No such file") != NULL);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of("/tmp"), &stamp, &error), SCRIM_E_INPUT);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(""), &stamp, &error), SCRIM_E_INPUT);
    snprintf(pipe, sizeof pipe, "%s.pipe", path);
    REQUIRE(mkfifo(pipe, 0600) == 0);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(pipe), &stamp, &error), SCRIM_E_INPUT);
    unlink(pipe);
}

/* Size and modification time are put back after each of them, as cp -p and rsync -t do. */
TEST(A107_a_touched_file_is_not_the_same)
{
    CLAIM("source_stamp.touch");
    const struct timespec times[2] = {{5, 6}, {1700000000, 123456789}};
    char path[] = "/tmp/scrim-stamp-XXXXXX", other[64];
    sc_source_stamp before, after;
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    CHECK(write(file, "a,b\n1,2\n", 8) == 8);
    for (int way = 0; way < 5; way++) {
        CHECK(futimens(file, times) == 0);
        CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &before, NULL), SCRIM_OK);
        usleep(20000); /* the clock of files ticks more slowly than others */
        if (way == 1) {
            CHECK(pwrite(file, "3", 1, 4) == 1);
        } else if (way == 2) {
            CHECK(ftruncate(file, 0) == 0 && pwrite(file, "a,b\n1,3\n", 8, 0) == 8);
        } else if (way == 3) {
            CHECK(fchmod(file, 0400) == 0);
        } else if (way == 4) {
            snprintf(other, sizeof other, "%s.new", path);
            const int made = open(other, O_CREAT | O_WRONLY, 0600);
            CHECK(made >= 0 && write(made, "a,b\n1,3\n", 8) == 8 &&
                  futimens(made, times) == 0 && rename(other, path) == 0);
            close(made);
        }
        if (way != 0)
            CHECK(futimens(file, times) == 0);
        CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &after, NULL), SCRIM_OK);
        CHECK(sc_source_stamp_equal(&before, &after));
        CHECK(sc_source_stamp_same(&before, &after) == (way == 0));
    }
    close(file);
    unlink(path);
}
