/* Reconstruction of a published table of one's own: counts, medians and means of groups. */
#include "lab/attack/attack_scene.h"
#include "lab/attack/public_table.h"
#include "lab/attack/reconstruct.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTRIBUTES 3
#define LIMIT 1000000 /* people lists that are counted */

/* A table is a CSV file with a row for each group: up to three columns with up to two values each, empty
 * for all; then count, and perhaps median and mean of the ages, empty where they are not published. */
typedef struct own_table {
    lab_public_table file;
    const lab_public_column *attributes[ATTRIBUTES], *count, *median, *mean;
    size_t attribute_count;
    int people;
    lab_block_statistic statistics[LAB_BLOCK_STATISTICS];
} own_table;

static const char *cell_of(const lab_public_column *column, size_t row)
{
    return column == NULL ? "" : column->values[column->codes[row]];
}

static scrim_status fail_form(scrim_error *error)
{
    return lab_fail_for(
        error, SCRIM_E_INPUT, SCRIM_REASON_SYNTAX, "file",
        "the table must have 1 to %d rows and the columns count, perhaps median and "
        "mean, and up to %d others with at most two values each; empty: all people, or "
        "not published. One row counts all people, at most %d",
        LAB_BLOCK_STATISTICS, ATTRIBUTES, LAB_BLOCK_MOST);
}

static scrim_status find_columns(own_table *t, scrim_error *error)
{
    for (size_t i = 0; i < t->file.column_count; i++) {
        const lab_public_column *column = &t->file.columns[i];
        if (strcmp(column->name, "count") == 0)
            t->count = column;
        else if (strcmp(column->name, "median") == 0)
            t->median = column;
        else if (strcmp(column->name, "mean") == 0)
            t->mean = column;
        else if (t->attribute_count < ATTRIBUTES && column->value_count <= 3)
            t->attributes[t->attribute_count++] = column;
        else
            return fail_form(error);
    }
    return t->count == NULL || t->file.rows > LAB_BLOCK_STATISTICS ? fail_form(error)
                                                                   : SCRIM_OK;
}

/* The types of a group: bit i of a type is the second value of attribute i. */
static unsigned types_of(const own_table *t, size_t row, bool *is_everybody)
{
    unsigned mask = 0, type = 0;
    for (size_t i = 0; i < t->attribute_count; i++) {
        const uint32_t code = t->attributes[i]->codes[row];
        mask |= code == 0 ? 0 : 1U << i;
        type |= code == 2 ? 1U << i : 0;
    }
    *is_everybody = mask == 0;
    return lab_block_types(mask, type);
}

static bool read_number(const char *text, double most, double *out, double *half)
{
    char *end = NULL;
    const char *point = strchr(text, '.');
    *out = strtod(text, &end);
    *half = point == NULL ? 0.5 : 0.5 * pow(10, -(double)strlen(point + 1));
    return end != text && *end == '\0' && *out >= 0 && *out <= most;
}

/* A mean is rounded to its last digit; a median is exact. */
static scrim_status read_row(own_table *t, size_t row, scrim_error *error)
{
    double count = 0, median = 0, mean = 0, half = 0;
    lab_block_statistic *s = &t->statistics[row];
    bool is_everybody = false;
    const char *counted = cell_of(t->count, row), *middle = cell_of(t->median, row),
               *average = cell_of(t->mean, row);
    *s = (lab_block_statistic){.types = types_of(t, row, &is_everybody),
                               .count_high = t->people,
                               .sum_high = t->people * LAB_BLOCK_OLDEST,
                               .doubled_median = -1};
    if (*counted == '\0')
        return *middle == '\0' && *average == '\0' ? SCRIM_OK : fail_form(error);
    if (!read_number(counted, t->people, &count, &half) || count != floor(count))
        return fail_form(error);
    s->count_low = s->count_high = (int)count;
    if (*middle != '\0') {
        if (!read_number(middle, LAB_BLOCK_OLDEST, &median, &half) || count == 0 ||
            2 * median != floor(2 * median))
            return fail_form(error);
        s->doubled_median = (int)(2 * median);
    }
    if (*average != '\0') {
        if (!read_number(average, LAB_BLOCK_OLDEST, &mean, &half))
            return fail_form(error);
        s->sum_low = (int)fmax(0, ceil((mean - half) * count - 1e-9));
        s->sum_high = (int)floor((mean + half) * count + 1e-9);
    }
    return SCRIM_OK;
}

