#include "check.h"
#include "cli/plot/cell_plot.h"
#include "cli/terminal/palette.h"

#include <string.h>

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static const sc_terminal ascii = {.columns = 40};

/* Three rows between a label of four characters and a margin; two kinds, and both of them. */
static void make(sc_cell_plot *plot, const sc_terminal *terminal)
{
    sc_cell_plot_init(plot, 3, 4, 25, terminal);
    plot->x_name = "time";
    plot->y_name = "rate";
    plot->kinds[1] = (sc_cell_kind){{"*", "●"}, SC_BLUE, "one"};
    plot->kinds[2] = (sc_cell_kind){{"o", "○"}, SC_ORANGE, "two"};
    plot->kinds[3] = (sc_cell_kind){{"@", "◉"}, SC_BLUE, NULL};
    strcpy(plot->y_labels[0], "10");
    plot->cells[0][0] = plot->cells[0][2] = 1;
    plot->cells[0][3] = 2;
    plot->cells[1][10] = 3;
    sc_cell_plot_label(plot, 0, "0");
    sc_cell_plot_label(plot, 10, "100");
}

TEST(cell_plot_is_what_was_put_there)
{
    static sc_output output;
    sc_cell_plot plot;
    make(&plot, &ascii);
    CHECK_INT(plot.columns, 11);
    sc_output_init(&output, -1);
    sc_cell_plot_write(&output, &plot, &ascii);
    CHECK_STR(buffered(&output), "  rate  * one  o two\n"
                                 "    10 |* *o\n"
                                 "       |          @\n"
                                 "       |\n"
                                 "       +-----------\n"
                                 "        0         100\n"
                                 "        time\n");
}

/* A colour begins where it changes, blanks have none, and a row ends without. */
TEST(cell_plot_changes_colours_where_they_change)
{
    static sc_output output;
    const sc_terminal colours = {.columns = 40, .utf8 = true, .colour = true};
    sc_cell_plot plot;
    make(&plot, &colours);
    plot.cells[2][0] = 1; /* blue, and blue again */
    plot.cells[2][1] = 3;
    sc_output_init(&output, -1);
    sc_cell_plot_write(&output, &plot, &colours);
    CHECK_STR(buffered(&output),
              "  rate  " SC_BLUE "●" SC_PLAIN " one  " SC_ORANGE "○" SC_PLAIN " two\n"
              "    10 │" SC_BLUE "● ●" SC_ORANGE "○" SC_PLAIN "\n"
              "       │          " SC_BLUE "◉" SC_PLAIN "\n"
              "       │" SC_BLUE "●◉" SC_PLAIN "\n"
              "       └───────────\n"
              "        0         100\n"
              "        time\n");
}

TEST(cell_plot_is_as_wide_as_it_may_be)
{
    sc_cell_plot plot;
    sc_cell_plot_init(&plot, 3, 7, 8, &ascii);
    CHECK_INT(plot.columns, 25);
    sc_cell_plot_init(&plot, 3, 7, 8, &(sc_terminal){.columns = 240});
    CHECK_INT(plot.columns, SC_CELL_COLUMNS);
}

TEST(cell_plot_places_parts)
{
    sc_cell_plot plot;
    make(&plot, &ascii);
    CHECK_INT(sc_cell_plot_row(13, 0), 12);
    CHECK_INT(sc_cell_plot_row(13, 1), 0);
    CHECK_INT(sc_cell_plot_row(13, 0.46), 6);
    CHECK_INT(sc_cell_plot_row(13, 0.45), 7);
    CHECK_INT(sc_cell_plot_row(13, 1 + 1e-9), 0); /* rounding beyond an end */
    CHECK_INT(sc_cell_plot_column(&plot, 0), 0);
    CHECK_INT(sc_cell_plot_column(&plot, 1), 10);
    CHECK_INT(sc_cell_plot_column(&plot, 0.44), 4);
    CHECK_INT(sc_cell_plot_column(&plot, 0.46), 5);
    CHECK_INT(sc_cell_plot_column(&plot, -1e-9), 0);
}

/* A place is free as far as the next label, and a label may begin in the last column. */
TEST(cell_plot_knows_where_labels_are)
{
    sc_cell_plot plot;
    make(&plot, &ascii);
    CHECK(!sc_cell_plot_is_free(&plot, 0, 1));
    CHECK(sc_cell_plot_is_free(&plot, 1, 9));
    CHECK(!sc_cell_plot_is_free(&plot, 1, 10));
    CHECK(!sc_cell_plot_is_free(&plot, 12, 1));
    CHECK(sc_cell_plot_is_free(&plot, 13, 1));
    char longest[SC_CELL_LABEL_BYTES];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    static sc_output output;
    const sc_terminal wide = {.columns = 240};
    make(&plot, &wide);
    sc_cell_plot_label(&plot, SC_CELL_COLUMNS - 1, longest);
    sc_output_init(&output, -1);
    sc_cell_plot_write(&output, &plot, &wide);
    const char *label = strstr(buffered(&output), longest);
    REQUIRE(label != NULL);
    CHECK_STR(label + strlen(longest), "\n        time\n");
}
