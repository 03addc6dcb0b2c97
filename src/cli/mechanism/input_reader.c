#include "cli/mechanism/input_reader.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/talk.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SC_INPUT_VALUES ((size_t)1 << 24)

/* No input is larger; that it is not is public, also of rows. */
#define SC_INPUT_BYTES ((size_t)1 << 28)

#define FIRST_ROOM 65536

/* Bytes. */

/* More room; what lay in the old is wiped there. */
static bool grow(sc_input_values *values)
{
    size_t room = values->byte_room == 0 ? FIRST_ROOM : values->byte_room * 2;
    if (room > SC_INPUT_BYTES + 2)
        room = SC_INPUT_BYTES + 2; /* one byte too many, and a terminator */
    char *bytes = malloc(room);
    if (bytes == NULL)
        return false;
    if (values->byte_count > 0)
        memcpy(bytes, values->bytes, values->byte_count);
    if (values->bytes != NULL)
        explicit_bzero(values->bytes, values->byte_room);
    free(values->bytes);
    values->bytes = bytes;
    values->byte_room = room;
    return true;
}

/* The size of a file, which is public; 0 for anything but a regular file. */
static uint64_t file_size(int descriptor)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode))
        return 0;
    return (uint64_t)about.st_size;
}

static scrim_status refuse_bytes(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_LIMIT,
                             "standard input has more than %zu bytes; use less, or "
                             "declare a dataset and use 'scrim query'",
                             SC_INPUT_BYTES);
}

/* All bytes, with room for a terminator. */
static scrim_status read_bytes(int descriptor, bool shows_progress,
                               sc_input_values *values, scrim_error *error)
{
    sc_progress progress;
    scrim_status status = SCRIM_OK;
    uint64_t size = file_size(descriptor);
    if (size > SC_INPUT_BYTES)
        return refuse_bytes(error);
    sc_progress_start(&progress, size, "bytes", shows_progress && size > 0);
    for (;;) {
        if (values->byte_room - values->byte_count < 2 && !grow(values)) {
            status = sc_out_of_memory(error, "the input");
            break;
        }
        ssize_t got = read(descriptor, values->bytes + values->byte_count,
                           values->byte_room - values->byte_count - 1);
        if (got == 0)
            break;
        if (got > 0) {
            values->byte_count += (size_t)got;
            sc_progress_update(&progress, values->byte_count);
            if (values->byte_count > SC_INPUT_BYTES) {
                status = refuse_bytes(error);
                break;
            }
        } else if (errno != EINTR) {
            status = sc_complaint_fill(error, SCRIM_E_INPUT,
                                       "cannot read standard input: %s", strerror(errno));
            break;
        }
    }
    sc_progress_end(&progress);
    return status;
}

/* Lines and cells; both are ended where they end, in place. */

typedef struct line_cursor {
    char *at, *end;
} line_cursor;

static line_cursor lines_of(sc_input_values *values)
{
    char *at = values->bytes, *end = values->bytes + values->byte_count;
    *end = '\0';
    if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    /* A terminator in a cell would make another value of it: a mark that no number has. */
    for (char *nul = at; (nul = memchr(nul, '\0', (size_t)(end - nul))) != NULL;)
        *nul = '?';
    return (line_cursor){at, end};
}

static size_t count_lines(line_cursor lines)
{
    size_t count = 0;
    while (lines.at < lines.end) {
        char *newline = memchr(lines.at, '\n', (size_t)(lines.end - lines.at));
        lines.at = newline == NULL ? lines.end : newline + 1;
        count++;
    }
    return count;
}

/* The next line; there is one. */
static char *take_line(line_cursor *lines)
{
    char *line = lines->at;
    char *newline = memchr(line, '\n', (size_t)(lines->end - line));
    char *end = newline == NULL ? lines->end : newline;
    lines->at = newline == NULL ? lines->end : newline + 1;
    if (end > line && end[-1] == '\r')
        end--;
    *end = '\0';
    return line;
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Without spaces around it and quotes around that. */
static char *trim_cell(char *cell)
{
    while (is_space(*cell))
        cell++;
    char *end = cell + strlen(cell);
    while (end > cell && is_space(end[-1]))
        end--;
    *end = '\0';
    if (end - cell < 2 || *cell != '"' || end[-1] != '"')
        return cell;
    *--end = '\0';
    char *to = ++cell;
    for (const char *from = cell; from < end; from++) {
        *to++ = *from;
        if (from[0] == '"' && from[1] == '"')
            from++;
    }
    *to = '\0';
    return cell;
}

/* Where the field that text begins with ends: at a comma that stands in no quotes, or at the
 * end. A quote that is not closed on this line is a character like any other. */
static char *field_end(char *text)
{
    char *at = text + strspn(text, " \t");
    if (*at == '"') {
        for (char *quote = at; (quote = strchr(quote + 1, '"')) != NULL;) {
            if (quote[1] != '"')
                return quote + strcspn(quote, ",");
            quote++;
        }
    }
    return text + strcspn(text, ",");
}

static size_t count_fields(char *line)
{
    size_t count = 1;
    for (char *end = field_end(line); *end != '\0'; end = field_end(end + 1))
        count++;
    return count;
}

/* Takes a field off the front of rest; "" once no field is left, and rest is NULL. */
static char *take_field(char **rest)
{
    static char nothing[] = "";
    if (*rest == NULL)
        return nothing;
    char *field = *rest, *end = field_end(field);
    *rest = *end == '\0' ? NULL : end + 1;
    *end = '\0';
    return trim_cell(field);
}

/* Shapes. */

static const char **allocate_texts(size_t count)
{
    return calloc(count == 0 ? 1 : count, sizeof(const char *));
}

static scrim_status get_texts(sc_input_values *values, size_t count, bool with_labels,
                              scrim_error *error)
{
    if (count > SC_INPUT_VALUES)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "standard input has more than %zu values; give less, or "
                                 "declare a dataset and use 'scrim query'",
                                 SC_INPUT_VALUES);
    values->texts = allocate_texts(count);
    if (with_labels)
        values->labels = allocate_texts(count);
    if (values->texts == NULL || (with_labels && values->labels == NULL))
        return sc_out_of_memory(error, "the input");
    values->count = count;
    return SCRIM_OK;
}

