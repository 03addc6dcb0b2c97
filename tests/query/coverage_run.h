/* The same question many times, each time charged and drawn anew, its intervals held against the
 * truth.
 *
 *     coverage c;
 *     coverage_begin(&c, PEOPLE_PUMS, false);
 *     coverage_ask(&c, &coverage_questions[i], &setting, 200, tallies);
 *     coverage_end(&c);
 *
 * The table comes by standard input: what is read there is new at every question, so that no answer
 * is a repeated one. */
#ifndef COVERAGE_RUN_H
#define COVERAGE_RUN_H

#include "coverage_people.h"
#include "query_scene.h"

typedef enum coverage_kind {
    COVERAGE_COUNT,
    COVERAGE_SUM,
    COVERAGE_AVG,
    COVERAGE_VAR,
    COVERAGE_VAR_POP,
    COVERAGE_STDDEV,
    COVERAGE_STDDEV_POP,
    COVERAGE_QUANTILE,
    COVERAGE_COMPUTED /* by truth */
} coverage_kind;

typedef struct coverage_output {
    const char *text; /* as it stands in the query */
    coverage_kind kind;
    people_column column;
    double p;
    double (*truth)(const people_group *group);
} coverage_output;

#define COVERAGE_OUTPUTS 8
typedef struct coverage_question {
    const char *name;
    coverage_output outputs[COVERAGE_OUTPUTS];
    size_t count;
} coverage_question;

/* COUNT and SUM; AVG and what shares its numbers; quantiles; WITH RANGE; arithmetic on aggregates: sums
 * and quotients, and all else. */
enum {
    COVERAGE_PLAIN,
    COVERAGE_MOMENTS,
    COVERAGE_QUANTILES,
    COVERAGE_RANGE,
    COVERAGE_FORMULAS,
    COVERAGE_PARTS,
    COVERAGE_QUESTIONS
};
extern const coverage_question coverage_questions[COVERAGE_QUESTIONS];

typedef struct coverage_setting {
    people_by by;
    const char *mechanism; /* NULL: the planner's choice */
    const char *epsilon, *target_error, *expect;
} coverage_setting;

/* One output over all runs and groups. */
typedef struct coverage_tally {
    uint64_t trials, covered;
    uint64_t open;               /* of the trials: the interval is all that is possible */
    double width, width_squares; /* the sum of half-widths, and of their squares */
    double *distances; /* |value - truth|, where the caller wants them, for each trial */
} coverage_tally;

typedef struct coverage {
    query_scene scene;
    people people;
} coverage;

/* False when the test cannot go on; it is to be ended anyway. */
bool coverage_begin(coverage *c, people_table table, bool is_replace);
/* The same with other policy lines. */
bool coverage_begin_with(coverage *c, people_table table, const char *lines);
/* The same for a table of another kind, with its policy but for the budget; no people are read. The
 * caller writes scene.table, and then has it read. */
bool coverage_begin_policy(coverage *c, const char *policy);
bool coverage_read(const coverage *c);
void coverage_end(coverage *c);

/* "SELECT ... GROUP BY ..." */
const char *coverage_query(const coverage_question *question, people_by by, char *text,
                           size_t bytes);
scrim_status coverage_plan(coverage *c, const char *query,
                           const coverage_setting *setting, scrim_plan **out);
/* The divisor of the plan: the error of its one aggregate, of a quantile without a guess for rows
 * that are spread evenly, which is not shown. */
double coverage_predicted(const scrim_plan *plan);
/* Adds to the tallies, one an output. */
bool coverage_ask(coverage *c, const coverage_question *question,
                  const coverage_setting *setting, uint64_t runs,
                  coverage_tally *tallies);
/* One run of a plan; NULL when it failed, which is a failed check. */
scrim_result *coverage_answer(coverage *c, const scrim_plan *plan);

double coverage_truth(const coverage_output *output, const people_group *group);

#endif
