#include "cli/answer/sheet_note.h"

#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_said_before(const scrim_result *result, size_t statement)
{
    for (size_t i = 0; i < statement; i++)
        if (strcmp(scrim_result_kept(result, i), scrim_result_kept(result, statement)) ==
            0)
            return true;
    return false;
}

static bool is_key(const scrim_result_column *column)
{
    return column->kind != SCRIM_OUTPUT_VALUE &&
           column->kind != SCRIM_OUTPUT_DATE_VALUE &&
           column->kind != SCRIM_OUTPUT_TIMESTAMP_VALUE;
}

static bool has_key(const scrim_result *result, size_t statement, const char *name)
{
    for (size_t i = 0; i < scrim_result_columns(result, statement); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, statement, i);
        if (is_key(column) && strcmp(column->name, name) == 0)
            return true;
    }
    return false;
}

/* Does a statement have all keys of another one? Its sentence then includes everything that the other's says. */
static bool has_keys_of(const scrim_result *result, size_t statement, size_t other)
{
    for (size_t i = 0; i < scrim_result_columns(result, other); i++) {
        const scrim_result_column *column = scrim_result_column_at(result, other, i);
        if (is_key(column) && !has_key(result, statement, column->name))
            return false;
    }
    return true;
}

/* Statements of a tree count the same rows: the finest ones say which. */
static bool is_said_below(const scrim_result *result, size_t statement, size_t statements)
{
    for (size_t i = 0; i < statements; i++)
        if (i != statement && has_keys_of(result, i, statement) &&
            (i > statement || !has_keys_of(result, statement, i)))
            return true;
    return false;
}

/* Is the clause one of a sentence's, between semicolons? */
static bool has_clause(const char *sentence, const char *clause, size_t bytes)
{
    while (strncmp(sentence, clause, bytes) != 0 ||
           (sentence[bytes] != ';' && sentence[bytes] != '\0')) {
        sentence = strstr(sentence, "; ");
        if (sentence == NULL)
            return false;
        sentence += 2;
    }
    return true;
}

/* The clauses of a sentence that the one before it lacks. */
static void write_more(sc_output *talk, const char *sentence, const char *before)
{
    const char *lead = "            ";
    for (const char *at = sentence, *end = at; end != NULL; at = end + 2) {
        end = strstr(at, "; ");
        const size_t bytes = end == NULL ? strlen(at) : (size_t)(end - at);
        if (!has_clause(before, at, bytes)) {
            sc_output_format(talk, "%s%.*s", lead, (int)bytes, at);
            lead = "; ";
        }
        if (end == NULL)
            break;
    }
    sc_output_text(talk, strcmp(lead, "; ") == 0 ? "\n" : "");
}

static void write_tree_bounds(sc_output *talk, const scrim_result *result,
                              size_t statements)
{
    const char *first = NULL;
    for (size_t i = 0; i < statements; i++) {
        const char *kept = scrim_result_kept(result, i);
        if (kept[0] == '\0' || is_said_below(result, i, statements))
            continue;
        if (first == NULL)
            sc_kept_write(talk, kept);
        else
            write_more(talk, kept, first);
        first = first == NULL ? kept : first;
    }
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    if (first != NULL && strstr(first, "further rows were left out") != NULL)
        sc_uncounted_write(talk, facts.unit_words);
}

/* Four notes are enough for one number: 'explain --verbose' names the rows without a unit. */
static bool is_one_number(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    return facts.statements == 1 && scrim_result_rows(result, 0) == 1 &&
           scrim_result_columns(result, 0) == 1;
}

void sc_kept_note_write(sc_output *talk, const scrim_result *result, bool is_tree)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    bool is_first = true;
    for (size_t i = 0; i < facts.statements; i++)
        is_first &= scrim_result_kept(result, i)[0] == '\0';
    if (is_tree)
        write_tree_bounds(talk, result, facts.statements);
    for (size_t i = 0; !is_tree && i < facts.asked; i++)
        if (!is_said_before(result, i))
            sc_kept_write(talk, scrim_result_kept(result, i));
    if (is_first || !is_one_number(result))
        sc_left_out_write(talk, facts.unit, is_first);
}

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

/* May either of two released values be the larger? */
static bool overlaps(scrim_output_kind kind, const scrim_result_cell *a,
                     const scrim_result_cell *b)
{
    return a->low != NULL && b->low != NULL && reaches(kind, a->low, b->high) &&
           reaches(kind, b->low, a->high);
}

