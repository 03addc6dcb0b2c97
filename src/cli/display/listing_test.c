#include "check.h"
#include "cli/display/listing.h"
#include "faults.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static sc_output output;
static const sc_terminal ascii = {.columns = 60};
static const sc_listing_column columns[] = {{"name", SC_KIND_KEY},
                                            {"count", SC_KIND_NUMBER}};
static const char *const rows[][2] = {{"a\x1b[31mb", "1"}, {"=c,d", "2"}};

static const char *written(sc_listing *listing)
{
    scrim_error error;
    CHECK_STATUS(sc_listing_close(listing, SCRIM_OK, &error), SCRIM_OK);
    output.bytes[output.used] = '\0';
    return output.bytes;
}

/* The rows from above, as many as there are. */
static const char *write_as(sc_format format, size_t count, bool is_held)
{
    sc_listing listing = SC_LISTING(columns, &output, format, &ascii);
    sc_output_init(&output, -1);
    listing.is_held = is_held;
    listing.heading = "of two things";
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i < count; i++)
        sc_listing_add(&listing, rows[i]);
    return written(&listing);
}

/* A text that begins like a formula is marked in CSV (A61), and no box has what steers a terminal. */
TEST(listing_is_written_in_every_format)
{
    for (int held = 0; held < 2; held++) {
        CHECK_STR(write_as(SCRIM_FORMAT_CSV, 2, held != 0),
                  "name,count\na\x1b[31mb,1\n\"'=c,d\",2\n");
        CHECK_STR(write_as(SCRIM_FORMAT_JSON, 2, held != 0),
                  "{\"rows\": [\n{\"name\": \"a\\u001b[31mb\", \"count\": 1},\n"
                  "{\"name\": \"=c,d\", \"count\": 2}\n]}\n");
        CHECK_STR(write_as(SCRIM_FORMAT_JSONL, 2, held != 0),
                  "{\"name\": \"a\\u001b[31mb\", \"count\": 1}\n"
                  "{\"name\": \"=c,d\", \"count\": 2}\n");
        CHECK_STR(write_as(SCRIM_FORMAT_TABLE, 2, held != 0), "of two things\n"
                                                              "+---------+-------+\n"
                                                              "| name    | count |\n"
                                                              "+---------+-------+\n"
                                                              "| a?[31mb | 1     |\n"
                                                              "| =c,d    | 2     |\n"
                                                              "+---------+-------+\n");
    }
}

/* The first row opens what nobody has opened, and so does the end of a listing without rows. */
TEST(A102_listing_opens_itself)
{
    static const char *const want[][4] = {
        [SCRIM_FORMAT_JSON] = {"{\"rows\": [\n]}\n",
                               "{\"rows\": [\n{\"name\": \"=c,d\", \"count\": 2}\n]}\n"},
        [SCRIM_FORMAT_JSONL] = {"", "{\"name\": \"=c,d\", \"count\": 2}\n"},
        [SCRIM_FORMAT_CSV] = {"name,count\n", "name,count\n\"'=c,d\",2\n"}};
    static const sc_format formats[] = {SCRIM_FORMAT_JSON, SCRIM_FORMAT_JSONL,
                                        SCRIM_FORMAT_CSV};
    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t count = 0; count < 2; count++)
            for (int held = 0; held < 2; held++) {
                sc_listing listing = SC_LISTING(columns, &output, formats[f], &ascii);
                sc_output_init(&output, -1);
                listing.is_held = held != 0;
                if (count > 0)
                    sc_listing_add(&listing, rows[1]);
                CHECK_STR(written(&listing), want[formats[f]][count]);
            }
}

TEST(listing_without_rows_has_its_heading)
{
    static const char *const wants[] = {
        [SCRIM_FORMAT_TABLE] = ("of two things\n+------+-------+\n| name | count |\n"
                                "+------+-------+\n+------+-------+\n"),
        [SCRIM_FORMAT_CSV] = "name,count\n",
        [SCRIM_FORMAT_JSON] = "{\"rows\": [\n]}\n",
        [SCRIM_FORMAT_JSONL] = "",
    };
    for (size_t format = 0; format < COUNT(wants); format++)
        CHECK_STR(write_as((sc_format)format, 0, false), wants[format]);
}

