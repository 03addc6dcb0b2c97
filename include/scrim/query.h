/* Questions in SQL: planned, charged, answered.
 *
 *     scrim_plan *plan = NULL;
 *     scrim_result *result = NULL;
 *     scrim_plan_output output;
 *     const char *query = "SELECT sex, COUNT(*), AVG(age) GROUP BY sex";
 *     if (scrim_plan_new(vault, "adult", &query, 1,
 *                        SCRIM_OPTIONS(scrim_query_options, .epsilon = "0.5"), &plan, NULL,
 *                        &error) != SCRIM_OK ||
 *         scrim_plan_output_at(plan, 0, 1, &output, &error) != SCRIM_OK ||  // expected error, free
 *         scrim_query_run(vault, plan, &result, &error) != SCRIM_OK)        // charges and answers
 *         fputs(error.message, stderr);
 *     else
 *         printf("%s, expected +-%s\n", scrim_result_cell_at(result, 0, 0, 1)->value, output.error);
 *     scrim_result_free(result);
 *     scrim_plan_free(plan);
 *
 * scrim-query(5) is the language. A plan opens no data and spends nothing. The same question
 * (the same tokens and options) about the same version of a dataset is answered from the ledger,
 * free of charge.
 */
#ifndef SCRIM_QUERY_H
#define SCRIM_QUERY_H