/* A row that LIMIT leaves out may belong in the place of the last one. */
static void write_last(sc_output *output, const scrim_result *result, size_t statement,
                       size_t column)
{
    const size_t rows = scrim_result_rows(result, statement);
    const scrim_result_cell *next = scrim_result_next_cell_at(result, statement, column);
    if (rows > 0 && next != NULL &&
        overlaps(scrim_result_column_at(result, statement, column)->kind,
                 scrim_result_cell_at(result, statement, rows - 1, column), next))
        sc_output_format(output,
                         "ranks       place %zu is uncertain: the next row overlaps it; "
                         "without LIMIT it is shown, free of charge\n",
                         rows);
}

static void write_pairs(sc_output *output, const scrim_result *result, size_t statement,
                        size_t column)
{
    const scrim_output_kind kind =
        scrim_result_column_at(result, statement, column)->kind;
    const size_t rows = scrim_result_rows(result, statement);
    size_t undecided = 0;
    for (size_t row = 1; row < rows; row++) {
        undecided +=
            overlaps(kind, scrim_result_cell_at(result, statement, row - 1, column),
                     scrim_result_cell_at(result, statement, row, column));
    }
    if (undecided > 0)
        sc_output_format(output,
                         "ranks       the order of %zu of %zu pairs of neighbouring rows "
                         "is uncertain: their intervals overlap\n",
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

/* The column of that name or number; for an expression the first column of values that is sorted. The number of columns: not found. */
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
            is_value(scrim_result_column_at(result, s, column))) {
            write_pairs(output, result, s, column);
            write_last(output, result, s, column);
        }
    }
}

/* Taking labels. */

bool sc_sheet_note_take(sc_sheet_note *note, const scrim_answer *answer,
                        const char *const *labels)
{
    size_t place = 0;
    note->labels = NULL;
    if (labels == NULL)
        return true;
    note->labels = calloc(note->label_count + 1, sizeof *note->labels);
    if (note->labels == NULL)
        return false;
    for (size_t i = 0; i < note->label_count; i++)
        note->labels[i] = "";
    for (size_t i = 0; i < scrim_answer_count(answer); i++)
        if (sc_answer_label_place(answer, i, &place) && place < note->label_count)
            note->labels[place] = labels[place];
    return true;
}

/* Writing. */

static void put_line(FILE *text, const char *key, const char *value)
{
    if (value != NULL)
        fprintf(text, "%s %s\n", key, value);
}

char *sc_sheet_note_format(const sc_sheet_note *note)
{
    char *bytes = NULL;
    size_t count = 0;
    FILE *text = open_memstream(&bytes, &count);
    if (text == NULL)
        return NULL;
    put_line(text, "confidence", note->confidence);
    if (note->count > 0)
        fprintf(text, "count %zu\n", note->count);
    put_line(text, "name", note->name);
    put_line(text, "label-name", note->label_name);
    for (size_t i = 0; note->labels != NULL && i < note->label_count; i++)
        put_line(text, "label", note->labels[i]);
    bool failed = ferror(text) != 0;
    if (fclose(text) != 0 || failed) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* Reading. */

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

static void take_line(sc_sheet_note *note, const char *key, const char *value)
{
    if (strcmp(key, "confidence") == 0)
        note->confidence = value;
    else if (strcmp(key, "count") == 0)
        note->count = (size_t)strtoull(value, NULL, 10);
    else if (strcmp(key, "name") == 0)
        note->name = value;
    else if (strcmp(key, "label-name") == 0)
        note->label_name = value;
    else if (strcmp(key, "label") == 0)
        note->labels[note->label_count++] = value;
}

scrim_status sc_sheet_note_parse(const char *text, sc_sheet_note *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    out->confidence = SC_CONFIDENCE_USUAL;
    if (text == NULL)
        return SCRIM_OK;
    out->bytes = strdup(text);
    out->labels = calloc(count_lines(text) + 1, sizeof *out->labels);
    if (out->bytes == NULL || out->labels == NULL) {
        sc_sheet_note_clear(out);
        return sc_out_of_memory(error, "an answer");
    }
    for (char *line = out->bytes, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        char *space = strchr(line, ' ');
        if (space != NULL) {
            *space = '\0';
            take_line(out, line, space + 1);
        }
    }
    if (out->label_count == 0) {
        free(out->labels);
        out->labels = NULL;
    }
    return SCRIM_OK;
}

void sc_sheet_note_clear(sc_sheet_note *note)
{
    if (note->bytes != NULL)
        free(note->labels);
    free(note->bytes);
    memset(note, 0, sizeof *note);
}
