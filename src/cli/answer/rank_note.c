#include "cli/answer/rank_note.h"

#include "cli/display/number_view.h"

#include <stdlib.h>
#include <string.h>

#define ORDER " ORDER BY "
#define TOP "SELECT TOP "

bool sc_rank_name(const char *query, char name[SCRIM_COLUMN_BYTES])
{
    const char *order = NULL;
    for (const char *at = query; (at = strstr(at, ORDER)) != NULL; at += sizeof ORDER - 1)
        order = at + sizeof ORDER - 1;
    const bool has_top = strncmp(query, TOP, sizeof TOP - 1) == 0;
    if (order == NULL || (!has_top && strstr(order, " LIMIT ") == NULL))
        return false;
    const bool is_quoted = *order == '"';
    order += is_quoted;
    const size_t bytes = strcspn(order, is_quoted ? "\"" : " ,");
    if (bytes >= SCRIM_COLUMN_BYTES)
        return false;
    memcpy(name, order, bytes);
    name[bytes] = '\0';
    return true;
}

static double place_of(scrim_output_kind kind, const char *text)
{
    return kind == SCRIM_OUTPUT_VALUE ? sc_number_view(text) : sc_date_view(text);
}

/* An end that is missing may be anywhere. */
static bool reaches(scrim_output_kind kind, const char *low, const char *high)
{
    return low[0] == '\0' || high[0] == '\0' ||
           place_of(kind, low) <= place_of(kind, high);
}

static void write_pairs(sc_output *output, const scrim_result *result, size_t statement,
                        size_t column)
{
    const scrim_output_kind kind =
        scrim_result_column_at(result, statement, column)->kind;
    const size_t rows = scrim_result_rows(result, statement);
    size_t undecided = 0;
    for (size_t row = 1; row < rows; row++) {
        const scrim_result_cell *a = scrim_result_cell_at(result, statement, row - 1,
                                                          column),
                                *b = scrim_result_cell_at(result, statement, row, column);
        undecided += a->low != NULL && b->low != NULL && reaches(kind, a->low, b->high) &&
                     reaches(kind, b->low, a->high);
    }
    if (undecided > 0)
        sc_output_format(output,
                         "ranks       undecided where intervals overlap: in %zu of %zu "
                         "pairs of neighbouring rows, either may be the larger\n",
                         undecided, rows - 1);
}

static bool is_value(const scrim_result_column *column)
{
    return column->kind == SCRIM_OUTPUT_VALUE ||
           column->kind == SCRIM_OUTPUT_DATE_VALUE ||
           column->kind == SCRIM_OUTPUT_TIMESTAMP_VALUE;
}

/* Do the values of a column stand in order? */
static bool is_sorted(const scrim_result *result, size_t statement, size_t column)
{
    const scrim_output_kind kind =
        scrim_result_column_at(result, statement, column)->kind;
    bool rises = true, falls = true;
    for (size_t row = 1; row < scrim_result_rows(result, statement); row++) {
        const char *a = scrim_result_cell_at(result, statement, row - 1, column)->value,
                   *b = scrim_result_cell_at(result, statement, row, column)->value;
        rises = rises && reaches(kind, a, b);
        falls = falls && reaches(kind, b, a);
    }
    return rises || falls;
}

/* The column of that name or number or, of an expression, the first value that stands in order; as many
 * as there are columns: none. */
static size_t find_column(const scrim_result *result, size_t statement, const char *name)
{
    const size_t columns = scrim_result_columns(result, statement);
    const unsigned long number = strtoul(name, NULL, 10);
    if (number > 0)
        return number <= columns ? number - 1 : columns;
    for (size_t c = 0; c < columns; c++)
        if (strcmp(scrim_result_column_at(result, statement, c)->name, name) == 0)
            return c;
    for (size_t c = 0; c < columns; c++)
        if (is_value(scrim_result_column_at(result, statement, c)) &&
            is_sorted(result, statement, c))
            return c;
    return columns;
}

void sc_rank_note_write(sc_output *output, const scrim_result *result)
{
    char name[SCRIM_COLUMN_BYTES];
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t s = 0; s < facts.statements; s++) {
        if (!sc_rank_name(scrim_result_text(result, s), name))
            continue;
        const size_t column = find_column(result, s, name);
        if (column < scrim_result_columns(result, s) &&
            is_value(scrim_result_column_at(result, s, column)))
            write_pairs(output, result, s, column);
    }
}
