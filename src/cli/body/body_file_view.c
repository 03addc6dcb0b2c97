#include "cli/body/body_file_view.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"

#include <math.h>
#include <string.h>

#ifdef SCRIM_TESTING
#include "post/body/solid_handle.h"
#include "random/bits_tape.h"

static scrim_status use_seed(sc_body_view *view, const sc_options *options,
                             scrim_error *error)
{
    const scrim_status status = sc_options_tape(options, &view->tape, error);
    if (status == SCRIM_OK)
        sc_solid_use_bits(view->solid, sc_tape_bits_of(view->tape));
    return status;
}
#endif

#define FILE_BYTES ((size_t)1 << 24)

static scrim_status read_body(sc_body_view *view, scrim_error *error)
{
    sc_whole_file file;
    scrim_error cause = {.status = SCRIM_OK};
    scrim_status status = sc_whole_file_read(view->path, FILE_BYTES, &file, error);
    if (status != SCRIM_OK)
        return status;
    status = scrim_body_read(file.bytes, file.count, &view->body, &cause);
    if (status == SCRIM_OK)
        status = scrim_solid_new(view->body, &view->solid, &cause);
    sc_whole_file_clear(&file);
    return status == SCRIM_OK ? status
                              : sc_complaint_fill(error, status, "'%.120s': %.300s",
                                                  view->path, cause.message);
}

scrim_status sc_body_view_open(sc_body_view *view, const char *path,
                               const sc_options *options, scrim_error *error)
{
    (void)
        options; /* the installed program draws from the operating system, whatever is said */
    *view = (sc_body_view){.path = path};
    scrim_status status = read_body(view, error);
#ifdef SCRIM_TESTING
    if (status == SCRIM_OK)
        status = use_seed(view, options, error);
#endif
    if (status != SCRIM_OK) {
        sc_body_view_close(view);
        return status;
    }
    scrim_body_describe(view->body, &view->facts);
    scrim_solid_describe(view->solid, &view->shape);
    for (size_t j = 0; j < view->facts.dimension; j++)
        (void)scrim_body_column_at(view->body, j, &view->columns[j]);
    return SCRIM_OK;
}

void sc_body_view_close(sc_body_view *view)
{
    scrim_solid_free(view->solid);
    scrim_body_free(view->body);
#ifdef SCRIM_TESTING
    sc_tape_free(view->tape);
#endif
    *view = (sc_body_view){0};
}

scrim_status sc_body_view_only(sc_body_view *view, const sc_options *options,
                               const char *example, scrim_error *error)
{
    *view = (sc_body_view){0};
    if (options->word_count != 3)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "name the file of one body, as in '%s'", example);
    return sc_body_view_open(view, options->words[2], options, error);
}

void sc_body_view_note(const sc_body_view *view, const sc_options *options)
{
    if (sc_options_has(options, SCRIM_OPTION_QUIET))
        return;
    sc_talk(
        "body of %zu column%s, cut by %zu directions at q %g%s%.80s; free of charge\n",
        view->facts.dimension, view->facts.dimension == 1 ? "" : "s",
        view->facts.direction_count, view->facts.q,
        view->facts.dataset[0] == '\0' ? "" : ", dataset ", view->facts.dataset);
    if (view->shape.inflation > 0)
        sc_talk(
            "INFLATED by %.6g (scaled columns): the released half-spaces hold no ball of "
            "radius %.6g; use more budget, fewer directions or a larger q\n",
            view->shape.inflation, view->shape.side / 1000);
}

size_t sc_body_view_columns(const sc_body_view *view, sc_listing_column *columns,
                            size_t count)
{
    for (size_t j = 0; j < view->facts.dimension; j++)
        columns[count++] =
            (sc_listing_column){view->columns[j].name, SC_KIND_BOUND | SC_RIGHT};
    return count;
}

void sc_body_put_number(sc_listing *page, double value)
{
    if (isinf(value))
        sc_listing_put(page, "%s", value > 0 ? "inf" : "-inf");
    else
        sc_listing_put(page, "%.*g", page->format == SCRIM_FORMAT_TABLE ? 6 : 15,
                       fabs(value) > 0 ? value : 0);
}

void sc_body_view_put(const sc_body_view *view, sc_listing *page, const double *x)
{
    for (size_t j = 0; j < view->facts.dimension; j++)
        sc_body_put_number(page, x[j]);
}
