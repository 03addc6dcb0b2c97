/* Compares a dataset's source with its policy, for the owner of the vault only.
 *
 *     scrim_inspection inspection;
 *     if (scrim_vault_inspect(vault, "adult", NULL, &inspection, &error) == SCRIM_OK) {
 *         for (size_t i = 0; i < inspection.count; i++)
 *             puts(scrim_finding_name(inspection.lines[i].finding));
 *         scrim_inspection_clear(&inspection);
 *     }
 *
 * The result is SENSITIVE: it has exact counts of rows, without noise and without a charge. Nothing
 * of it is stored. Mark it as SENSITIVE wherever you show it. It contains no values: only counts,
 * names of columns, and numbers of rows.
 */
#ifndef SCRIM_INSPECTION_H
#define SCRIM_INSPECTION_H

#include "scrim/vault.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scrim_finding {
    /* Findings about the table. */
    SCRIM_FINDING_CHANGED = 1, /* the file is not the one of the declared version */
    SCRIM_FINDING_ROWS,        /* all rows; blank lines are not rows */
    SCRIM_FINDING_COUNTED,     /* rows that count in every query */
    SCRIM_FINDING_FIELDS,      /* rows with another number of fields than the header */
    SCRIM_FINDING_BROKEN,      /* misplaced quote, or too long (scrim-dataset(1)) */
    SCRIM_FINDING_NO_UNIT,     /* rows without a unit */
    SCRIM_FINDING_LONG_UNIT,   /* rows whose unit has more than 4,096 bytes */
    SCRIM_FINDING_UNITS,
    SCRIM_FINDING_MOST_ROWS, /* of one unit */
    SCRIM_FINDING_OVER,      /* units with more rows than max-rows */
    /* Findings about a column. */
    SCRIM_FINDING_READABLE,   /* includes values that are then clamped or rounded */
    SCRIM_FINDING_MISSING,    /* no value */
    SCRIM_FINDING_UNREADABLE, /* not of the declared type */
    SCRIM_FINDING_NOT_UTF8,   /* or with a byte of 0 */
    SCRIM_FINDING_TOO_LONG,   /* more than 4,096 bytes */
    SCRIM_FINDING_BELOW,      /* the declared range */
    SCRIM_FINDING_ABOVE,
    SCRIM_FINDING_ROUNDED,   /* to the declared step */
    SCRIM_FINDING_OTHER_KEY, /* not a declared public key */
    /* Values that cannot be read as declared, but could be in another form. */
    SCRIM_FINDING_DECIMAL_COMMA, /* numbers with a comma, while a point is declared */
    SCRIM_FINDING_DECIMAL_POINT, /* numbers with a point, while a comma is declared */
    SCRIM_FINDING_OTHER_DATE     /* dates in another format than the declared one */
} scrim_finding;

/* "below-range"; "unknown" for any other value. Never NULL. */
SCRIM_API const char *scrim_finding_name(scrim_finding finding);

#define SCRIM_INSPECTED_ROWS 5
#define SCRIM_COLUMN_BYTES 129
#define SCRIM_TOTAL_BYTES 200
#define SCRIM_DATE_FORMATS_BYTES 64

typedef struct scrim_inspected {
    scrim_finding finding;
    char column[SCRIM_COLUMN_BYTES]; /* "": about the table */
    int is_bool;                     /* the column is declared so */
    uint64_t count;
    /* no row is dropped and no value is changed because of it, except missing values,
     * rounding to the step and the declared bound of rows per unit */
    int is_right;
    /* For DECIMAL_COMMA, DECIMAL_POINT and OTHER_DATE: declaring the other form would read
     * more cells of the dataset than the declared one does. */
    int reads_more;
    /* How queries treat it: "dropped" (the row), "null" (the value, or all values
     * of the row that have no default), "default", "clamped" to the range, "rounded",
     * "ungrouped" (in no group of the column), "bounded" (max-rows rows of each unit
     * in a group), "refused" (every query, until the new contents are declared). "":
     * nothing. */
    const char *effect;
    /* The first such rows, in order. In a CSV file the header is row 1 and blank lines
     * are counted; in a database and in a frame the first row is 1. */
    uint64_t rows[SCRIM_INSPECTED_ROWS];
    size_t row_count;
    /* For SCRIM_FINDING_OTHER_DATE: the formats that read all of these cells, such as "D.M.YYYY" or
     * "D/M/YYYY or M/D/YYYY"; "" if no format does. If reads_more, only those that read more
     * cells of the dataset than the declared one. */
    char date_formats[SCRIM_DATE_FORMATS_BYTES];
    /* For SCRIM_FINDING_OTHER_KEY: cells c of which LOWER(TRIM(c)) is that of a public key, so that a
     * query by LOWER(TRIM(column)) has them in a group. */
    uint64_t folded;
    /* For SCRIM_FINDING_UNREADABLE: cells without a digit, which may be words for a missing value. */
    uint64_t words;
} scrim_inspected;

