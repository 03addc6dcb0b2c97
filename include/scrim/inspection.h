/* What of a dataset's source is not as its policy declares it: for the owner of the vault alone.
 *
 *     scrim_inspection inspection;
 *     if (scrim_vault_inspect(vault, "adult", NULL, &inspection, &error) == SCRIM_OK) {
 *         for (size_t i = 0; i < inspection.count; i++)
 *             puts(scrim_finding_name(inspection.lines[i].finding));
 *         scrim_inspection_clear(&inspection);
 *     }
 *
 * This is the one function that counts rows and shows the counts as they are: SENSITIVE. No budget
 * pays for it, and nothing of it is written anywhere; whoever shows it says what it is. No value
 * is in it: counts, names of columns, and numbers of rows.
 */
#ifndef SCRIM_INSPECTION_H
#define SCRIM_INSPECTION_H

#include "scrim/vault.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scrim_finding {
    /* Of the table. */
    SCRIM_FINDING_CHANGED = 1, /* the file is not the one whose version was declared */
    SCRIM_FINDING_ROWS,        /* all there are; a blank line is none */
    SCRIM_FINDING_COUNTED,     /* rows that count, whatever is asked */
    SCRIM_FINDING_FIELDS,      /* rows with another number of fields than the header */
    SCRIM_FINDING_BROKEN, /* rows with a quote out of place, or too long (scrim-dataset(1)) */
    SCRIM_FINDING_NO_UNIT,   /* rows without a unit */
    SCRIM_FINDING_LONG_UNIT, /* rows whose unit has more than 4,096 bytes */
    SCRIM_FINDING_UNITS,
    SCRIM_FINDING_MOST_ROWS, /* of one unit */
    SCRIM_FINDING_OVER,      /* units with more rows than max-rows */
    /* Of a column. */
    SCRIM_FINDING_READABLE,   /* also what is moved or rounded then */
    SCRIM_FINDING_MISSING,    /* nothing is there */
    SCRIM_FINDING_UNREADABLE, /* not of the declared type */
    SCRIM_FINDING_NOT_UTF8,   /* or with a byte of 0 */
    SCRIM_FINDING_TOO_LONG,   /* more than 4,096 bytes */
    SCRIM_FINDING_BELOW,      /* the declared range */
    SCRIM_FINDING_ABOVE,
    SCRIM_FINDING_ROUNDED,   /* to the declared step */
    SCRIM_FINDING_OTHER_KEY, /* none of the declared public keys */
    /* Values that are not read as the cells are declared, and would be in another form. */
    SCRIM_FINDING_DECIMAL_COMMA, /* numbers, where a point is declared */
    SCRIM_FINDING_DECIMAL_POINT, /* numbers, where a comma is declared */
    SCRIM_FINDING_OTHER_DATE     /* dates of another format than the declared one */
} scrim_finding;

/* "below-range"; "unknown" for a value that is none. Never NULL. */
SCRIM_API const char *scrim_finding_name(scrim_finding finding);

#define SCRIM_INSPECTED_ROWS 5
#define SCRIM_COLUMN_BYTES 129

typedef struct scrim_inspected {
    scrim_finding finding;
    char column[SCRIM_COLUMN_BYTES]; /* "": of the table */
    uint64_t count;
    int is_right; /* no row is dropped and no value changed because of it, but for values that are
                   * not there and for rounding to the step */
    /* What becomes of it, in a word: "dropped", the row; "null", the value or all values of the
     * row, but for those with a default; "default", which stands for it; "clamped" to the range;
     * "rounded"; "ungrouped", in
     * no group of the column; "bounded", of each unit max-rows rows in a group; "refused", every
     * question until the new contents are declared. "": nothing. */
    const char *effect;
    /* The first rows where it is so, in order. In a CSV file the header is row 1 and blank lines
     * are counted, so that a row is a line where records end as lines do; in a database the
     * first row is 1. */
    uint64_t rows[SCRIM_INSPECTED_ROWS];
    size_t row_count;
} scrim_inspected;

typedef struct scrim_inspection {
    uint64_t version; /* of the dataset */
    int is_right;     /* all lines are */
    scrim_inspected *lines;
    size_t count;
} scrim_inspection;

