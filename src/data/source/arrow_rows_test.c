#include "arrow_batch.h"
#include "check.h"
#include "data/source/arrow_rows.h"
#include "faults.h"
#include "feed_cells.h"
#include "random/bits_tape.h"
#include "table_rows.h"

#include <string.h>
#include <unistd.h>

/* The rows of a batch with these columns are these. */
static void check_rows(const char *policy, const arrow_cells *columns, size_t count,
                       size_t rows, const char *want)
{
    arrow_batch batch;
    table_rows got;
    char text[4000];
    for (size_t before = 0; before < 12; before += 11) {
        REQUIRE(arrow_batch_make(&batch, columns, count, 0, rows, before));
        table_rows_of_batch(&got, policy, &batch.schema, &batch.array, 1);
        if (!CHECK_STATUS(got.status, SCRIM_OK))
            CHECK_STR(got.error.message, "");
        table_rows_join(&got, text, sizeof text);
        CHECK_STR(text, want);
        table_rows_clear(&got);
        arrow_batch_clear(&batch);
    }
}

TEST(arrow_rows_reads_every_width)
{
    CLAIM("arrow-rows.same");
    static const char *const texts[] = {"7", "-100", NULL, "100"};
    static const char *const formats[] = {"c", "s",     "i", "l", "e", "f",
                                          "g", "d:5,2", "u", "U", "vu"};
    for (size_t i = 0; i < COUNT(formats); i++)
        for (size_t k = 0; k < 2; k++) {
            const arrow_cells column = {"x", formats[i], k == 0 ? NULL : "c", texts};
            check_rows("unit=row\ncolumn=x=int[-50,50]", &column, 1, 4,
                       "-50;50;7;<null>;");
        }
    static const char *const sizes[] = {"7", "200", NULL, "18446744073709551615"};
    const arrow_cells large = {"x", "L", NULL, sizes};
    check_rows("unit=row\ncolumn=x=int[-50,5000]", &large, 1, 4, "200;5000;7;<null>;");
}

TEST(arrow_rows_rounds_as_texts_are)
{
    CLAIM("arrow-rows.same");
    static const char *const texts[] = {"0.015", "-0.005", "2.5", "1e300", "nan", "-inf"};
    const arrow_cells wide = {"y", "g", NULL, texts};
    check_rows("unit=row\ncolumn=y=decimal[-10,10]/0.01", &wide, 1, 6,
               "0;1000;2;250;<null>;<null>;");
    const arrow_cells narrow = {"y", "f", "l", texts};
    check_rows("unit=row\ncolumn=y=decimal[-10,10]/0.01\nmissing=y=1", &narrow, 1, 6,
               "0;100;100;100;2;250;");
    static const char *const tens[] = {"1200", "-1700", "99900"};
    const arrow_cells scaled = {"y", "d:5,-2", NULL, tens};
    check_rows("unit=row\ncolumn=y=decimal[-10000,1000000]/1000", &scaled, 1, 3,
               "-2;1;100;");
}

TEST(arrow_rows_makes_units_of_numbers)
{
    CLAIM("arrow-rows.same");
    static const char *const people[] = {"7", "-12345678901", NULL, "0"};
    static const char *const days[] = {"2020-02-29", NULL, "1969-12-31", "9999-12-31"};
    static const char *const money[] = {"1.5", "-0.05", "12345678901234567890", NULL};
    const arrow_cells all[] = {
        {"p", "l", NULL, people}, {"d", "tdD", NULL, days}, {"m", "d:38,2", "s", money}};
    check_rows("unit=p\nrows-per-unit=1\ncolumn=d=text\ncolumn=m=text", all, 3, 4,
               "-12345678901|<null>|-0.05;0|9999-12-31|<null>;7|2020-02-29|1.5;");
    const arrow_cells units[] = {{"p", "d:38,2", NULL, money}, {"d", "tdm", "L", days}};
    check_rows("unit=p\nrows-per-unit=1\ncolumn=d=date[2000-01-01,2030-01-01]", units, 2,
               4, "-0.05|<null>;1.5|18321;12345678901234567890|10957;");
    const arrow_cells scaled = {"t", "d:5,-2", NULL,
                                (const char *const[]){"1200", "-300", "0"}};
    check_rows("unit=row\ncolumn=t=text", &scaled, 1, 3, "-300;0;1200;");
}

