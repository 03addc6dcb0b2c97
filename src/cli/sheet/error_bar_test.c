#include "check.h"
#include "cli/sheet/error_bar.h"
#include "cli/terminal/palette.h"

#include <math.h>
#include <string.h>

static void draw(const sc_axis *axis, const sc_error_bar *bar, char *text)
{
    for (size_t cell = 0; cell < axis->cells; cell++)
        text = stpcpy(text, sc_bar_cell_text(sc_error_bar_cell(axis, bar, cell), false));
}

TEST(error_bars_stand_where_their_values_are)
{
    static const struct {
        sc_error_bar bar;
        const char *want;
    } cases[] = {
        {{0, 5, 10, false, false}, "|----o---|"},
        {{5, 7, 9, false, false}, "     |-o-|"},
        {{5, 5, 5, false, false}, "     o    "},
        {{3, 3, 8, false, false}, "   o----| "},
        {{2, 8, 8, false, false}, "  |-----o "},
        {{5, 7, 9, true, false}, "#####|-o-|"},
        {{1, 1, 1, true, false}, "#o        "},
        {{0, 0, 0, true, false}, "o         "},
        {{-99, 5, 99, false, false}, "|----o---|"},
    };
    const sc_axis axis = {0, 10, 10};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[64];
        draw(&axis, &cases[i].bar, got);
        CHECK_STR(got, cases[i].want);
    }
    for (int is_filled = 0; is_filled < 2;
         is_filled++) { /* and no dot where there is none */
        char got[64];
        const sc_error_bar interval = {.low = 3,
                                       .value = 5,
                                       .high = 8,
                                       .is_filled = is_filled,
                                       .has_no_value = true};
        draw(&axis, &interval, got);
        CHECK_STR(got, "   |----| ");
    }
    const sc_axis around = {-10, 10, 10};
    const sc_error_bar below = {-8, -6, -4, true, false};
    char got[64];
    draw(&around, &below, got);
    CHECK_STR(got, " |o|##    ");
}

TEST(error_bar_axis_holds_all_bars)
{
    sc_axis axis;
    const sc_error_bar bars[] = {{3, 4, 5, false, false}, {-2, 1, 4, false, false}};
    const sc_error_bar filled = {7, 8, 9, true, false},
                       negative = {-9, -8, -7, true, false};
    sc_axis_init(&axis, 10);
    sc_axis_widen(&axis, &bars[0]);
    CHECK(axis.low == 3 && axis.high == 5);
    sc_axis_widen(&axis, &bars[1]);
    CHECK(axis.low == -2 && axis.high == 5);
    sc_axis_init(&axis, 10);
    sc_axis_widen(&axis, &filled);
    CHECK(axis.low == 0 && axis.high == 9);
    sc_axis_init(&axis, 10);
    sc_axis_widen(&axis, &negative);
    CHECK(axis.low == -9 && axis.high == 0);
}

/* One value, or values beyond all measure: drawn somewhere, never outside. */
TEST(error_bar_axis_without_extent_has_a_middle)
{
    static const sc_axis axes[] = {
        {5, 5, 9}, {HUGE_VAL, -HUGE_VAL, 9}, {-1e308, 1e308, 9}, {0, HUGE_VAL, 9}};
    const sc_error_bar bar = {5, 5, 5, false, false};
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
        char got[64];
        draw(&axes[i], &bar, got);
        CHECK_STR(got, "    o    ");
    }
}

TEST(error_bar_is_written_in_colours_where_there_are_any)
{
    static sc_output output;
    const sc_axis axis = {0, 10, 10};
    const sc_error_bar bar = {5, 7, 9, true, false};
    sc_terminal terminal = {.columns = 80};
    sc_output_init(&output, -1);
    sc_error_bar_write(&output, &axis, &bar, &terminal);
    output.bytes[output.used] = '\0';
    CHECK_STR(output.bytes, "#####|-o-|");
    terminal.colour = true;
    sc_output_init(&output, -1);
    sc_error_bar_write(&output, &axis, &bar, &terminal);
    output.bytes[output.used] = '\0';
    CHECK_STR(output.bytes, SC_BLUE "#####" SC_ORANGE "|-o-|" SC_PLAIN);
}
