#include "check.h"
#include "cli/display/number_view.h"
#include "cli/mechanism/draw_writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The buffer as text. */
static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static const sc_terminal ascii = {.columns = 32};

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

/* The plain twin. */

#define SEEDED "\"not_private\": true, "
#define RULE "+----------------------+\n" /* around INT64_MIN */

static const sc_draw_form forms[] = {
    SCRIM_DRAWS_LINES, SCRIM_DRAWS_BINARY, SCRIM_DRAWS_TABLE, SCRIM_DRAWS_CSV,
    SCRIM_DRAWS_JSON,  SCRIM_DRAWS_JSONL,  SCRIM_DRAWS_NONE};
#define FORMS (sizeof forms / sizeof *forms)
#define STEP_MAX 2500 /* more than the stretches in which lines are written */

static void write_plain_value(FILE *file, sc_draw_form form, int64_t value, bool last)
{
    const bool beyond = value > (INT64_C(1) << 53) || value < -(INT64_C(1) << 53);
    const char *quote = beyond ? "\"" : "";
    switch (form) {
    case SCRIM_DRAWS_LINES:
    case SCRIM_DRAWS_CSV:
        fprintf(file, "%" PRId64 "\n", value);
        break;
    case SCRIM_DRAWS_BINARY:
        fwrite(&value, sizeof value, 1, file);
        break;
    case SCRIM_DRAWS_TABLE:
        fprintf(file, "| %20" PRId64 " |\n", value);
        break;
    case SCRIM_DRAWS_JSON:
        fprintf(file, "{\"value\": %s%" PRId64 "%s}%s\n", quote, value, quote,
                last ? "" : ",");
        break;
    case SCRIM_DRAWS_JSONL:
        fprintf(file, "{" SEEDED "\"value\": %s%" PRId64 "%s}\n", quote, value, quote);
        break;
    case SCRIM_DRAWS_NONE:
        break;
    }
}

static void write_plain(FILE *file, sc_draw_form form, const int64_t *draws, size_t count)
{
    if (form == SCRIM_DRAWS_TABLE)
        fputs(RULE "|                value |\n" RULE, file);
    if (form == SCRIM_DRAWS_CSV)
        fputs("value\n", file);
    if (form == SCRIM_DRAWS_JSON)
        fputs("{" SEEDED "\"distribution\": \"law\", \"rows\": [\n", file);
    for (size_t i = 0; i < count; i++)
        write_plain_value(file, form, draws[i], i + 1 == count);
    if (form == SCRIM_DRAWS_TABLE)
        fputs(RULE, file);
    if (form == SCRIM_DRAWS_JSON)
        fputs("]}\n", file);
}

/* The same by the writer, `step` draws at a time. */
static void write_draws(FILE *file, sc_draw_form form, const int64_t *draws, size_t count,
                        size_t step, bool wide)
{
    static sc_output output;
    static scrim_wide widened[STEP_MAX];
    sc_draw_writer writer;
    scrim_error error;
    sc_output_init(&output, fileno(file));
    sc_draw_writer_begin(&writer, &output, form, &ascii, "law");
    for (size_t done = 0; done < count; done += step) {
        const size_t some = count - done < step ? count - done : step;
        for (size_t i = 0; wide && i < some; i++)
            widened[i] = sc_wide_of(draws[done + i]);
        if (wide)
            sc_draw_writer_wide(&writer, widened, some);
        else
            sc_draw_writer_narrow(&writer, draws + done, some);
    }
    sc_draw_writer_end(&writer);
    CHECK_STATUS(sc_output_finish(&output, &error), SCRIM_OK);
}

static bool is_same(FILE *a, FILE *b)
{
    int byte;
    rewind(a);
    rewind(b);
    while ((byte = fgetc(a)) == fgetc(b))
        if (byte == EOF)
            return true;
    return false;
}

/* Every length of a number on both sides of its border, every border of its type and of
 * JSON, the widest first, where the table looks; and again, for more than a buffer. */
static size_t fill_draws(int64_t *draws, size_t room)
{
    size_t count = 0;
    draws[count++] = INT64_MIN;
    draws[count++] = INT64_MAX;
    draws[count++] = 0;
    for (int64_t power = 1; power <= INT64_MAX / 10; power *= 10)
        for (int64_t near = -1; near <= 1; near++) {
            draws[count++] = power + near;
            draws[count++] = -(power + near);
        }
    for (unsigned shift = 52; shift < 63; shift++)
        for (int64_t near = -1; near <= 1; near++) {
            draws[count++] = (INT64_C(1) << shift) + near;
            draws[count++] = -((INT64_C(1) << shift) + near);
        }
    for (size_t i = 0; count < room; i++)
        draws[count++] = draws[i];
    return count;
}

SLOW_TEST(draws_are_written_as_the_plain_twin_writes_them)
{
    static int64_t draws[6000];
    static const size_t steps[] = {1, 7, STEP_MAX};
    const size_t count = fill_draws(draws, sizeof draws / sizeof *draws);
    for (size_t i = 0; i < FORMS * 3 * 2; i++) {
        const sc_draw_form form = forms[i % FORMS];
        const size_t step = steps[i / FORMS % 3];
        const bool wide = i / FORMS / 3 == 1;
        if (wide && form == SCRIM_DRAWS_BINARY)
            continue;
        FILE *got = tmpfile(), *want = tmpfile();
        if (CHECK(got != NULL && want != NULL)) {
            write_plain(want, form, draws, count);
            write_draws(got, form, draws, count, step, wide);
            if (!is_same(got, want))
                CHECK_FAIL("form %d, %s, %zu at a time, differs", (int)form,
                           wide ? "wide" : "narrow", step);
        }
        if (got != NULL)
            fclose(got);
        if (want != NULL)
            fclose(want);
    }
}

TEST(draws_of_128_bits_are_written_whole)
{
    static sc_output output;
    sc_draw_writer writer;
    const scrim_wide draws[] = {SC_WIDE_MIN, SC_WIDE_MAX, {0, 1}};
    sc_output_init(&output, -1);
    sc_draw_writer_begin(&writer, &output, SCRIM_DRAWS_TABLE, &ascii, "");
    sc_draw_writer_wide(&writer, draws, 3);
    sc_draw_writer_end(&writer);
    CHECK_STR(buffered(&output), "+------------------------------------------+\n"
                                 "|                                    value |\n"
                                 "+------------------------------------------+\n"
                                 "| -170141183460469231731687303715884105728 |\n"
                                 "|  170141183460469231731687303715884105727 |\n"
                                 "|                     18446744073709551616 |\n"
                                 "+------------------------------------------+\n");
}

/* Rows are written as they come: one that is wider than the first sticks out. */
TEST(draws_wider_than_the_table_stick_out)
{
    static sc_output output;
    sc_draw_writer writer;
    const sc_terminal unicode = {.columns = 80, .utf8 = true};
    const int64_t draws[] = {1, -1234567};
    sc_output_init(&output, -1);
    sc_draw_writer_begin(&writer, &output, SCRIM_DRAWS_TABLE, &unicode, "");
    sc_draw_writer_narrow(&writer, draws, 1);
    sc_draw_writer_narrow(&writer, draws + 1, 1);
    sc_draw_writer_end(&writer);
    CHECK_STR(buffered(&output), "┌───────┐\n"
                                 "│ value │\n"
                                 "├───────┤\n"
                                 "│     1 │\n"
                                 "│ -1234567 │\n"
                                 "└───────┘\n");
}
