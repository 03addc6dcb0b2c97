#include "attack/attacks.h"

#include "attack/attack_kind.h"
#include "base/text.h"
#include "model/option_struct.h"
#include "random/bits_system.h"

#include <stdio.h>
#include <string.h>

static const sc_attack_kind *const attacks[] = {
    &sc_attack_reconstruct, &sc_attack_difference, &sc_attack_average,
    &sc_attack_float,       &sc_attack_membership, &sc_attack_audit,
    &sc_attack_link,        &sc_attack_k_anonymity};

/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
enum { ATTACKS = sizeof attacks / sizeof *attacks };
#define NAME_BYTES 16 /* of a name and what stands before it in a list */

struct scrim_attack {
    const sc_attack_kind *kind;
    sc_findings findings;
};

const scrim_attack_kind *scrim_attack_kind_at(size_t index)
{
    return index < ATTACKS ? &attacks[index]->shown : NULL;
}

static scrim_status find_kind(const char *name, const sc_attack_kind **out,
                              scrim_error *error)
{
    const char *names[ATTACKS];
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_text text = sc_text_of(name);
    for (size_t i = 0; i < ATTACKS; i++) {
        names[i] = attacks[i]->shown.name;
        if (name != NULL && strcmp(name, names[i]) == 0) {
            *out = attacks[i];
            return SCRIM_OK;
        }
    }
    const char *nearest = sc_text_nearest(text, names, ATTACKS);
    sc_text_quote(text, quote);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "attack",
                           "unknown attack '%s'; did you mean '%s'?", quote, nearest);
    char list[ATTACKS * NAME_BYTES] = "";
    for (size_t i = 0; i < ATTACKS; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s",
                 i == 0             ? ""
                 : i + 1 == ATTACKS ? " or "
                                    : ", ",
                 names[i]);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "attack",
                       "unknown attack '%s'; use %s. A dataset cannot be attacked", quote,
                       list);
}

static scrim_status check_file(const sc_attack_kind *kind,
                               const scrim_attack_options *options, scrim_error *error)
{
    if (kind->shown.needs_file && options->file == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "file",
                           "the attack '%s' needs a public table", kind->shown.name);
    if (!kind->shown.needs_file &&
        (options->file != NULL || options->columns != NULL || options->sensitive != NULL))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "file",
                           "the attack '%s' makes its own people; it takes no table and "
                           "no columns",
                           kind->shown.name);
    return SCRIM_OK;
}

scrim_status sc_attack_run(const char *name, const scrim_attack_options *options,
                           const sc_attack_noise *noise, scrim_attack **out,
                           scrim_error *error)
{
    scrim_attack_options own;
    const sc_attack_kind *kind = attacks[0];
    scrim_status status =
        sc_option_struct_copy(options, sizeof own.size, &own, sizeof own, error);
    if (status == SCRIM_OK)
        status = find_kind(name, &kind, error);
    if (status == SCRIM_OK)
        status = check_file(kind, &own, error);
    if (status != SCRIM_OK)
        return status;
    scrim_attack *attack = sc_allocate(1, sizeof *attack);
    if (attack == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for an attack");
    attack->kind = kind;
    sc_findings_init(&attack->findings);
    const sc_attack_scene scene = {&attack->findings, *noise, &own};
    status = kind->run(&scene, error);
    if (status == SCRIM_OK && attack->findings.lacks_memory)
        status = sc_fail(error, SCRIM_E_MEMORY, "out of memory for an attack");
    if (status == SCRIM_OK)
        *out = attack;
    else
        scrim_attack_free(attack);
    return status;
}

scrim_status scrim_attack_run(const char *name, const scrim_attack_options *options,
                              scrim_attack **out, scrim_error *error)
{
    sc_attack_noise noise = {0};
    scrim_status status = sc_bits_system_open(&noise.bits, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_attack_run(name, options, &noise, out, error);
    sc_bits_system_close(noise.bits);
    return status;
}

void scrim_attack_free(scrim_attack *attack)
{
    if (attack == NULL)
        return;
    sc_findings_clear(&attack->findings);
    sc_free(attack);
}

void scrim_attack_describe(const scrim_attack *attack, scrim_attack_facts *out)
{
    const sc_findings *f = &attack->findings;
    *out = (scrim_attack_facts){.name = attack->kind->shown.name,
                                .target = f->target,
                                .learnt = f->learnt,
                                .cost = f->cost,
                                .stopped = f->stopped,
                                .source = attack->kind->shown.source};
}

static const sc_findings_table *table_of(const scrim_attack *attack, size_t index)
{
    return index < attack->findings.table_count ? &attack->findings.tables[index] : NULL;
}

int scrim_attack_table_at(const scrim_attack *attack, size_t index,
                          scrim_attack_table *out)
{
    const sc_findings_table *table = table_of(attack, index);
    if (table == NULL)
        return 0;
    *out = (scrim_attack_table){.name = table->name,
                                .heading = table->heading,
                                .columns = table->column_count,
                                .rows = table->cell_count / table->column_count,
                                .x_name = table->x_name,
                                .y_name = table->y_name,
                                .is_log_x = table->is_log_x,
                                .is_log_y = table->is_log_y,
                                .points = table->point_count,
                                .curves = table->curve_count,
                                .x = table->x};
    return 1;
}

const char *scrim_attack_column_at(const scrim_attack *attack, size_t table,
                                   size_t column)
{
    const sc_findings_table *t = table_of(attack, table);
    return t == NULL || column >= t->column_count ? NULL : t->columns[column];
}

const char *scrim_attack_cell_at(const scrim_attack *attack, size_t table, size_t row,
                                 size_t column)
{
    const sc_findings_table *t = table_of(attack, table);
    if (t == NULL || column >= t->column_count || row >= t->cell_count / t->column_count)
        return NULL;
    return t->cells[row * t->column_count + column];
}

const double *scrim_attack_curve_at(const scrim_attack *attack, size_t table,
                                    size_t curve, const char **name)
{
    const sc_findings_table *t = table_of(attack, table);
    if (t == NULL || curve >= t->curve_count)
        return NULL;
    *name = t->curves[curve];
    return t->y[curve];
}