static scrim_status read_own(const char *path, own_table *t, scrim_error *error)
{
    scrim_status status = lab_public_table_read(path, NULL, &t->file, error);
    if (status == SCRIM_OK)
        status = find_columns(t, error);
    for (size_t row = 0; row < t->file.rows && status == SCRIM_OK; row++) {
        bool is_everybody = false;
        double people = 0, half = 0;
        (void)types_of(t, row, &is_everybody);
        if (is_everybody &&
            read_number(cell_of(t->count, row), LAB_BLOCK_MOST, &people, &half))
            t->people = (int)people;
    }
    if (status == SCRIM_OK && t->people == 0)
        status = fail_form(error);
    for (size_t row = 0; row < t->file.rows && status == SCRIM_OK; row++)
        status = read_row(t, row, error);
    return status;
}

static const char *name_row(lab_findings *found, const own_table *t, size_t row)
{
    char words[200] = "";
    size_t at = 0;
    for (size_t i = 0; i < t->attribute_count && at < sizeof words; i++)
        if (t->attributes[i]->codes[row] != 0)
            at += (size_t)snprintf(words + at, sizeof words - at, "%s%.60s",
                                   at == 0 ? "" : " ", cell_of(t->attributes[i], row));
    return lab_findings_words(found, "%s", at == 0 ? "all" : words);
}

static void count_lists(const lab_attack_scene *scene, own_table *t,
                        lab_block_found *last)
{
    lab_findings *found = scene->found;
    lab_findings_begin(
        found, "statistics", "lists of people that agree with the table so far",
        (const char *const[]){"rows", "group", "count", "median", "mean", "lists", NULL});
    for (size_t rows = 1; rows <= t->file.rows; rows++) {
        const lab_block_question question = {t->statistics, rows, t->people, 0,
                                             1U << t->attribute_count};
        lab_block_find(&question, LIMIT, last);
        lab_findings_put(found, "%zu\n%s\n%s\n%s\n%s", rows, name_row(found, t, rows - 1),
                         cell_of(t->count, rows - 1), cell_of(t->median, rows - 1),
                         cell_of(t->mean, rows - 1));
        if (last->is_complete)
            lab_findings_put(found, "%" PRIu64, last->count);
        else
            lab_findings_put(found, "over %" PRIu64, last->count);
        lab_attack_tell(scene, rows, t->file.rows);
    }
}

static void show_people(lab_findings *found, const own_table *t,
                        const lab_block_found *list)
{
    const char *columns[ATTRIBUTES + 2] = {"age"};
    for (size_t i = 0; i < t->attribute_count; i++)
        columns[i + 1] = lab_findings_words(found, "%s", t->attributes[i]->name);
    lab_findings_begin(found, "people",
                       list->count == 1 ? "the one list that is left"
                                        : "the first of the lists that are left",
                       columns);
    for (int i = 0; i < t->people && list->count > 0; i++) {
        lab_findings_put(found, "%d", list->first[i].age);
        for (size_t k = 0; k < t->attribute_count; k++) {
            const lab_public_column *column = t->attributes[k];
            const size_t code = (list->first[i].type >> k & 1) + 1;
            lab_findings_put(found, "%s",
                             code < column->value_count ? column->values[code] : "other");
        }
    }
}

static void conclude(lab_findings *found, const own_table *t, const lab_block_found *list)
{
    found->target =
        lab_findings_words(found, "a published table about %d people", t->people);
    if (list->is_complete && list->count == 0)
        found->learnt = "No list of people agrees with the table: it has an error, or "
                        "noise.";
    else if (list->is_complete && list->count == 1)
        found->learnt = lab_findings_words(
            found,
            "One list agrees with the table: the age and the groups of all %d "
            "people.",
            t->people);
    else
        found->learnt = lab_findings_words(
            found, "%s%" PRIu64 " lists of people agree with the table.",
            list->is_complete ? "" : "Over ", list->count);
    found->cost = "the published statistics and a search of seconds";
    found->stopped = "One epsilon for all statistics together, as in 'scrim attack "
                     "reconstruct' without a file.";
}

scrim_status lab_attack_own_table(const lab_attack_scene *scene, scrim_error *error)
{
    lab_block_found last = {0};
    own_table *t = lab_allocate(1, sizeof *t);
    if (t == NULL)
        return lab_attack_no_memory(error);
    const scrim_status status = read_own(scene->options->file, t, error);
    if (status == SCRIM_OK) {
        count_lists(scene, t, &last);
        show_people(scene->found, t, &last);
        conclude(scene->found, t, &last);
    }
    lab_public_table_clear(&t->file);
    free(t);
    return status;
}
