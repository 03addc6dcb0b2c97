/* Values by their bytes: the ends of every type, and what no text of a table says. */
#include "check.h"
#include "data/source/arrow_rows.h"
#include "table_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The columns x and y, which are one, in memory of its own, which is as long as it has to be. */
typedef struct column {
    const char *format, *policy;
    const void *values;
    size_t bytes, rows;
    const char *texts; /* the third buffer of texts, */
    size_t text_bytes;
    const unsigned char *present, *row_present; /* of values, and of whole rows */
    size_t before; /* rows that nobody asked for, in front of the others */
} column;

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static void *copy_of(const void *bytes, size_t count)
{
    void *copy = malloc(count + (count == 0));
    if (copy != NULL && count > 0)
        memcpy(copy, bytes, count);
    return copy;
}

static void check_column(const column *c, const char *want)
{
    char text[4000];
    table_rows got;
    void *values = copy_of(c->values, c->bytes),
         *texts = c->texts == NULL ? NULL : copy_of(c->texts, c->text_bytes);
    const void *buffers[] = {c->present, values, texts}, *whole[] = {c->row_present};
    const bool has_texts = c->format[0] == 'u' || c->format[0] == 'U';
    struct ArrowSchema pair[] = {{.format = c->format, .name = "x"},
                                 {.format = c->format, .name = "y"}},
                       *types[] = {&pair[0], &pair[1]};
    const struct ArrowSchema schema = {
        .format = "+s", .n_children = 2, .children = types, .release = release_schema};
    struct ArrowArray child = {.length = (int64_t)(c->rows + c->before),
                               .n_buffers = has_texts ? 3 : 2,
                               .buffers = buffers},
                      *children[] = {&child, &child};
    const struct ArrowArray batch = {.length = (int64_t)c->rows,
                                     .offset = (int64_t)c->before,
                                     .n_buffers = 1,
                                     .buffers = whole,
                                     .n_children = 2,
                                     .children = children,
                                     .release = release_array};
    table_rows_of_batch(&got, c->policy, &schema, &batch, 1);
    if (!CHECK_STATUS(got.status, SCRIM_OK))
        CHECK_STR(got.error.message, "");
    table_rows_join(&got, text, sizeof text);
    if (!CHECK_STR(text, want))
        CHECK_FAIL("%s for %s", c->format, c->policy);
    table_rows_clear(&got);
    free(values);
    free(texts);
}

#define COLUMN(of_format, of_policy, array)                                              \
    .format = (of_format), .policy = (of_policy), .values = (array),                     \
    .bytes = sizeof(array), .rows = COUNT(array)

TEST(arrow_cells_of_bool_are_0_and_1)
{
    CLAIM("arrow-cell.same");
    static const int8_t narrow[] = {0, 1, 2, -1};
    static const uint64_t wide[] = {0, 1, UINT64_MAX, (uint64_t)1 << 32};
    static const char policy[] = "unit=row\ncolumn=x=bool";
    check_column(&(column){COLUMN("c", policy, narrow)}, "0;1;<null>;<null>;");
    check_column(&(column){COLUMN("L", policy, wide)}, "0;1;<null>;<null>;");
}

TEST(arrow_cells_of_days_begin_at_midnight)
{
    CLAIM("arrow-cell.same");
    static const int64_t times[] = {-1, 86399999, INT64_MIN, INT64_MAX};
    static const int32_t days[] = {-1, 0, INT32_MIN, INT32_MAX};
    static const char date[] = "unit=row\ncolumn=x=date[1960-01-01,2000-01-01]",
                      text[] = "unit=row\ncolumn=x=text",
                      moment[] =
                          "unit=row\nzone=UTC\ncolumn=x=timestamp[1960-01-01,2000-01-01]";
    check_column(&(column){COLUMN("tdm", date, times)}, "-1;0;<null>;<null>;");
    check_column(&(column){COLUMN("tdD", date, days)}, "-1;0;<null>;<null>;");
    check_column(&(column){COLUMN("tdm", text, times)},
                 "1969-12-31;1970-01-01;<null>;<null>;");
    check_column(&(column){COLUMN("tdD", text, days)},
                 "1969-12-31;1970-01-01;<null>;<null>;");
    check_column(&(column){COLUMN("tdm", moment, times)}, "-86400;0;<null>;<null>;");
}

