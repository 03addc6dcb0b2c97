#include "check.h"
#include "query/rows/pass_size.h"

/* A file that is declared to have at most so many bytes. */
static sc_pass_size of_file(uint64_t bytes, size_t columns)
{
    const sc_schema schema = {.max_bytes = bytes};
    return sc_pass_size_of(&schema, columns);
}

TEST(A106_pass_size_is_that_of_the_declaration)
{
    CLAIM("pass-size.declared");
    const sc_schema schema = {.max_bytes = 100000};
    CHECK(of_file(65536, 1).bytes == 65536 && of_file(100000, 1).bytes == 100000);
    CHECK(sc_pass_size_stream(1).bytes == (size_t)1 << 30);
    /* rows that no declaration bounds */
    CHECK(sc_pass_size_at_least(&schema, 5, 1).bytes == 100000);
    CHECK(sc_pass_size_at_least(&schema, 100000, 1).bytes == 100000);
    CHECK(sc_pass_size_at_least(&schema, 100001, 1).bytes == 131072);
    CHECK(sc_pass_size_at_least(&schema, 131073, 1).bytes == 262144);
}

TEST(pass_size_of_rows)
{
    const sc_pass_size size = of_file(131072, 3);
    CHECK(sc_pass_size_rows(&size) == 32768);
    CHECK(sc_pass_size_memory(&size, 1 << 20) == 524288);
    CHECK(sc_pass_size_memory(&size, 524288) == 524288);
    CHECK(sc_pass_size_memory(&size, 1000) == 1000);
}

TEST(pass_size_of_a_file_for_rows)
{
    const sc_pass_size small = of_file(131072, 1), large = of_file(1 << 28, 1);
    const sc_pass_size stream = sc_pass_size_stream(1);
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
    sc_pass_size_keys(&size, 192000, &plan);
    CHECK(plan.held_keys == 1000 && plan.held_bytes == 32000);
    sc_pass_size_keys(&size, 0, &plan);
    CHECK(plan.held_keys == 256);
    sc_pass_size_keys(&size, (size_t)1 << 30, &plan);
    CHECK(plan.held_keys == 16384);
}