typedef struct scrim_inspect_options {
    size_t size; /* set by SCRIM_OPTIONS */
    /* Called now and then, by the thread that asked, with the bytes of the file that were read, and
     * how many there are; never for a stream. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    unsigned workers; /* threads; 0: one a processor */
} scrim_inspect_options;

/* Reads all of the source. Those lines are there whose count is not 0, and ROWS, COUNTED, UNITS,
 * MOST_ROWS and each column's READABLE always; units are spoken of where they are a column.
 * options may be NULL. SCRIM_E_POLICY for all but the owner, SCRIM_E_PARAM when there is no such
 * dataset or it has no source, SCRIM_E_INPUT when the source cannot be used. What out holds is
 * freed, and wiped, by scrim_inspection_clear. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_inspect(
    scrim_vault *vault, const char *dataset, const scrim_inspect_options *options,
    scrim_inspection *out, scrim_error *error);
SCRIM_API void scrim_inspection_clear(scrim_inspection *inspection);

/* What bounds of a contribution keep, for the owner's choice of max-groups and max-rows: SENSITIVE
 * as the lines above. One choice of both, for COUNT(*) or for SUM of a column of numbers.
 *
 *     scrim_bound_choices choices;
 *     if (scrim_vault_bound_choices(vault, "orders",
 *                                   SCRIM_OPTIONS(scrim_bound_options, .epsilon = "1"),
 *                                   &choices, &error) == SCRIM_OK) {
 *         for (size_t i = 0; i < choices.count; i++)
 *             if (choices.choices[i].is_best)
 *                 printf("%llu\n", (unsigned long long)choices.choices[i].max_rows);
 *         scrim_bound_choices_clear(&choices);
 *     }
 *
 * A bound that was chosen by it is chosen with sight of the data, which no epsilon covers. */
typedef struct scrim_bound_choice {
    char column[SCRIM_COLUMN_BYTES]; /* "": COUNT(*) */
    uint64_t max_groups, max_rows;
    double kept;  /* the share of the rows, or of the sum, that is kept on average */
    double bias;  /* what is missing of one group's number then */
    double noise; /* standard deviation of Laplace noise at epsilon; 0 without one */
    double error; /* the root of bias^2 + noise^2; 0 without an epsilon */
    int is_best;  /* the smallest error of this column */
} scrim_bound_choice;

typedef struct scrim_bound_choices {
    uint64_t version; /* of the dataset; 0 of a policy */
    scrim_bound_choice *choices;
    size_t count;
} scrim_bound_choices;

typedef struct scrim_bound_options {
    size_t size; /* set by SCRIM_OPTIONS */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    unsigned workers;
    const char *by;      /* the columns of GROUP BY, separated by commas; NULL: none */
    const char *epsilon; /* of one number; NULL: no noise is told */
} scrim_bound_options;

/* Reads all of the source. Bounds go from 1 to the first that keeps everything. options may be NULL.
 * SCRIM_E_POLICY for all but the owner; SCRIM_E_PARAM where each row is a unit, there is no such
 * dataset or column, or the epsilon is none; SCRIM_E_INPUT when the source cannot be used. What out
 * holds is freed, and wiped, by scrim_bound_choices_clear. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_bound_choices(
    scrim_vault *vault, const char *dataset, const scrim_bound_options *options,
    scrim_bound_choices *out, scrim_error *error);
/* The same for a policy that is about to be declared; its bounds may be missing. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_policy_bound_choices(const char *policy, const scrim_bound_options *options,
                           scrim_bound_choices *out, scrim_error *error);
SCRIM_API void scrim_bound_choices_clear(scrim_bound_choices *choices);

/* Rows that are made up from the policy alone, to try tools on: a CSV file in the declared form, which
 * the same policy can read. It opens no source, needs no right to the data and costs nothing. write is
 * called with one line after another, the header first, and returns SCRIM_OK to go on. What write or
 * the random bits fail with; SCRIM_E_PARAM for a dataset that is none. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_mock(scrim_vault *vault, const char *dataset, uint64_t rows,
                 scrim_status (*write)(void *context, const char *bytes, size_t count,
                                       scrim_error *error),
                 void *context, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
