#include "cli/display/listing.h"

#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *text_of(const char *cell)
{
    return cell == NULL ? "" : cell;
}

/* CSV. */

/* Would a spreadsheet take it for a formula? The last ones are = + - @ of full width. A key
 * that begins with our own mark is judged by its rest, so that two keys never look alike. */
static bool is_formula(const char *key)
{
    static const char *const starts[] = {"=",
                                         "+",
                                         "-",
                                         "@",
                                         "\t",
                                         "\r",
                                         "\n",
                                         "\xef\xbc\x9d",
                                         "\xef\xbc\x8b",
                                         "\xef\xbc\x8d",
                                         "\xef\xbc\xa0"};
    key += strspn(key, "'");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(key, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void write_csv_key(sc_output *output, const char *key)
{
    if (!is_formula(key)) {
        sc_output_csv_text(output, key);
        return;
    }
    sc_output_text(output, "\"'");
    for (; *key != '\0'; key++)
        sc_output_bytes(output, *key == '"' ? "\"\"" : key, *key == '"' ? 2 : 1);
    sc_output_text(output, "\"");
}

static void write_csv_row(const sc_listing *listing, const char *const *cells)
{
    for (size_t i = 0; i < listing->column_count; i++) {
        const bool is_keyed = (listing->columns[i].kind & SC_KEYED) != 0;
        sc_output_text(listing->output, i > 0 ? "," : "");
        if (is_keyed && cells[i] != NULL && cells[i][0] == '\0')
            sc_output_text(listing->output, "\"\""); /* nothing at all is NULL */
        else if ((listing->columns[i].kind & SC_KINDS) == SC_KIND_KEY)
            write_csv_key(listing->output, text_of(cells[i]));
        else
            sc_output_csv_text(listing->output, text_of(cells[i]));
    }
    sc_output_text(listing->output, "\n");
}

static void write_csv_names(const sc_listing *listing)
{
    for (size_t i = 0; i < listing->column_count; i++) {
        sc_output_text(listing->output, i > 0 ? "," : "");
        sc_output_csv_text(listing->output, listing->columns[i].name);
    }
    sc_output_text(listing->output, "\n");
}

void sc_listing_csv_row(sc_output *output, const sc_listing_column *columns, size_t count,
                        const char *const *cells)
{
    const sc_listing listing = {
        .columns = columns, .column_count = count, .output = output};
    write_csv_names(&listing);
    write_csv_row(&listing, cells);
}

/* JSON. */

static void write_member(sc_json *json, const char *name, unsigned kind, const char *cell)
{
    const bool is_null_key = cell == NULL && (kind & SC_KEYED) != 0;
    if (!is_null_key && (cell == NULL || (cell[0] == '\0' && (kind & SC_OPTIONAL) != 0)))
        return;
    if (is_null_key) {
        sc_json_word(json, name, "null");
        return;
    }
    if (cell[0] == '\0' && (kind & SC_NULLABLE) != 0) {
        sc_json_word(json, name, "null");
        return;
    }
    switch (kind & SC_KINDS) {
    case SC_KIND_NUMBER:
        sc_json_number(json, name, cell);
        break;
    case SC_KIND_DECIMAL:
        sc_json_decimal(json, name, cell);
        break;
    case SC_KIND_WORD:
        sc_json_word(json, name, cell);
        break;
    case SC_KIND_BOUND:
        (strcmp(cell, "inf") == 0 ? sc_json_text : sc_json_word)(json, name, cell);
        break;
    default:
        sc_json_text(json, name, cell);
        break;
    }
}

/* Has the interval no such end, though there is a value or another end? */
static bool lacks_end(const char *const *cells)
{
    if (cells[1] == NULL || cells[2] == NULL)
        return false;
    return (cells[1][0] == '\0' || cells[2][0] == '\0') &&
           (cells[0][0] != '\0' || cells[1][0] != '\0' || cells[2][0] != '\0');
}

static void write_value(sc_json *json, const sc_listing_column *column, size_t bounds,
                        const char *const *cells)
{
    static const char *const names[] = {"value", "low", "high"};
    if (cells[0] == NULL)
        return;
    sc_json_object(json, column->name);
    for (size_t i = 0; i <= bounds && i < 3; i++)
        write_member(json, names[i], column->kind, cells[i]);
    if (bounds == 2 && lacks_end(cells))
        sc_json_truth(json, "open", true);
    sc_json_end(json);
}

static void write_members(sc_json *json, const sc_listing_column *columns, size_t count,
                          const char *const *cells)
{
    for (size_t i = 0; i < count; i++) {
        if ((columns[i].kind & SC_VALUE) != 0) {
            const size_t bounds = sc_listing_bounds(columns, count, i);
            write_value(json, &columns[i], bounds, cells + i);
            i += bounds;
        } else {
            write_member(json, columns[i].name, columns[i].kind, cells[i]);
        }
    }
}

void sc_listing_json_row(sc_json *json, const char *name,
                         const sc_listing_column *columns, size_t count,
                         const char *const *cells)
{
    sc_json_object(json, name);
    write_members(json, columns, count, cells);
    sc_json_end(json);
}

static void write_json_row(sc_listing *listing, const char *const *cells)
{
    sc_json_object(listing->json, NULL);
    if (listing->is_marked && listing->format == SCRIM_FORMAT_JSONL)
        sc_json_mark(listing->json);
    write_members(listing->json, listing->columns, listing->column_count, cells);
    sc_json_end(listing->json);
}

/* The listing. */

sc_json *sc_listing_open(sc_listing *listing)
{
    listing->json = &listing->own;
    sc_json_init(&listing->own, listing->output);
    if (listing->format != SCRIM_FORMAT_JSON)
        return NULL;
    sc_json_object(&listing->own, NULL);
    if (listing->is_marked)
        sc_json_mark(&listing->own);
    return &listing->own;
}

static void begin_rows(sc_listing *listing)
{
    if (listing->is_begun)
        return;
    listing->is_begun = true;
    if (listing->json == NULL)
        (void)sc_listing_open(listing);
    if (listing->format == SCRIM_FORMAT_CSV)
        write_csv_names(listing);
    else if (listing->format == SCRIM_FORMAT_JSON)
        sc_json_rows(listing->json, "rows");
}

static void keep_row(sc_listing *listing, const char *const *cells)
{
    if (listing->room - listing->count < listing->column_count) {
        const size_t room = 2 * listing->room + 64 * listing->column_count;
        char **moved = realloc(listing->cells, room * sizeof *moved);
        listing->has_failed |= moved == NULL;
        if (moved == NULL)
            return;
        listing->cells = moved;
        listing->room = room;
    }
    for (size_t i = 0; i < listing->column_count; i++) {
        char *copy = cells[i] == NULL ? NULL : strdup(cells[i]);
        listing->has_failed |= copy == NULL && cells[i] != NULL;
        listing->cells[listing->count++] = copy;
    }
}

static void write_row(sc_listing *listing, const char *const *cells)
{
    begin_rows(listing);
    if (listing->format == SCRIM_FORMAT_CSV)
        write_csv_row(listing, cells);
    else
        write_json_row(listing, cells);
}

void sc_listing_add(sc_listing *listing, const char *const *cells)
{
    if (listing->is_held || listing->format == SCRIM_FORMAT_TABLE)
        keep_row(listing, cells);
    else
        write_row(listing, cells);
}

/* NULL without memory. */
__attribute__((format(printf, 1, 0))) static char *format_cell(const char *format,
                                                               va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *cell = length < 0 ? NULL : malloc((size_t)length + 1);
    if (cell != NULL)
        vsnprintf(cell, (size_t)length + 1, format, arguments);
    return cell;
}

static void clear_row(sc_listing *listing)
{
    for (size_t i = 0; i < listing->put_count; i++)
        free(listing->row[i]);
    listing->put_count = 0;
}

void sc_listing_put(sc_listing *listing, const char *format, ...)
{
    if (listing->row == NULL)
        listing->row = calloc(listing->column_count, sizeof *listing->row);
    if (listing->row == NULL) {
        listing->has_failed = true;
        return;
    }
    char *cell = NULL;
    if (format != NULL) {
        va_list arguments;
        va_start(arguments, format);
        cell = format_cell(format, arguments);
        va_end(arguments);
        listing->has_failed |= cell == NULL;
    }
    listing->row[listing->put_count++] = cell;
    if (listing->put_count < listing->column_count)
        return;
    sc_listing_add(listing, (const char *const *)listing->row);
    clear_row(listing);
}

static bool is_left_out(const sc_listing *listing, size_t column)
{
    return column < 64 && (listing->left_out >> column & 1) != 0;
}

/* Closes up the cells of columns that stay, and returns these columns; NULL without memory. */
static sc_listing_column *leave_out(sc_listing *listing)
{
    const size_t column_count = listing->column_count;
    size_t columns = 0, cells = 0;
    sc_listing_column *staying = calloc(column_count, sizeof *staying);
    if (staying == NULL)
        return NULL;
    for (size_t i = 0; i < column_count; i++)
        if (!is_left_out(listing, i))
            staying[columns++] = listing->columns[i];
    for (size_t i = 0; i < listing->count; i++)
        if (is_left_out(listing, i % column_count))
            free(listing->cells[i]);
        else
            listing->cells[cells++] = listing->cells[i];
    listing->column_count = columns;
    listing->count = cells;
    return staying;
}

static bool write_box(sc_listing *listing)
{
    SC_FREED sc_listing_column *staying = NULL;
    if (listing->left_out != 0 && (staying = leave_out(listing)) == NULL)
        return false;
    const sc_listing_box box = {staying != NULL ? staying : listing->columns,
                                listing->column_count,
                                listing->cells,
                                listing->count / listing->column_count,
                                listing->bar,
                                listing->bar_context,
                                listing->bar_of};
    return sc_listing_box_write(listing->output, &box, listing->terminal);
}

void sc_listing_end_rows(sc_listing *listing)
{
    if (listing->is_ended || listing->has_failed)
        return;
    listing->is_ended = true;
    if (listing->format == SCRIM_FORMAT_TABLE) {
        if (listing->heading != NULL)
            sc_heading_write(listing->output, listing->heading, strlen(listing->heading),
                             listing->terminal);
        sc_output_text(listing->output, listing->heading != NULL ? "\n" : "");
        listing->has_failed = !write_box(listing);
        return;
    }
    begin_rows(listing);
    for (size_t i = 0; i < listing->count; i += listing->column_count)
        write_row(listing, (const char *const *)listing->cells + i);
    if (listing->format == SCRIM_FORMAT_JSON)
        sc_json_end(listing->json);
}

static void free_cells(sc_listing *listing)
{
    clear_row(listing);
    free(listing->row);
    listing->row = NULL;
    for (size_t i = 0; i < listing->count; i++)
        free(listing->cells[i]);
    free(listing->cells);
    listing->cells = NULL;
    listing->count = listing->room = 0;
}

scrim_status sc_listing_close(sc_listing *listing, scrim_status status,
                              scrim_error *error)
{
    if (status == SCRIM_OK)
        sc_listing_end_rows(listing);
    if (status == SCRIM_OK && listing->has_failed)
        status = sc_out_of_memory(error, "the table");
    if (status == SCRIM_OK && listing->format == SCRIM_FORMAT_JSON &&
        listing->json == &listing->own) {
        if (listing->signing != NULL)
            status = sc_signing_end(listing->signing, listing->json, error);
        else
            sc_json_end(listing->json);
    }
    free_cells(listing);
    return status;
}

/* A page. */

typedef struct page {
    sc_listing listing; /* first */
    sc_terminal terminal;
    sc_output output;
} page;

scrim_status sc_page_new(const sc_options *options, const sc_listing_column *columns,
                         size_t column_count, sc_listing **out, scrim_error *error)
{
    page *made = calloc(1, sizeof *made);
    if (made == NULL)
        return sc_out_of_memory(error, "the table");
    made->listing.columns = columns;
    made->listing.column_count = column_count;
    made->listing.output = &made->output;
    made->listing.terminal = &made->terminal;
    made->listing.is_held = true;
    const scrim_status status =
        sc_options_screen(options, &made->terminal, &made->listing.format, error);
    sc_output_init_screen(&made->output, STDOUT_FILENO, made->listing.format);
    if (status == SCRIM_OK)
        *out = &made->listing;
    else
        free(made);
    return status;
}

scrim_status sc_page_write(sc_listing *listing, scrim_error *error)
{
    if (listing->column_count > 0) {
        (void)sc_listing_open(listing);
        SC_TRY(sc_listing_close(listing, SCRIM_OK, error));
    }
    return sc_output_finish(listing->output, error);
}

void sc_page_free(sc_listing **listing)
{
    if (*listing == NULL)
        return;
    free_cells(*listing);
    free(*listing); /* the page begins with it */
}

scrim_status sc_page_end(sc_listing *listing, scrim_status status, scrim_error *error)
{
    if (status == SCRIM_OK)
        status = sc_page_write(listing, error);
    sc_page_free(&listing);
    return status;
}
