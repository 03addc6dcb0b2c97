#include "cli/terminal/listing.h"

#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/text_width.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Error bars are drawn when there is room for the least of them, and no longer than this. */
#define BAR_LEAST 12
#define BAR_MOST 40
/* Of a cell of a bar, in UTF-8. */
#define BAR_BYTES 3

static const char *text_of(const char *cell)
{
    return cell == NULL ? "" : cell;
}

/* CSV. */

/* Would a spreadsheet take it for a formula? The last ones are = + - @ of full width. What begins
 * with our own mark counts as what is behind it, so that two keys never look alike. */
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
        sc_output_text(listing->output, i > 0 ? "," : "");
        if ((listing->columns[i].kind & SC_KINDS) == SC_KIND_KEY)
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
    if (cell == NULL || (cell[0] == '\0' && (kind & SC_OPTIONAL) != 0))
        return;
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

/* The columns behind one that hold its bounds. */
static size_t bounds_of(const sc_listing_column *columns, size_t count, size_t column)
{
    size_t bounds = 0;
    while (column + 1 + bounds < count &&
           (columns[column + 1 + bounds].kind & SC_BOUND) != 0)
        bounds++;
    return bounds;
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
    sc_json_end(json);
}

static void write_members(sc_json *json, const sc_listing_column *columns, size_t count,
                          const char *const *cells)
{
    for (size_t i = 0; i < count; i++) {
        if ((columns[i].kind & SC_VALUE) != 0) {
            const size_t bounds = bounds_of(columns, count, i);
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

/* A box. */

typedef struct box_view {
    const sc_listing *listing;
    size_t rows, columns; /* of the box, without the bars */
    const sc_listing_column *heads[SC_BOX_COLUMNS];
    size_t starts[SC_BOX_COLUMNS]; /* the first column of the listing that it shows */
    size_t widths[SC_BOX_COLUMNS];
    char **cells; /* rows of columns + 1, the last for the bars; each a copy */
} box_view;

static const char *cell_at(const box_view *view, size_t row, size_t column)
{
    return text_of(view->listing->cells[row * view->listing->column_count + column]);
}

/* A value that is not there has a word of its own. */
static const char *value_at(const box_view *view, size_t row, size_t column)
{
    const char *value = cell_at(view, row, column);
    return value[0] == '\0' ? "none" : value;
}

/* "10771  [10759, 10783]", all of a column under one another. */
static char *make_interval(const box_view *view, size_t row, size_t column,
                           const size_t widths[3])
{
    const char *low = cell_at(view, row, column + 1);
    const size_t bytes = widths[0] + widths[1] + widths[2] + 8;
    char *text = malloc(bytes);
    if (text == NULL)
        return NULL;
    if (low[0] == '\0')
        snprintf(text, bytes, "%*s", (int)widths[0], value_at(view, row, column));
    else
        snprintf(text, bytes, "%*s  [%*s, %*s]", (int)widths[0],
                 value_at(view, row, column), (int)widths[1], low, (int)widths[2],
                 cell_at(view, row, column + 2));
    return text;
}

static bool fill_intervals(box_view *view, size_t at)
{
    const size_t column = view->starts[at];
    size_t widths[3] = {0, 0, 0};
    for (size_t row = 0; row < view->rows; row++) {
        sc_width_widen(&widths[0], value_at(view, row, column));
        sc_width_widen(&widths[1], cell_at(view, row, column + 1));
        sc_width_widen(&widths[2], cell_at(view, row, column + 2));
    }
    for (size_t row = 0; row < view->rows; row++) {
        char **cell = &view->cells[row * (view->columns + 1) + at];
        *cell = make_interval(view, row, column, widths);
        if (*cell == NULL)
            return false;
        sc_width_widen(&view->widths[at], *cell);
    }
    return true;
}

/* Numbers end in one line, so that they can be compared. */
static bool align_right(box_view *view, size_t at, size_t width)
{
    for (size_t row = 0; row < view->rows; row++) {
        char **cell = &view->cells[row * (view->columns + 1) + at];
        const size_t pad = width - sc_text_width(*cell), bytes = strlen(*cell);
        char *padded = malloc(pad + bytes + 1);
        if (padded == NULL)
            return false;
        memset(padded, ' ', pad);
        memcpy(padded + pad, *cell, bytes + 1);
        free(*cell);
        *cell = padded;
    }
    return true;
}

static bool fill_column(box_view *view, size_t at)
{
    sc_width_widen(&view->widths[at], view->heads[at]->name);
    if ((view->heads[at]->kind & SC_TOGETHER) != 0)
        return fill_intervals(view, at);
    size_t width = 0;
    for (size_t row = 0; row < view->rows; row++) {
        char **cell = &view->cells[row * (view->columns + 1) + at];
        *cell = strdup(cell_at(view, row, view->starts[at]));
        if (*cell == NULL)
            return false;
        sc_width_widen(&width, *cell);
    }
    if (width > view->widths[at])
        view->widths[at] = width;
    return (view->heads[at]->kind & SC_UNDER) == 0 || align_right(view, at, width);
}

static bool add_bars(box_view *view, size_t cells)
{
    const sc_listing *listing = view->listing;
    sc_axis axis;
    sc_error_bar bar;
    sc_axis_init(&axis, cells);
    for (size_t row = 0; row < view->rows; row++)
        if (listing->bar(listing->bar_context, row, &bar))
            sc_axis_widen(&axis, &bar);
    for (size_t row = 0; row < view->rows; row++) {
        char *text = malloc(BAR_BYTES * cells + 1), *end = text;
        if (text == NULL)
            return false;
        view->cells[row * (view->columns + 1) + view->columns] = text;
        *end = '\0';
        if (!listing->bar(listing->bar_context, row, &bar))
            continue;
        for (size_t cell = 0; cell < cells; cell++)
            end = stpcpy(end, sc_bar_cell_text(sc_error_bar_cell(&axis, &bar, cell),
                                               listing->terminal->utf8));
    }
    return true;
}

/* What the columns of text leave of the terminal, but for the bar's own borders. */
static size_t room_for_bars(const box_view *view)
{
    size_t taken = 1 + 3;
    for (size_t i = 0; i < view->columns; i++)
        taken += view->widths[i] + 3;
    return taken >= view->listing->terminal->columns
               ? 0
               : view->listing->terminal->columns - taken;
}

static bool fill_box(box_view *view, bool *has_bars)
{
    for (size_t i = 0; i < view->columns; i++)
        if (!fill_column(view, i))
            return false;
    const size_t room = room_for_bars(view);
    for (size_t i = 0; room > 0 && i < view->columns; i++)
        if ((view->heads[i]->kind & SC_RIGHT) != 0 &&
            !align_right(view, i, view->widths[i]))
            return false;
    *has_bars = view->listing->bar != NULL && room >= BAR_LEAST;
    return !*has_bars || add_bars(view, room < BAR_MOST ? room : BAR_MOST);
}

/* The box has no column for bars where there are none. */
static bool write_cells(const box_view *view, bool has_bars)
{
    const size_t columns = view->columns + (has_bars ? 1 : 0);
    const char *names[SC_BOX_COLUMNS + 1];
    const char **cells = calloc(view->rows * columns + 1, sizeof *cells);
    if (cells == NULL)
        return false;
    for (size_t i = 0; i < view->columns; i++)
        names[i] = view->heads[i]->name;
    names[view->columns] = "";
    for (size_t i = 0; i < view->rows * columns; i++)
        cells[i] = view->cells[i / columns * (view->columns + 1) + i % columns];
    sc_box_write(view->listing->output, &(sc_box){names, columns, cells, view->rows},
                 view->listing->terminal);
    free(cells);
    return true;
}

static bool write_box(sc_listing *listing)
{
    box_view view = {.listing = listing, .rows = listing->count / listing->column_count};
    bool has_bars = false;
    for (size_t i = 0; i < listing->count; i++)
        if (listing->cells[i] != NULL)
            sc_complaint_clean(listing->cells[i]);
    for (size_t i = 0; i < listing->column_count; view.columns++) {
        view.heads[view.columns] = &listing->columns[i];
        view.starts[view.columns] = i;
        i += 1 + ((listing->columns[i].kind & SC_TOGETHER) != 0
                      ? bounds_of(listing->columns, listing->column_count, i)
                      : 0);
    }
    const size_t count = view.rows * (view.columns + 1);
    view.cells = calloc(count + 1, sizeof *view.cells);
    const bool is_written =
        view.cells != NULL && fill_box(&view, &has_bars) && write_cells(&view, has_bars);
    for (size_t i = 0; view.cells != NULL && i < count; i++)
        free(view.cells[i]);
    free(view.cells);
    return is_written;
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
static char *format_cell(const char *format, va_list arguments)
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

void sc_listing_end_rows(sc_listing *listing)
{
    if (listing->is_ended || listing->has_failed)
        return;
    listing->is_ended = true;
    if (listing->format == SCRIM_FORMAT_TABLE) {
        if (listing->heading != NULL)
            sc_output_text(listing->output, listing->heading);
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
        status = sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
    if (status == SCRIM_OK && listing->format == SCRIM_FORMAT_JSON &&
        listing->json == &listing->own)
        sc_json_end(listing->json);
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
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
    sc_terminal_look(STDOUT_FILENO, &made->terminal);
    sc_output_init(&made->output, STDOUT_FILENO);
    made->listing.columns = columns;
    made->listing.column_count = column_count;
    made->listing.output = &made->output;
    made->listing.terminal = &made->terminal;
    made->listing.is_held = true;
    const scrim_status status = sc_options_format(
        options, made->terminal.is_terminal ? SCRIM_FORMAT_TABLE : SCRIM_FORMAT_CSV,
        &made->listing.format, error);
    if (status == SCRIM_OK)
        *out = &made->listing;
    else
        free(made);
    return status;
}

scrim_status sc_page_end(sc_listing *listing, scrim_status status, scrim_error *error)
{
    if (listing == NULL)
        return status;
    if (status == SCRIM_OK && listing->column_count > 0) {
        (void)sc_listing_open(listing);
        status = sc_listing_close(listing, status, error);
    }
    if (status == SCRIM_OK)
        status = sc_output_finish(listing->output, error);
    free_cells(listing);
    free(listing); /* the page begins with it */
    return status;
}