TEST(arrow_rows_reads_dates_and_times)
{
    CLAIM("arrow-rows.same");
    static const char policy[] = "unit=row\nzone=+02:00\n"
                                 "column=e=timestamp[2020-01-01,2021-01-01]";
    static const char *const moments[] = {"2020-03-29 02:30:00", "1500-01-01 00:00:00",
                                          NULL, "2020-01-02 00:00:00.5"};
    /* Local time where there is no zone, half a second up, 0000 is far below the range. */
    const arrow_cells local = {"e", "tsm:", NULL, moments};
    check_rows(policy, &local, 1, 4, "1577829600;1577916001;1585441800;<null>;");
    const arrow_cells utc = {"e", "tsu:Europe/Oslo", "c", moments};
    check_rows(policy, &utc, 1, 4, "1577829600;1577923201;1585449000;<null>;");
    const arrow_cells days = {"e", "tss:", NULL, moments};
    check_rows("unit=row\ncolumn=e=date[2000-01-01,2021-01-01]", &days, 1, 4,
               "10957;18263;18350;<null>;");
    const arrow_cells midnight = {"e", "tdD", NULL, moments};
    check_rows(policy, &midnight, 1, 1, "1585432800;");
}

/* The first moment that nanoseconds reach is 0.145224192 of a second after a whole one, which they do not. */
TEST(arrow_rows_reads_the_ends_of_time)
{
    CLAIM("arrow-rows.same");
    static const char *const formats[] = {"tss:", "tsm:", "tsu:", "tsn:", "tsn:UTC"};
    static const char *const wanted[] = {"<null>;<null>;", "<null>;<null>;",
                                         "<null>;<null>;", "-9223372037;9223372037;",
                                         "-9223372037;9223372037;"};
    static const char *const moments[] = {"2020-01-01 00:00:00", "2020-01-01 00:00:00"};
    static const int64_t ends[] = {INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < COUNT(formats); i++) {
        const arrow_cells column = {"e", formats[i], NULL, moments};
        arrow_batch batch;
        table_rows got;
        char text[100];
        REQUIRE(arrow_batch_make(&batch, &column, 1, 0, 2, 0));
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): the buffer is the test's own */
        memcpy((void *)(uintptr_t)batch.array.children[0]->buffers[1], ends, sizeof ends);
        table_rows_of_batch(
            &got, "unit=row\nzone=UTC\ncolumn=e=timestamp[1000-01-01,3000-01-01]",
            &batch.schema, &batch.array, 1);
        CHECK_STATUS(got.status, SCRIM_OK);
        table_rows_join(&got, text, sizeof text);
        CHECK_STR(text, wanted[i]);
        table_rows_clear(&got);
        arrow_batch_clear(&batch);
    }
}

TEST(arrow_rows_knows_declared_nulls)
{
    CLAIM("arrow-rows.same");
    static const char *const texts[] = {"99", "-1", "NA", "2020-01-01", ""};
    const arrow_cells words = {"t", "u", NULL, texts};
    check_rows("unit=row\ncolumn=t=text\nnull=NA,99", &words, 1, 5,
               ";-1;2020-01-01;<null>;<null>;");
    const arrow_cells numbers = {"x", "i", NULL, texts};
    check_rows("unit=row\ncolumn=x=int[-5,200]\nnull=NA,99", &numbers, 1, 2,
               "-1;<null>;");
    /* The point of a number is declared for texts. */
    static const char *const points[] = {"1.5", "2.25"};
    const arrow_cells formed = {"y", "g", NULL, points};
    check_rows("unit=row\ncolumn=y=decimal[0,9]\ndecimal=,", &formed, 1, 2, "150;225;");
}

