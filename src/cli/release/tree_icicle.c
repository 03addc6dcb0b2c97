#include "cli/release/tree_icicle.h"

#include "cli/display/canvas.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Classes of relative errors: half of the interval against the count. */
static const struct class
{
    double below;
    const char *words, *colour;
    const char *texts[2]; /* in ASCII, in Unicode */
} classes[] = {{0.01, "below 1 %", "#08519c", {"#", "\xe2\x96\x88"}},
               {0.05, "1 to 5 %", "#3182bd", {"*", "\xe2\x96\x93"}},
               {0.2, "5 to 20 %", "#9ecae1", {"+", "\xe2\x96\x92"}},
               {1, "20 to 100 %", "#fdbe85", {"-", "\xe2\x96\x91"}},
               {1e300, "above 100 %", SC_ORANGE_HEX, {".", "\xc2\xb7"}}};
#define CLASSES (sizeof classes / sizeof *classes)

static size_t class_of(const scrim_hierarchy_node *node)
{
    const double error = sc_tree_view_error(node);
    size_t i = 0;
    while (i + 1 < CLASSES && error >= classes[i].below)
        i++;
    return i;
}

/* Nodes of a level with their places: parts of the total, from 0 to 1. */
typedef struct walk {
    const sc_tree_view *view;
    double total, at;
} walk;

static walk walk_begin(const sc_tree_view *view)
{
    scrim_hierarchy_node root;
    scrim_hierarchy_node_at(view->tree, 0, &root);
    return (walk){view, root.count < 1 ? 1 : (double)root.count, 0};
}

static void walk_node(walk *w, size_t v, scrim_hierarchy_node *node, double *from,
                      double *to)
{
    scrim_hierarchy_node_at(w->view->tree, v, node);
    *from = w->at / w->total;
    w->at += (double)node->count;
    *to = w->at / w->total;
}

/* SVG. */

/* The place of names, as wide as the longest needs. */
#define LEAST_LEFT 70
#define MOST_LEFT 220
#define CHAR_WIDTH 7.6
#define NAME_BYTES ((size_t)28)
#define RIGHT (SC_SVG_WIDTH - 20)
#define TOP 76
#define ROW 44

static void put_title(sc_output *output, const sc_tree_view *view, size_t v,
                      const scrim_hierarchy_node *node)
{
    const char *keys[SC_TREE_VIEW_LEVELS];
    char text[80];
    int64_t low, high;
    const size_t level = sc_tree_view_keys(view, v, keys);
    sc_tree_view_interval(node, &low, &high);
    for (size_t i = 0; i < level; i++) {
        sc_output_text(output, i == 0 ? "" : ", ");
        sc_markup_text(output, keys[i] == NULL ? "NULL" : keys[i]);
    }
    snprintf(text, sizeof text, "%s: %" PRId64 " [%" PRId64 ", %" PRId64 "]",
             level == 0 ? "all" : "", node->count, low, high);
    sc_output_text(output, text);
}

static int left_of(const sc_tree_view *view)
{
    size_t most = 0;
    for (size_t i = 0; i < view->facts.levels; i++) {
        const size_t bytes = strlen(view->levels[i].name);
        most = bytes > most ? bytes : most;
    }
    const double left = 20 + CHAR_WIDTH * (double)most;
    return left < LEAST_LEFT ? LEAST_LEFT : left > MOST_LEFT ? MOST_LEFT : (int)left;
}

/* The most bytes of a name; the tooltip has all of it. */
static void put_name(sc_output *output, const char *name, size_t bytes)
{
    char text[NAME_BYTES + 4];
    snprintf(text, sizeof text, "%.*s%s", (int)bytes, name,
             strlen(name) > bytes ? "..." : "");
    sc_markup_text(output, text);
}

/* The key of a node that is wide enough for it, in ASCII, whose width is known. */
static void put_label(sc_output *output, const scrim_hierarchy_node *node, double left,
                      double right, double top)
{
    if (node->key == NULL || node->bytes > NAME_BYTES ||
        (double)node->bytes * CHAR_WIDTH + 8 > right - left)
        return;
    for (size_t i = 0; i < node->bytes; i++)
        if (node->key[i] < ' ' || node->key[i] > '~')
            return;
    sc_output_format(output,
                     "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\" fill=\"%s\" "
                     "pointer-events=\"none\">",
                     (left + right) / 2, top + ROW / 2.0 + 4,
                     class_of(node) < 2 ? "#ffffff" : "#000000");
    put_name(output, node->key, node->bytes);
    sc_output_text(output, "</text>\n");
}

static void draw_level(sc_output *output, const sc_tree_view *view, size_t level)
{
    const scrim_hierarchy_level *l = &view->levels[level];
    const double top = TOP + (double)level * ROW;
    const int start = left_of(view);
    double drawn = start;
    walk w = walk_begin(view);
    sc_output_format(output, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">", start - 8,
                     top + ROW / 2.0 + 4);
    put_name(output, l->name, NAME_BYTES);
    sc_output_text(output, "</text>\n");
    for (size_t v = l->first; v < l->first + l->count; v++) {
        scrim_hierarchy_node node;
        double from, to;
        walk_node(&w, v, &node, &from, &to);
        const double right = start + to * (RIGHT - start);
        /* Nodes that nobody could see are left to the next one. */
        if (right - drawn < 0.5)
            continue;
        sc_output_format(output,
                         "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" "
                         "fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"%s\"><title>",
                         drawn, top, right - drawn, ROW - 2,
                         classes[class_of(&node)].colour,
                         right - drawn < 3 ? "0.2" : "0.8");
        put_title(output, view, v, &node);
        sc_output_text(output, "</title></rect>\n");
        put_label(output, &node, drawn, right, top);
        drawn = right;
    }
}

