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
        {true, 0, 0},
        {true, 3755, 1763193600000000001},
        {true, UINT64_MAX, INT64_MAX},
        {true, 7, INT64_MIN},
        {true, 1, -1500000000},
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
    sc_source_stamp got = {true, 7, 7};
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
    const sc_source_stamp stamp = {true, 10, 20},
                          others[] = {{true, 11, 20}, {true, 10, 21}, {false, 10, 20}};
    CHECK(sc_source_stamp_equal(&stamp, &stamp));
    for (size_t i = 0; i < 3; i++)
        CHECK(!sc_source_stamp_equal(&stamp, &others[i]));
}

TEST(source_stamp_looks_at_a_file)
{
    CLAIM("source_stamp.exact");
    char path[] = "/tmp/scrim-stamp-XXXXXX", pipe[64];
    const struct timespec times[2] = {{5, 6}, {1700000000, 123456789}};
    sc_source_stamp stamp = {false, 0, 0};
    scrim_error error = {.message = ""};
    const int file = mkstemp(path);
    REQUIRE(file >= 0);
    CHECK(write(file, "a,b\n1,2\n", 8) == 8 && futimens(file, times) == 0);
    close(file);
    CHECK_STATUS(sc_source_stamp_look(sc_text_of(path), &stamp, &error), SCRIM_OK);
    CHECK(
        sc_source_stamp_equal(&stamp, &(sc_source_stamp){true, 8, 1700000000123456789}));
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