static void compare(const feed_cells *cells, const char *unit, unsigned workers,
                    size_t before)
{
    char policy[1000], path[] = "/tmp/arrow_rows.XXXXXX", whole[1100];
    arrow_batch batch;
    table_rows of_csv, of_batch;
    const int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    close(descriptor);
    snprintf(policy, sizeof policy, "unit=%s\nrows-per-unit=1\n%s", unit,
             feed_cells_policy);
    snprintf(whole, sizeof whole, "%scsv=%s\n", policy, path);
    CHECK(feed_cells_csv(cells, path));
    table_rows_read(&of_csv, whole, 1);
    unlink(path);
    REQUIRE(
        arrow_batch_make(&batch, cells->columns, FEED_COLUMNS, 0, cells->rows, before));
    table_rows_of_batch(&of_batch, policy, &batch.schema, &batch.array, workers);
    CHECK_STATUS(of_batch.status, SCRIM_OK);
    if (!CHECK(table_rows_equal(&of_csv, &of_batch))) {
        for (size_t i = 0; i < FEED_COLUMNS; i++)
            CHECK_STR(cells->columns[i].format,
                      cells->columns[i].index == NULL ? "" : "indexed");
        for (size_t i = 0; i < of_csv.count && i < of_batch.count; i++)
            if (strcmp(of_csv.lines[i], of_batch.lines[i]) != 0) {
                CHECK_STR(of_batch.lines[i], of_csv.lines[i]);
                break;
            }
    }
    arrow_batch_clear(&batch);
    table_rows_clear(&of_csv);
    table_rows_clear(&of_batch);
}

SLOW_TEST(arrow_rows_are_those_of_a_csv_file)
{
    CLAIM("arrow-rows.same");
    CLAIM("arrow-cell.same");
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(200, 10000);
    for (uint64_t i = 0; i < count; i++) {
        feed_cells cells;
        if (feed_cells_make(&cells, sc_tape_bits_of(tape), i % 40))
            compare(&cells, i % 3 == 0 ? "row" : "p", 1, i % 4 == 0 ? 0 : i % 11);
        feed_cells_clear(&cells);
    }
    /* Several blocks, and a dictionary that is longer than is read at once. */
    feed_cells cells;
    if (feed_cells_make(&cells, sc_tape_bits_of(tape), 20000))
        compare(&cells, "p", 3, 5);
    feed_cells_clear(&cells);
    sc_tape_free(tape);
}

/* The type that a library gives to a column in which every value happens to be missing: refusing it would say so. */
TEST(arrow_rows_reads_columns_without_values)
{
    CLAIM("arrow-rows.same");
    static const char *const types[] = {"int[0,9]", "text", "bool",
                                        "date[2020-01-01,2021-01-01]"};
    static const char *const numbers[] = {"1", "2", "3"};
    const arrow_cells columns[] = {{"x", "l", NULL, numbers}, {"y", "l", NULL, numbers}};
    for (size_t i = 0; i < COUNT(types); i++) {
        arrow_batch batch;
        table_rows got;
        char policy[120], text[100];
        REQUIRE(arrow_batch_make(&batch, columns, 2, 0, 3, 2));
        struct ArrowSchema type = {.format = "n", .name = "x"},
                           *schemas[] = {&type, batch.schema.children[1]};
        struct ArrowArray empty = {.length = 5, .null_count = 5},
                          *arrays[] = {&empty, batch.array.children[1]};
        struct ArrowSchema schema = batch.schema;
        struct ArrowArray array = batch.array;
        schema.children = schemas;
        array.children = arrays;
        snprintf(policy, sizeof policy, "unit=row\ncolumn=x=%s\ncolumn=y=int[0,9]",
                 types[i]);
        table_rows_of_batch(&got, policy, &schema, &array, 1);
        if (CHECK_STATUS(got.status, SCRIM_OK)) {
            table_rows_join(&got, text, sizeof text);
            CHECK_STR(text, "<null>|1;<null>|2;<null>|3;");
        }
        table_rows_clear(&got);
        empty.n_buffers = 2;
        table_rows_of_batch(&got, policy, &schema, &array, 1);
        CHECK_STATUS(got.status, SCRIM_E_INPUT);
        table_rows_clear(&got);
        arrow_batch_clear(&batch);
    }
}

