#include "cli/account/linear_bounds_writer.h"

#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/word_line.h"
#include "scrim/worked.h"

#include <stdlib.h>

static const sc_listing_column columns[] = {
    {.name = "bound"}, {.name = "kind"}, {"error", SC_KIND_NUMBER}, {.name = "source"}};

/* An error that is enough is shown rounded up, a limit rounded down. */
static void put_bound(sc_listing *page, const scrim_linear_bound *bound)
{
    char error[SC_BOUND_BYTES];
    if (page->format == SCRIM_FORMAT_TABLE)
        sc_bound_format(bound->error, !bound->is_limit, error);
    else
        sc_bound_format_exact(bound->error, error);
    const char *cells[] = {bound->name, bound->is_limit ? "limit" : "enough", error,
                           bound->source};
    sc_listing_add(page, cells);
}

scrim_status sc_linear_bounds_show(const sc_options *options, scrim_error *error)
{
    scrim_linear_bounds bounds;
    sc_listing *page = NULL;
    char *line = sc_word_line(options->words + 2, options->word_count - 2);
    if (line == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory for the arguments");
    scrim_status status = scrim_linear_bounds_of(line, &bounds, error);
    free(line);
    if (status == SCRIM_OK)
        status =
            sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error);
    if (status != SCRIM_OK)
        return status;
    page->heading = bounds.text;
    for (size_t i = 0; i < bounds.count; i++)
        put_bound(page, &bounds.list[i]);
    return sc_page_end(page, SCRIM_OK, error);
}