typedef struct scrim_inspection {
    uint64_t version; /* of the dataset */
    int is_right;     /* all lines are right */
    scrim_inspected *lines;
    size_t count;
    /* rows are numbered as the lines of a text file, in which a cell with line breaks is one
     * line; else as the rows of a database */
    int counts_lines;
} scrim_inspection;

typedef struct scrim_inspect_options {
    size_t size; /* set by SCRIM_OPTIONS */
    /* Called now and then, by the calling thread, with the bytes read so far and the
     * size of the file; never for a stream. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    unsigned workers; /* threads; 0: one per processor */
    /* The rows (scrim/feed.h); NULL: those of the source. Its version is not used. */
    const struct scrim_frame *frame;
    /* Called now and then, with the context, by the calling thread while it reads rows: any value but 0 ends it
     * with SCRIM_E_STATE, SCRIM_REASON_CANCELLED. NULL: it is never ended. */
    int (*is_cancelled)(void *context);
} scrim_inspect_options;

/* Reads the whole source. The result has the findings whose count is not 0, and always
 * ROWS, COUNTED, UNITS, MOST_ROWS and READABLE of each column; UNITS and MOST_ROWS
 * only if the unit is a column. options may be NULL. SCRIM_E_POLICY: not the owner.
 * SCRIM_E_PARAM: unknown dataset, or no source. SCRIM_E_INPUT: the source cannot be
 * used. scrim_inspection_clear frees and wipes what out holds. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_inspect(
    scrim_vault *vault, const char *dataset, const scrim_inspect_options *options,
    scrim_inspection *out, scrim_error *error);
SCRIM_API void scrim_inspection_clear(scrim_inspection *inspection);

/* How many people can be told apart by which columns: SENSITIVE like the lines above.
 *
 *     scrim_risk risk;
 *     if (scrim_vault_risk(vault, "adult", SCRIM_OPTIONS(scrim_risk_options, .columns = "age,sex"),
 *                          &risk, &error) == SCRIM_OK) {
 *         for (size_t i = 0; i < risk.count; i++)
 *             printf("%s: %llu of %llu people\n", risk.sets[i].columns,
 *                    (unsigned long long)risk.sets[i].unique, (unsigned long long)risk.people);
 *         scrim_risk_clear(&risk);
 *     }
 *
 * A class is all rows with the same values in a set of columns, as they stand in the source; a missing
 * value is a value too. */
#define SCRIM_RISK_COLUMNS 8

typedef struct scrim_risk_set {
    /* Names, separated by commas. */
    char columns[SCRIM_RISK_COLUMNS * SCRIM_COLUMN_BYTES];
    size_t column_count;
    uint64_t set;    /* bit i: the column i of those that were asked for */
    uint64_t unique; /* people with a class of their own */
    uint64_t k;      /* fewest people in a class */
    uint64_t classes;
    /* With a sensitive column. */
    uint64_t l;       /* fewest of its values in a class */
    double t;         /* largest total variation distance of a class from all rows */
    uint64_t certain; /* people with a class that has one value alone */
} scrim_risk_set;

typedef struct scrim_risk {
    uint64_t version; /* of the dataset */
    uint64_t people, rows;
    int has_sensitive;
    /* sets[n]: of all sets of n + 1 columns the one that leaves most people unique. */
    scrim_risk_set sets[SCRIM_RISK_COLUMNS];
    size_t count;
} scrim_risk;

typedef struct scrim_risk_options {
    size_t size; /* set by SCRIM_OPTIONS */
    /* Called now and then with the bytes read so far and the size of the file. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* Columns that others may know of a person, separated by commas, at most SCRIM_RISK_COLUMNS; NULL: all
     * declared columns but the sensitive one. */
    const char *columns;
    const char *sensitive; /* what nobody is to learn of a person; NULL: none */
    /* As in scrim_inspect_options. */
    const struct scrim_frame *frame;
    int (*is_cancelled)(void *context);
} scrim_risk_options;

/* Reads the whole source, or the frame. Rows that cannot be read, and rows of nobody, are left out. options may be NULL.
 * SCRIM_E_POLICY: not the owner. SCRIM_E_PARAM: unknown dataset or column, more than SCRIM_RISK_COLUMNS, or no
 * source. SCRIM_E_INPUT: the source cannot be used. scrim_risk_clear wipes out. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_risk(scrim_vault *vault,
                                                       const char *dataset,
                                                       const scrim_risk_options *options,
                                                       scrim_risk *out,
                                                       scrim_error *error);
SCRIM_API void scrim_risk_clear(scrim_risk *risk);

/* How much each choice of contribution bounds keeps, for the owner's choice of max-groups and
 * max-rows, or of max-total: SENSITIVE like the lines above. One choice, for COUNT(*) or for SUM of a
 * column.
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
 * A bound that is chosen by this table depends on the data, and epsilon does not cover that. */