/* Refusals. */

static void check_refused(const char *policy, const arrow_cells *columns, size_t count,
                          const char *message)
{
    arrow_batch batch;
    table_rows got;
    REQUIRE(arrow_batch_make(&batch, columns, count, 0, 0, 0));
    table_rows_of_batch(&got, policy, &batch.schema, &batch.array, 1);
    CHECK_STATUS(got.status, SCRIM_E_INPUT);
    CHECK_STR(got.error.message, message);
    table_rows_clear(&got);
    arrow_batch_clear(&batch);
}

TEST(arrow_rows_refuses_types_by_name)
{
    CLAIM("arrow-type.listed");
    CLAIM("arrow-rows.refused");
    static const char *const nothing[] = {NULL};
    static const struct {
        const char *format, *type, *message;
    } refused[] = {{"z", "text", "binary, which cannot be read as text"},
                   {"vz", "text", "binary_view, which cannot be read as text"},
                   {"w:16", "text", "fixed_size_binary, which cannot be read as text"},
                   {"d:50,2,256", "int[0,1]", "decimal, which cannot be read as int"},
                   {"d:39,2", "int[0,1]", "decimal, which cannot be read as int"},
                   {"d:38,39", "int[0,1]", "decimal, which cannot be read as int"},
                   {"d:38,-39", "text", "decimal, which cannot be read as text"},
                   {"d:9,2,64", "int[0,1]", "decimal, which cannot be read as int"},
                   {"d:38,2,256", "int[0,1]", "decimal, which cannot be read as int"},
                   {"ttm", "text", "time, which cannot be read as text"},
                   {"tDs", "int[0,1]", "duration, which cannot be read as int"},
                   {"tiM", "int[0,1]", "interval, which cannot be read as int"},
                   {"+l", "text", "list, which cannot be read as text"},
                   {"+vl", "text", "list_view, which cannot be read as text"},
                   {"+s", "text", "struct, which cannot be read as text"},
                   {"+m", "text", "map, which cannot be read as text"},
                   {"+ud:0,1", "text", "dense_union, which cannot be read as text"},
                   {"+r", "text", "run_end_encoded, which cannot be read as text"},
                   {"tsx:", "text", "unknown, which cannot be read as text"},
                   {"", "text", "unknown, which cannot be read as text"}};
    for (size_t i = 0; i < COUNT(refused); i++) {
        char policy[200], message[200];
        struct ArrowSchema type = {.format = refused[i].format, .name = "x"},
                           *types[] = {&type};
        const arrow_cells column = {"x", "l", NULL, nothing};
        arrow_batch batch;
        table_rows got;
        snprintf(policy, sizeof policy, "unit=row\ncolumn=x=%s", refused[i].type);
        snprintf(message, sizeof message, "the rows have 'x' as %s; cast it",
                 refused[i].message);
        REQUIRE(arrow_batch_make(&batch, &column, 1, 0, 0, 0));
        struct ArrowSchema schema = batch.schema;
        schema.children = types;
        table_rows_of_batch(&got, policy, &schema, &batch.array, 1);
        CHECK_STATUS(got.status, SCRIM_E_INPUT);
        CHECK_STR(got.error.message, message);
        CHECK_INT(got.error.reason, SCRIM_REASON_UNSUPPORTED);
        CHECK_STR(got.error.parameter, "x");
        table_rows_clear(&got);
        arrow_batch_clear(&batch);
    }
}

