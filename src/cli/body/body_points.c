#include "cli/body/body_points.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/whole_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES ((size_t)1 << 28)

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

static scrim_status no_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "points");
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
        return no_memory(error);
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
        return no_memory(error);
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
    SC_TRY(sc_whole_file_read(path, FILE_BYTES, &file, error));
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
