/* Queries in SQL: planned, charged, answered.
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
 *         printf("%s, expected +-%s\n",
 *                scrim_result_cell_text(scrim_result_cell_at(result, 0, 0, 1)), output.error);
 *     scrim_result_free(result);
 *     scrim_plan_free(plan);
 *
 * scrim-query(5) describes the language. A plan opens no data and spends nothing. The same query
 * (the same tokens and options) about the same version of a dataset is answered from the ledger,
 * free of charge. Rows that a program pushes: scrim/feed.h.
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
    const char *epsilon; /* this, target_error or rho; or it stands in the text */
    const char *delta;   /* NULL: 0; private keys, MAX and others need one */
    /* The largest half-width of an interval, in the unit of the column and at the
     * confidence: the smallest epsilon that is enough is found. "5%" is relative to
     * the value. The value is private, so its size must be public: the rows, mean and
     * deviation in expect, or the smallest value that the column's range allows. If it
     * is missing: SCRIM_REASON_MISSING, "expect". */
    const char *target_error;
    const char *confidence; /* of the confidence intervals; NULL: 0.95 */
    /* Public guesses, used to predict errors: the rows in a group, and the mean and
     * standard deviation of columns, as in "300,age=38.6:13.6"; NULL: 1000 rows.
     * Without a guess a mean is half way between the centre of the range and an end,
     * and a deviation is one eighth of the range. */
    const char *expect;
    /* Noise of counts and sums: "laplace" or "gaussian"; "stlap": laplace, and the histograms of MIN, MAX and others
     * only lose rows, which takes a delta. NULL: the smaller error. */
    const char *mechanism;
    unsigned workers;    /* 0: one per processor */
    size_t memory_bytes; /* 0: a quarter of 2^30 */
    /* Called by one thread now and then with the part of the source that was read;
     * total does not show its size. */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* The share of the budget of each query of a batch, as in "2,1,1": positive integers, one
     * a query. Each query must then ask for one count or sum of public groups. NULL: scrim
     * divides the budget so that errors are even. */
    const char *shares;
    /* For a dataset without a file, whose rows are pushed (scrim/feed.h): a name for the
     * contents that will be pushed, of letters, digits, '_', '.' and '-', at most 64. The
     * same query about contents of the same name is answered from the ledger. NULL: each
     * query is about new contents. SCRIM_E_PARAM: the dataset has a file, which has its
     * own version. */
    const char *version;
    /* Rows that are pushed: at most this many are expected, and at least 1, if that is known. If
     * the max-size of the dataset does not hold them (scrim_policy_check_rows), the query is
     * refused before the charge: SCRIM_E_LIMIT. It decides nothing else: the max-size decides how
     * much memory and disk is reserved. 0: not known; then, without a max-size, as much as for
     * a stream of 2^30 bytes. */
    uint64_t rows_upper;
    /* Called now and then, with the context, by the thread that runs the query while it reads rows and draws: any
     * value but 0 ends it with SCRIM_E_STATE, SCRIM_REASON_CANCELLED. The charge stays, as after any
     * failure behind it. The feed does not call it. NULL: it runs to its end. */
    int (*is_cancelled)(void *context);
    /* In place of epsilon: the total in zero-concentrated privacy, spent by Gaussian noise, with a
     * delta above 0. The epsilon that it has at delta, rounded up, is shown and charged where an
     * account counts epsilon. For counts and sums of all rows or of public groups alone. */
    const char *rho;
    /* Contribution bounds of this question, whole numbers from 1 to 10^9: groups of a unit, rows of a unit in a
     * group, rows of a unit in the whole question; NULL: left out. A total, or groups and rows, replace the bounds of
     * the owner; one of groups and rows alone replaces that one. They decide noise and which rows are left out, never
     * the guarantee. The text of a query may say them instead, as in SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS
     * (epsilon = 0.5, delta = 1e-9, max_rows_contributed = 20, max_groups_contributed = 3) ..., where
     * max_rows_contributed is the total. SCRIM_E_POLICY: the owner has fixed the bounds. */
    const char *max_groups, *max_rows, *max_total_rows;
    /* Bounds of a unit's total of columns, "amount=500" or "amount=-100,500", one a line; NULL: those of the owner.
     * "amount=auto", with bounds auto, finds it too: a ladder of totals, two where values may be below 0, has a part of
     * the share. */
    const char *max_total;
    /* "auto" or "auto=1/5": this share of epsilon, a fifth if left out, counts people by their rows on a
     * ladder, after WHERE. From these counts follows how many rows of a unit are used in all, in
     * place of the declared bounds; the question is answered with the rest of epsilon, or of rho. Both are one
     * charge and one release, whose last statements are the ladders. Each query of a batch finds a total of its own. Private
     * keys keep max_groups, said or declared. Not for lists that are expanded, nor for rows that are pushed. NULL: the
     * declared bounds. */
    const char *bounds;
    /* Contribution bounds may leave rows out. The share of the cost of each query, a twentieth if NULL, for a noisy
     * count of the people whose rows are left out, by how many: scrim_result_cut_at. Only where bounds can leave
     * rows out by what is declared: the unit is a column, and not each unit has one row. "0": people are not
     * counted. */
    const char *cut_share;
    /* Public tables that this question brings with it and joins: the lines of scrim_public_table_lines without `on`,
     * table behind table. Their digests are part of the question, and the record has their columns and types. NULL:
     * those of the owner alone. SCRIM_E_PARAM: other lines, or the name of a table that the owner has declared. */
    const char *with;
} scrim_query_options;

