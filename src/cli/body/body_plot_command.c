/* scrim body plot FILE... */
#include "cli/body/body_commands.h"
#include "cli/body/body_page.h"
#include "cli/body/body_picture.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct plot_state {
    sc_body_view views[SC_BODY_PICTURE_BODIES];
    sc_body_picture picture;
} plot_state;

static scrim_status draw_text(const sc_body_picture *picture, scrim_error *error)
{
    sc_terminal terminal;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a drawing");
    sc_output_init(output, STDOUT_FILENO);
    sc_terminal_look(STDOUT_FILENO, &terminal);
    SC_TRY(sc_body_picture_write(picture, output, &terminal, error));
    return sc_output_finish(output, error);
}

static scrim_status run_plot(const sc_options *options, scrim_error *error)
{
    const char *svg = options->value[SCRIM_OPTION_SVG];
    plot_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return sc_out_of_memory(error, "a drawing");
    scrim_status status =
        svg == NULL ? SCRIM_OK : sc_file_writer_check("--svg", svg, error);
    if (status == SCRIM_OK)
        status = sc_body_views_open(s->views, SC_BODY_PICTURE_BODIES, &s->picture.count,
                                    options, "scrim body plot body.json", error);
    for (size_t i = 0; i < s->picture.count; i++)
        s->picture.views[i] = &s->views[i];
    if (status == SCRIM_OK)
        status = sc_body_picture_choose(&s->picture, options->value[SCRIM_OPTION_COLUMNS],
                                        error);
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
    "the body. Up to 4 bodies with the same columns are drawn over one another,\n"
    "without half-spaces if there are more than 2. No row of the data is drawn: there\n"
    "is none in the file.\n"
    "\n"
    "  --columns A,B,...  only these columns, 2 to 6 (default: all)\n"
    "  --svg FILE         write the drawing to a file instead\n" SC_USAGE_PROOF
    "  --quiet            no notes on standard error\n"
    "\n"
    "example: scrim body plot body.json --svg body.svg\n";

const sc_command sc_body_plot = {
    .name = "plot",
    .synopsis = "FILE... [--svg FILE]",
    .summary = "draw bodies",
    .usage = usage,
    .kind = SC_COMMAND_CHECK,
    .options = SC_OPTION_SET(SCRIM_OPTION_COLUMNS, SCRIM_OPTION_SVG, SCRIM_OPTION_SEED),
    .run = run_plot,
};