typedef struct scrim_bound_choice {
    char column[SCRIM_COLUMN_BYTES]; /* "": COUNT(*) */
    uint64_t max_groups, max_rows;   /* max_rows is 0 where max_total is the bound */
    double kept;  /* the fraction of the rows, or of what people add, that is kept */
    double bias;  /* how much the number of one group loses by it, on average */
    double noise; /* standard deviation of Laplace noise at epsilon; 0 without one */
    double error; /* square root of bias^2 + noise^2; 0 without an epsilon */
    int is_best;  /* the smallest error of this column */
    /* The bound of a person's total in a group, as max-total takes it: "500" or "-100,500". "":
     * max_rows is the bound. */
    char max_total[SCRIM_TOTAL_BYTES];
    int is_declared; /* max_total is the declared one */
    /* For COUNT(*): the fraction of these rows that a question without groups keeps, since max_rows
     * is a bound per group. */
    double kept_without_groups;
    double whole; /* all rows, or all that people add to the sum, without signs */
    /* The fraction that is kept where rows are chosen: a sum by itself clamps the total of
     * max_rows rows instead, but not one beside other numbers, nor by a total of rows of
     * several groups. */
    double kept_chosen;
} scrim_bound_choice;

#define SCRIM_TYPICAL_BYTES (2 * SCRIM_COLUMN_BYTES + 64)

/* A question that an owner can expect, and how a total of rows of a unit (max-total-rows) serves it. Errors are
 * those of a group of mean size, as fractions of its number. */
typedef struct scrim_typical_question {
    char text[SCRIM_TYPICAL_BYTES]; /* "SUM(amount) by region" */
    uint64_t groups;                /* that it has */
    uint64_t best_total;            /* the total with the smallest error for this one */
    double best_error;
    /* with the total that is proposed for all of them */
    double kept;  /* of the rows, or of what people add */
    double noise; /* standard deviation */
    double error; /* square root of (1 - kept)^2 + noise^2 */
} scrim_typical_question;

typedef struct scrim_bound_choices {
    uint64_t version; /* of the dataset; 0 for a policy */
    scrim_bound_choice *choices;
    size_t count;
    /* Declared columns of which no cell can be read, although there are rows: their sums say
     * nothing. */
    char (*unread)[SCRIM_COLUMN_BYTES];
    size_t unread_count;
    /* Keys of by that may be NULL, which is a group of its own; long ones are cut. */
    char (*nullable)[SCRIM_COLUMN_BYTES];
    size_t nullable_count;
    /* Rows with a key of by that is not on its list of public keys. They are in no group, and
     * no choice counts them. */
    uint64_t ungrouped;
    /* Without by and with an epsilon: COUNT(*) and the sums, of all rows and by each column of at most 1000
     * public keys; dates by month. The order is that of the aggregates. */
    scrim_typical_question *typical;
    size_t typical_count;
    /* The total for all of them. How many times a question's error is its best_error, both at most 1, is the question's
     * regret: this total has the smallest largest one. 0: there is no such question. */
    uint64_t proposed_total;
} scrim_bound_choices;

typedef struct scrim_bound_options {
    size_t size; /* set by SCRIM_OPTIONS */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    unsigned workers;
    /* The keys that questions group by, separated by commas: columns, or expressions of the query language
     * such as MONTH(day); NULL: all rows are one group. */
    const char *by;
    const char *epsilon; /* of one number; NULL: no noise */
    /* As in scrim_inspect_options. */
    const struct scrim_frame *frame;
} scrim_bound_options;

/* Reads the whole source, or the frame. Bounds go from 1 to the first that keeps everything; max_groups is
 * never more than the number of public groups. For each
 * max_groups a sum also has the declared max-total, and with an epsilon the one of 1, 2, 3,
 * 4, 5, 10, 20, ... steps with the smallest error. options may be NULL. SCRIM_E_POLICY: not the owner. SCRIM_E_PARAM: each row is a unit,
 * unknown dataset or column, a timestamp in by (each second would be a group), a wrong epsilon;
 * of by also what scrim_plan_new returns for such a GROUP BY. SCRIM_E_INPUT: the source cannot be
 * used. scrim_bound_choices_clear frees and wipes what out holds. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_bound_choices(
    scrim_vault *vault, const char *dataset, const scrim_bound_options *options,
    scrim_bound_choices *out, scrim_error *error);
/* The same for a policy that is not declared yet; its bounds may be missing. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_policy_bound_choices(const char *policy, const scrim_bound_options *options,
                           scrim_bound_choices *out, scrim_error *error);
SCRIM_API void scrim_bound_choices_clear(scrim_bound_choices *choices);

/* Made-up rows, from the policy alone, to try tools on: a CSV file in the declared
 * form, which the same policy can read. It opens no source, needs no right to the data
 * and costs nothing. write is called with one line after another, the header first;
 * any status but SCRIM_OK stops it. SCRIM_E_PARAM: unknown dataset; else the status of
 * write or of the random bits. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_mock(scrim_vault *vault, const char *dataset, uint64_t rows,
                 scrim_status (*write)(void *context, const char *bytes, size_t count,
                                       scrim_error *error),
                 void *context, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
