#include "cli/answer/answer_writer.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/frequency_list.h"
#include "cli/answer/release_note.h"

static unsigned kind_of(sc_answer_column column)
{
    switch (column) {
    case SCRIM_COLUMN_LABEL:
    case SCRIM_COLUMN_ANSWER:
        return SC_KIND_TEXT;
    case SCRIM_COLUMN_INDEX:
        return SC_KIND_NUMBER | SC_RIGHT;
    case SCRIM_COLUMN_VALUE:
        return SC_KIND_NUMBER | SC_NULLABLE | SC_RIGHT | SC_VALUE;
    case SCRIM_COLUMN_LOW:
    case SCRIM_COLUMN_HIGH:
        break;
    }
    return SC_KIND_NUMBER | SC_RIGHT | SC_BOUND;
}

/* NULL for a missing cell: an answer without a number, a number without an interval. */
static const char *cell_of(const sc_answer_row *row, sc_answer_column column)
{
    const char *cell = sc_answer_cell(row, column);
    const bool is_number = column == SCRIM_COLUMN_VALUE || column == SCRIM_COLUMN_LOW ||
                           column == SCRIM_COLUMN_HIGH;
    return is_number && cell[0] == '\0' && row->kind != SCRIM_ANSWER_NONE ? NULL : cell;
}

static bool bar_at(const void *context, size_t row, sc_error_bar *out)
{
    const sc_answer_sheet *sheet = context;
    return row < sc_answer_row_count(sheet) &&
           sc_answer_bar(sheet, sc_answer_row_index(sheet, row), false, out);
}

void sc_answer_facts_json(sc_json *json, const sc_answer_sheet *sheet)
{
    if (sc_answer_subject_of(sheet->answer) == SCRIM_ANSWER_OF_QUERIES)
        sc_json_truth(json, "halted", scrim_answer_has_halted(sheet->answer));
    sc_frequency_json_write(json, sheet);
    sc_cost_json(json, "cost", scrim_answer_cost(sheet->answer));
    sc_certificate_json(json, "certificate", sheet->certificate);
    if (sheet->charge == NULL) {
        sc_json_word(json, "release", "null"); /* no vault has it */
        return;
    }
    sc_json_text(json, "dataset", sheet->charge->dataset);
    sc_json_count(json, "version", sheet->charge->version);
    sc_charged_json(json, "charged", sheet->charge);
    sc_json_count(json, "release", sheet->charge->id);
}

/* The row that says that a run has given all its answers; JSON has a member for it. */
static void add_halted(sc_listing *listing, const sc_answer_columns *columns)
{
    const char *cells[SC_ANSWER_COLUMNS];
    for (size_t i = 0; i < columns->count; i++)
        cells[i] = columns->kinds[i] == SCRIM_COLUMN_ANSWER ? "halted" : NULL;
    if (listing->format != SCRIM_FORMAT_JSON)
        sc_listing_add(listing, cells);
}

scrim_status sc_answer_write(sc_output *output, const sc_answer_sheet *sheet,
                             sc_format format, const sc_terminal *terminal,
                             scrim_error *error)
{
    sc_answer_columns columns;
    sc_answer_row row;
    sc_listing_column shown[SC_ANSWER_COLUMNS];
    const char *cells[SC_ANSWER_COLUMNS];
    sc_listing listing = SC_LISTING(shown, output, format, terminal);
    sc_answer_columns_get(sheet, &columns);
    for (size_t i = 0; i < columns.count; i++)
        shown[i] = (sc_listing_column){columns.names[i], kind_of(columns.kinds[i])};
    listing.column_count = columns.count;
    listing.is_marked = true;
    listing.bar = sc_answer_has_intervals(sheet) ? bar_at : NULL;
    listing.bar_context = sheet;
    sc_json *json = sc_listing_open(&listing);
    if (json != NULL)
        sc_json_text(json, "measurement", sheet->measurement);
    for (size_t r = 0; r < sc_answer_row_count(sheet); r++) {
        sc_answer_row_get(sheet, sc_answer_row_index(sheet, r), &row);
        for (size_t i = 0; i < columns.count; i++)
            cells[i] = cell_of(&row, columns.kinds[i]);
        sc_listing_add(&listing, cells);
    }
    if (scrim_answer_has_halted(sheet->answer))
        add_halted(&listing, &columns);
    sc_listing_end_rows(&listing);
    if (json != NULL)
        sc_answer_facts_json(json, sheet);
    const scrim_status status = sc_listing_close(&listing, SCRIM_OK, error);
    return status == SCRIM_OK && format == SCRIM_FORMAT_TABLE
               ? sc_frequency_table_write(output, sheet, terminal, error)
               : status;
}