typedef struct scrim_plan scrim_plan;

/* A value beside the text of a query, where ? stands for it. text is a number as in queries, with a sign or without:
 * "-2.5"; UTF-8 text without quotes; "true" or "false"; a date or a time as behind DATE or TIMESTAMP. */
typedef enum scrim_value_kind {
    SCRIM_VALUE_NULL = 0, /* text is not read */
    SCRIM_VALUE_NUMBER = 1,
    SCRIM_VALUE_TEXT = 2,
    SCRIM_VALUE_BOOL = 3,
    SCRIM_VALUE_DATE = 4,
    SCRIM_VALUE_TIMESTAMP = 5
} scrim_value_kind;
typedef struct scrim_query_value {
    scrim_value_kind kind;
    const char *text;
} scrim_query_value;

/* Room for two lines: the line of the refused query, and carets under the place. */
#define SCRIM_CARET_BYTES 400

/* Makes a plan for count queries that are charged together; one query is a batch of
 * one. caret may be NULL; its text is "" if there is no place to show, and query says
 * which of the queries it is. SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT: a query or
 * an option is wrong. SCRIM_E_POLICY: the query is not allowed. */
typedef struct scrim_caret {
    size_t query;
    char text[SCRIM_CARET_BYTES];
} scrim_caret;
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_plan_new(scrim_vault *vault, const char *dataset, const char *const *queries,
               size_t count, const scrim_query_options *options, scrim_plan **out,
               scrim_caret *caret, scrim_error *error);
SCRIM_API void scrim_plan_free(scrim_plan *plan); /* NULL is allowed */

