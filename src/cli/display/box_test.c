#include "check.h"
#include "cli/display/box.h"
#include "cli/terminal/terminal.h"

#include <math.h>
#include <stdio.h>
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
         is_filled++) { /* and no dot for a bar without a value */
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

/* The buffer as text. */
static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static const sc_terminal ascii = {.columns = 32};

TEST(box_fits_the_terminal)
{
    static sc_output output;
    const char *const columns[] = {"name", "what it is"};
    const char *const cells[] = {"café", "a place with tables and chairs"};
    sc_box box = {columns, 2, cells, 1};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &ascii);
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
    sc_box_write(&output, &box, &ascii);
    CHECK(strstr(buffered(&output), "| 0123456789012345678901234567 |\n"
                                    "| 890123456789                 |\n") != NULL);
}

/* A blank before a joint, a joint before the middle of a word. */
TEST(box_breaks_wide_words_at_their_joints)
{
    static sc_output output;
    const char *const columns[] = {"name", "parameters"};
    const char *const cells[] = {"permute-and-flip", "epsilon=R|scale=R grid=1e-9"};
    sc_box box = {columns, 2, cells, 1};
    const sc_terminal narrow = {.columns = 30};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &narrow);
    CHECK_STR(buffered(&output), "+-------------+--------------+\n"
                                 "| name        | parameters   |\n"
                                 "+-------------+--------------+\n"
                                 "| permute-    | epsilon=R|   |\n"
                                 "| and-flip    | scale=R      |\n"
                                 "|             | grid=1e-9    |\n"
                                 "+-------------+--------------+\n");
}

/* Names of columns, too. */
TEST(box_breaks_wide_names_at_underscores)
{
    static sc_output output;
    const char *const columns[] = {"number_of_orders", "median_amount"};
    const char *const cells[] = {"12", "3.5"};
    sc_box box = {columns, 2, cells, 1};
    const sc_terminal narrow = {.columns = 27};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &narrow);
    CHECK_STR(buffered(&output), "+------------+------------+\n"
                                 "| number_of_ | median_    |\n"
                                 "| orders     | amount     |\n"
                                 "+------------+------------+\n"
                                 "| 12         | 3.5        |\n"
                                 "+------------+------------+\n");
}

/* An interval stays whole where it can, and is broken between its ends where it cannot. */
TEST(box_breaks_in_front_of_an_interval)
{
    static sc_output output;
    const char *const columns[] = {"n", "mean"};
    const char *const cells[] = {" 7  [ 1, 13]", "  9.50  [  8.25,  10.75]",
                                 "12  [ 6, 18]", "109.50  [108.25, 110.75]"};
    sc_box box = {columns, 2, cells, 2};
    const sc_terminal narrow = {.columns = 36}, narrower = {.columns = 27};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &narrow);
    CHECK_STR(buffered(&output), "+--------------+-------------------+\n"
                                 "| n            | mean              |\n"
                                 "+--------------+-------------------+\n"
                                 "|  7  [ 1, 13] |   9.50            |\n"
                                 "|              | [  8.25,  10.75]  |\n"
                                 "| 12  [ 6, 18] | 109.50            |\n"
                                 "|              | [108.25, 110.75]  |\n"
                                 "+--------------+-------------------+\n");
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &narrower);
    CHECK_STR(strstr(buffered(&output), "| 12"), "| 12       | 109.50       |\n"
                                                 "| [ 6, 18] | [108.25,     |\n"
                                                 "|          | 110.75]      |\n"
                                                 "+----------+--------------+\n");
}

/* Columns of a terminal, not characters: borders stay under one another, and no character is cut. */
TEST(box_knows_wide_characters)
{
    static sc_output output;
    const char *const columns[] = {"city", "n"};
    const char *const cells[] = {"東京都",
                                 "1",
                                 ("u\xcc\x88"
                                  "ber"),
                                 "2",
                                 "🙂",
                                 "3"};
    sc_box box = {columns, 2, cells, 3};
    const sc_terminal narrow = {.columns = 15};
    const char *const one[] = {"x"}, *const long_cell[] = {"東京都東京都東京都"};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &ascii);
    CHECK_STR(buffered(&output), "+--------+---+\n"
                                 "| city   | n |\n"
                                 "+--------+---+\n"
                                 "| 東京都 | 1 |\n"
                                 "| u\xcc\x88"
                                 "ber   | 2 |\n"
                                 "| 🙂     | 3 |\n"
                                 "+--------+---+\n");
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){one, 1, long_cell, 1}, &narrow);
    CHECK(strstr(buffered(&output), "| 東京都東京  |\n| 都東京都    |\n") != NULL);
}

/* On a terminal no interval and no part of a word is broken: a block for each row. A list of two
 * columns stays one, and so does what is written to a file. */
