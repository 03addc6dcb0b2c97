/* Attacks on published numbers, on simulated people or on a public file: what an attacker learns from
 * answers without privacy, and from scrim's.
 *
 * No attack takes a vault. scrim's answers are real releases, each charged to a ledger in memory. The
 * numbers are for people: no guarantee depends on them.
 *
 * Claim  attack.succeeds  an attack on the unprotected target learns what its sentences say
 * Claim  attack.bounded   on scrim's releases no attack is better than the bound of their epsilon,
 *                         beyond the error of sampling
 */
#ifndef LAB_ATTACK_H
#define LAB_ATTACK_H

#include "lab/lab.h"

/* Findings: tables of text, each perhaps with a chart, and sentences. Attacks fill them; missing memory
 * is remembered and reported once, at the end. */
#define LAB_FINDINGS_TABLES 6
#define LAB_FINDINGS_COLUMNS 8
#define LAB_FINDINGS_CURVES 2

/* How a table is drawn: curves over the same points. */
typedef struct lab_findings_chart {
    const char *x_name, *y_name;
    bool is_log_x, is_log_y; /* the axis is logarithmic; else y is a percentage */
    const char *curves[LAB_FINDINGS_CURVES]; /* names; NULL if there are fewer */
} lab_findings_chart;

typedef struct lab_findings_table {
    const char *name, *heading;
    const char *columns[LAB_FINDINGS_COLUMNS];
    size_t column_count;
    char **cells; /* row by row */
    size_t cell_count;
    lab_findings_chart chart;
    size_t curve_count, point_count;
    double *x, *y[LAB_FINDINGS_CURVES]; /* x is ascending */
} lab_findings_table;

typedef struct lab_findings {
    lab_findings_table tables[LAB_FINDINGS_TABLES];
    size_t table_count;
    /* Sentences: what was attacked, what the attacker learns without privacy, what the attack needs, and
     * what stops it. */
    const char *target, *learnt, *cost, *stopped;
    char **texts; /* owned */
    size_t text_count;
    bool lacks_memory;
} lab_findings;

void lab_findings_clear(lab_findings *findings);
/* Begins a table; columns end with NULL. At most LAB_FINDINGS_TABLES tables. Names and headings are
 * constant text. */
void lab_findings_begin(lab_findings *findings, const char *name, const char *heading,
                        const char *const *columns);
/* Adds cells to the last table, one for each line: "%zu\n%.1f" adds two. */
__attribute__((format(printf, 2, 3))) void lab_findings_put(lab_findings *findings,
                                                            const char *format, ...);
/* The last table has a chart; and a point of all its curves. */
void lab_findings_draw(lab_findings *findings, const lab_findings_chart *chart);
void lab_findings_point(lab_findings *findings, double x, const double *y);
/* A sentence that lives as long as the findings. */
__attribute__((format(printf, 2, 3))) const char *
lab_findings_words(lab_findings *findings, const char *format, ...);

typedef struct lab_attack_options {
    /* Called now and then; may be NULL. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* For attacks on a public table: a CSV file with a header; the columns that the attacker knows,
     * "age,sex", at most 8; and the sensitive one. NULL: the columns age, sex, race, marital_status,
     * education and native_country, and occupation. */
    const char *file, *columns, *sensitive;
    /* The SHA-256 that the file must have, 64 hexadecimal digits; NULL: any file. */
    const char *digest;
    bool
        is_own; /* the file is the caller's, who names its columns; else it is the Adult data */
} lab_attack_options;

/* The means of an attack. */
typedef struct lab_attack_scene {
    lab_findings *found;
    lab_random *random;
    const lab_attack_options *options;
} lab_attack_scene;

/* A new attack is a constant of this type and a line of the list in attack.c. */
typedef struct lab_attack_kind {
    const char *name;    /* "reconstruct" */
    const char *summary; /* one line */
    const char *source;  /* authors, title, section */
    bool needs_file;     /* it attacks a public table, which the options name */
    bool takes_file;     /* or it may; needs_file need not say so */
    scrim_status (*run)(const lab_attack_scene *scene, scrim_error *error);
} lab_attack_kind;

extern const lab_attack_kind lab_attack_reconstruct, lab_attack_difference,
    lab_attack_average, lab_attack_float, lab_attack_membership, lab_attack_audit,
    lab_attack_link, lab_attack_k_anonymity, lab_attack_swap;

/* Index from 0; NULL past the last. */
const lab_attack_kind *lab_attack_kind_at(size_t index);
/* NULL if no attack has the name. */
const lab_attack_kind *lab_attack_kind_find(const char *name);

/* Runs an attack; the caller clears the findings, also after a failure. SCRIM_E_PARAM: an unknown
 * column, or a file that is missing or not needed. SCRIM_E_INPUT: the file cannot be read.
 * SCRIM_E_POLICY: it has another digest. SCRIM_E_ENTROPY, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status lab_attack_run(const lab_attack_kind *kind,
                                           const lab_attack_options *options,
                                           lab_findings *out, scrim_error *error);

#endif