static bool bar_at(const void *context, size_t row, sc_error_bar *out)
{
    (void)context;
    *out = (sc_error_bar){.low = 0, .value = (double)row, .high = 2};
    return row < 2;
}

/* Values, their intervals, and cells that are not there. */
static const char *write_values(sc_format format, unsigned more)
{
    const sc_listing_column values[] = {
        {"n", SC_KIND_DECIMAL | SC_NULLABLE | SC_VALUE | more},
        {"n_low", SC_BOUND | SC_RIGHT},
        {"n_high", SC_BOUND | SC_RIGHT},
        {"note", SC_OPTIONAL}};
    static const char *const cells[][4] = {
        {"1.5", "-10", "2", "x"}, {"12", NULL, NULL, ""}, {"", "", "", NULL}};
    sc_listing listing = SC_LISTING(values, &output, format, &ascii);
    sc_output_init(&output, -1);
    listing.bar = bar_at;
    listing.bar_of = more == SC_TOGETHER ? "n" : NULL;
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i < COUNT(cells); i++)
        sc_listing_add(&listing, cells[i]);
    return written(&listing);
}

TEST(listing_shows_values_with_their_intervals)
{
    CHECK_STR(write_values(SCRIM_FORMAT_JSONL, 0),
              "{\"n\": {\"value\": 1.5, \"low\": -10, \"high\": 2}, \"note\": \"x\"}\n"
              "{\"n\": {\"value\": 12}}\n"
              "{\"n\": {\"value\": null, \"low\": null, \"high\": null}}\n");
    CHECK_STR(write_values(SCRIM_FORMAT_CSV, 0),
              "n,n_low,n_high,note\n1.5,-10,2,x\n12,,,\n,,,\n");
    CHECK_STR(write_values(SCRIM_FORMAT_TABLE, SC_RIGHT),
              "+-----+-------+--------+------+----------------------------+\n"
              "| n   | n_low | n_high | note | interval                   |\n"
              "+-----+-------+--------+------+----------------------------+\n"
              "| 1.5 |   -10 |      2 | x    | o------------------------| |\n"
              "|  12 |       |        |      | |------------o-----------| |\n"
              "|     |       |        |      |                            |\n"
              "+-----+-------+--------+------+----------------------------+\n");
    CHECK_STR(write_values(SCRIM_FORMAT_TABLE, SC_TOGETHER),
              "+----------------+------+----------------------------------+\n"
              "| n              | note | interval of n                    |\n"
              "+----------------+------+----------------------------------+\n"
              "|  1.5  [-10, 2] | x    | o------------------------------| |\n"
              "|   12           |      | |---------------o--------------| |\n"
              "| none           |      |                                  |\n"
              "+----------------+------+----------------------------------+\n");
}

/* An interval without an end, or without both. */
TEST(listing_says_what_is_open)
{
    static const sc_listing_column values[] = {
        {"n", SC_KIND_DECIMAL | SC_NULLABLE | SC_VALUE | SC_TOGETHER},
        {"n_low", SC_BOUND | SC_RIGHT},
        {"n_high", SC_BOUND | SC_RIGHT}};
    static const char *const cells[][3] = {
        {"1.5", "", "2"}, {"7", "", ""}, {"", "0", ""}};
    static const char *const wants[] = {
        [SCRIM_FORMAT_JSONL] =
            "{\"n\": {\"value\": 1.5, \"low\": null, \"high\": 2, \"open\": true}}\n"
            "{\"n\": {\"value\": 7, \"low\": null, \"high\": null, \"open\": true}}\n"
            "{\"n\": {\"value\": null, \"low\": 0, \"high\": null, \"open\": true}}\n",
        [SCRIM_FORMAT_CSV] = "n,n_low,n_high\n1.5,,2\n7,,\n,0,\n"};
    static const sc_format formats[] = {SCRIM_FORMAT_JSONL, SCRIM_FORMAT_CSV};
    for (size_t f = 0; f < COUNT(formats); f++) {
        sc_listing listing = SC_LISTING(values, &output, formats[f], &ascii);
        sc_output_init(&output, -1);
        (void)sc_listing_open(&listing);
        for (size_t i = 0; i < COUNT(cells); i++)
            sc_listing_add(&listing, cells[i]);
        CHECK_STR(written(&listing), wants[formats[f]]);
    }
}

