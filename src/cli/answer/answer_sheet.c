#include "cli/answer/answer_sheet.h"

#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The subject of an answer. */

sc_answer_subject sc_answer_subject_of(const scrim_answer *answer)
{
    if (scrim_answer_count(answer) == 0)
        return SCRIM_ANSWER_OF_NUMBERS;
    switch (scrim_answer_kind_at(answer, 0)) {
    case SCRIM_ANSWER_INDEX:
        return SCRIM_ANSWER_OF_CHOICES;
    case SCRIM_ANSWER_BELOW:
    case SCRIM_ANSWER_ABOVE:
    case SCRIM_ANSWER_ABOVE_VALUE:
        return SCRIM_ANSWER_OF_QUERIES;
    case SCRIM_ANSWER_VALUE:
    case SCRIM_ANSWER_NONE:
        break;
    }
    return SCRIM_ANSWER_OF_NUMBERS;
}

bool sc_answer_has_intervals(const sc_answer_sheet *sheet)
{
    return sheet->certificate->form == SCRIM_CERTIFICATE_INTERVAL ||
           sheet->certificate->form == SCRIM_CERTIFICATE_RANGE ||
           sheet->certificate->form == SCRIM_CERTIFICATE_DROP ||
           (sheet->certificate->form == SCRIM_CERTIFICATE_FLEXIBLE &&
            sheet->certificate->radius[0] != '\0') ||
           sheet->certificate->value_radius[0] != '\0';
}

/* Which rows are shown. */