/* A query, or a part of one, with a value in place of each ?, in their order, written as the language writes values:
 * "age > ?" becomes "age > 30". Comments are left out. A value stays one value, whatever its text is: it never adds a word to the query. A ? stands where only
 * a value can stand, so not behind a name, a value or a closing parenthesis. scrim_vault_text_free frees out.
 * SCRIM_E_PARAM: there are more or fewer values than ?, a ? stands in another place, or a text is not a value of its
 * kind. SCRIM_E_SYNTAX, SCRIM_E_LIMIT: as for scrim_plan_new; caret may be NULL. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_query_bind(const char *query,
                                                       const scrim_query_value *values,
                                                       size_t count, char **out,
                                                       scrim_caret *caret,
                                                       scrim_error *error);

/* Facts of a plan. Texts live as long as the plan. */
typedef struct scrim_plan_facts {
    const char *dataset;
    uint64_t version;
    const char *question; /* the text that is charged */
    const char *unit;     /* the column, or "row" */
    const char *unit_word,
        *unit_words; /* "customer" and "customers" of customer_id; "unit" */
    scrim_neighbours neighbours;
    const char *epsilon, *delta;     /* as given, or as found for the target */
    const char *confidence, *expect; /* expect: the rows */
    scrim_cost cost; /* of all parts: the sum, in (epsilon, delta) and rho */
    scrim_cost of_two,
        of_four; /* the same for households of 2 and 4; "" if nothing can be promised */
    /* In the unit of the population's account: */
    const char *account_unit;
    char amount[SCRIM_NUMBER_BYTES], amount_delta[SCRIM_NUMBER_BYTES];
    char left[SCRIM_NUMBER_BYTES], left_delta[SCRIM_NUMBER_BYTES]; /* before it */
    char after[SCRIM_NUMBER_BYTES],
        after_delta[SCRIM_NUMBER_BYTES]; /* "" if it does not fit */
    /* answers appear at multiples of this many seconds; "": none */
    char quantum[SCRIM_NUMBER_BYTES];
    /* The release that makes asking free: it has answered this query already, or it is
     * charged and waits for its answer; 0: none. */
    uint64_t repeats;
    size_t statements;
    /* amount is the joint cost of all parts, smaller than the sum in cost */
    int is_joint;
    const char *guesses;       /* guesses about columns, "age=38.6:13.6"; "": none */
    int is_pending;            /* repeats has no answer yet: asking again finishes it */
    scrim_remainder remainder; /* before it; left is the smaller of its parts */
    /* Where the question finds its bounds: the share of epsilon for that, "0.2", else "".
     * Predicted errors are then those of the declared bounds. */
    const char *bounds_share;
    uint64_t
        bounds_total; /* how many rows of a unit the first query uses with those bounds; 0: only bounds of totals are found */
    /* 1: repeats is another analyst's, and its cost would be booked on the share of the
     * analyst who asks; the budget is not charged */
    int is_booked;
    /* With bounds that are found: the columns whose bound of a total is found too, "amount, tax"; and a column that is
     * summed up and whose bound of a total is neither given nor found. Else "". */
    const char *found_totals, *unfound_total;
    /* How often somebody who knows everyone else and must say whether one unit is in the data is right at most, from
     * all that the parts prove; "0.523", rounded up to a thousandth. */
    char guess[SCRIM_NUMBER_BYTES];
} scrim_plan_facts;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_describe(scrim_vault *vault,
                                                          const scrim_plan *plan,
                                                          scrim_plan_facts *out,
                                                          scrim_error *error);

typedef struct scrim_plan_statement {
    const char *text;   /* of the query */
    const char *keys;   /* "none", "public", or "discovered": private keys */
    uint64_t key_count; /* number of public keys */
    uint64_t max_groups, max_rows;
    size_t outputs, parts, choices;
    /* The operations on rows before anything is drawn, each with its largest number of
     * output rows per input row: "clamp 1, filter 1, group 1, together 1". */
    const char *operations;
    /* A sentence about the contribution bounds: which rows of a unit the answer will
     * use; "" if each row is a unit. */
    const char *kept;
    /* A caution that most likely no group is shown, and what to do; else "". */
    const char *caution;
    /* A caution that a literal or pattern matches no listed key of its column; else
     * "". */
    const char *unlisted;
    uint64_t null_count; /* number of public keys with NULL in some column */
    /* A caution that a unit may have rows in more groups, or more rows, than this query uses of
     * it, which the interval does not show; else "". */
    const char *missing;
    /* How many numbers the answer has, with public keys or without keys, and the confidence of
     * each at which all intervals hold at once with the confidence of the plan, rounded up; 0 and
     * "" for private keys and for a single number. */
    uint64_t number_count;
    const char *confidence_each;
    size_t others;           /* number of other plans that it was compared with */
    uint64_t max_total_rows; /* rows of a unit in the whole statement */
    /* The public tables that it joins, and how rows without a match are used; "" without
     * joins. */
    const char *joins;
    /* ROLLUP, CUBE and GROUPING SETS make a statement of each set of keys: the keys of this one, "sex, city" or "all rows";
     * else "". The answer has one statement, with the rows of all sets. */
    const char *set;
} scrim_plan_statement;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_statement_at(const scrim_plan *plan,
                                                              size_t statement,
                                                              scrim_plan_statement *out,
                                                              scrim_error *error);