/* Cells of any length, put one by one. */
TEST(listing_takes_cells_one_by_one)
{
    sc_listing listing = SC_LISTING(columns, &output, SCRIM_FORMAT_CSV, &ascii);
    sc_output_init(&output, -1);
    sc_listing_put(&listing, "%0600d", 7);
    sc_listing_put(&listing, "%s", "a,b");
    sc_listing_put(&listing, NULL);
    sc_listing_put(&listing, "%d", 3);
    const char *text = written(&listing);
    CHECK(strncmp(text, "name,count\n000", 14) == 0);
    CHECK_STR(text + 11 + 600, ",\"a,b\"\n,3\n");
}

TEST(listing_lives_through_want_of_memory)
{
    for (int format = 0; format < 2; format++)
        FAULT_LOOP(fault)
        {
            scrim_error error;
            sc_listing listing =
                SC_LISTING(columns, &output,
                           format == 0 ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV, &ascii);
            sc_output_init(&output, -1);
            listing.bar = bar_at;
            sc_listing_add(&listing, rows[0]);
            sc_listing_put(&listing, "%s", "x");
            sc_listing_put(&listing, "%d", 2);
            const scrim_status status = sc_listing_close(&listing, SCRIM_OK, &error);
            CHECK(status == SCRIM_OK || (status == SCRIM_E_MEMORY && fault_hit()));
            CHECK(listing.cells == NULL && listing.row == NULL && listing.count == 0);
        }
}

/* The text that a child writes to standard output in that format; nothing after a failure. */
static void page_written(const char *format, scrim_status before, char *text,
                         size_t capacity)
{
    int channel[2], status = -1;
    size_t used = 0;
    text[0] = '\0';
    if (!CHECK(pipe(channel) == 0))
        return;
    const pid_t child = fork();
    if (child == 0) {
        static sc_options options;
        scrim_error error;
        sc_listing *page = NULL;
        options.value[SCRIM_OPTION_FORMAT] = format;
        dup2(channel[1], STDOUT_FILENO);
        bool is_right =
            sc_page_new(&options, columns, COUNT(columns), &page, &error) == SCRIM_OK;
        for (size_t i = 0; is_right && i < COUNT(rows); i++)
            sc_listing_add(page, rows[i]);
        is_right = is_right && sc_page_end(page, before, &error) == before;
        _exit(is_right ? 0 : 1);
    }
    close(channel[1]);
    for (ssize_t count = 0; used + 1 < capacity; used += (size_t)count)
        if ((count = read(channel[0], text + used, capacity - 1 - used)) <= 0)
            break;
    text[used] = '\0';
    close(channel[0]);
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

TEST(page_is_written_whole_or_not_at_all)
{
    char text[2000];
    page_written(NULL, SCRIM_OK, text, sizeof text);
    CHECK_STR(text, "name,count\na\x1b[31mb,1\n\"'=c,d\",2\n");
    page_written("jsonl", SCRIM_OK, text, sizeof text);
    CHECK_STR(text, "{\"name\": \"a\\u001b[31mb\", \"count\": 1}\n"
                    "{\"name\": \"=c,d\", \"count\": 2}\n");
    page_written("csv", SCRIM_E_LEDGER, text, sizeof text);
    CHECK_STR(text, "");
}
