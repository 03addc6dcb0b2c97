/* scrim body plot FILE... */
#include "cli/body/body_commands.h"
#include "cli/body/body_picture.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct plot_state {
    sc_body_view views[SC_BODY_PICTURE_BODIES];
    sc_body_picture picture;
    size_t columns[SCRIM_BODY_DIMENSIONS]; /* that are drawn */
    size_t column_count;
} plot_state;

static scrim_status open_views(plot_state *s, const sc_options *options,
                               scrim_error *error)
{
    if (options->word_count < 3 || options->word_count - 2 > SC_BODY_PICTURE_BODIES)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "name 1 to %d files of bodies, as in 'scrim body plot body.json'",
            SC_BODY_PICTURE_BODIES);
    for (size_t i = 2; i < options->word_count; i++) {
        sc_body_view *view = &s->views[s->picture.count];
        const scrim_status status =
            sc_body_view_open(view, options->words[i], options, error);
        if (status != SCRIM_OK)
            return status;
        s->picture.views[s->picture.count++] = view;
        bool is_alike = view->facts.dimension == s->views[0].facts.dimension;
        for (size_t j = 0; is_alike && j < view->facts.dimension; j++)
            is_alike = strcmp(view->columns[j].name, s->views[0].columns[j].name) == 0;
        if (!is_alike)
            return sc_complaint_fill(error, SCRIM_E_PARAM,
                                     "'%.120s' has other columns than '%.120s'",
                                     view->path, s->views[0].path);
    }
    return SCRIM_OK;
}

static scrim_status take_column(plot_state *s, const char *name, size_t bytes,
                                scrim_error *error)
{
    const sc_body_view *view = &s->views[0];
    for (size_t j = 0; j < view->facts.dimension; j++)
        if (strlen(view->columns[j].name) == bytes &&
            memcmp(view->columns[j].name, name, bytes) == 0) {
            if (s->column_count < SCRIM_BODY_DIMENSIONS)
                s->columns[s->column_count++] = j;
            return SCRIM_OK;
        }
    return sc_complaint_fill(error, SCRIM_E_PARAM, "'%.*s' is not a column of the body",
                             bytes < 60 ? (int)bytes : 60, name);
}

static scrim_status choose_columns(plot_state *s, const sc_options *options,
                                   scrim_error *error)
{
    const char *names = options->value[SCRIM_OPTION_COLUMNS];
    scrim_status status = SCRIM_OK;
    if (names == NULL)
        for (size_t j = 0; j < s->views[0].facts.dimension; j++)
            s->columns[s->column_count++] = j;
    while (status == SCRIM_OK && names != NULL) {
        const char *comma = strchr(names, ',');
        status = take_column(
            s, names, comma == NULL ? strlen(names) : (size_t)(comma - names), error);
        names = comma == NULL ? NULL : comma + 1;
    }
    return status;
}

static scrim_status choose_pairs(plot_state *s, const sc_options *options,
                                 scrim_error *error)
{
    sc_body_picture *p = &s->picture;
    const scrim_status status = choose_columns(s, options, error);
    if (status != SCRIM_OK)
        return status;
    if (s->views[0].facts.dimension == 1) {
        p->pairs[0][1] = 1;
        p->panel_count = 1;
        return SCRIM_OK;
    }
    if (s->column_count < 2 || s->column_count > 6)
        return sc_complaint_fill(
            error, SCRIM_E_PARAM,
            "a drawing has 2 to 6 columns; choose them with --columns");
    for (size_t i = 0; i < s->column_count; i++)
        for (size_t j = i + 1; j < s->column_count; j++) {
            if (s->columns[i] == s->columns[j])
                return sc_complaint_fill(error, SCRIM_E_PARAM,
                                         "--columns names a column twice");
            p->pairs[p->panel_count][0] = s->columns[i];
            p->pairs[p->panel_count++][1] = s->columns[j];
        }
    return SCRIM_OK;
}

static scrim_status draw_text(const sc_body_picture *picture, scrim_error *error)
{
    sc_terminal terminal;
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for a drawing");
    sc_output_init(output, STDOUT_FILENO);
    sc_terminal_look(STDOUT_FILENO, &terminal);
    scrim_status status = sc_body_picture_write(picture, output, &terminal, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(output, error);
    free(output);
    return status;
}

static scrim_status run_plot(const sc_options *options, scrim_error *error)
{
    const char *svg = options->value[SCRIM_OPTION_SVG];
    plot_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for a drawing");
    scrim_status status =
        svg == NULL ? SCRIM_OK : sc_file_writer_check("--svg", svg, error);
    if (status == SCRIM_OK)
        status = open_views(s, options, error);
    if (status == SCRIM_OK)
        status = choose_pairs(s, options, error);
    if (status == SCRIM_OK)
        status = sc_body_picture_init(&s->picture, error);
    if (status == SCRIM_OK)
        status = svg == NULL ? draw_text(&s->picture, error)
                             : sc_body_picture_svg(&s->picture, svg, error);
    if (status == SCRIM_OK)
        sc_body_view_note(&s->views[0], options);
    for (size_t i = 0; i < SC_BODY_PICTURE_BODIES; i++)
        sc_body_view_close(&s->views[i]);
    free(s);
    return status;
}

static const char usage[] =
    "Draws the body in the plane of two columns, with its Steiner point and the\n"
    "released half-spaces; for more columns a panel for each pair, with the shadow of\n"
    "the body. Up to 4 bodies with the same columns are drawn over one another. No\n"
    "row of the data is drawn: there is none in the file.\n"
    "\n"
    "  --columns A,B,...  only these columns, 2 to 6\n"
    "  --svg FILE         write the drawing to a file instead\n"
    "  --quiet            no notes on standard error\n"
    "\n"
    "example: scrim body plot body.json --svg body.svg\n";

const sc_body_command sc_body_plot = {
    .help = {.name = "plot",
             .synopsis = "FILE... [--svg FILE]",
             .summary = "draw bodies",
             .usage = usage},
    .options = SC_OPTION_SET(SCRIM_OPTION_COLUMNS, SCRIM_OPTION_SVG, SCRIM_OPTION_QUIET,
                             SCRIM_OPTION_SEED),
    .run = run_plot,
};
