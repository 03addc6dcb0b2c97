#include "cli/release/synth_report_drawing.h"

#include "cli/display/canvas.h"
#include "cli/display/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROW 20 /* pixels of a marginal */
#define LEFT 260
#define RIGHT 690
#define TOP 132
#define FOOT 56 /* below the field */
#define KEY 92  /* where the key stands, and the labels above the field */
#define GAP 8   /* between single columns, two and three */
#define NAME_CHARS 32
#define LONG_NAME 23 /* characters of one that is smaller on a phone */
#define DRAWN_MOST 200

const char *sc_synth_basis_words(scrim_synth_basis basis)
{
    switch (basis) {
    case SCRIM_SYNTH_MEASURED:
        return "measured";
    case SCRIM_SYNTH_INSIDE:
        return "inside a measured one";
    case SCRIM_SYNTH_SELECTION:
        return "at most, by selection";
    case SCRIM_SYNTH_MODEL:
        break;
    }
    return "not measured, model only";
}

static bool has_queries(const sc_synth_page *page)
{
    scrim_synth_query q;
    return scrim_synth_report_query_at(page->report, 0, &q) != 0;
}

/* Names of the measures. */
static const char *measure_of(const sc_synth_page *page)
{
    return has_queries(page) ? "difference of shares" : "total variation";
}

/* Queries that were asked for are drawn in place of columns. */
static int row_at(const sc_synth_page *page, size_t index, scrim_synth_marginal *out)
{
    scrim_synth_query q;
    if (!has_queries(page))
        return scrim_synth_report_at(page->report, index, out);
    if (scrim_synth_report_query_at(page->report, index, &q) == 0)
        return 0;
    *out = (scrim_synth_marginal){
        .columns = q.text, .ways = 1, .basis = q.basis, .low = q.low, .high = q.high};
    return 1;
}

static bool is_drawn(const scrim_synth_marginal *m)
{
    return m->basis != SCRIM_SYNTH_MODEL;
}

/* The height of the drawing in pixels; *most: the largest upper end of an interval. */
static double extent(const sc_synth_page *page, double *most)
{
    scrim_synth_marginal m;
    size_t count = 0;
    unsigned ways = 0, groups = 0;
    *most = 0.01;
    for (size_t i = 0; row_at(page, i, &m) != 0; i++)
        if (is_drawn(&m) && count < DRAWN_MOST) {
            count++;
            groups += m.ways != ways;
            ways = m.ways;
            *most = m.high > *most ? m.high : *most;
        }
    return (double)ROW * ((double)count + 1) + (double)GAP * groups;
}

/* "age, sex". */
static void put_names(sc_output *output, const char *columns, size_t most)
{
    char spaced[512];
    size_t used = 0;
    for (; *columns != '\0' && used + 3 < sizeof spaced; columns++) {
        spaced[used++] = *columns;
        if (*columns == ',' && columns[1] != ' ')
            spaced[used++] = ' ';
    }
    spaced[used] = '\0';
    if (most == 0)
        sc_markup_text(output, spaced);
    else
        sc_markup_short(output, spaced, most);
}

static void draw_row(sc_output *output, const sc_svg_field *field, double y, double most,
                     const scrim_synth_marginal *m)
{
    const double low = sc_svg_x(field, m->low / most),
                 high = sc_svg_x(field, m->high / most);
    sc_output_format(output, "<text%s x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
                     strlen(m->columns) > LONG_NAME ? " class=\"long\"" : "", LEFT - 8,
                     y + 4);
    put_names(output, m->columns, NAME_CHARS);
    sc_output_format(output,
                     "</text>\n<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" "
                     "stroke=\"%s\" stroke-width=\"%d\"><title>",
                     low, high > low + 1 ? high : low + 1, y, y,
                     m->basis == SCRIM_SYNTH_SELECTION ? SC_ORANGE_HEX : SC_BLUE_HEX,
                     m->basis == SCRIM_SYNTH_MEASURED ? 5 : 2);
    sc_output_format(output, "%.4f to %.4f, %s</title></line>\n", m->low, m->high,
                     sc_synth_basis_words(m->basis));
}

static void write_heading(const sc_synth_page *page, char *title, size_t title_bytes,
                          char *summary, size_t summary_bytes)
{
    scrim_synth_released facts;
    scrim_synth_release_describe(page->release, &facts);
    snprintf(title, title_bytes, "What synthetic rows of %s preserve", facts.dataset);
    snprintf(summary, summary_bytes,
             "release %" PRIu64 ", method %s: %s from the data, all "
             "intervals together at confidence %s",
             facts.release, facts.method, measure_of(page), page->confidence);
}

/* A round number of which at most five are below most. */
static double step_of(double most)
{
    static const double rounds[] = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2};
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        if (most <= 5 * rounds[i])
            return rounds[i];
    return 0.25;
}

/* Labels stand below the field and above it, since the field may be long. */
static void put_axis(sc_output *output, const sc_svg_field *field, double most,
                     const char *name)
{
    char label[16];
    const double step = step_of(most);
    for (int i = 0; i * step <= most * 1.0001; i++) {
        const double x = sc_svg_x(field, i * step / most);
        snprintf(label, sizeof label, "%.3g", i * step);
        sc_svg_x_label(output, field, x, label, false);
        sc_output_format(
            output,
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"" SC_SVG_GREY
            "\">%s</text>\n",
            x, TOP - 8, label);
    }
    sc_svg_x_name(output, field, name);
}