/* A column of the answer. */
typedef struct scrim_plan_output {
    const char *name;
    int is_key;
    const char *aggregate;  /* "AVG"; "expression" for arithmetic; NULL for a key */
    const char *low, *high; /* the public range of a value, or "" */
    /* Half the width of the expected interval; "" for keys, and if it cannot be known. */
    const char *error;
    /* The error of a count or sum relative to expect, or of any column relative to its
     * reference; else "". */
    const char *relative;
    const char *certificate; /* accuracy guarantee, as in scrim_result_column; "": none */
    const char *flexible; /* the same as numbers: "dropped=1998 beta=0 gamma=0 ..."; "" */
    /* A caution that the column would be useless (nothing is shown, or the error is as
     * large as the value), or that the groups of a key are misleading, and what to do;
     * else "". */
    const char *caution;
    int is_certain; /* WITH RANGE: the interval will always hold */
    /* A quantile of a column without a guess of its deviation: its error depends on
     * the distances between values, which are private. */
    int is_unknown;
    /* A key with all values of its declared range, low to high: each is shown, and the
     * ends include values outside the range. */
    int is_range;
    /* With a relative target: the value that the error is compared with, "the 300 rows
     * that are expected"; else "". */
    const char *reference;
    /* For a quantile, a bound that holds for every table: how many rows may lie
     * between the released value and the true quantile, as a number, and in words with
     * the corresponding quantiles, or with the rows that are needed if those that are
     * expected say nothing. Else "". */
    const char *rank_error, *ranks;
    int is_all; /* of one set of keys: a key that it leaves out, or GROUPING */
} scrim_plan_output;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_output_at(const scrim_plan *plan,
                                                           size_t statement,
                                                           size_t output,
                                                           scrim_plan_output *out,
                                                           scrim_error *error);

/* A number that is drawn for every group, or partition selection. */
typedef struct scrim_plan_part {
    const char *what; /* "rows", "values of age", "sum of age", "totals of age", "keys" */
    const char *measurement; /* its line */
    const char *mechanism; /* the line without neighbours, which are those of the plan */
    const char *share;     /* fraction of epsilon */
    uint64_t copies;       /* draws that one unit can change */
    scrim_cost cost;       /* of all of them */
    const char *scale; /* standard deviation of its noise in the column's unit, or "" */
    const char *step;  /* one step of the measurement in the column's unit: "1", "0.01" */
    /* WITH RANGE: the largest distance from the truth, how often there is no range,
     * and what the other mechanism would have: "within 14 steps always; 14 by range";
     * else "". */
    const char *range;
    /* Why it is drawn separately: "income may be missing; a default ..."; for a sum
     * with a bounded total, which bound was used; else "". */
    const char *note;
} scrim_plan_part;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_part_at(const scrim_plan *plan,
                                                         size_t statement, size_t part,
                                                         scrim_plan_part *out,
                                                         scrim_error *error);

/* Another plan for the same query, at the same cost, and the errors it would have. */
typedef struct scrim_plan_other {
    const char *chosen; /* what this plan does: "present and missing values", "laplace" */
    const char *name;   /* what the other does instead: "separate counts", "gaussian" */
    /* By column of the answer: its expected error with the other plan, and that as a
     * multiple of the error of this plan, "1.31"; "" for keys and if it is not known. */
    const char *const *errors, *const *times;
} scrim_plan_other;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_other_at(const scrim_plan *plan,
                                                          size_t statement, size_t other,
                                                          scrim_plan_other *out,
                                                          scrim_error *error);

/* A mechanism that could select private keys. */
typedef struct scrim_plan_choice {
    const char *measurement;
    uint64_t half; /* units that a group needs for a 50 % chance to be shown, */
    uint64_t most; /* and for a 95 % chance */
    int is_chosen;
    scrim_cost cost; /* of the selection */
    /* For COUNT(DISTINCT unit): 1 if its noisy counts are the answer. Else units is
     * the measurement that draws them separately ("" if they are not drawn), and units_cost
     * its cost. */
    int shows_units;
    const char *units;
    scrim_cost units_cost;
    const char *reason; /* why it was chosen; "" if it was not */
} scrim_plan_choice;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_plan_choice_at(const scrim_plan *plan,
                                                           size_t statement,
                                                           size_t choice,
                                                           scrim_plan_choice *out,
                                                           scrim_error *error);

/* Answers. */

typedef struct scrim_result scrim_result;

