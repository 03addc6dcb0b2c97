#include "lab/attack/attack.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_BYTES 1024

/* Findings. */

void lab_findings_clear(lab_findings *findings)
{
    for (size_t i = 0; i < findings->table_count; i++) {
        lab_findings_table *table = &findings->tables[i];
        for (size_t k = 0; k < table->cell_count; k++)
            free(table->cells[k]);
        free(table->cells);
        free(table->x);
        for (size_t c = 0; c < LAB_FINDINGS_CURVES; c++)
            free(table->y[c]);
    }
    for (size_t i = 0; i < findings->text_count; i++)
        free(findings->texts[i]);
    free(findings->texts);
    memset(findings, 0, sizeof *findings);
}

static lab_findings_table *last_table(lab_findings *findings)
{
    return &findings->tables[findings->table_count - 1];
}

static size_t copy_names(const char *const *from, const char **to, size_t most)
{
    size_t count = 0;
    while (count < most && from[count] != NULL) {
        to[count] = from[count];
        count++;
    }
    return count;
}

void lab_findings_begin(lab_findings *findings, const char *name, const char *heading,
                        const char *const *columns)
{
    findings->table_count++;
    lab_findings_table *table = last_table(findings);
    table->name = name;
    table->heading = heading;
    table->column_count = copy_names(columns, table->columns, LAB_FINDINGS_COLUMNS);
}

/* Appends a copy of a text to a list. Lists are short: each text enlarges them by one. */
static const char *append_text(lab_findings *findings, char ***list, size_t *count,
                               const char *text, size_t bytes)
{
    char *copy = strndup(text, bytes);
    char **longer = copy == NULL ? NULL : realloc(*list, (*count + 1) * sizeof **list);
    if (longer == NULL) {
        free(copy);
        findings->lacks_memory = true;
        return "";
    }
    *list = longer;
    longer[(*count)++] = copy;
    return copy;
}

const char *lab_findings_words(lab_findings *findings, const char *format, ...)
{
    char text[WORDS_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return append_text(findings, &findings->texts, &findings->text_count, text,
                       strlen(text));
}

void lab_findings_put(lab_findings *findings, const char *format, ...)
{
    lab_findings_table *table = last_table(findings);
    char text[WORDS_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *cell = text;; cell++) {
        const size_t bytes = strcspn(cell, "\n");
        (void)append_text(findings, &table->cells, &table->cell_count, cell, bytes);
        cell += bytes;
        if (*cell == '\0')
            break;
    }
}

void lab_findings_draw(lab_findings *findings, const lab_findings_chart *chart)
{
    lab_findings_table *table = last_table(findings);
    table->chart = *chart;
    while (table->curve_count < LAB_FINDINGS_CURVES &&
           chart->curves[table->curve_count] != NULL)
        table->curve_count++;
}

static bool append_number(double **list, size_t count, double number)
{
    double *longer = realloc(*list, (count + 1) * sizeof **list);
    if (longer == NULL)
        return false;
    longer[count] = number;
    *list = longer;
    return true;
}

void lab_findings_point(lab_findings *findings, double x, const double *y)
{
    lab_findings_table *table = last_table(findings);
    bool has_room = append_number(&table->x, table->point_count, x);
    for (size_t c = 0; c < table->curve_count && has_room; c++)
        has_room = append_number(&table->y[c], table->point_count, y[c]);
    table->point_count += has_room;
    findings->lacks_memory |= !has_room;
}

/* Attacks. */

static const lab_attack_kind *const attacks[] = {
    &lab_attack_reconstruct, &lab_attack_difference,
    &lab_attack_average,     &lab_attack_float,
    &lab_attack_membership,  &lab_attack_audit,
    &lab_attack_link,        &lab_attack_k_anonymity,
    &lab_attack_swap,        NULL};

const lab_attack_kind *lab_attack_kind_at(size_t index)
{
    size_t i = 0;
    while (i < index && attacks[i] != NULL)
        i++;
    return attacks[i];
}

const lab_attack_kind *lab_attack_kind_find(const char *name)
{
    size_t i = 0;
    while (attacks[i] != NULL && strcmp(attacks[i]->name, name) != 0)
        i++;
    return attacks[i];
}

static scrim_status check_file(const lab_attack_kind *kind,
                               const lab_attack_options *options, scrim_error *error)
{
    if (kind->needs_file && options->file == NULL)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "file",
                            "the attack '%s' needs a public table", kind->name);
    if (kind->takes_file && options->columns == NULL && options->sensitive == NULL)
        return SCRIM_OK;
    if (kind->takes_file)
        return lab_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "columns",
                            "the attack '%s' uses all columns of its table; leave "
                            "columns out",
                            kind->name);
    if (!kind->needs_file &&
        (options->file != NULL || options->columns != NULL || options->sensitive != NULL))
        return lab_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "file",
            "the attack '%s' makes its own people; it takes no table and no columns",
            kind->name);
    return SCRIM_OK;
}

scrim_status lab_attack_run(const lab_attack_kind *kind,
                            const lab_attack_options *options, lab_findings *out,
                            scrim_error *error)
{
    lab_attack_scene scene = {.found = out, .options = options};
    memset(out, 0, sizeof *out);
    scrim_status status = check_file(kind, options, error);
    if (status == SCRIM_OK)
        status = lab_random_open(&scene.random, error);
    if (status == SCRIM_OK)
        status = kind->run(&scene, error);
    /* Attacks do not look at each simulated number: one check before anything is shown. */
    if (status == SCRIM_OK)
        status = lab_random_check(scene.random, error);
    if (status == SCRIM_OK && out->lacks_memory)
        status = lab_fail(error, SCRIM_E_MEMORY, "out of memory for an attack");
    lab_random_close(scene.random);
    return status;
}