TEST(arrow_rows_refuses_columns)
{
    CLAIM("arrow-rows.refused");
    static const char *const nothing[] = {NULL};
    const arrow_cells two[] = {{"x", "l", NULL, nothing}, {"x", "l", NULL, nothing}};
    static const char policy[] = "unit=row\ncolumn=x=int[0,9]";
    check_refused("unit=p\nrows-per-unit=1\ncolumn=x=int[0,9]", two, 1,
                  "the rows have no column 'p'");
    check_refused(policy, two, 2, "the rows have two columns 'x'; leave one out");
    /* Columns that are not declared may be anything. */
    const arrow_cells more[] = {{"x", "l", NULL, nothing}, {"?", "g", NULL, nothing}};
    check_rows(policy, more, 2, 1, "<null>;");
}

/* An index that is no whole number, and a dictionary of dictionaries. */
TEST(arrow_rows_refuses_dictionaries)
{
    CLAIM("arrow-rows.refused");
    static const char *const texts[] = {"a", "b"};
    static const char *const indices[] = {"g", "b", "u", "d:9,0", "tdD", "n"};
    static const char *const names[] = {"float64",    "bool",   "string",
                                        "decimal128", "date32", "null"};
    const arrow_cells column = {"x", "u", "c", texts};
    for (size_t i = 0; i <= COUNT(indices); i++) {
        arrow_batch batch;
        table_rows got;
        char message[200];
        REQUIRE(arrow_batch_make(&batch, &column, 1, 0, 2, 0));
        const bool is_nested = i == COUNT(indices);
        struct ArrowSchema type = *batch.schema.children[0],
                           values = *batch.schema.children[0]->dictionary,
                           *types[] = {&type}, schema = batch.schema;
        schema.children = types;
        type.dictionary = &values;
        if (is_nested)
            values.dictionary = &values;
        else
            type.format = indices[i];
        snprintf(message, sizeof message,
                 "the rows have 'x' as %s, which cannot be read as text; cast it",
                 is_nested ? "string" : names[i]);
        table_rows_of_batch(&got, "unit=row\ncolumn=x=text", &schema, &batch.array, 1);
        CHECK_STATUS(got.status, SCRIM_E_INPUT);
        CHECK_STR(got.error.message, message);
        table_rows_clear(&got);
        arrow_batch_clear(&batch);
    }
}

/* Structs that lie. */

typedef void lie(struct ArrowArray *batch, struct ArrowArray *column);

static const void *none[4];

static void is_short(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->length--;
}
static void is_long(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->length++;
}
static void is_negative(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->length = -1;
}
static void is_before(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->offset = -1;
}
static void is_far(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->offset = INT64_MAX;
}
static void begins_later(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->offset = 1;
}
static void is_endless(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->offset = INT64_MAX;
    column->length = INT64_MAX;
}
static void has_few_buffers(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->n_buffers = 1;
}
static void has_many_buffers(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->n_buffers = INT64_MIN;
}
static void has_no_buffers(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->buffers = NULL;
}
static void has_no_values(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->buffers = none;
}
static void has_children(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->n_children = 1;
}
static void lacks_children(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->n_children = 0;
}
static void lacks_a_child(struct ArrowArray *batch, struct ArrowArray *column)
{
    static struct ArrowArray *nobody[1];
    (void)column;
    batch->children = nobody;
}
static void has_two_bitmaps(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->n_buffers = 2;
}
static void has_less_than_nothing(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->n_buffers = -1;
}
static void has_no_bitmaps(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->n_buffers = 1;
    batch->buffers = NULL;
}
static void is_released(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)column;
    batch->release = NULL;
}
static void changes_dictionary(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    column->dictionary = column->dictionary == NULL ? column : NULL;
}
static void nests_dictionary(struct ArrowArray *batch, struct ArrowArray *column)
{
    (void)batch;
    if (column->dictionary == NULL)
        column->dictionary = column;
    else
        column->dictionary->dictionary = column;
}