/* Texts of the policy that mean missing, for numbers by each way of reading them. */
TEST(arrow_cells_know_nulls_of_every_type)
{
    CLAIM("arrow-cell.same");
    static const int64_t whole[] = {7, 3, 70};
    static const double real[] = {7, 0.0, -0.0, 1.5};
    static const int64_t seconds[] = {7, 3};
    check_column(&(column){COLUMN("l", "unit=row\ncolumn=x=int[0,50]\nnull=7,NA", whole)},
                 "3;50;<null>;");
    check_column(&(column){COLUMN("l", "unit=row\ncolumn=x=text\nnull=7,NA", whole)},
                 "3;70;<null>;");
    check_column(&(column){COLUMN("l",
                                  "unit=x\nrows-per-unit=1\ncolumn=y=int[0,50]"
                                  "\nnull=7,NA",
                                  whole)},
                 "3|3;70|50;");
    check_column(
        &(column){COLUMN("g", "unit=row\ncolumn=x=decimal[0,9]/0.01\nnull=7,0", real)},
        "150;<null>;<null>;<null>;");
    check_column(
        &(column){COLUMN("tss:",
                         "unit=row\nzone=UTC\ncolumn=x=timestamp[1970-01-01,1971-01-01]"
                         "\nnull=1970-01-01 00:00:07",
                         seconds)},
        "3;<null>;");
}

TEST(arrow_cells_are_steps_of_their_grid)
{
    CLAIM("arrow-cell.same");
    static const int64_t whole[] = {3, -1, 1000, INT64_MIN},
                         ends[] = {INT64_MIN, -6, -5, 0, 9, 10, INT64_MAX};
    /* All there, and in steps of 1: the shortest way. */
    static const char *const policies[] = {"unit=row\ncolumn=x=int[-5,9]",
                                           "unit=row\ncolumn=x=decimal[-5,9]/1"};
    for (size_t i = 0; i < COUNT(policies); i++)
        check_column(&(column){COLUMN("l", policies[i], ends)}, "-5;-5;-5;0;9;9;9;");
    check_column(&(column){COLUMN("l", "unit=row\ncolumn=x=decimal[0,9]/0.01", whole)},
                 "0;0;300;900;");
    check_column(&(column){COLUMN("l", "unit=row\ncolumn=x=decimal[0,8]/2^-2", whole)},
                 "0;0;12;32;");
    /* As good as 0, which is below the range. */
    static const double small[] = {0.0, -0.0, 5e-324, -1e-300};
    static const float single[] = {0.0f, -0.0f, 1e-45f, -1e-30f};
    check_column(&(column){COLUMN("g", "unit=row\ncolumn=x=int[5,9]", small)},
                 "5;5;5;5;");
    check_column(&(column){COLUMN("f", "unit=row\ncolumn=x=int[5,9]", single)},
                 "5;5;5;5;");
}

/* The shortest way ends at eight digits. */
TEST(arrow_cells_write_the_digits_of_numbers)
{
    CLAIM("arrow-cell.same");
    static const int64_t whole[] = {0,         9,          99999999, 100000000,
                                    100000001, 1000000000, -1,       INT64_MIN};
    static const uint32_t half[] = {UINT32_MAX, 10, 12345678};
    static const uint64_t wide[] = {UINT64_MAX, 99999999};
    static const char policy[] = "unit=row\ncolumn=x=text";
    check_column(&(column){COLUMN("l", policy, whole)},
                 "-1;-9223372036854775808;0;100000000;1000000000;100000001;9;99999999;");
    check_column(&(column){COLUMN("I", policy, half)}, "10;12345678;4294967295;");
    check_column(&(column){COLUMN("L", policy, wide)}, "18446744073709551615;99999999;");
}

/* No valid decimal has this many digits, but memory may hold one. */
TEST(arrow_cells_take_decimals_beyond_all_digits)
{
    CLAIM("arrow-cell.same");
    static const sc_int128 ends[] = {SC_INT128_MIN, SC_INT128_MAX};
    static const char *const policies[] = {"unit=row\ncolumn=x=int[-5,5]",
                                           "unit=row\ncolumn=x=decimal[-5,5]/1",
                                           "unit=row\ncolumn=x=decimal[-5,5]/2^0"};
    for (size_t i = 0; i < COUNT(policies); i++) {
        check_column(&(column){COLUMN("d:38,0", policies[i], ends)}, "-5;5;");
        check_column(&(column){COLUMN("d:38,-38", policies[i], ends)}, "-5;5;");
        check_column(&(column){COLUMN("d:38,38", policies[i], ends)}, "-2;2;");
    }
    check_column(&(column){COLUMN("d:38,-38", "unit=row\ncolumn=x=text", ends)},
                 "-170141183460469231731687303715884105727"
                 "00000000000000000000000000000000000000;"
                 "170141183460469231731687303715884105727"
                 "00000000000000000000000000000000000000;");
}

