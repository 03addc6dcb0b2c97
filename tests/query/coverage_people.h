/* People of a published table as a plain program reads them: what answers are held against. It
 * knows nothing of the engine but what an owner declares, and computes in doubles, which are exact
 * for sums of these tables.
 *
 * Each person has one row. Declared are: unit who; age, as far as the survey asks, 17 to 90 or 18 to
 * 93; pay, hours from 20 to 60 or dollars from 0 to 100,000 on a grid of 10, so that some are
 * clamped and rounded; weight, how many people a row stands for, up to 500,000, which hardly two
 * of Adult share (of PUMS, which lacks weights, pay again); sex, whose keys are public;
 * level, of education, whose keys are not. */
#ifndef COVERAGE_PEOPLE_H
#define COVERAGE_PEOPLE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum people_table { PEOPLE_ADULT, PEOPLE_PUMS } people_table;
typedef enum people_by {
    PEOPLE_ALL,
    PEOPLE_BY_SEX,
    PEOPLE_BY_LEVEL,
    PEOPLE_BYS
} people_by;
typedef enum people_column {
    PEOPLE_AGE,
    PEOPLE_PAY,
    PEOPLE_WEIGHT,
    PEOPLE_COLUMNS
} people_column;

#define PEOPLE_KEY_BYTES 16
#define PEOPLE_GROUPS 20

/* One group: its rows by value. */
typedef struct people_group {
    char key[PEOPLE_KEY_BYTES];
    size_t count;
    double *sorted[PEOPLE_COLUMNS];
    double sum[PEOPLE_COLUMNS], square_distances[PEOPLE_COLUMNS]; /* from the mean */
} people_group;

typedef struct people {
    size_t count;
    people_group groups[PEOPLE_BYS][PEOPLE_GROUPS];
    size_t group_count[PEOPLE_BYS];
} people;

/* The words of a user about the groups before there is an answer: "1000,age=44.797:17.7365", with the
 * true mean and deviation. */
#define PEOPLE_EXPECT_BYTES 80
void people_expect(const people_group *group, char text[PEOPLE_EXPECT_BYTES]);
/* The same of the rows about a quantile: of the normal law that has as many rows below the values so far
 * to either side of it. */
void people_expect_about(const people_group *group, people_column column, double p,
                         double far, char text[PEOPLE_EXPECT_BYTES]);
/* "age", "pay", "weight". */
const char *people_column_name(people_column column);

/* Policy lines: columns, keys and what stands for a missing value. */
const char *people_policy(people_table table);

/* Reads the published table and writes its declared columns to a file; false, with a failed check
 * or a skip, when the test cannot go on. */
bool people_begin(people *p, people_table table, const char *path);
void people_end(people *p);

/* NULL when there is no such group. */
const people_group *people_find(const people *p, people_by by, const char *key);

/* The smallest value with at least that share of the rows at or below it. */
double people_quantile(const people_group *group, people_column column, double share);
double people_mean(const people_group *group, people_column column);
double people_variance(const people_group *group, people_column column, bool is_sample);

#endif
