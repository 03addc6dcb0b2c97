#include "check.h"
#include "cli/terminal/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The buffer as text. */
static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

TEST(output_writes_decimals)
{
    static const int64_t cases[] = {0,     1,         9,          10,        99,
                                    100,   101,       999,        1000,      65536,
                                    99999, 123456789, 1000000000, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int64_t value = cases[i] == INT64_MIN ? INT64_MIN : sign * cases[i];
            char got[SC_INT64_CHARS + 1], want[32];
            *sc_int64_write(got, value) = '\0';
            snprintf(want, sizeof want, "%" PRId64, value);
            CHECK_STR(got, want);
        }
    for (int64_t value = -20000; value <= 20000; value++) {
        char got[SC_INT64_CHARS + 1], want[32];
        *sc_int64_write(got, value) = '\0';
        snprintf(want, sizeof want, "%" PRId64, value);
        if (strcmp(got, want) != 0)
            CHECK_FAIL("%s is written as %s", want, got);
    }
}

TEST(output_escapes_json_and_csv)
{
    static sc_output output;
    sc_output_init(&output, -1);
    sc_output_json_text(&output, "a\"b\\c\nd\x7f é");
    CHECK_STR(buffered(&output), "\"a\\\"b\\\\c\\u000ad\\u007f é\"");
    /* Characters that steer a terminal or turn text around have another spelling; bytes that are no UTF-8 stay. */
    sc_output_init(&output, -1);
    sc_output_json_text(&output,
                        "\xc2\x9b"
                        "2J\xd8\x9c\xe2\x80\x8f\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8");
    CHECK_STR(buffered(&output), "\"\\u009b2J\\u061c\\u200f\\u202e\\u2066\\u2028\"");
    sc_output_init(&output, -1);
    sc_output_json_text(&output, "\xc2(\xe2\x80\xed\xa0\x80\xc0\x80\xe2");
    CHECK_STR(buffered(&output), "\"\xc2(\xe2\x80\xed\xa0\x80\xc0\x80\xe2\"");
    sc_output_init(&output, -1);
    sc_output_csv_text(&output, "plain");
    sc_output_csv_text(&output, "a,b");
    sc_output_csv_text(&output, "say \"x\"");
    CHECK_STR(buffered(&output), "plain\"a,b\"\"say \"\"x\"\"\"");
}

TEST(output_keeps_the_first_error)
{
    static sc_output output;
    scrim_error error;
    int full = open("/dev/full", O_WRONLY);
    REQUIRE(full >= 0);
    sc_output_init(&output, full);
    sc_output_text(&output, "x");
    CHECK(output.error == 0); /* only buffered */
    CHECK(!sc_output_flush(&output));
    CHECK_INT(output.error, ENOSPC);
    sc_output_text(&output, "y");
    CHECK_STATUS(sc_output_finish(&output, &error), SCRIM_E_INTERNAL);
    CHECK(strstr(error.message, "No space left") != NULL);
    close(full);
}

/* More than the buffer holds, in pieces of every size, arrives whole and in order. */
TEST(output_passes_everything_on)
{
    static sc_output output;
    static char piece[3 * SC_OUTPUT_BYTES];
    scrim_error error;
    FILE *file = tmpfile();
    REQUIRE(file != NULL);
    sc_output_init(&output, fileno(file));
    size_t total = 0;
    for (size_t size = 1; size <= sizeof piece; size = size * 3 + 1) {
        for (size_t i = 0; i < size; i++)
            piece[i] = (char)('a' + (total + i) % 26);
        sc_output_bytes(&output, piece, size);
        total += size;
    }
    REQUIRE_OK(sc_output_finish(&output, &error));
    rewind(file);
    size_t read = 0;
    for (int byte; (byte = fgetc(file)) != EOF; read++)
        if (byte != 'a' + (int)(read % 26)) {
            CHECK_FAIL("byte %zu is wrong", read);
            break;
        }
    CHECK_INT(read, total);
    fclose(file);
}

/* Compared in place of written: all bytes, and no more. */
TEST(output_compares)
{
    static const char text[] = "one\ntwo\n";
    static const struct {
        const char *expected;
        size_t place;
        bool is_equal;
    } cases[] = {
        {"one\ntwo\n", 8, true},  {"one\ntwo", 7, false}, {"one\ntwo\nx", 8, false},
        {"One\ntwo\n", 0, false}, {"", 0, false},         {"one\ntwo ", 7, false}};
    sc_output *output = malloc(sizeof *output);
    REQUIRE(output != NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t place = 99;
        sc_output_init_compare(output, cases[i].expected, strlen(cases[i].expected));
        sc_output_text(output, text);
        CHECK(sc_output_is_equal(output, &place) == cases[i].is_equal);
        CHECK_INT(place, cases[i].place);
    }
    /* More than the buffer holds. */
    const size_t bytes = 3 * (size_t)SC_OUTPUT_BYTES + 7;
    char *much = calloc(bytes, 1);
    REQUIRE(much != NULL);
    size_t place = 0;
    sc_output_init_compare(output, much, bytes);
    for (size_t i = 0; i < bytes; i++)
        sc_output_bytes(output, "", 1);
    CHECK(sc_output_is_equal(output, &place));
    much[bytes - 1] = 1;
    sc_output_init_compare(output, much, bytes);
    for (size_t i = 0; i < bytes; i++)
        sc_output_bytes(output, "", 1);
    CHECK(!sc_output_is_equal(output, &place));
    CHECK_INT(place, bytes - 1);
    free(much);
    free(output);
}

/* Kept in place of written, whatever the buffer holds; without memory there is nothing. */
TEST(output_keeps_text)
{
    sc_output *output = malloc(sizeof *output);
    size_t bytes = 9;
    REQUIRE(output != NULL);
    sc_output_init_keep(output);
    char *text = sc_output_take(output, &bytes);
    CHECK_STR(text, "");
    CHECK_INT(bytes, 0);
    free(text);
    sc_output_init_keep(output);
    sc_output_repeat(output, "0123456789", SC_OUTPUT_BYTES / 5);
    text = sc_output_take(output, &bytes);
    REQUIRE(text != NULL);
    CHECK_INT(bytes, (sc_int128)(SC_OUTPUT_BYTES / 5) * 10);
    CHECK_INT(strlen(text), bytes);
    CHECK_INT(text[bytes - 1], '9');
    free(text);
    sc_output_init_keep(output);
    sc_output_text(output, "x");
    output->error = ENOMEM;
    CHECK(sc_output_take(output, &bytes) == NULL);
    free(output);
}