TEST(arrow_rows_refuses_structs_that_lie)
{
    CLAIM("arrow-array.checked");
    CLAIM("arrow-rows.refused");
    static lie *const lies[] = {is_short,         is_long,          is_negative,
                                is_before,        is_far,           is_endless,
                                has_few_buffers,  has_many_buffers, has_no_buffers,
                                has_no_values,    has_children,     lacks_children,
                                lacks_a_child,    is_released,      changes_dictionary,
                                nests_dictionary, has_two_bitmaps,  has_less_than_nothing,
                                has_no_bitmaps,   begins_later};
    static const char *const formats[] = {"l", "u", "vu", "*u", "b"};
    static const char *const texts[] = {"true", "1", NULL};
    for (size_t f = 0; f < COUNT(formats); f++)
        for (size_t i = 0; i < COUNT(lies); i++) {
            const bool has_dictionary = formats[f][0] == '*';
            const arrow_cells column = {"x", formats[f] + has_dictionary,
                                        has_dictionary ? "c" : NULL, texts};
            arrow_batch batch;
            table_rows got;
            REQUIRE(arrow_batch_make(&batch, &column, 1, 0, 3, 0));
            struct ArrowArray array = batch.array, child = *batch.array.children[0],
                              dictionary = {0}, *children[] = {&child};
            if (child.dictionary != NULL) {
                dictionary = *child.dictionary;
                child.dictionary = &dictionary;
            }
            array.children = children;
            lies[i](&array, &child);
            table_rows_of_batch(&got, "unit=row\ncolumn=x=bool", &batch.schema, &array,
                                1);
            if (!CHECK_STATUS(got.status, SCRIM_E_INPUT))
                CHECK_FAIL("lie %zu about %s", i, formats[f]);
            CHECK_INT(got.count, 0);
            table_rows_clear(&got);
            arrow_batch_clear(&batch);
        }
}

/* Values may point outside of their buffers: then they are missing, and nothing else is. */
TEST(arrow_rows_takes_values_that_lie_for_missing)
{
    CLAIM("arrow-array.checked");
    static const char *const texts[] = {"aa", "bb", "a text that is not in its view",
                                        "cc"};
    const arrow_cells plain = {"t", "u", NULL, texts}, viewed = {"t", "vu", NULL, texts},
                      indexed = {"t", "u", "c", texts};
    static const char policy[] = "unit=row\ncolumn=t=text";
    arrow_batch batch;
    table_rows got;
    char text[200];
    REQUIRE(arrow_batch_make(&batch, &plain, 1, 0, 4, 0));
    /* Offsets that fall, and one that is beyond the last. */
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the buffer is the test's own */
    int32_t *ends = (int32_t *)(uintptr_t)batch.array.children[0]->buffers[1];
    ends[1] = -5;
    ends[3] = ends[4] + 1;
    table_rows_of_batch(&got, policy, &batch.schema, &batch.array, 1);
    CHECK_STATUS(got.status, SCRIM_OK);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "<null>;<null>;<null>;<null>;");
    table_rows_clear(&got);
    arrow_batch_clear(&batch);

    REQUIRE(arrow_batch_make(&batch, &viewed, 1, 0, 4, 0));
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the buffer is the test's own */
    int32_t *views = (int32_t *)(uintptr_t)batch.array.children[0]->buffers[1];
    views[0] = -1;
    views[4] = 13; /* buffer 0, from 0 on */
    views[11] = 1;
    table_rows_of_batch(&got, policy, &batch.schema, &batch.array, 1);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "<null>;<null>;a text that i;cc;");
    table_rows_clear(&got);
    arrow_batch_clear(&batch);

    REQUIRE(arrow_batch_make(&batch, &indexed, 1, 0, 4, 0));
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the buffer is the test's own */
    int8_t *indices = (int8_t *)(uintptr_t)batch.array.children[0]->buffers[1];
    indices[0] = -1;
    indices[1] = 4;
    table_rows_of_batch(&got, policy, &batch.schema, &batch.array, 1);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "<null>;<null>;a text that is not in its view;cc;");
    table_rows_clear(&got);
    arrow_batch_clear(&batch);
}