static void put_key(sc_output *output)
{
    sc_svg_key(output, 20, KEY, "stroke=\"" SC_BLUE_HEX "\" stroke-width=\"5\"",
               "measured");
    sc_svg_key(output, 165, KEY, "stroke=\"" SC_BLUE_HEX "\" stroke-width=\"2\"",
               "in a measured table");
    sc_svg_key(output, 420, KEY, "stroke=\"" SC_ORANGE_HEX "\" stroke-width=\"2\"",
               "upper bound by selection");
}

/* All marginals or queries that have a bound. */
static void draw_rows(sc_output *output, const sc_synth_page *page,
                      const sc_svg_field *field, double most)
{
    scrim_synth_marginal m;
    double y = TOP;
    size_t drawn = 0;
    unsigned ways = 0;
    put_axis(output, field, most, measure_of(page));
    for (size_t i = 0; row_at(page, i, &m) != 0; i++)
        if (is_drawn(&m) && drawn < DRAWN_MOST) {
            y += ROW + (m.ways != ways ? GAP : 0);
            ways = m.ways;
            drawn++;
            draw_row(output, field, y, most, &m);
        }
}

void sc_synth_report_svg(const void *context, sc_output *output)
{
    const sc_synth_page *page = context;
    char title[160], summary[240];
    double most = 0;
    const double pixels = extent(page, &most);
    const sc_svg_field field = {LEFT, RIGHT, TOP, TOP + pixels};
    write_heading(page, title, sizeof title, summary, sizeof summary);
    sc_svg_open_headed(
        output, (int)field.bottom + FOOT,
        &(sc_svg_heading){
            .title = title, .summary = summary, .summary_lines = 2, .x = 20, .y = 28});
    put_key(output);
    draw_rows(output, page, &field, most);
    sc_svg_close(output);
}

/* The page. */

static void put_rows(sc_output *output, const sc_synth_page *page)
{
    scrim_synth_marginal m;
    for (size_t i = 0; row_at(page, i, &m) != 0; i++) {
        if (!is_drawn(&m))
            continue;
        sc_output_text(output, "<tr><td>");
        put_names(output, m.columns, 0);
        sc_output_format(output,
                         "</td><td class=\"number\">%.4f</td><td "
                         "class=\"number\">%.4f</td><td>%s</td></tr>\n",
                         m.low, m.high, sc_synth_basis_words(m.basis));
    }
}

/* Marginals without a bound, folded away. */
static void put_rest(sc_output *output, const sc_synth_page *page)
{
    scrim_synth_marginal m;
    size_t count = 0;
    for (size_t i = 0; row_at(page, i, &m) != 0; i++)
        count += !is_drawn(&m);
    if (count == 0)
        return;
    sc_output_format(output, "<details><summary>%zu %s: %s</summary>\n<ul>\n", count,
                     has_queries(page) ? "queries" : "combinations",
                     sc_synth_basis_words(SCRIM_SYNTH_MODEL));
    for (size_t i = 0; row_at(page, i, &m) != 0; i++)
        if (!is_drawn(&m)) {
            sc_output_text(output, "<li>");
            put_names(output, m.columns, 0);
            sc_output_text(output, "</li>\n");
        }
    sc_output_text(output, "</ul>\n</details>\n");
}

/* The drawing within the page, whose heading it shares. */
static void put_figure(sc_output *output, const sc_synth_page *page)
{
    double most = 0;
    const double pixels = extent(page, &most);
    const sc_svg_field field = {LEFT, RIGHT, TOP, TOP + pixels};
    sc_output_format(output,
                     "<figure>\n<svg viewBox=\"0 %d %d %.0f\" role=\"img\" "
                     "aria-label=\"%s\">\n",
                     KEY + 12, SC_SVG_WIDTH, field.bottom + FOOT - KEY - 12,
                     measure_of(page));
    draw_rows(output, page, &field, most);
    sc_output_text(output,
                   "</svg>\n</figure>\n<ul class=\"key\"><li><i class=\"o\"></i>measured"
                   "</li><li><i class=\"o l\"></i>in a measured table</li><li><i "
                   "class=\"r l\"></i>upper bound by selection</li></ul>\n");
}

static void put_table(sc_output *output, const sc_synth_page *page)
{
    sc_output_format(output,
                     "<h2>Numbers</h2>\n<div class=\"scroll\"><table>\n<caption>%s, from "
                     "and to</caption>\n<thead><tr><th scope=\"col\">%s</th><th "
                     "scope=\"col\" class=\"number\">from</th><th scope=\"col\" "
                     "class=\"number\">to</th><th scope=\"col\">basis</th></tr></thead>\n"
                     "<tbody>\n",
                     measure_of(page), has_queries(page) ? "query" : "columns");
    put_rows(output, page);
    sc_output_text(output, "</tbody>\n</table></div>\n");
    put_rest(output, page);
}

void sc_synth_report_html(const void *context, sc_output *output)
{
    const sc_synth_page *page = context;
    char title[160], summary[240];
    write_heading(page, title, sizeof title, summary, sizeof summary);
    sc_page_open(output, &(sc_page_head){.kind = "Synthetic rows", .title = title});
    sc_output_text(output, "<header>\n<h1>");
    sc_markup_text(output, title);
    sc_output_text(output, "</h1>\n<p class=\"sub\">");
    sc_markup_text(output, summary);
    sc_output_text(output,
                   has_queries(page)
                       ? "</p>\n</header>\n<hr class=\"rule\">\n<p>A query counts rows; "
                         "its share is that of all rows. What was not asked for follows "
                         "the model, and no error is known.</p>\n"
                       : "</p>\n</header>\n<hr class=\"rule\">\n<p>0 means the same "
                         "distribution, 1 nothing in common. Combinations that are not "
                         "shown follow the model, and no error is known.</p>\n");
    put_figure(output, page);
    put_table(output, page);
    sc_page_close(output);
}
