#include "cli/terminal/screen.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"

#include <unistd.h>

scrim_status sc_screen_read(const sc_options *options, sc_screen *out, scrim_error *error)
{
    out->plot = sc_options_has(options, SCRIM_OPTION_PLOT);
    out->quiet = sc_options_has(options, SCRIM_OPTION_QUIET);
    out->svg = options->value[SCRIM_OPTION_SVG];
    SC_TRY(sc_options_screen(options, &out->terminal, &out->format, error));
    return out->svg == NULL ? SCRIM_OK : sc_file_writer_check("--svg", out->svg, error);
}

bool sc_screen_draws(const sc_screen *screen)
{
    return screen->plot || screen->svg != NULL;
}

/* The drawing and the sentences, where standard output does not hold them. */
static scrim_status talk(sc_screen *screen, const sc_screen_page *page,
                         const void *context, scrim_error *error)
{
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(&screen->output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    if (screen->plot && !screen->terminal.is_terminal)
        page->draw(context, &screen->output, &beside);
    if (page->talk != NULL &&
        (screen->format == SCRIM_FORMAT_CSV ||
         (screen->format == SCRIM_FORMAT_JSONL && page->talks_beside_lines)))
        page->talk(context, &screen->output, &beside);
    return sc_output_finish(&screen->output, error);
}

scrim_status sc_screen_show(sc_screen *screen, const sc_screen_page *page, void *context,
                            scrim_error *error)
{
    if (screen->svg != NULL)
        SC_TRY(sc_file_write("--svg", screen->svg, page->svg, context, error));
    sc_output_init_screen(&screen->output, STDOUT_FILENO, screen->format);
    if (screen->plot && screen->terminal.is_terminal)
        page->draw(context, &screen->output, &screen->terminal);
    SC_TRY(page->write(context, screen, error));
    SC_TRY(sc_output_finish(&screen->output, error));
    return screen->quiet ? SCRIM_OK : talk(screen, page, context, error);
}
