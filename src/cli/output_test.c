#include "check.h"
#include "cli/box.h"
#include "cli/draw_writer.h"
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What is in the buffer, as text. */
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

static const sc_terminal ascii = {.columns = 32};

TEST(box_fits_the_terminal)
{
    static sc_output output;
    const char *const columns[] = {"name", "what it is"};
    const char *const cells[] = {"café", "a place with tables and chairs"};
    sc_box box = {columns, 2, cells, 1};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, SCRIM_FORMAT_TABLE, &ascii);
    CHECK_STR(buffered(&output), "+------+-----------------------+\n"
                                 "| name | what it is            |\n"
                                 "+------+-----------------------+\n"
                                 "| café | a place with tables   |\n"
                                 "|      | and chairs            |\n"
                                 "+------+-----------------------+\n");
}

TEST(box_breaks_words_that_do_not_fit)
{
    static sc_output output;
    const char *const columns[] = {"x"};
    const char *const cells[] = {"0123456789012345678901234567890123456789"};
    sc_box box = {columns, 1, cells, 1};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, SCRIM_FORMAT_TABLE, &ascii);
    CHECK(strstr(buffered(&output), "| 0123456789012345678901234567 |\n"
                                    "| 890123456789                 |\n") != NULL);
}

/* The draws around 2^53, where JSON's readers end. */
TEST(draws_beyond_doubles_are_strings)
{
    static sc_output output;
    sc_draw_writer writer;
    const int64_t narrow[] = {SC_JSON_INTEGER_MAX, SC_JSON_INTEGER_MAX + 1,
                              -SC_JSON_INTEGER_MAX, -SC_JSON_INTEGER_MAX - 1};
    const scrim_wide wide[] = {{UINT64_C(1) << 53, 0},
                               {(UINT64_C(1) << 53) + 1, 0},
                               {0 - (UINT64_C(1) << 53), -1},
                               {0 - (UINT64_C(1) << 53) - 1, -1},
                               {5, 1},
                               {5, -1}};
    const char *want = "{\"not_private\": true, \"value\": 9007199254740992}\n"
                       "{\"not_private\": true, \"value\": \"9007199254740993\"}\n"
                       "{\"not_private\": true, \"value\": -9007199254740992}\n"
                       "{\"not_private\": true, \"value\": \"-9007199254740993\"}\n";
    sc_output_init(&output, -1);
    sc_draw_writer_begin(&writer, &output, SCRIM_DRAWS_JSONL, &ascii, "");
    sc_draw_writer_narrow(&writer, narrow, 4);
    CHECK_STR(buffered(&output), want);
    sc_output_init(&output, -1);
    sc_draw_writer_wide(&writer, wide, 4);
    CHECK_STR(buffered(&output), want);
    sc_output_init(&output, -1);
    sc_draw_writer_wide(&writer, wide + 4, 2);
    CHECK_STR(buffered(&output),
              "{\"not_private\": true, \"value\": \"18446744073709551621\"}\n"
              "{\"not_private\": true, \"value\": \"-18446744073709551611\"}\n");
}

TEST(draws_of_any_count_are_json)
{
    static sc_output output;
    sc_draw_writer writer;
    const int64_t draws[] = {1, -2};
    for (size_t count = 0; count <= 2; count++) {
        static const char *const rows[] = {"", "{\"value\": 1}\n",
                                           "{\"value\": 1},\n{\"value\": -2}\n"};
        char want[128];
        snprintf(want, sizeof want,
                 "{\"not_private\": true, \"distribution\": \"a \\\"b\\\"\", \"rows\": "
                 "[\n%s]}\n",
                 rows[count]);
        sc_output_init(&output, -1);
        sc_draw_writer_begin(&writer, &output, SCRIM_DRAWS_JSON, &ascii, "a \"b\"");
        sc_draw_writer_narrow(&writer, draws, count);
        sc_draw_writer_end(&writer);
        CHECK_STR(buffered(&output), want);
    }
}