static void draw(const void *context, sc_output *output)
{
    const sc_tree_view *view = context;
    const double bottom = TOP + (double)view->facts.levels * ROW;
    char title[120];
    snprintf(title, sizeof title, "Counts of %.60s, release %" PRIu64,
             view->facts.dataset, view->facts.release);
    const sc_svg_heading heading = {
        .title = title,
        .summary = "width: count; shade: half of the confidence interval against the "
                   "count",
        .x = 20,
        .y = 28};
    sc_svg_open_headed(output, (int)bottom + (view->facts.known > 0 ? 64 : 40), &heading);
    for (size_t i = 0; i < view->facts.levels; i++)
        draw_level(output, view, i);
    for (size_t i = 0; i < CLASSES; i++) {
        const int x = 20 + (int)i * 130;
        sc_output_format(output,
                         "<rect x=\"%d\" y=\"%.0f\" width=\"14\" height=\"14\" "
                         "fill=\"%s\"/>\n<text x=\"%d\" y=\"%.0f\">%s</text>\n",
                         x, bottom + 12, classes[i].colour, x + 20, bottom + 24,
                         classes[i].words);
    }
    if (view->facts.known > 0)
        sc_output_format(output,
                         "<text x=\"20\" y=\"%.0f\">%zu known %s published exactly and "
                         "%s not protected</text>\n",
                         bottom + 48, view->facts.known,
                         view->facts.known == 1 ? "count is" : "counts are",
                         view->facts.known == 1 ? "is" : "are");
    sc_svg_close(output);
}

scrim_status sc_tree_icicle_svg(const sc_tree_view *view, const char *path,
                                scrim_error *error)
{
    return sc_file_write("--svg", path, draw, view, error);
}

/* Characters. */

#define NAME_CHARS 14
#define MOST_CHARS 160

/* Keys may be any bytes: only plain ones go to a terminal. */
static bool is_plain(const scrim_hierarchy_node *node)
{
    bool is = node->bytes > 0;
    for (size_t i = 0; is && i < node->bytes; i++)
        is = node->key[i] >= ' ' && node->key[i] <= '~';
    return is;
}

static void put_times(sc_output *output, const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++)
        sc_output_text(output, text);
}

/* Its shade, with its key where there is room, and a line before the next group. */
static void write_group(sc_output *output, const scrim_hierarchy_node *node, size_t cells,
                        bool is_last, bool has_unicode)
{
    const char *text = classes[class_of(node)].texts[has_unicode];
    const bool has_line = !is_last && cells > 2;
    const size_t room = cells - has_line,
                 label = is_plain(node) && node->bytes + 4 <= room ? node->bytes + 2 : 0,
                 left = (room - label) / 2;
    put_times(output, text, left);
    if (label > 0)
        sc_output_format(output, " %.*s ", (int)node->bytes, node->key);
    put_times(output, text, room - label - left);
    put_times(output, has_unicode ? "\xe2\x94\x82" : "|", has_line);
}

/* A cell belongs to the node that covers its middle. */
static void write_level(sc_output *output, const sc_tree_view *view, size_t level,
                        size_t width, bool has_unicode)
{
    const scrim_hierarchy_level *l = &view->levels[level];
    walk w = walk_begin(view);
    size_t done = 0;
    sc_output_format(output, "%-*.*s ", NAME_CHARS, NAME_CHARS, l->name);
    for (size_t v = l->first; v < l->first + l->count; v++) {
        scrim_hierarchy_node node;
        double from, to;
        const size_t start = done;
        walk_node(&w, v, &node, &from, &to);
        while (done < width && ((double)done + 0.5) / (double)width < to)
            done++;
        if (done > start)
            write_group(output, &node, done - start, done == width, has_unicode);
    }
    sc_output_text(output, "\n");
}

void sc_tree_icicle_write(sc_output *output, const sc_tree_view *view,
                          const sc_terminal *terminal)
{
    const size_t columns = terminal->columns < 40 ? 40 : terminal->columns;
    size_t width = columns - NAME_CHARS - 2;
    width = width > MOST_CHARS ? MOST_CHARS : width;
    sc_output_text(output, "shade: half the interval by the count\n");
    for (size_t i = 0; i < CLASSES; i++)
        sc_output_format(output, "%s%s %s",
                         i == 0         ? ""
                         : columns < 80 ? "\n"
                                        : "  ",
                         classes[i].texts[terminal->utf8], classes[i].words);
    sc_output_text(output, "\n");
    for (size_t i = 0; i < view->facts.levels; i++)
        write_level(output, view, i, width, terminal->utf8);
}