/* A row that is null as a whole has no value, by each way of reading one, wherever the batch begins. */
TEST(arrow_cells_of_null_rows_are_missing)
{
    CLAIM("arrow-cell.same");
    static const int64_t whole[] = {4, 5, 6, 1, 2, 3};
    static const unsigned char all[] = {0x3f}, but_two[] = {0x2f}, none[] = {0x07};
    static const char *const policies[] = {"unit=row\ncolumn=x=int[0,9]",
                                           "unit=row\ncolumn=x=text",
                                           "unit=row\ncolumn=x=decimal[0,9]/1",
                                           "unit=x\nrows-per-unit=1\ncolumn=y=int[0,9]"};
    static const char *const rests[] = {"1;3;<null>;", "1;3;<null>;", "1;3;<null>;",
                                        "1|1;3|3;"};
    static const char *const nothing[] = {
        "<null>;<null>;<null>;", "<null>;<null>;<null>;", "<null>;<null>;<null>;", ""};
    for (size_t i = 0; i < COUNT(policies); i++)
        for (size_t k = 0; k < 2; k++) {
            column c = {COLUMN("l", policies[i], whole), .before = 3};
            c.rows = 3;
            c.present = k == 0 ? NULL : all;
            c.row_present = but_two;
            check_column(&c, rests[i]);
            c.row_present = none;
            check_column(&c, nothing[i]);
        }
}

/* A library gives a column another type where one value is missing or is another one: the others stay as they are. */
TEST(A101_a_value_has_one_reading_in_every_type)
{
    CLAIM("arrow-cell.same");
    static const char *const policies[] = {
        "unit=row\ncolumn=x=text",
        "unit=row\ncolumn=x=bool",
        "unit=row\ncolumn=x=int[-5,90000000]",
        "unit=row\ncolumn=x=decimal[-5,90000000]/0.01",
        "unit=x\nrows-per-unit=1\ncolumn=y=text",
        "unit=row\ncolumn=x=date[1960-01-01,2030-01-01]\ndate-format=YYYYMMDD",
        "unit=row\ncolumn=x=text\nnull=1,NA",
        "unit=row\ncolumn=x=int[0,9]\nnull=1,NA"};
    static const char *const want[] = {"-7;0;1;20240131;",
                                       "0;1;<null>;<null>;",
                                       "-5;0;1;20240131;",
                                       "-500;0;100;2024013100;",
                                       "-7|-7;0|0;1|1;20240131|20240131;",
                                       "19753;<null>;<null>;<null>;",
                                       "-7;0;20240131;<null>;",
                                       "0;0;9;<null>;"};
    static const int64_t whole[] = {1, 0, -7, 20240131};
    static const int32_t narrow[] = {1, 0, -7, 20240131};
    static const double real[] = {1, -0.0, -7, 20240131};
    static const sc_int128 cents[] = {100, 0, -700, 2024013100};
    for (size_t i = 0; i < COUNT(policies); i++) {
        check_column(&(column){COLUMN("l", policies[i], whole)}, want[i]);
        check_column(&(column){COLUMN("i", policies[i], narrow)}, want[i]);
        check_column(&(column){COLUMN("g", policies[i], real)}, want[i]);
        check_column(&(column){COLUMN("d:38,2", policies[i], cents)}, want[i]);
    }
}

TEST(A101_numbers_as_text_are_shortest_decimals)
{
    CLAIM("arrow-cell.same");
    static const double real[] = {0.1,  -1.5,     1e22,  9007199254740993.0,
                                  1e39, -2.5e-45, 5e-324};
    static const float single[] = {0.1f, 16777216.0f};
    static const sc_int128 cents[] = {150, 100, -5, 0};
    static const double odd[] = {INFINITY, -INFINITY, NAN};
    static const char policy[] = "unit=row\ncolumn=x=text";
    check_column(
        &(column){COLUMN("g", policy, real)},
        "-1.5;-25e-46;0.1;10000000000000000000000;1e39;5e-324;9007199254740992;");
    check_column(&(column){COLUMN("f", policy, single)}, "0.1;16777216;");
    check_column(&(column){COLUMN("d:9,2", policy, cents)}, "-0.05;0;1;1.5;");
    check_column(&(column){COLUMN("g", policy, odd)}, "<null>;<null>;<null>;");
}