scrim_status sc_answer_rows_new(const sc_answer_sheet *sheet, size_t **out, size_t *count,
                                scrim_error *error)
{
    const size_t all = scrim_answer_count(sheet->answer);
    size_t kept = 0;
    *out = NULL;
    for (size_t i = 0; i < all; i++)
        kept += scrim_answer_is_kept(sheet->answer, i) != 0;
    if (sheet->labels == NULL || kept == all)
        return SCRIM_OK;
    *out = calloc(kept + 1, sizeof **out);
    if (*out == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory to show the answer");
    *count = 0;
    for (size_t i = 0; i < all; i++)
        if (scrim_answer_is_kept(sheet->answer, i) != 0)
            (*out)[(*count)++] = i;
    return SCRIM_OK;
}

size_t sc_answer_row_count(const sc_answer_sheet *sheet)
{
    return sheet->rows == NULL ? scrim_answer_count(sheet->answer) : sheet->row_count;
}

size_t sc_answer_row_index(const sc_answer_sheet *sheet, size_t row)
{
    return sheet->rows == NULL ? row : sheet->rows[row];
}

bool sc_answer_label_place(const scrim_answer *answer, size_t index, size_t *out)
{
    int64_t chosen = 0;
    if (scrim_answer_is_kept(answer, index) == 0)
        return false;
    *out = index;
    if (scrim_answer_kind_at(answer, index) != SCRIM_ANSWER_INDEX)
        return true;
    const bool is_place =
        scrim_answer_integer(answer, index, &chosen) != 0 && chosen >= 0;
    *out = (size_t)chosen;
    return is_place;
}

/* Before the values of the input there is one of them all. */
static bool has_size(const sc_answer_sheet *sheet)
{
    return sheet->source != NULL &&
           strcmp(scrim_measurement_mechanism(sheet->source)->name,
                  "private-size-stlap") == 0;
}

/* A size and the counts behind it: its name, and theirs, or which of them it is. */
static const char *label_behind_size(const sc_answer_sheet *sheet, size_t index,
                                     char number[SC_ANSWER_NUMBER_BYTES])
{
    if (index == 0)
        return "size";
    if (sheet->labels != NULL)
        return index <= sheet->label_count ? sheet->labels[index - 1] : NULL;
    snprintf(number, SC_ANSWER_NUMBER_BYTES, "%zu", index);
    return number;
}

/* The label of a value: what it belongs to by the measurement, else that of the candidate chosen,
 * else that of its own place, where the answer has one for each. */
static const char *label_of(const sc_answer_sheet *sheet, size_t index,
                            char number[SC_ANSWER_NUMBER_BYTES])
{
    size_t count = scrim_answer_count(sheet->answer);
    size_t place = 0;
    if (scrim_answer_label_name(sheet->answer) != NULL)
        return scrim_answer_label(sheet->answer, index);
    if (has_size(sheet))
        return label_behind_size(sheet, index, number);
    if (sheet->labels == NULL || !sc_answer_label_place(sheet->answer, index, &place) ||
        place >= sheet->label_count)
        return NULL;
    return sc_answer_subject_of(sheet->answer) == SCRIM_ANSWER_OF_NUMBERS &&
                   count != sheet->label_count
               ? NULL
               : sheet->labels[place];
}

void sc_answer_row_get(const sc_answer_sheet *sheet, size_t index, sc_answer_row *out)
{
    scrim_error error;
    out->kind = scrim_answer_kind_at(sheet->answer, index);
    out->label = label_of(sheet, index, out->number);
    out->value = scrim_answer_text(sheet->answer, index);
    out->has_interval = scrim_answer_interval(sheet->answer, index, sheet->certificate,
                                              out->low, out->high, &error) == SCRIM_OK;
    if (!out->has_interval)
        out->low[0] = out->high[0] = '\0';
}

/* Values may differ in their accuracy: the interval knows. */
static double radius_at(const sc_answer_sheet *sheet, size_t index, double value)
{
    char low[SCRIM_ANSWER_BYTES], high[SCRIM_ANSWER_BYTES];
    const double radius = sc_number_view(sheet->certificate->radius);
    if (scrim_answer_interval(sheet->answer, index, sheet->certificate, low, high,
                              NULL) != SCRIM_OK)
        return radius;
    const double found = sc_number_view(high) - value;
    return found < radius ? found : radius;
}

bool sc_answer_bar(const sc_answer_sheet *sheet, size_t index, bool is_filled,
                   sc_error_bar *out)
{
    scrim_answer_kind kind = scrim_answer_kind_at(sheet->answer, index);
    if (kind != SCRIM_ANSWER_VALUE && kind != SCRIM_ANSWER_ABOVE_VALUE)
        return false;
    double value = scrim_answer_double(sheet->answer, index);
    const scrim_certificate *certificate = sheet->certificate;
    const double own = certificate->value_radius[0] == '\0'
                           ? 0
                           : sc_number_view(certificate->value_radius);
    /* A value that was only dropped is never shown too large, but for noise behind it. */
    const bool is_dropped = certificate->form == SCRIM_CERTIFICATE_DROP ||
                            certificate->form == SCRIM_CERTIFICATE_FLEXIBLE;
    double radius = is_dropped ? 0 : own;
    if ((is_dropped || radius == 0) && sc_answer_has_intervals(sheet))
        radius = radius_at(sheet, index, value);
    const double below = is_dropped ? own : radius;
    *out = (sc_error_bar){.low = value - below,
                          .value = value,
                          .high = value + radius,
                          .is_filled = is_filled};
    return isfinite(out->low) && isfinite(out->high);
}

/* Columns. */

static void add_column(sc_answer_columns *columns, sc_answer_column kind,
                       const char *name, const char *suffix)
{
    columns->kinds[columns->count] = kind;
    snprintf(columns->names[columns->count], sizeof columns->names[0], "%s%s", name,
             suffix);
    columns->count++;
}

static bool has_labels(const sc_answer_sheet *sheet)
{
    if (scrim_answer_label_name(sheet->answer) != NULL || has_size(sheet))
        return true;
    return sheet->labels != NULL &&
           (sc_answer_subject_of(sheet->answer) != SCRIM_ANSWER_OF_NUMBERS ||
            scrim_answer_count(sheet->answer) == sheet->label_count);
}

static const char *name_or(const char *name, const char *otherwise)
{
    return name == NULL || name[0] == '\0' ? otherwise : name;
}

void sc_answer_columns_get(const sc_answer_sheet *sheet, sc_answer_columns *out)
{
    sc_answer_subject subject = sc_answer_subject_of(sheet->answer);
    const char *name = name_or(sheet->name, "value");
    const char *label = scrim_answer_label_name(sheet->answer);
    if (label == NULL)
        label = name_or(sheet->label_name, "label");
    out->count = 0;
    if (subject == SCRIM_ANSWER_OF_CHOICES)
        add_column(out, SCRIM_COLUMN_INDEX, "index", "");
    if (has_labels(sheet))
        add_column(out, SCRIM_COLUMN_LABEL, label, "");
    if (subject == SCRIM_ANSWER_OF_CHOICES)
        return;
    if (subject == SCRIM_ANSWER_OF_QUERIES)
        add_column(out, SCRIM_COLUMN_ANSWER, "answer", "");
    add_column(out, SCRIM_COLUMN_VALUE, name, "");
    if (sc_answer_has_intervals(sheet)) {
        add_column(out, SCRIM_COLUMN_LOW, name, "_low");
        add_column(out, SCRIM_COLUMN_HIGH, name, "_high");
    }
}

const char *sc_answer_cell(const sc_answer_row *row, sc_answer_column column)
{
    switch (column) {
    case SCRIM_COLUMN_INDEX:
        return row->value;
    case SCRIM_COLUMN_LABEL:
        return row->label == NULL ? "" : row->label;
    case SCRIM_COLUMN_ANSWER:
        return row->kind == SCRIM_ANSWER_BELOW ? "below" : "above";
    case SCRIM_COLUMN_VALUE:
        return row->kind == SCRIM_ANSWER_BELOW || row->kind == SCRIM_ANSWER_ABOVE
                   ? ""
                   : row->value;
    case SCRIM_COLUMN_LOW:
        return row->low;
    case SCRIM_COLUMN_HIGH:
        break;
    }
    return row->high;
}