/* A dictionary with more values than there are rows is not read as a whole. */
TEST(arrow_rows_reads_dictionaries_row_by_row)
{
    CLAIM("arrow-array.checked");
    static const char *const numbers[] = {"1", "2", "3", "4"};
    const arrow_cells indexed = {"x", "l", "c", numbers};
    static const unsigned char present[] = {0x1b};
    static const int8_t indices[] = {0, 3, 1, -1, 2};
    const void *buffers[] = {present, indices};
    arrow_batch batch;
    REQUIRE(arrow_batch_make(&batch, &indexed, 1, 0, 4, 0));
    for (size_t rows = 2; rows <= COUNT(indices); rows += 3) {
        table_rows got;
        char text[200];
        struct ArrowArray array = batch.array, child = *batch.array.children[0],
                          dictionary = *child.dictionary, *children[] = {&child};
        array.children = children;
        array.length = (int64_t)rows;
        child.dictionary = &dictionary;
        child.length = COUNT(indices);
        child.buffers = buffers; /* the third index is missing */
        dictionary.length = 3;   /* the last value is not one of them */
        table_rows_of_batch(&got, "unit=row\ncolumn=x=int[0,9]", &batch.schema, &array,
                            1);
        table_rows_join(&got, text, sizeof text);
        CHECK_STR(text, rows == 2 ? "1;<null>;" : "1;3;<null>;<null>;<null>;");
        table_rows_clear(&got);
        child.offset = 2; /* a missing index, by each way */
        child.length -= 2;
        array.length = rows == 2 ? 1 : 3;
        table_rows_of_batch(&got, "unit=row\ncolumn=x=int[0,9]", &batch.schema, &array,
                            1);
        CHECK_STATUS(got.status, SCRIM_OK);
        table_rows_join(&got, text, sizeof text);
        CHECK_STR(text, rows == 2 ? "<null>;" : "3;<null>;<null>;");
        table_rows_clear(&got);
    }
    arrow_batch_clear(&batch);
}

/* Values of a dictionary may be null, unused or there twice; a unit that is null has no row. */
TEST(arrow_rows_reads_odd_dictionaries)
{
    CLAIM("arrow-rows.same");
    static const char *const values[] = {"a", "b", "a", "c"}, *const numbers[] = {
                                                                  "1", "2", "3", "4"};
    const arrow_cells columns[] = {{"p", "u", NULL, values}, {"x", "l", NULL, numbers}};
    static const unsigned char present[] = {
        0x05}; /* of the values: "a" and the other "a" */
    static const int8_t indices[] = {2, 1, 0, 3};
    arrow_batch batch;
    table_rows got;
    char text[200];
    REQUIRE(arrow_batch_make(&batch, columns, 2, 0, 4, 0));
    struct ArrowArray dictionary = *batch.array.children[0], array = batch.array;
    const void *kept[] = {present, dictionary.buffers[1], dictionary.buffers[2]};
    const void *buffers[] = {NULL, indices};
    dictionary.buffers = kept;
    struct ArrowArray unit = {.length = 4,
                              .n_buffers = 2,
                              .buffers = buffers,
                              .dictionary = &dictionary},
                      *children[] = {&unit, batch.array.children[1]};
    struct ArrowSchema of_values = {.format = "u"},
                       type = {.format = "c", .name = "p", .dictionary = &of_values},
                       *types[] = {&type, batch.schema.children[1]};
    struct ArrowSchema schema = batch.schema;
    schema.children = types;
    array.children = children;
    table_rows_of_batch(&got, "unit=p\nmax-groups=1\nmax-rows=2\ncolumn=x=int[0,9]",
                        &schema, &array, 1);
    CHECK_STATUS(got.status, SCRIM_OK);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "a|1;a|3;");
    table_rows_clear(&got);
    table_rows_of_batch(&got, "unit=row\ncolumn=p=text\ncolumn=x=int[0,9]\nmissing=p=z",
                        &schema, &array, 1);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "a|1;a|3;z|2;z|4;");
    table_rows_clear(&got);
    arrow_batch_clear(&batch);
}

