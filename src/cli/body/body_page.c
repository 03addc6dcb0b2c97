#include "cli/body/body_page.h"

#include "cli/terminal/complaint.h"

#include <string.h>

static scrim_status list(const sc_body_page *page, sc_body_call *call, scrim_error *error)
{
    sc_listing_column columns[SC_BODY_CELLS_MOST];
    size_t count = 0;
    if (page->first.name != NULL)
        columns[count++] = page->first;
    count = sc_body_view_columns(&call->view, columns, count);
    for (size_t i = 0; page->last[i].name != NULL; i++)
        columns[count++] = page->last[i];
    scrim_status status = sc_page_new(call->options, columns, count, &call->page, error);
    if (status == SCRIM_OK)
        status = page->fill(call, error);
    return sc_page_end(call->page, status, error);
}

scrim_status sc_body_page_show(const sc_body_page *page, const sc_options *options,
                               scrim_error *error)
{
    sc_body_call call = {.options = options};
    if (options->word_count != (page->takes_function ? 4 : 3))
        return sc_refuse(error, "name %s, as in '%s'",
                         page->takes_function ? "a file and a function"
                                              : "the file of one body",
                         page->example);
    scrim_status status =
        sc_body_view_open(&call.view, options->words[2], options, error);
    if (status == SCRIM_OK && page->takes_points)
        status = sc_body_points_read(&call.points, &call.view, options, error);
    if (status == SCRIM_OK)
        status = list(page, &call, error);
    if (status == SCRIM_OK)
        sc_body_view_note(&call.view, options);
    if (status == SCRIM_OK && page->note != NULL &&
        !sc_options_has(options, SCRIM_OPTION_QUIET))
        page->note(&call);
    sc_body_points_clear(&call.points);
    sc_body_view_close(&call.view);
    return status;
}

static bool has_same_columns(const sc_body_view *a, const sc_body_view *b)
{
    bool is_same = a->facts.dimension == b->facts.dimension;
    for (size_t j = 0; is_same && j < a->facts.dimension; j++)
        is_same = strcmp(a->columns[j].name, b->columns[j].name) == 0;
    return is_same;
}

scrim_status sc_body_views_open(sc_body_view *views, size_t most, size_t *count,
                                const sc_options *options, const char *example,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    *count = 0;
    if (options->word_count < 3 || options->word_count - 2 > most)
        return sc_refuse(error, "name 1 to %zu files of bodies, as in '%s'", most,
                         example);
    for (size_t i = 2; status == SCRIM_OK && i < options->word_count; i++) {
        sc_body_view *view = &views[*count];
        status = sc_body_view_open(view, options->words[i], options, error);
        *count += status == SCRIM_OK;
        if (status == SCRIM_OK && !has_same_columns(view, views))
            status = sc_refuse(error, "'%.120s' has other columns than '%.120s'",
                               view->path, views->path);
    }
    return status;
}