#include "scrim/vault.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers are exact text. */
typedef struct scrim_query_options {
    size_t size;         /* set by SCRIM_OPTIONS */
    const char *epsilon; /* this or target_error */
    const char *delta;   /* NULL: 0; what needs one is refused without */
    /* The half-width, in the unit of the column and at the confidence, that the worst output is to
     * have: the smallest epsilon that is enough is found. "5%" is that part of the value. The value
     * is private, so that its size must be public: the rows, mean and deviation in expect, or the
     * smallest value that the range of the column allows; else it is refused (SCRIM_REASON_MISSING,
     * "expect"). */
    const char *target_error;
    const char *confidence; /* of intervals; NULL: 0.95 */
    /* Public guesses that errors are predicted at: the rows in a group, and of columns the mean and
     * the deviation, as in "300,age=38.6:13.6"; NULL: 1000 rows. Means lie half way from the centre
     * of the range to an end, deviations are a quarter of its radius, where nothing is said. */
    const char *expect;
    const char
        *mechanism;   /* "laplace" or "gaussian" for numbers; NULL: the smaller error */
    unsigned workers; /* 0: one a processor */
    size_t memory_bytes; /* 0: a quarter of 2^30 */
    /* Called by one thread now and then with how much of the source was read, in parts of total.
     * The size of the source is not told. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_query_options;

typedef struct scrim_plan scrim_plan;

/* Room for two lines: the line of the query where it is refused, and carets under the place. */
#define SCRIM_CARET_BYTES 400

/* A plan for count queries that are charged together; one query is a batch of one. caret, of
 * SCRIM_CARET_BYTES, may be NULL; it is "" where there is no place to show, and refused says which
 * of the queries it is.
 * SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT for a query or option that is wrong, SCRIM_E_POLICY
 * for what is not on the allow-list. */
typedef struct scrim_caret {
    size_t query;
    char text[SCRIM_CARET_BYTES];
} scrim_caret;
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_plan_new(scrim_vault *vault, const char *dataset, const char *const *queries,
               size_t count, const scrim_query_options *options, scrim_plan **out,
               scrim_caret *caret, scrim_error *error);
SCRIM_API void scrim_plan_free(scrim_plan *plan); /* NULL is allowed */

/* Facts of a plan. Texts live as long as the plan. */
typedef struct scrim_plan_facts {
    const char *dataset;
    uint64_t version;
    const char *question; /* the text that is charged */
    const char *unit;     /* the column, or "row" */
    scrim_neighbours neighbours;
    const char *epsilon, *delta;     /* as asked for, or found for the target */
    const char *confidence, *expect; /* expect: the rows */
    scrim_cost cost; /* of all parts: the sum, in (epsilon, delta) and rho */
    scrim_cost of_two,
        of_four; /* the same for groups of 2 and 4 units; "" where nothing is left */
    /* In the unit of the population's account: */
    const char *account_unit;
    char amount[SCRIM_NUMBER_BYTES], amount_delta[SCRIM_NUMBER_BYTES];
    char left[SCRIM_NUMBER_BYTES], left_delta[SCRIM_NUMBER_BYTES]; /* before it */
    char after[SCRIM_NUMBER_BYTES],
        after_delta[SCRIM_NUMBER_BYTES]; /* "" when it does not fit */
    char quantum[SCRIM_NUMBER_BYTES]; /* seconds at whose multiples it is answered; "" */
    /* The release by which asking is free: it has answered this question already, or it is charged
     * for it and waits for its answer; 0: none. */
    uint64_t repeats;
    size_t statements;
    int is_joint; /* amount is what all parts cost jointly, less than the sum in cost */
    const char
        *guesses;   /* "age=38.6:13.6": what was expected of columns; "" for nothing */
    int is_pending; /* repeats has no answer yet: asking again finishes it */
    scrim_remainder remainder; /* before it; left is the smaller of its parts */
} scrim_plan_facts;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_describe(scrim_vault *vault,
                                                          const scrim_plan *plan,
                                                          scrim_plan_facts *out,
                                                          scrim_error *error);

typedef struct scrim_plan_statement {
    const char *text;   /* of the query */
    const char *keys;   /* "none", "public" or "discovered" */
    uint64_t key_count; /* of public ones */
    uint64_t max_groups, max_rows;
    size_t outputs, parts, choices;
    /* What is done to rows before anything is drawn, each step with how many rows one row becomes
     * at most: "clamp 1, filter 1, group 1, together 1". */
    const char *operations;
    /* Which rows of a unit the answer will be about: "at most 5 rows per customer are used; rows beyond
     * are not in these numbers"; "" where each row is a unit. */
    const char *kept;
    /* That most likely no group is shown, and what to do; "" where that is not so. */
    const char *caution;
    /* That a literal or pattern fits none of the keys that are listed for its column; "". */
    const char *unlisted;
} scrim_plan_statement;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_statement_at(const scrim_plan *plan,
                                                              size_t statement,
                                                              scrim_plan_statement *out,
                                                              scrim_error *error);

/* A column of the answer. */
typedef struct scrim_plan_output {
    const char *name;
    int is_key;
    const char *aggregate;  /* "AVG"; "expression" of several; NULL for a key */
    const char *low, *high; /* the public range of a value, where there is one; else "" */
    /* Half of the interval that is to be expected; "" for keys, and where it cannot be known. */
    const char *error;
    /* The error of a count or sum against what expect makes of it, or of any column against its
     * reference; else "". */
    const char *relative;
    const char *certificate; /* what scrim_result_column will say; "" where it has none */
    const char *flexible; /* the same as numbers: "dropped=1998 beta=0 gamma=0 ..."; "" */
    /* That it would tell nothing, since none is shown or the error is as large as what there is to
     * know, or of a key that groups are not what they seem; and what to do; "". */
    const char *caution;
    int is_certain; /* its error is WITH RANGE: the interval will hold with certainty */
    int is_unknown; /* it reads a quantile of a column of which no deviation was guessed: its error
                     * depends on how far values are apart, which is private */
    int is_range; /* a key whose values are all of its declared range, low to high: each is
                   * shown, and the ends also hold values beyond them */
    /* With a relative target: what it is a part of, "the 300 rows that are expected"; else "". */
    const char *reference;
    /* Of a quantile: how many rows it is off at most, as a number, and in words, with between which
     * quantiles it then is. This holds for every table; error is in the unit of the column. Else "". */
    const char *rank_error, *ranks;
} scrim_plan_output;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_output_at(const scrim_plan *plan,
                                                           size_t statement,
                                                           size_t output,
                                                           scrim_plan_output *out,
                                                           scrim_error *error);

/* A number that is drawn for every group, or the selection of keys. */
typedef struct scrim_plan_part {
    const char *what; /* "rows", "values of age", "sum of age", "totals of age", "keys" */
    const char *measurement; /* its line */
    const char *share;       /* of epsilon, a fraction */
    uint64_t copies;         /* draws that one unit can change */
    scrim_cost cost;         /* of all of them */
    const char *scale; /* the standard deviation of its noise in the column's unit; "" */
    const char
        *step; /* what 1 is in the measurement, in the column's unit: "1", "0.01" */
    /* WITH RANGE: how far the truth is at most, how often there is no range, and what the other
     * mechanism would have: "within 14 steps always; 14 by range"; else "". */
    const char *range;
    /* Why it is drawn by itself: "income may be missing; a default ..."; or of a sum whose totals are
     * bounded, whether the bound of totals or of rows was taken; else "". */
    const char *note;
} scrim_plan_part;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_part_at(const scrim_plan *plan,
                                                         size_t statement, size_t part,
                                                         scrim_plan_part *out,
                                                         scrim_error *error);

/* A way to choose discovered keys. */
typedef struct scrim_plan_choice {
    const char *measurement;
    uint64_t half; /* units of a group that is kept with probability 1/2, */
    uint64_t most; /* and 0.95 */
    int is_chosen;
    scrim_cost cost; /* of the selection */
    /* Where COUNT(DISTINCT unit) is asked for: are its noisy counts the answer? Else the line of
     * what draws units besides, "" where nothing does, and what that costs besides. */
    int shows_units;
    const char *units;
    scrim_cost units_cost;
    const char *reason; /* why it was chosen; "" where it was not */
} scrim_plan_choice;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_choice_at(const scrim_plan *plan,
                                                           size_t statement,
                                                           size_t choice,
                                                           scrim_plan_choice *out,
                                                           scrim_error *error);

/* Answers. */

typedef struct scrim_result scrim_result;

/* Charges the plan, reads the data, draws, records and only then answers; or, where the question
 * was answered before, repeats that answer. SCRIM_E_INPUT when the source cannot be used or is not
 * that of the version, SCRIM_E_BUDGET: nothing was charged. What fails after the charge leaves it,
 * and its message says "release N is charged and has no answer"; the same question again is then
 * finished at no further charge. Of any number of processes and threads that ask the same question
 * at once one is charged, and all get the same answer. No value of a row is ever an error. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_query_run(scrim_vault *vault,
                                                      const scrim_plan *plan,
                                                      scrim_result **out,
                                                      scrim_error *error);
/* A past answer again, free; confidence may be another one (NULL: as it was first shown).
 * SCRIM_E_PARAM when the release is none of a query, or the confidence is none. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_query_replay(scrim_vault *vault, uint64_t id,
                                                         const char *confidence,
                                                         scrim_result **out,
                                                         scrim_error *error);
SCRIM_API void scrim_result_free(scrim_result *result); /* NULL is allowed */

/* Texts live as long as the result. */
typedef struct scrim_result_facts {
    uint64_t release;
    uint64_t time;   /* of the release; 0: not known */
    int is_repeated; /* the answer was in the ledger already: nothing was charged */
    const char *dataset;
    uint64_t version;
    const char *confidence;
    scrim_cost cost;
    size_t statements;
    /* Of one unit (the column, or "row") at most so many groups, and rows in each, count: in the
     * statement that has most. */
    const char *unit;
    uint64_t max_groups, max_rows;
} scrim_result_facts;
SCRIM_API void scrim_result_describe(const scrim_result *result, scrim_result_facts *out);

SCRIM_API const char *scrim_result_text(const scrim_result *result, size_t statement);
/* Which rows of a unit its numbers are about: "at most 5 rows per customer were used; rows beyond are not
 * in these numbers". By the policy and the question alone; "" where each row is a unit. */
SCRIM_API const char *scrim_result_kept(const scrim_result *result, size_t statement);
SCRIM_API size_t scrim_result_columns(const scrim_result *result, size_t statement);
SCRIM_API size_t scrim_result_rows(const scrim_result *result, size_t statement);

typedef enum scrim_output_kind {
    SCRIM_OUTPUT_TEXT = 1, /* a key, or the bucket that a row is about: text, */
    SCRIM_OUTPUT_NUMBER,   /* a number, */
    SCRIM_OUTPUT_DATE,
    SCRIM_OUTPUT_BOOL,
    SCRIM_OUTPUT_VALUE, /* an aggregate, with its interval */
    SCRIM_OUTPUT_DATE_VALUE,
    SCRIM_OUTPUT_TIMESTAMP, /* a key: local time of the dataset's zone with its offset, as in
                             * "2026-03-29 03:00:00+02:00" */
    SCRIM_OUTPUT_TIMESTAMP_VALUE
} scrim_output_kind;
typedef struct scrim_result_column {
    const char *name;
    scrim_output_kind kind;
    const char *
        note; /* what its interval does not cover, or that it is conservative; constant text */
    /* Of what is made of a histogram that leaves a few people out (MIN, MAX, RANGE, MODE, MAX_K,
     * SUPPORT, HISTOGRAM): how many at most, and how near the value is to the true one of the rest.
     * It holds with certainty, as the interval does. Else NULL. */
    const char *certificate;
    int is_certain; /* its intervals hold with certainty: of a certificate, or WITH RANGE */
} scrim_result_column;
SCRIM_API const scrim_result_column *
scrim_result_column_at(const scrim_result *result, size_t statement, size_t column);

typedef struct scrim_result_cell {
    /* "": there is none, since no bar of a histogram is shown, or a divisor is 0; or WITH RANGE has none
     * this time, and then both ends are "" too. */
    const char *value;
    size_t bytes;           /* of value: a key is terminated, but may hold any text */
    const char *low, *high; /* NULL for keys */
    /* The interval is all that is possible; of arithmetic on aggregates an end that nothing bounds is
     * "". */
    int is_open;
    int is_null; /* a key that is NULL: value is "", which is a text of its own else */
} scrim_result_cell;
SCRIM_API const scrim_result_cell *scrim_result_cell_at(const scrim_result *result,
                                                        size_t statement, size_t row,
                                                        size_t column);

#ifdef __cplusplus
}
#endif

#endif
