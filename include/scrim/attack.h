/* Attacks on published numbers, on simulated data: what is learnt from answers without privacy, and
 * from scrim's.
 *
 *     scrim_attack *attack = NULL;
 *     scrim_attack_facts facts;
 *     scrim_error error;
 *     if (scrim_attack_run("difference", NULL, &attack, &error) != SCRIM_OK) {
 *         fputs(error.message, stderr);
 *     } else {
 *         scrim_attack_describe(attack, &facts);
 *         puts(facts.learnt);
 *     }
 *     scrim_attack_free(attack);
 *
 * These functions take no ledger and no vault: people are simulated, or rows of a public file. Answers
 * of scrim are real releases, each charged to a ledger in memory. The numbers are for people: no guarantee depends on them.
 *
 * Claim  attack.succeeds  an attack on the unprotected target learns what its sentences say
 * Claim  attack.bounded   on scrim's releases no attack is better than the bound of their epsilon,
 *                         beyond the error of sampling
 */
#ifndef SCRIM_ATTACK_H
#define SCRIM_ATTACK_H

#include "scrim/status.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The attacks. Constant text. */
typedef struct scrim_attack_kind {
    const char *name;    /* "reconstruct" */
    const char *summary; /* one line */
    const char *source;  /* authors, title, section */
    int needs_file;      /* it attacks a public table, which options name */
} scrim_attack_kind;

/* Index from 0; NULL past the last. */
SCRIM_API const scrim_attack_kind *scrim_attack_kind_at(size_t index);

typedef struct scrim_attack_options {
    size_t size; /* set by SCRIM_OPTIONS */
    /* Called now and then by the calling thread; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* For attacks on a public table: a CSV file with a header, never a protected dataset; the columns
     * that the attacker knows, "age,sex", at most 8; and the sensitive one. NULL: the columns age, sex,
     * race, marital_status, education and native_country, and occupation. */
    const char *file, *columns, *sensitive;
    /* The SHA-256 that the file must have, 64 hexadecimal digits, where only one table is public; NULL:
     * any file. */
    const char *digest;
} scrim_attack_options;

typedef struct scrim_attack scrim_attack;

/* Runs an attack. options may be NULL; the caller frees the result. SCRIM_E_PARAM: an unknown name or
 * column; a file is missing or not needed. SCRIM_E_INPUT: the file cannot be read. SCRIM_E_POLICY: it
 * has another digest. SCRIM_E_ENTROPY, SCRIM_E_LIMIT, SCRIM_E_MEMORY. out is untouched on failure. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_attack_run(const char *name, const scrim_attack_options *options,
                 scrim_attack **out, scrim_error *error);
/* NULL is allowed. */
SCRIM_API void scrim_attack_free(scrim_attack *attack);

/* In words. Texts live as long as the handle. */
typedef struct scrim_attack_facts {
    const char *name;
    const char *target;  /* what was attacked */
    const char *learnt;  /* what the attacker learnt without privacy */
    const char *cost;    /* what the attack needs */
    const char *stopped; /* what stops it, with the measured numbers */
    const char *source;
} scrim_attack_facts;
SCRIM_API void scrim_attack_describe(const scrim_attack *attack, scrim_attack_facts *out);

/* An attack has tables, each with a name, a heading, columns and rows of text; and perhaps a
 * chart: curves over the same points. */
typedef struct scrim_attack_table {
    const char *name;    /* "noise" */
    const char *heading; /* one line */
    size_t columns, rows;
    const char *x_name, *y_name; /* of the chart; NULL: there is none */
    int is_log_x, is_log_y;      /* the axis is logarithmic; else y is a percentage */
    size_t points, curves;
    const double *x; /* ascending */
} scrim_attack_table;

/* Returns 1, or 0 past the last table. */
SCRIM_API int scrim_attack_table_at(const scrim_attack *attack, size_t index,
                                    scrim_attack_table *out);
/* NULL past the last column or row. */
SCRIM_API const char *scrim_attack_column_at(const scrim_attack *attack, size_t table,
                                             size_t column);
SCRIM_API const char *scrim_attack_cell_at(const scrim_attack *attack, size_t table,
                                           size_t row, size_t column);
/* The values of a curve, with its name; NULL past the last. */
SCRIM_API const double *scrim_attack_curve_at(const scrim_attack *attack, size_t table,
                                              size_t curve, const char **name);

#ifdef __cplusplus
}
#endif

#endif