/* Charges the plan, reads the data, draws, records, and then answers; if the query was
 * answered before, it repeats that answer. SCRIM_E_INPUT: the source cannot be used or
 * is not the declared version. SCRIM_E_BUDGET: the charge does not fit. In both cases
 * nothing was charged. If something fails after the charge, the charge stays, and the
 * message says "release N is charged and has no answer"; the same query again finishes
 * it at no further charge. If processes and threads ask the same query at once, one is
 * charged, and all get the same answer. No value of a row is an error. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_query_run(scrim_vault *vault,
                                                      const scrim_plan *plan,
                                                      scrim_result **out,
                                                      scrim_error *error);
/* Shows a past answer again, free of charge; confidence may be another one (NULL: as
 * it was first shown). A share of the caller pays as scrim_vault_view says.
 * SCRIM_E_PARAM: the release is not a query, or the confidence is not allowed;
 * SCRIM_E_BUDGET, SCRIM_E_POLICY: the share or the cap does not admit it. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_query_replay(scrim_vault *vault, uint64_t id,
                                                         const char *confidence,
                                                         scrim_result **out,
                                                         scrim_error *error);
SCRIM_API void scrim_result_free(scrim_result *result); /* NULL is allowed */

/* Texts live as long as the result. */
typedef struct scrim_result_facts {
    uint64_t release;
    uint64_t time; /* of the release; 0: not known */
    /* 1: the answer was in the ledger already, and nothing was charged */
    int is_repeated;
    const char *dataset;
    uint64_t version;
    const char *confidence;
    scrim_cost cost;
    size_t statements;
    /* The contribution bounds of one unit (the column, or "row"), in the statement
     * with the largest ones. */
    const char *unit;
    const char *unit_words; /* "customers" of customer_id; "units" */
    uint64_t max_groups, max_rows;
    /* 1: the release answers a question in other words that measures the same, and this is
     * another view of its numbers: other names or order of columns, HAVING, ORDER BY,
     * LIMIT or arithmetic */
    int is_view;
    uint64_t max_total_rows; /* of the statement with the largest bounds */
    size_t
        asked; /* statements that were asked; those behind them are ladders that found their bounds */
} scrim_result_facts;
SCRIM_API void scrim_result_describe(const scrim_result *result, scrim_result_facts *out);

/* A statement, row or column past the last: NULL, or no columns and rows. */
SCRIM_API const char *scrim_result_text(const scrim_result *result, size_t statement);
/* A line about the contribution bounds and listed keys: which rows its numbers are about, such as "60 rows per
 * customer; about 4 % of customers [3, 5] had rows left out". But for the people who were counted
 * (scrim_result_cut_at) it follows from the policy and the query alone; "" if no row is left out. */
SCRIM_API const char *scrim_result_kept(const scrim_result *result, size_t statement);
/* A caution that a unit may have rows in more groups, or more rows, than the bounds let count, which
 * no interval shows. It follows from the policy and the query alone, unless people were counted whose rows were
 * left out: it is then there only if these may be many (scrim_result_cut_at). Else "". */
SCRIM_API const char *scrim_result_missing(const scrim_result *result, size_t statement);
/* People whose rows contribution bounds left out of a statement, by the noisy counts of the release. Numbers are
 * text; shares are in percent. */
typedef struct scrim_result_cut {
    /* "about 0.80 % of customers [0.60, 1.00] had rows left out, at least 5900 rows (12.31 %)"; scrim_result_kept
     * has it. "this answer cannot tell whether rows were left out (of at most 23.61 % of customers)" where the
     * interval begins at 0 and ends above 2 %. "too few customers, or too low an epsilon, to tell how many had rows left
     * out" where it is half of all people or more. */
    const char *words;
    /* If the upper end of the share of people, or of rows, is above 2 %: a caution, with which scrim_result_missing
     * then begins; not for the share of rows alone where it may be nobody's. It asks for larger bounds only if somebody
     * was cut, with the confidence. Else "". */
    const char *caution;
    /* The share of units that had rows left out, or a bounded total clamped, and its interval. */
    const char *people, *people_low, *people_high;
    /* People are counted in classes, by how many rows they lost, and each counts with the fewest rows of its class. With the
     * confidence at least rows_low rows were left out; rows_high is the upper end of that number, and even more rows may
     * have been left out. */
    const char *rows_low, *rows_high;
    /* Both as shares of all rows, if the statement counts all rows that it uses; else "". */
    const char *rows_share_low, *rows_share_high;
    /* The caution without all that `words` says, for a surface that shows both; "" if nothing is left of it. */
    const char *advice;
} scrim_result_cut;
/* NULL: nobody was counted, since bounds can leave nothing out or the cut share is 0. */
SCRIM_API const scrim_result_cut *scrim_result_cut_at(const scrim_result *result,
                                                      size_t statement);
