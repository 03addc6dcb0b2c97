#include "cli/body/body_file_view.h"

#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef SCRIM_TESTING
#include "random/bits_tape.h"
#include "solve/solid_handle.h"

static scrim_status use_seed(sc_body_view *view, const sc_options *options,
                             scrim_error *error)
{
    SC_TRY(sc_options_tape(options, &view->tape, error));
    sc_solid_use_bits(view->solid, sc_tape_bits_of(view->tape));
    return SCRIM_OK;
}
#endif

#define FILE_BYTES ((size_t)1 << 24)

static scrim_status parse_body(sc_body_view *view, const sc_whole_file *file,
                               scrim_error *error)
{
    scrim_error cause = {.status = SCRIM_OK};
    scrim_status status = scrim_body_read(file->bytes, file->count, &view->body, &cause);
    if (status == SCRIM_OK)
        status = scrim_solid_new(view->body, &view->solid, &cause);
    return status == SCRIM_OK ? status
                              : sc_complaint_fill(error, status, "'%.120s': %.300s",
                                                  view->path, cause.message);
}

/* A signed file that cannot be read any more was changed: that is the reason to give. */
static bool is_changed(const sc_whole_file *file)
{
    scrim_label *label = NULL;
    const bool is_changed = scrim_label_of_file(file->bytes, file->count, NULL, 0, &label,
                                                NULL) == SCRIM_E_CHECK;
    scrim_label_free(label);
    return is_changed;
}

static scrim_status read_body(sc_body_view *view, const sc_options *options,
                              scrim_error *error)
{
    sc_whole_file file;
    char note[SC_PROOF_BYTES] = "";
    scrim_status status = sc_whole_file_read(view->path, FILE_BYTES, &file, error);
    if (status != SCRIM_OK)
        return status;
    status = parse_body(view, &file, error);
    if (status == SCRIM_OK || is_changed(&file))
        status = sc_file_prove(options, view->path, file.bytes, file.count, note, error);
    if (status == SCRIM_OK)
        sc_proof_say(note);
    sc_whole_file_clear(&file);
    return status;
}

static void describe(sc_body_view *view)
{
    scrim_body_describe(view->body, &view->facts);
    scrim_solid_describe(view->solid, &view->shape);
    for (size_t j = 0; j < view->facts.dimension; j++)
        (void)scrim_body_column_at(view->body, j, &view->columns[j]);
}

scrim_status sc_body_view_of(sc_body_view *view, scrim_body *body, scrim_error *error)
{
    *view = (sc_body_view){.path = "", .body = body};
    SC_TRY(scrim_solid_new(body, &view->solid, error));
    describe(view);
    return SCRIM_OK;
}

scrim_status sc_body_view_open(sc_body_view *view, const char *path,
                               const sc_options *options, scrim_error *error)
{
    *view = (sc_body_view){.path = path};
    scrim_status status = read_body(view, options, error);
#ifdef SCRIM_TESTING
    if (status == SCRIM_OK)
        status = use_seed(view, options, error);
#endif
    if (status != SCRIM_OK) {
        sc_body_view_close(view);
        return status;
    }
    describe(view);
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
        return sc_refuse(error, "name the file of one body, as in '%s'", example);
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

void sc_body_put_numbers(sc_listing *page, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sc_body_put_number(page, numbers[i]);
}

/* Where a value is too large for decimals, all of its digits are before the point. */
#define DECIMAL_BELOW 1e15
#define MORE_DIGITS 4
#define DECIMALS_MOST 12

static int decimals_of(double value, double step, int digits)
{
    const int of_step =
        step > 0 ? MORE_DIGITS + (int)ceil(-log10(step) - 1e-9) : DECIMALS_MOST;
    const int of_digits =
        fabs(value) > 0 ? digits - 1 - (int)floor(log10(fabs(value))) : 0;
    const int least = of_step < of_digits ? of_step : of_digits;
    return least < 0 ? 0 : least > DECIMALS_MOST ? DECIMALS_MOST : least;
}

const char *sc_body_coordinate_format(double value, double step, int digits,
                                      char text[SC_BODY_COORDINATE_BYTES])
{
    if (!(fabs(value) < DECIMAL_BELOW)) {
        snprintf(text, SC_BODY_COORDINATE_BYTES, "%.15g", value);
        return text;
    }
    const int decimals = decimals_of(value, step, digits);
    snprintf(text, SC_BODY_COORDINATE_BYTES, "%.*f", decimals, value);
    size_t end = strlen(text);
    while (decimals > 0 && text[end - 1] == '0')
        end--;
    text[text[end - 1] == '.' ? end - 1 : end] = '\0';
    return strcmp(text, "-0") == 0 ? memcpy(text, "0", 2) : text;
}

void sc_body_view_put(const sc_body_view *view, sc_listing *page, const double *x)
{
    char text[SC_BODY_COORDINATE_BYTES];
    const int digits = page->format == SCRIM_FORMAT_TABLE ? 6 : 15;
    for (size_t j = 0; j < view->facts.dimension; j++)
        sc_listing_put(
            page, "%s",
            sc_body_coordinate_format(x[j], view->columns[j].step, digits, text));
}