/* A text of twelve bytes is in its view; longer ones need the sizes of their buffers. */
TEST(arrow_rows_reads_views_of_any_length)
{
    CLAIM("arrow-array.checked");
    static const char *const texts[] = {"elevenbytes", "twelve bytes", "thirteen byte"};
    const arrow_cells viewed = {"t", "vu", NULL, texts};
    arrow_batch batch;
    table_rows got;
    char text[200];
    REQUIRE(arrow_batch_make(&batch, &viewed, 1, 0, 3, 0));
    table_rows_of_batch(&got, "unit=row\ncolumn=t=text", &batch.schema, &batch.array, 1);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "elevenbytes;thirteen byte;twelve bytes;");
    table_rows_clear(&got);
    struct ArrowArray array = batch.array, child = *batch.array.children[0],
                      *children[] = {&child};
    const void *buffers[] = {child.buffers[0], child.buffers[1], child.buffers[2], NULL};
    REQUIRE(child.n_buffers == 4);
    child.buffers = buffers;
    array.children = children;
    table_rows_of_batch(&got, "unit=row\ncolumn=t=text", &batch.schema, &array, 1);
    CHECK_STATUS(got.status, SCRIM_E_INPUT);
    CHECK_STR(got.error.message, "the batch does not fit its schema: 't' has no sizes of "
                                 "its buffers; no row of it was taken");
    table_rows_clear(&got);
    arrow_batch_clear(&batch);
}

/* A row of a batch that is null as a whole has no value, just as a malformed record. */
TEST(arrow_rows_reads_rows_that_are_null)
{
    CLAIM("arrow-rows.same");
    static const char *const numbers[] = {"1", "2", "3"}, *const words[] = {"a", "b",
                                                                            "c"};
    const arrow_cells columns[] = {{"x", "l", NULL, numbers}, {"t", "u", "C", words}};
    const unsigned char present[] = {0x05};
    const void *buffers[] = {present};
    arrow_batch batch;
    table_rows got;
    char text[200];
    REQUIRE(arrow_batch_make(&batch, columns, 2, 0, 3, 0));
    struct ArrowArray array = batch.array;
    array.buffers = buffers;
    table_rows_of_batch(&got, "unit=row\ncolumn=x=int[0,9]\ncolumn=t=text", &batch.schema,
                        &array, 1);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "1|a;3|c;<null>|<null>;");
    table_rows_clear(&got);
    table_rows_of_batch(&got, "unit=t\nrows-per-unit=1\ncolumn=x=int[0,9]", &batch.schema,
                        &array, 1);
    table_rows_join(&got, text, sizeof text);
    CHECK_STR(text, "a|1;c|3;");
    table_rows_clear(&got);
    arrow_batch_clear(&batch);
}

FAULT_TEST(arrow_rows_survives_lack_of_memory)
{
    CLAIM("arrow-rows.refused");
    static const char *const texts[] = {"a", "a text that is not in its view", NULL};
    const arrow_cells columns[] = {{"p", "l", NULL, (const char *const[]){"1", "2", "3"}},
                                   {"t", "vu", NULL, texts},
                                   {"k", "u", "c", texts}};
    static const size_t places[] = {0, 1};
    const sc_schema *schema = NULL;
    arrow_batch batch;
    REQUIRE_OK(sc_schema_parse(
        sc_text_of("unit=p\nrows-per-unit=1\ncolumn=t=text\ncolumn=k=text"), NULL,
        &schema, NULL));
    REQUIRE(arrow_batch_make(&batch, columns, 3, 0, 3, 0));
    const sc_batch_request request = {
        .schema = schema, .columns = places, .column_count = 2};
    FAULT_LOOP(fault)
    {
        sc_arrow_rows *rows = NULL;
        const sc_batch *block = NULL;
        scrim_status status = sc_arrow_rows_new(&batch.schema, &request, 2, &rows, NULL);
        if (status == SCRIM_OK)
            status = sc_arrow_rows_open(rows, &batch.array, NULL);
        if (status == SCRIM_OK)
            status = sc_arrow_rows_block(rows, 1, 0, &block, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        sc_arrow_rows_free(rows);
    }
    arrow_batch_clear(&batch);
    sc_schema_free(schema);
}
