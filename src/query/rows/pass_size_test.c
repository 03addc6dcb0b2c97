#include "check.h"
#include "query/rows/pass_size.h"
#include "query/rows/pass_tape.h"

/* A CSV file that is declared to have at most `bytes` bytes, each row of which is a unit. */
static sc_pass_size of_file(uint64_t bytes, size_t columns)
{
    sc_column list[8] = {{.has_missing = false}};
    const sc_schema schema = {
        .max_bytes = bytes, .columns = list, .column_count = columns};
    return sc_pass_size_of(&schema);
}

/* The size by a policy, which says no size. */
static sc_pass_size of_policy(const char *policy, bool is_stream)
{
    const sc_schema *schema = NULL;
    scrim_error error;
    sc_pass_size size = {0};
    if (CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &schema, &error),
                     SCRIM_OK))
        size = is_stream ? sc_pass_size_stream(schema) : sc_pass_size_of(schema);
    sc_schema_free(schema);
    return size;
}

#define COLUMNS "column=a=int[0,9]\ncolumn=b=text\ncolumn=c=text\n"

TEST(A106_pass_size_is_that_of_the_declaration)
{
    CLAIM("pass-size.declared");
    CHECK(of_file(65536, 1).bytes == 65536 && of_file(100000, 1).bytes == 100000);
    CHECK(of_policy("csv=f\nunit=id\n" COLUMNS, false).bytes == (size_t)64 << 20);
    CHECK(of_policy("live=yes\nunit=id\n" COLUMNS, false).bytes == (size_t)64 << 20);
    CHECK(of_policy("live=yes\nunit=id\n" COLUMNS, true).bytes == (size_t)1 << 30);
}

/* By the least row of each form. */
TEST(pass_size_of_rows)
{
    CLAIM("pass-size.rows");
    static const struct {
        const char *policy;
        size_t bytes, formed_bytes;
    } forms[] = {
        {"csv=f\nunit=id\n" COLUMNS, 5, 5},                /* "x,,,\n" */
        {"csv=f\nunit=id\nrecords=crlf\n" COLUMNS, 6, 6},  /* "x,,,\r\n" */
        {"csv=f\nunit=id\nmissing=a=0\n" COLUMNS, 5, 5},   /* the unit has no default */
        {"csv=f\nunit=row\n" COLUMNS, 2, 3},               /* "x\n", ",,\n" */
        {"csv=f\nunit=row\nrecords=crlf\n" COLUMNS, 3, 4}, /* "x\r\n", ",,\r\n" */
        {"csv=f\nunit=row\nmissing=a=0\n" COLUMNS, 2, 2},  /* "x\n" has a default */
        {"csv=f\nunit=row\ncolumn=a=text\n", 2, 2},        /* "x\n" */
        {"sqlite=f\ntable=t\nunit=id\n" COLUMNS, 6, 6},
        {"sqlite=f\ntable=t\nunit=row\n" COLUMNS, 6, 6},
        {"live=yes\nunit=id\n" COLUMNS, 32, 32},
        {"live=yes\nunit=row\n" COLUMNS, 24, 24},
        {"parquet=f\nunit=id\n" COLUMNS, 32, 32},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const sc_pass_size size = of_policy(forms[i].policy, false);
        CHECK_INT(size.rows, ((size_t)64 << 20) / forms[i].bytes);
        CHECK_INT(size.formed, ((size_t)64 << 20) / forms[i].formed_bytes);
        CHECK_INT(of_policy(forms[i].policy, true).rows,
                  ((size_t)1 << 30) / forms[i].bytes);
    }
}

/* A value has a byte of its own, unless it has a default. */
TEST(pass_size_of_full_rows)
{
    CLAIM("pass-size.rows");
    sc_column list[3] = {{.has_missing = false}};
    const size_t columns[] = {0, 2};
    sc_schema schema = {
        .max_bytes = 65536, .columns = list, .column_count = 3, .unit = sc_text_of("id")};
    sc_pass_size size = sc_pass_size_of(&schema);
    CHECK_INT(sc_pass_size_full_rows(&size, &schema, columns, 2), 65536 / 7);
    list[2].has_missing = true;
    CHECK_INT(sc_pass_size_full_rows(&size, &schema, columns, 2), 65536 / 6);
    schema.unit = sc_text_of("");
    size = sc_pass_size_of(&schema);
    CHECK_INT(sc_pass_size_full_rows(&size, &schema, columns, 2), 65536 / 4);
    list[0].has_missing = true; /* "x\n" */
    CHECK_INT(sc_pass_size_full_rows(&size, &schema, columns, 2), 65536 / 2);
}

TEST(pass_size_of_memory)
{
    const sc_pass_size size = of_file(131072, 3);
    CHECK(sc_pass_size_memory(&size, 1 << 20) == 524288);
    CHECK(sc_pass_size_memory(&size, 524288) == 524288);
    CHECK(sc_pass_size_memory(&size, 1000) == 1000);
}

TEST(pass_size_of_a_file_for_rows)
{
    const sc_pass_size small = of_file(131072, 1), large = of_file(1 << 28, 1);
    const sc_pass_size stream = of_policy("live=yes\nunit=id\n" COLUMNS, true);
    CHECK(sc_pass_size_file(&small) == (uint64_t)1 << 30);
    CHECK(sc_pass_size_file(&large) == (uint64_t)1 << 32);
    CHECK(sc_pass_size_file(&stream) == (uint64_t)1 << 30);
}

/* 16 bytes of each row and 8 for each list that is not counted by bucket, three times. */
TEST(pass_size_of_lists)
{
    sc_group_value values[] = {
        {.has_list = true}, {.has_list = false}, {.has_list = true}};
    const sc_statistics statistics = {.groups = values, .value_count = 3};
    const int64_t widths[] = {0, 0, 5};
    const sc_pass_size size = of_file(65536, 1);
    CHECK(sc_pass_size_lists(&size, &statistics, NULL) == (size_t)3 * 32 * 32768);
    CHECK(sc_pass_size_lists(&size, &statistics, widths) == (size_t)3 * 24 * 32768);
    values[0].has_list = false;
    CHECK(sc_pass_size_lists(&size, &statistics, widths) == 0);
}

/* A key of one value has 12 cells of 16 bytes. */
TEST(pass_size_of_keys)
{
    const sc_group_value value = {.bar_width = 0};
    sc_group_plan plan = {.values = &value, .value_count = 1};
    const sc_pass_size size = of_file(65536, 1);
    sc_pass_most_keys = 0; /* as it ships */
    sc_pass_size_keys(&size, 192000, &plan);
    CHECK(plan.held_keys == 1000 && plan.held_bytes == 32000);
    sc_pass_size_keys(&size, 0, &plan);
    CHECK(plan.held_keys == 256);
    sc_pass_size_keys(&size, (size_t)1 << 30, &plan);
    CHECK(plan.held_keys == 16384);
}