static scrim_status cut_lines(line_cursor lines, size_t count, bool with_labels,
                              sc_input_values *out, scrim_error *error)
{
    SC_TRY(get_texts(out, count, with_labels, error));
    for (size_t i = 0; i < count; i++) {
        char *line = take_line(&lines);
        if (with_labels)
            out->labels[i] = take_field(&line);
        out->texts[i] = line == NULL ? "" : trim_cell(line);
    }
    return SCRIM_OK;
}

/* header is NULL without a header; fixed is 0 if the line says how many fields it has. */
static scrim_status cut_row(line_cursor lines, char *header, size_t fixed,
                            sc_input_values *out, scrim_error *error)
{
    char *line = take_line(&lines);
    size_t count = header != NULL ? count_fields(header)
                   : fixed != 0   ? fixed
                                  : count_fields(line);
    SC_TRY(get_texts(out, count, header != NULL, error));
    for (size_t i = 0; i < count; i++) {
        out->texts[i] = take_field(&line);
        if (header != NULL)
            out->labels[i] = take_field(&header);
    }
    return SCRIM_OK;
}

/* Rows of several cells; those that a line lacks say nothing. */
static scrim_status cut_rows(line_cursor lines, size_t count, size_t cells,
                             sc_input_values *out, scrim_error *error)
{
    /* count is below 2^29 and cells are at most 64. */
    SC_TRY(get_texts(out, count * cells, false, error));
    for (size_t i = 0; i < count * cells;) {
        char *line = take_line(&lines);
        for (size_t cell = 0; cell < cells; cell++)
            out->texts[i++] = take_field(&line);
    }
    return SCRIM_OK;
}

/* The header, where one was announced; it must fit the lines below it. */
static scrim_status take_header(line_cursor *lines, const sc_input_form *form,
                                char **header, scrim_error *error)
{
    *header = NULL;
    if (!form->has_header)
        return SCRIM_OK;
    if (lines->at == lines->end)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "standard input is empty; --header says that it begins "
                                 "with a line of names");
    *header = take_line(lines);
    size_t names = count_fields(*header);
    if (form->is_rows && form->row_cells > 1 && names != form->row_cells)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "the header names %zu columns; a row has %zu values",
                                 names, form->row_cells);
    if (form->is_rows && form->row_cells > 1)
        return SCRIM_OK;
    if (form->is_rows && names > 1)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "the header names %zu columns; rows have one, so cut it "
                                 "out of the table first",
                                 names);
    if (form->has_labels && names != 2)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "with --labels a header has two names, not %zu", names);
    if (!form->has_labels && names > 1 && count_lines(*lines) != 1)
        return sc_complaint_fill(error, SCRIM_E_INPUT,
                                 "a header of %zu names is followed by one line of "
                                 "values; --labels reads lines of label,value",
                                 names);
    return SCRIM_OK;
}

static scrim_status cut(const sc_input_form *form, sc_input_values *out,
                        scrim_error *error)
{
    char *header = NULL;
    line_cursor lines = lines_of(out);
    SC_TRY(take_header(&lines, form, &header, error));
    size_t count = count_lines(lines);
    if (form->is_rows && form->row_cells > 1)
        return cut_rows(lines, count, form->row_cells, out, error);
    if (form->is_rows || form->has_labels || count != 1) {
        if (count == 0 && !form->is_rows)
            return sc_complaint_fill(error, SCRIM_E_INPUT,
                                     "standard input has no values; write one per line");
        if (header != NULL && form->has_labels)
            out->label_name = take_field(&header);
        if (header != NULL)
            out->name = take_field(&header);
        return cut_lines(lines, count, form->has_labels, out, error);
    }
    const bool has_one = header != NULL ? count_fields(header) == 1 : form->count == 1;
    if (has_one) {
        out->name = header == NULL ? NULL : take_field(&header);
        return cut_lines(lines, 1, false, out, error);
    }
    return cut_row(lines, header, form->count, out, error);
}

scrim_status sc_input_read(int descriptor, const sc_input_form *form, bool shows_progress,
                           sc_input_values *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    SC_TRY(read_bytes(descriptor, shows_progress, out, error));
    return cut(form, out, error);
}

void sc_input_clear(sc_input_values *values)
{
    if (values->bytes != NULL)
        explicit_bzero(values->bytes, values->byte_room);
    free(values->bytes);
    free(values->texts);
    free(values->labels);
    memset(values, 0, sizeof *values);
}