TEST(box_is_stacked_where_it_does_not_fit)
{
    static sc_output output;
    const char *const columns[] = {"sex", "n", "permute-and-flip"};
    const char *const cells[] = {"Female", "  9.50  [  8.25,  10.75]", "x-y",
                                 "Male",   "109.50  [108.25, 110.75]", ""};
    const sc_terminal wide = {.is_terminal = true, .columns = 46},
                      narrow = {.is_terminal = true, .columns = 39},
                      file = {.columns = 39};
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 3, cells, 2}, &narrow);
    CHECK_STR(buffered(&output), "sex               Female\n"
                                 "n                 9.50  [8.25, 10.75]\n"
                                 "permute-and-flip  x-y\n"
                                 "\n"
                                 "sex               Male\n"
                                 "n                 109.50  [108.25, 110.75]\n"
                                 "permute-and-flip\n"
                                 "\n");
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 3, cells, 2}, &file);
    CHECK(strstr(buffered(&output), "[  8.25, ") != NULL && output.bytes[0] == '+');
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 3, cells, 2}, &wide);
    CHECK(strstr(buffered(&output), "[  8.25,  10.75] |") != NULL);
    CHECK(strstr(output.bytes, "| permute-and- ") != NULL);
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 3, cells, 0},
                 &(sc_terminal){.is_terminal = true, .columns = 18});
    CHECK_STR(buffered(&output), "no rows\n");
    const char *const keys[] = {"key", "0123456789012345678901234567890123456789"};
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 2, keys, 1}, &narrow);
    CHECK(strstr(buffered(&output), "| key | 01234567890123456789012345678 |\n") != NULL);
}

/* Names of columns alone, and without a column more. */
/* Names beside what they are stay whole; a long value is broken instead. */
TEST(box_of_names_breaks_values_alone)
{
    static sc_output output;
    const char *const columns[] = {"key", "value"};
    const char *const cells[] = {"bounds-from", "suggest", "contents",
                                 "0123456789012345678901234567890123456789"};
    const sc_terminal narrow = {.columns = 46};
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 2, cells, 2}, &narrow);
    CHECK(strstr(buffered(&output), "| bounds-from | suggest ") != NULL);
}

TEST(box_colours_its_heads)
{
    static sc_output output;
    const char *const columns[] = {"sex", "n", "x"}, *const cells[] = {"F", "12", ""};
    const sc_terminal wide = {.is_terminal = true, .columns = 40, .colour = true},
                      narrow = {.is_terminal = true, .columns = 10, .colour = true};
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 3, cells, 1}, &wide);
    CHECK_STR(buffered(&output), "+-----+----+---+\n"
                                 "| " SC_HEADING "sex" SC_PLAIN " | " SC_HEADING
                                 "n" SC_PLAIN "  | " SC_HEADING "x" SC_PLAIN " |\n"
                                 "+-----+----+---+\n"
                                 "| F   | 12 |   |\n"
                                 "+-----+----+---+\n");
    sc_output_init(&output, -1);
    sc_box_write(&output, &(sc_box){columns, 3, cells, 1}, &narrow);
    CHECK_STR(buffered(&output), SC_HEADING "sex" SC_PLAIN "  F\n" SC_HEADING "n" SC_PLAIN
                                            "    12\n" SC_HEADING "x" SC_PLAIN "\n\n");
}

TEST(box_is_drawn_in_unicode)
{
    static sc_output output;
    const sc_terminal unicode = {.columns = 80, .utf8 = true};
    const char *const columns[] = {"a", "bc"};
    const char *const cells[] = {"1", "", "", "\xc3\xa9t\xc3\xa9"};
    sc_box box = {columns, 2, cells, 2};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &unicode);
    CHECK_STR(buffered(&output), "┌───┬─────┐\n"
                                 "│ a │ bc  │\n"
                                 "├───┼─────┤\n"
                                 "│ 1 │     │\n"
                                 "│   │ été │\n"
                                 "└───┴─────┘\n");
}

TEST(box_without_rows_has_its_heading)
{
    static sc_output output;
    const char *const columns[] = {"a", "bc"};
    sc_box box = {columns, 2, NULL, 0};
    sc_output_init(&output, -1);
    sc_box_write(&output, &box, &ascii);
    CHECK_STR(buffered(&output), "+---+----+\n| a | bc |\n+---+----+\n+---+----+\n");
}

/* Takes the words of one column out of a box, line after line. */
static void read_column(const char *box, size_t column, char *out)
{
    char *at = out;
    for (const char *line = box; *line != '\0'; line = strchr(line, '\n') + 1) {
        if (*line != '|')
            continue;
        for (size_t i = 0; i < column; i++)
            line = strchr(line + 1, '|');
        for (line++; *line != '|'; line++)
            if (*line != ' ')
                *at++ = *line;
    }
    *at = '\0';
}

/* On every terminal all lines are equally long and fit, and no letter is lost. */
TEST(box_fits_every_terminal)
{
    static sc_output output;
    const char *const columns[] = {"name", "what it is", "where"};
    const char *const cells[] = {"averyveryverylongnamewithoutanyspaces",
                                 "it is told in many short words, or so",
                                 "nowhere",
                                 "short",
                                 "a verylongwordthatmustbebrokenanyway",
                                 " led and trailed by spaces  "};
    sc_box box = {columns, 3, cells, 2};
    for (unsigned width = 40; width <= 120; width++) {
        const sc_terminal terminal = {.columns = width};
        char got[128];
        sc_output_init(&output, -1);
        sc_box_write(&output, &box, &terminal);
        const char *text = buffered(&output);
        const size_t length = strcspn(text, "\n");
        CHECK(length <= width);
        for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") != length)
                CHECK_FAIL("in %u columns the lines differ:\n%s", width, text);
        read_column(text, 0, got);
        CHECK_STR(got, "nameaveryveryverylongnamewithoutanyspacesshort");
        read_column(text, 1, got);
        CHECK_STR(got, "whatitisitistoldinmanyshortwords,orso"
                       "averylongwordthatmustbebrokenanyway");
        read_column(text, 2, got);
        CHECK_STR(got, "wherenowhereledandtrailedbyspaces");
    }
}
