#include "cli/answer/statistic_list.h"

#include "cli/answer/answer_writer.h"
#include "cli/terminal/complaint.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS 5
#define NAME_BYTES 128
#define STATISTICS_MAX 64

/* A row, and what its cells lie in. */
typedef struct statistic_row {
    char name[NAME_BYTES];
    union {
        scrim_statistic statistic;
        scrim_separator separator;
    } found;
    const char *cells[COLUMNS];
    char *set; /* of the support; owned, NULL for others */
} statistic_row;

typedef struct statistic_list {
    statistic_row *rows;
    size_t count;
} statistic_list;

static const char *outcome_text(scrim_outcome outcome, const char *value)
{
    switch (outcome) {
    case SCRIM_OUTCOME_EMPTY:
        return "EMPTY";
    case SCRIM_OUTCOME_NOT_SEPARABLE:
        return "NOT_SEPARABLE";
    case SCRIM_OUTCOME_VALUE:
        break;
    }
    return value;
}

static scrim_status find_separator(const scrim_histogram *histogram, statistic_row *row,
                                   scrim_error *error)
{
    scrim_separator *s = &row->found.separator;
    scrim_status status = scrim_histogram_separator(histogram, s, error);
    if (status != SCRIM_OK)
        return status;
    if (s->outcome == SCRIM_OUTCOME_VALUE) { /* "4;2>=14": where the label is +1 */
        const size_t used = strlen(s->normal), more = strlen(s->offset);
        if (used + more + 3 > sizeof s->normal)
            return sc_complaint_fill(error, SCRIM_E_LIMIT, "separator: it is too long");
        memcpy(s->normal + used, ">=", 2);
        memcpy(s->normal + used + 2, s->offset, more + 1);
    }
    row->cells[1] = outcome_text(s->outcome, s->normal);
    row->cells[2] = s->dropped_most;
    row->cells[3] = "unbounded";
    row->cells[4] = s->statement;
    return SCRIM_OK;
}

/* The centres of all buckets that are shown, in the unit of the data: "0.1 0.3 0.5". */
static scrim_status list_centres(const scrim_answer *answer, statistic_row *row,
                                 scrim_error *error)
{
    const size_t count = scrim_answer_count(answer);
    size_t bytes = 1;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(scrim_answer_label(answer, i)) + 1;
    row->set = malloc(bytes);
    if (row->set == NULL)
        return sc_out_of_memory(error, "statistics");
    char *at = row->set;
    for (size_t i = 0; i < count; i++) {
        const char *centre = scrim_answer_label(answer, i);
        const size_t more = strlen(centre);
        if (i > 0)
            *at++ = ' ';
        memcpy(at, centre, more);
        at += more;
    }
    *at = '\0';
    row->cells[1] = row->set;
    return SCRIM_OK;
}

static scrim_status find(const scrim_histogram *histogram, const scrim_answer *answer,
                         statistic_row *row, scrim_error *error)
{
    row->cells[0] = row->name;
    if (strcmp(row->name, "separator") == 0)
        return find_separator(histogram, row, error);
    scrim_statistic *s = &row->found.statistic;
    scrim_status status = scrim_histogram_statistic(histogram, row->name, s, error);
    if (status != SCRIM_OK)
        return status;
    const bool has_triple = s->certificate.form == SCRIM_CERTIFICATE_FLEXIBLE;
    row->cells[1] = outcome_text(s->outcome, s->value);
    row->cells[2] = s->dropped_most;
    row->cells[3] = !has_triple                      ? ""
                    : s->certificate.beta[0] == '\0' ? "unbounded"
                                                     : s->certificate.beta;
    row->cells[4] = s->statement;
    return s->outcome == SCRIM_OUTCOME_VALUE && strcmp(row->name, "support") == 0
               ? list_centres(answer, row, error)
               : SCRIM_OK;
}

static void free_list(statistic_list *list)
{
    for (size_t i = 0; list->rows != NULL && i < list->count; i++)
        free(list->rows[i].set);
    free(list->rows);
}

/* The names between the commas. */
static scrim_status cut_names(const char *list, statistic_list *out, scrim_error *error)
{
    out->rows = calloc(STATISTICS_MAX, sizeof *out->rows);
    if (out->rows == NULL)
        return sc_out_of_memory(error, "statistics");
    for (const char *at = list; at != NULL;) {
        const size_t bytes = strcspn(at, ",");
        if (out->count == STATISTICS_MAX || bytes >= NAME_BYTES)
            return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                     "--statistic: at most %d names, each of less than "
                                     "%d bytes",
                                     STATISTICS_MAX, NAME_BYTES);
        memcpy(out->rows[out->count++].name, at, bytes);
        at = at[bytes] == ',' ? at + bytes + 1 : NULL;
    }
    return SCRIM_OK;
}

static scrim_status make_list(const scrim_measurement *measurement,
                              const scrim_answer *answer, const char *list,
                              statistic_list *out, scrim_error *error)
{
    scrim_histogram *histogram = NULL;
    scrim_status status = scrim_histogram_new(measurement, answer, &histogram, error);
    if (status == SCRIM_OK)
        status = cut_names(list, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < out->count; i++)
        status = find(histogram, answer, &out->rows[i], error);
    scrim_histogram_free(histogram);
    return status;
}

scrim_status sc_statistic_list_check(const scrim_measurement *measurement,
                                     const char *list, scrim_error *error)
{
    scrim_answer *nothing = NULL;
    statistic_list made = {.rows = NULL};
    /* A question about no bars at all is one about any. */
    scrim_status status = scrim_answer_parse(measurement, "", 0, &nothing, error);
    if (status == SCRIM_OK)
        status = make_list(measurement, nothing, list, &made, error);
    free_list(&made);
    scrim_answer_free(nothing);
    return status;
}

scrim_status sc_statistic_list_write(sc_output *output,
                                     const scrim_measurement *measurement,
                                     const sc_answer_sheet *sheet, const char *list,
                                     sc_format format, const sc_terminal *terminal,
                                     scrim_error *error)
{
    static const sc_listing_column columns[COLUMNS] = {{.name = "statistic"},
                                                       {.name = "value"},
                                                       {.name = "left_out"},
                                                       {.name = "within"},
                                                       {.name = "statement"}};
    sc_listing listing = SC_LISTING(columns, output, format, terminal);
    statistic_list made = {.rows = NULL};
    scrim_status status = make_list(measurement, sheet->answer, list, &made, error);
    if (status == SCRIM_OK) {
        listing.is_marked = true;
        sc_json *json = sc_listing_open(&listing);
        if (json != NULL)
            sc_json_text(json, "measurement", sheet->measurement);
        for (size_t i = 0; i < made.count; i++)
            sc_listing_add(&listing, made.rows[i].cells);
        sc_listing_end_rows(&listing);
        if (json != NULL)
            sc_answer_facts_json(json, sheet);
        status = sc_listing_close(&listing, SCRIM_OK, error);
    }
    free_list(&made);
    return status;
}
