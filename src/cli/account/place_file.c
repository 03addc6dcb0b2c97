#include "cli/account/place_file.h"

#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

/* The next line of the text, terminated; NULL behind the last. */
static char *next_line(char **rest)
{
    char *line = *rest;
    if (line == NULL)
        return NULL;
    char *end = strchr(line, '\n');
    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL)
        *end = '\0';
    return *line == '\0' && end == NULL ? NULL : line;
}

/* Without spaces at either end, and without the other half of a line's end. */
static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        text[--length] = '\0';
    return text;
}

/* The next line that says something, without blanks around it, and its number, from 1 on. */
static char *next_said(char **rest, size_t *number)
{
    char *line;
    while ((line = next_line(rest)) != NULL) {
        ++*number;
        line = trim(line);
        if (line[0] != '\0' && line[0] != '#')
            break;
    }
    return line;
}

/* Cuts behind so many fields; NULL when there are no more than those. */
static char *cut_behind(char *line, unsigned fields)
{
    char *comma = line - 1;
    for (unsigned i = 0; i < fields && comma != NULL; i++)
        comma = strchr(comma + 1, ',');
    if (comma == NULL)
        return NULL;
    *comma = '\0';
    return comma + 1;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    while ((text = strchr(text, '\n')) != NULL) {
        text++;
        count++;
    }
    return count;
}

static scrim_status misread(const char *path, size_t line, const char *wanted,
                            scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_INPUT, "'%.120s', line %zu: write %s", path,
                             line, wanted);
}

/* A text with a zero byte would end there. */
static scrim_status check_text(const sc_whole_file *file, const char *path,
                               scrim_error *error)
{
    return strlen(file->bytes) == file->count
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_INPUT, "'%.120s' is not text", path);
}

static scrim_status read_places(const char *path, unsigned dimensions, sc_place_file *out,
                                scrim_error *error)
{
    char *rest = out->file.bytes, *line;
    out->places = calloc(count_lines(rest), sizeof *out->places);
    out->lines = calloc(count_lines(rest), sizeof *out->lines);
    if (out->places == NULL || out->lines == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for '%.120s'",
                                 path);
    for (size_t number = 0; (line = next_said(&rest, &number)) != NULL;) {
        char *mass = cut_behind(line, dimensions);
        if (mass != NULL && strchr(mass, ',') != NULL)
            return misread(path, number,
                           dimensions == 1
                               ? "PLACE or PLACE,COUNT"
                               : "the numbers of a place, and a count or none",
                           error);
        out->lines[out->count] = number;
        out->places[out->count++] =
            (scrim_place){.place = trim(line), .mass = mass == NULL ? NULL : trim(mass)};
    }
    return SCRIM_OK;
}

static scrim_status read_steps(const char *path, sc_place_file *out, scrim_error *error)
{
    char *rest = out->file.bytes, *line;
    out->steps = calloc(count_lines(rest), sizeof *out->steps);
    out->lines = calloc(count_lines(rest), sizeof *out->lines);
    if (out->steps == NULL || out->lines == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for '%.120s'",
                                 path);
    for (size_t number = 0; (line = next_said(&rest, &number)) != NULL;) {
        char *to = cut_behind(line, 1);
        char *length = to == NULL ? NULL : cut_behind(to, 1);
        if (length == NULL || strchr(length, ',') != NULL)
            return misread(path, number, "FROM,TO,LENGTH", error);
        out->lines[out->count] = number;
        out->steps[out->count++] =
            (scrim_step){.from = trim(line), .to = trim(to), .length = trim(length)};
    }
    return SCRIM_OK;
}

static scrim_status open_file(const char *path, sc_place_file *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    SC_TRY(sc_whole_file_read(path, SC_PLACE_FILE_BYTES, &out->file, error));
    SC_TRY(check_text(&out->file, path, error));
    if (count_lines(out->file.bytes) > SC_PLACE_FILE_LINES)
        return sc_complaint_fill(error, SCRIM_E_LIMIT, "'%.120s' has more than %zu lines",
                                 path, SC_PLACE_FILE_LINES);
    return SCRIM_OK;
}

scrim_status sc_place_file_read(const char *path, unsigned dimensions, sc_place_file *out,
                                scrim_error *error)
{
    scrim_status status = open_file(path, out, error);
    if (status == SCRIM_OK)
        status = read_places(path, dimensions, out, error);
    if (status != SCRIM_OK)
        sc_place_file_clear(out);
    return status;
}

scrim_status sc_place_file_metric(const char *path, sc_place_file *out,
                                  scrim_error *error)
{
    scrim_status status = open_file(path, out, error);
    if (status == SCRIM_OK)
        status = read_steps(path, out, error);
    if (status == SCRIM_OK && out->count == 0)
        status = misread(path, 1, "FROM,TO,LENGTH", error);
    if (status != SCRIM_OK)
        sc_place_file_clear(out);
    return status;
}

void sc_place_file_clear(sc_place_file *file)
{
    free(file->lines);
    free(file->steps);
    free(file->places);
    sc_whole_file_clear(&file->file);
    memset(file, 0, sizeof *file);
}