SCRIM_API size_t scrim_result_columns(const scrim_result *result, size_t statement);
SCRIM_API size_t scrim_result_rows(const scrim_result *result, size_t statement);

typedef enum scrim_output_kind {
    SCRIM_OUTPUT_TEXT = 1, /* a key, or the bucket of a row: text */
    SCRIM_OUTPUT_NUMBER,   /* a key that is a number */
    SCRIM_OUTPUT_DATE,
    SCRIM_OUTPUT_BOOL,
    SCRIM_OUTPUT_VALUE, /* an aggregate with its interval */
    SCRIM_OUTPUT_DATE_VALUE,
    SCRIM_OUTPUT_TIMESTAMP, /* a key: local time of the dataset's zone with its offset, as in
                             * "2026-03-29 03:00:00+02:00" */
    SCRIM_OUTPUT_TIMESTAMP_VALUE
} scrim_output_kind;
typedef struct scrim_result_column {
    const char *name;
    scrim_output_kind kind;
    /* what its interval does not cover, or that it is wider than necessary; constant
     * text */
    const char *note;
    /* The accuracy guarantee of MIN, MAX, RANGE, MODE, MAX_K, SUPPORT and HISTOGRAM:
     * how many people are left out at most, and how close the value is to the true
     * value of the rest. With a delta it always holds, and so does the interval;
     * without one both hold with the probability that it names. Else NULL. */
    const char *certificate;
    int is_certain; /* its intervals always hold: such a guarantee, or WITH RANGE */
    /* The certificate in short: "may ignore up to 31 people of each bucket, 775 in all", and by
     * which value a row of a histogram is named; "": nothing. NULL without a certificate. */
    const char *in_short;
} scrim_result_column;
SCRIM_API const scrim_result_column *
scrim_result_column_at(const scrim_result *result, size_t statement, size_t column);

typedef struct scrim_result_cell {
    /* "": no value, because no bar of a histogram is shown or a divisor is 0; or WITH
     * RANGE has no range this time, and both ends are "", too. */
    const char *value;
    /* length of value: a key is terminated, but may hold any bytes */
    size_t bytes;
    const char *low, *high; /* NULL for keys */
    /* The interval is everything that is possible. In arithmetic on aggregates an
     * unbounded end is "". */
    int is_open;
    int is_null; /* 1: the key is NULL, and value is ""; otherwise "" is the empty text */
    /* 1: noise took a count or a sum beyond 0, where the truth cannot be, such as a count of -138. The value is as it
     * was drawn, so that sums of values have no bias, and the interval reaches to it; the truth is between 0 and the
     * other end. */
    int is_beyond;
    /* 1: a key that stands for all of its values, in a total of ROLLUP, CUBE or GROUPING SETS; is_null is 1, too. */
    int is_all;
} scrim_result_cell;
SCRIM_API const scrim_result_cell *scrim_result_cell_at(const scrim_result *result,
                                                        size_t statement, size_t row,
                                                        size_t column);
/* A cell of the first row that LIMIT leaves out. It belongs to the same release, and the question without LIMIT shows it
 * free of charge. NULL: no such row. */
SCRIM_API const scrim_result_cell *
scrim_result_next_cell_at(const scrim_result *result, size_t statement, size_t column);

/* A cell as the program shows it, for everybody who publishes it. */
typedef struct scrim_result_words {
    /* "no usable value" where the interval is everything that is possible, or nothing but 0: the number in the cell is noise
     * alone. "about 0" where noise took a count or a sum beyond 0. Else the value of the cell. */
    const char *value;
    const char *low, *high; /* both "": no interval; NULL for keys */
} scrim_result_words;
/* The texts are those of the cell, or constant. NULL gives empty texts. */
SCRIM_API scrim_result_words scrim_result_cell_words(const scrim_result_cell *cell);
/* The value alone. */
SCRIM_API const char *scrim_result_cell_text(const scrim_result_cell *cell);

#ifdef __cplusplus
}
#endif

#endif
