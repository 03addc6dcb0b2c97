#include "cli/release/body_page.h"

#include "cli/release/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"
#include "cli/terminal/whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

#define POINTS_FILE_BYTES ((size_t)1 << 28)

void sc_body_points_clear(sc_body_points *points)
{
    free(points->x);
    *points = (sc_body_points){0};
}

static double *add_point(sc_body_points *points)
{
    if (points->count == points->room) {
        const size_t room = points->room == 0 ? 64 : 2 * points->room;
        double *more = realloc(points->x, room * points->dimension * sizeof *more);
        if (more == NULL)
            return NULL;
        points->x = more;
        points->room = room;
    }
    return points->x + points->count++ * points->dimension;
}

/* A cell of a line: spaces and quotes around it do not count. */
static char *next_cell(char **rest)
{
    char *cell = *rest, *end;
    if (cell == NULL)
        return NULL;
    cell += strspn(cell, " \t");
    if (*cell == '"' && (end = strchr(cell + 1, '"')) != NULL) {
        *end++ = '\0';
        *rest = strchr(end, ',');
        cell++;
    } else {
        *rest = strchr(cell, ',');
        end = *rest == NULL ? cell + strlen(cell) : *rest;
        while (end > cell && strchr(" \t\r", end[-1]) != NULL)
            end--;
        if (*rest != NULL)
            **rest = '\0';
        *end = '\0';
    }
    if (*rest != NULL)
        *(*rest)++ = '\0';
    return cell;
}

static bool read_number(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out) && fabs(*out) < 1e100;
}

static scrim_status read_at(sc_body_points *points, const sc_body_view *view,
                            const char *text, scrim_error *error)
{
    char *copy = strdup(text), *rest = copy;
    double *x = copy == NULL ? NULL : add_point(points);
    bool good = true;
    if (x == NULL) {
        free(copy);
        return sc_out_of_memory(error, "points");
    }
    for (size_t j = 0; good && j < points->dimension; j++) {
        const char *cell = next_cell(&rest);
        good = cell != NULL && read_number(cell, &x[j]);
    }
    good = good && rest == NULL;
    free(copy);
    return good ? SCRIM_OK
                : sc_refuse(error,
                            "'%.60s' is not a point; --at takes %zu numbers, from "
                            "%.60s on, separated by commas",
                            text, points->dimension, view->columns[0].name);
}

typedef struct header {
    size_t place[SCRIM_BODY_DIMENSIONS]; /* of each column of the body, in a line */
} header;

static scrim_status read_header(char *line, const sc_body_view *view, header *out,
                                scrim_error *error)
{
    char *rest = line;
    for (size_t j = 0; j < view->facts.dimension; j++)
        out->place[j] = SIZE_MAX;
    for (size_t place = 0; rest != NULL; place++) {
        const char *name = next_cell(&rest);
        for (size_t j = 0; j < view->facts.dimension; j++)
            if (strcmp(view->columns[j].name, name) == 0)
                out->place[j] = place;
    }
    for (size_t j = 0; j < view->facts.dimension; j++)
        if (out->place[j] == SIZE_MAX)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "the first line of the file of points must name the "
                                     "columns, separated by commas; it lacks '%.60s'",
                                     view->columns[j].name);
    return SCRIM_OK;
}

static scrim_status read_line(sc_body_points *points, char *line, size_t number,
                              const header *where, scrim_error *error)
{
    char *rest = line;
    size_t found = 0;
    double value, *x = add_point(points);
    if (x == NULL)
        return sc_out_of_memory(error, "points");
    for (size_t place = 0; rest != NULL; place++) {
        const char *cell = next_cell(&rest);
        for (size_t j = 0; j < points->dimension; j++)
            if (where->place[j] == place && read_number(cell, &value)) {
                x[j] = value;
                found++;
            }
    }
    return found == points->dimension
               ? SCRIM_OK
               : sc_complaint_fill(
                     error, SCRIM_E_INPUT,
                     "line %zu of the file of points lacks a number; give one "
                     "for each column, or remove the line",
                     number);
}

static scrim_status read_file(sc_body_points *points, const sc_body_view *view,
                              const char *path, scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file file = {0};
    header where;
    size_t number = 1;
    SC_TRY(sc_whole_file_read(path, POINTS_FILE_BYTES, &file, error));
    char *line = file.bytes, *end = strchr(line, '\n');
    if (end != NULL)
        *end++ = '\0';
    SC_TRY(read_header(line, view, &where, error));
    for (line = end; line != NULL && *line != '\0'; line = end) {
        end = strchr(line, '\n');
        if (end != NULL)
            *end++ = '\0';
        number++;
        if (line[strspn(line, " \t\r")] != '\0')
            SC_TRY(read_line(points, line, number, &where, error));
    }
    return SCRIM_OK;
}

scrim_status sc_body_points_of_file(sc_body_points *points, const sc_body_view *view,
                                    const char *path, scrim_error *error)
{
    *points = (sc_body_points){.dimension = view->facts.dimension};
    const scrim_status status = read_file(points, view, path, error);
    if (status == SCRIM_OK && points->count == 0)
        return sc_complaint_fill(error, SCRIM_E_INPUT, "the file of points has none");
    if (status != SCRIM_OK)
        sc_body_points_clear(points);
    return status;
}

scrim_status sc_body_points_read(sc_body_points *points, const sc_body_view *view,
                                 const sc_options *options, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    *points = (sc_body_points){.dimension = view->facts.dimension};
    for (size_t i = 0; status == SCRIM_OK && i < options->repeated_count; i++)
        if (options->repeated[i].option == SCRIM_OPTION_AT)
            status = read_at(points, view, options->repeated[i].value, error);
    if (status == SCRIM_OK && sc_options_has(options, SCRIM_OPTION_CSV))
        status = read_file(points, view, options->value[SCRIM_OPTION_CSV], error);
    if (status == SCRIM_OK && points->count == 0)
        status = sc_refuse(error, "name public points: --at 40,38 or --csv FILE");
    if (status != SCRIM_OK)
        sc_body_points_clear(points);
    return status;
}

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
