#include "audit/worst_pair.h"
#include "check.h"

static void check_text(const sc_pair *pair, sc_direction direction, const char *want)
{
    char text[256];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_pair_put(&sink, pair, direction);
    CHECK_STR(text, want);
}

TEST(pair_is_told_in_its_direction)
{
    sc_pair pair = {.x = {0, 0, 1}, .y = {1, 0, -1}, .x_count = 3, .y_count = 3};
    check_text(&pair, SC_FORTH, "x: 0 0 1 | y: 1 0 -1");
    check_text(&pair, SC_BACK, "x: 1 0 -1 | y: 0 0 1");
    pair.x_count = 0;
    pair.y_count = 1;
    check_text(&pair, SC_FORTH, "x: (empty) | y: 1");
}

TEST(pair_with_long_runs_is_short)
{
    sc_pair pair = {.x_count = 12, .y_count = 10};
    for (size_t i = 0; i < 12; i++)
        pair.x[i] = i < 9 ? INT64_MIN : 4;
    for (size_t i = 0; i < 10; i++)
        pair.y[i] = i < 8 ? 5 : 6;
    check_text(&pair, SC_FORTH,
               "x: -9223372036854775808 (9 times) 4 4 4 | y: 5 5 5 5 5 5 5 5 6 6");
}