/* Times and booleans where another type is declared: by their text, which is no number. */
TEST(A101_times_and_booleans_fit_every_declaration)
{
    CLAIM("arrow-cell.same");
    static const int64_t halves[] = {1500, -500, INT64_MAX}, days[] = {86400, 86399};
    static const unsigned char bits[] = {1, 0};
    check_column(&(column){COLUMN("tsm:", "unit=row\ncolumn=x=text", halves)},
                 "1969-12-31 23:59:59.5;1970-01-01 00:00:01.5;<null>;");
    check_column(&(column){COLUMN("tsm:Asia/Tokyo", "unit=row\ncolumn=x=text", halves)},
                 "1969-12-31 23:59:59.5Z;1970-01-01 00:00:01.5Z;<null>;");
    check_column(
        &(column){COLUMN("tss:Asia/Tokyo",
                         "unit=row\ncolumn=x=date[1960-01-01,2000-01-01]", days)},
        "0;1;");
    static const char *const others[] = {"int[0,9]", "decimal[0,9]", "bool"};
    for (size_t i = 0; i < COUNT(others); i++) {
        char policy[100];
        snprintf(policy, sizeof policy, "unit=row\ncolumn=x=%s", others[i]);
        check_column(&(column){COLUMN("tss:", policy, days)}, "<null>;<null>;");
        check_column(&(column){COLUMN("tsn:UTC", policy, days)}, "<null>;<null>;");
    }
    check_column(&(column){COLUMN("b", "unit=row\ncolumn=x=int[0,9]", bits)},
                 "<null>;<null>;");
    check_column(
        &(column){COLUMN("b", "unit=row\ncolumn=x=date[1960-01-01,2000-01-01]", bits)},
        "<null>;<null>;");
    check_column(&(column){COLUMN("b", "unit=x\nrows-per-unit=1\ncolumn=y=text", bits)},
                 "false|false;true|true;");
}

/* Texts. */

/* Offsets that point outside of the bytes, or that end below 0. */
TEST(arrow_cells_point_inside_of_their_bytes)
{
    CLAIM("arrow-array.checked");
    static const int32_t beyond[] = {0, 3, 100, 100, 5};
    static const int64_t below[] = {0, 3, -1}, some[] = {0, 3};
    static const char policy[] = "unit=row\ncolumn=x=text";
    check_column(&(column){.format = "u",
                           .policy = policy,
                           .values = beyond,
                           .bytes = sizeof beyond,
                           .rows = COUNT(beyond) - 1,
                           .texts = "abcde",
                           .text_bytes = 5},
                 "<null>;<null>;<null>;abc;");
    check_column(&(column){.format = "U",
                           .policy = policy,
                           .values = below,
                           .bytes = sizeof below,
                           .rows = COUNT(below) - 1,
                           .texts = "abc",
                           .text_bytes = 3},
                 "<null>;<null>;");
    check_column(&(column){.format = "U",
                           .policy = policy,
                           .values = some,
                           .bytes = sizeof some,
                           .rows = 1},
                 "<null>;");
}

/* A text of 1024 bytes is read, and a longer one is missing, also at the end of the bytes. */
TEST(arrow_cells_have_at_most_so_many_bytes)
{
    CLAIM("arrow-array.checked");
    char zeros[2 * SC_COLUMN_VALUE_BYTES + 200];
    memset(zeros, '0', sizeof zeros);
    for (size_t more = 0; more <= 200; more += more == 0 ? 1 : 199) {
        const size_t bytes = SC_COLUMN_VALUE_BYTES + more;
        zeros[bytes - 1] = '3';
        const int64_t ends[] = {0, (int64_t)bytes};
        const column c = {.format = "U",
                          .policy = "unit=row\ncolumn=x=int[0,9]",
                          .values = ends,
                          .bytes = sizeof ends,
                          .rows = 1,
                          .texts = zeros,
                          .text_bytes = bytes};
        check_column(&c, more == 0 ? "3;" : "<null>;");
        zeros[bytes - 1] = '0';
    }
    /* The longest, with a few bytes of another behind it: both are read from the copy of the end. */
    static const int64_t three[] = {0, 100, 100 + SC_COLUMN_VALUE_BYTES,
                                    105 + SC_COLUMN_VALUE_BYTES};
    zeros[three[2] - 1] = '3';
    zeros[three[3] - 1] = '7';
    check_column(&(column){.format = "U",
                           .policy = "unit=row\ncolumn=x=int[0,9]",
                           .values = three,
                           .bytes = sizeof three,
                           .rows = 3,
                           .texts = zeros,
                           .text_bytes = (size_t)three[3]},
                 "0;3;7;");
}
