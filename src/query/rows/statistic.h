/* The numbers of a group that a query releases, and from which its aggregates are computed.
 *
 * Several aggregates share a number: COUNT(*), AVG(x) and VAR(x) all need the rows, and where the
 * rows are there anyway, SUM(x) follows from them and the centred sum of x. Each number is charged
 * once. Sensitivities are those of spec/mechanisms.md 3.1 and 4.4, in steps of the value.
 *
 * The rows of a mean are those in which its value is present. They are all rows where it is never
 * NULL among those that count; else they are a number of their own, which values share that are
 * present in the same rows by public facts: operations that pass NULL on, of the same nullable columns,
 * under the same condition of CASE or FILTER; or the same expression.
 *
 * A grouping sums x - groups[value].centre over present values, whatever asks for it; a sum of another
 * centre follows: sum + present (groups[value].centre - centre). Squares are of the group's own centre,
 * and the statistic is squares - present offset.
 *
 * A sum of a column, or of CASE or COALESCE of it with 0 and NULL, may be bounded by person in place of
 * by row, where the owner has declared a bound of totals (sc_column.has_total). The one that lets a
 * person move the sum less is taken, at equal shares of what a sum by rows is made of; a mean is by
 * rows whatever is declared, as a clamped total over rows is no mean of them (X6 of
 * spec/query-semantics.md). COUNT, quantiles and bars keep the bound of rows.
 *
 * Sums that stand alone in a statement, beside nothing but sums, are bounded by person even where no bound of totals is declared: with
 * at most R rows in a group, to R times what one row can be. That is never farther from all rows than any R of them, and one
 * unit moves it as far (spec/query-semantics.md 2.3). With a total of T rows alone, the totals of a unit in all groups that T of
 * its rows are in are scaled towards 0 until they add up, without their signs, to T times what one row can be: values of one sign
 * are together never farther from all rows than those T rows are, but for rounding. Bounds of rows, groups and a total together allow neither, unless the total is
 * that of all groups.
 *
 * Where a statement has several sets of keys, all sums are of bounded rows, so that those of a total are those of its parts.
 *
 * The units of COUNT(DISTINCT unit) FILTER (WHERE c) are a total of 1 for each row that is so, clamped to 1:
 * those who have such a row in the group, whatever the number of their rows, as units without FILTER are.
 *
 * Where a plan says so, the rows in which a value is present and those in which it is missing are two cells: no row is in
 * both, so that one unit moves both together by no more than one count (spec/query-semantics.md 1.7). All rows are
 * their sum. Each cell is one number that is drawn once, whatever is computed from it.
 *
 * Where a plan says so, counts with conditions that no row meets two of, by public facts, are drawn together: a row is in one of them
 * at most, so that one unit moves all of them together no farther than one count, or two where it is replaced
 * (spec/query-semantics.md 2.2). They are counts of the same kept rows.
 *
 * The rows about all quantiles of one value are counted once, in the same rings.
 *
 * Bars of the same x with buckets of the same width are one histogram, whatever is asked of it: MIN,
 * MAX and RANGE cost as much as one of them.
 *
 * The selection of private keys can show the units of each group. Where a unit has one
 * row in a group these are its rows, so that COUNT(*), and never COUNT(x), is the number of units there
 * unless another aggregate has a use for rows, or asks for the units as well: one draw for keys and
 * counts.
 *
 * COUNT(DISTINCT x) is the size of a set: of all values of x that are present in rows that stay, each once, whoever has it
 * and however often. Nobody's rows decide which rows of others stay, so that a unit adds or takes away at most as many
 * values of a group as it has rows there: the reach of a count of rows, in both relations. The most values of
 * a unit and group, C, are its R rows; it is the union of spec/query-semantics.md 8.3. Greedy covers more where people
 * have more than C values, but it takes people one after another, all of a group's in one order: what it keeps of
 * one depends on all before. Here units are bounded apart, by any worker, part by part and in a file, within memory that is
 * reserved before the charge; and the other statistics are of the same rows. Where nobody has more than C
 * values both count all of them.
 * Where it stands alone with one x, rows of a unit that are alike in a group count as one before they are bounded, and with
 * public keys those without a value do not count, so that R and T are different values. Beside others it is of the
 * rows that these count. The two are different measurements.
 *
 * Claim  statistic.values  for neighbours that differ in one unit, the counts of different values of all groups together differ
 *                         by no more than those of rows may, with C = R (X25 of spec/query-semantics.md)
 * Claim  statistic.disjoint  where the rows of counts that are drawn together have nothing in common, one unit moves all of
 *                         them by no more than their joint sensitivity, and each is drawn once
 * Claim  statistic.once   an aggregate has all numbers that it is computed from, and no number is
 *                         there twice: what two aggregates share is drawn and charged once
 * Claim  statistic.present  a count of present values is shared only by values that are present in the
 *                         same rows, so that a mean is over its own (spec/query-semantics.md 1.7)
 * Claim  statistic.most   |change of a statistic by one row| <= most, for every value within the
 *                         extent (A20, A23)
 */
#ifndef SC_QUERY_STATISTIC_H
#define SC_QUERY_STATISTIC_H

#include "query/language/question.h"
#include "query/rows/group_plan.h"

typedef enum sc_statistic_kind {
    SC_STATISTIC_UNITS =
        1, /* how many units; with a value, of how many it is present in a row */
    SC_STATISTIC_ROWS,      /* how many rows; with a value, in how many it is present */
    SC_STATISTIC_SUM,       /* of x - centre */
    SC_STATISTIC_SQUARES,   /* of (x - centre)^2 - offset */
    SC_STATISTIC_QUANTILES, /* of x, at the ps */
    SC_STATISTIC_AROUND, /* how many rows are in each ring about the quantiles of the statistic
                          * before it in the list (quantile_rings.h) */
    SC_STATISTIC_BARS, /* how many rows are in each bucket of x */
    SC_STATISTIC_TOTAL, /* over units: the sum of all its x in the group, clamped to the declared
                         * bound, whatever the number of rows */
    SC_STATISTIC_PRESENT, /* how many rows have the value: the first of two cells */
    SC_STATISTIC_MISSING, /* how many have not: the second, drawn with the statistic before it in the list */
    SC_STATISTIC_VALUES,  /* how many different values are present */
    SC_STATISTIC_DISJOINT /* how many rows have the value, where no row has that of another such statistic: they stand one
                           * after another in the list, and are drawn with the first of them */
} sc_statistic_kind;

#define SC_STATISTIC_NONE SIZE_MAX
/* Texts that are values of a statistic are numbers from 0 to this: a keyed hash, the same for texts that GROUP BY takes for one
 * key. Two of 10^7 texts have one number with probability 10^-4.6; then one less is counted, which protects nobody less. */
#define SC_TEXT_TOKEN_MAX (((int64_t)1 << 61) - 1)

typedef struct sc_group_statistic {
    sc_statistic_kind kind;
    size_t value; /* among the values of the statistics; SC_STATISTIC_NONE: of all rows */
    int64_t centre, offset;
    int64_t
        most; /* one row changes it by at most so much: 1 for rows and units; of a total, one
                   * unit in a group */
    bool with_range;        /* its noise is bounded */
    const sc_value_step *p; /* of quantiles, in increasing order */
    size_t
        count; /* how many numbers: 1, as many as there are ps, or as there may be rings */
    size_t first; /* the place of the first among the numbers of a group */
    /* For bars, which are no numbers: the width of buckets, in steps, 0 where the plan chooses it; and
     * their place among the histograms of a group. */
    int64_t width;
    size_t histogram;
} sc_group_statistic;

/* Which numbers an aggregate is computed from: places in the list, or SC_STATISTIC_NONE. */
typedef struct sc_statistic_use {
    size_t units, rows, sum, squares;
    size_t missing; /* where rows is a cell: the other one, if all rows are meant */
    size_t quantiles, around, p; /* p is the place among the ps */
    size_t bars;
} sc_statistic_use;

typedef struct sc_statistics {
    const sc_group_statistic *list;
    size_t count;
    size_t number_count;           /* of all of them together, a group */
    size_t histogram_count;        /* bars, a group */
    const sc_statistic_use *uses;  /* by aggregate */
    const sc_typed *const *values; /* what is summed or ranked, each once */
    const sc_group_value *groups;  /* the same for grouping */
    size_t value_count;
    /* It is a count of different values alone: rows of a unit that are alike are one. */
    bool has_values_alone;
} sc_statistics;

/* Does it count all units of a group, which the selection of keys can show? */
static inline bool sc_statistic_is_units(const sc_group_statistic *statistic)
{
    return statistic->kind == SC_STATISTIC_UNITS && statistic->value == SC_STATISTIC_NONE;
}

/* Is it a count of rows that is drawn with others, where no row is in two of them? */
static inline bool sc_statistic_is_cell(const sc_group_statistic *statistic)
{
    return statistic->kind == SC_STATISTIC_PRESENT ||
           statistic->kind == SC_STATISTIC_MISSING ||
           statistic->kind == SC_STATISTIC_DISJOINT;
}

/* The statistic whose part draws this one: itself, or a cell before it. */
size_t sc_statistic_drawn_with(const sc_statistics *statistics, size_t statistic);
/* How many numbers of a group the part of a statistic draws. */
size_t sc_statistic_numbers(const sc_statistics *statistics, size_t statistic);

/* The column of which typed is x, 0 or NULL in every row, on its grid; NULL: none. */
const sc_column *sc_statistic_column(const sc_query *query, const sc_typed *typed);
/* The column whose totals are bounded and of which typed is x, 0 or NULL in every row, on its grid; NULL:
 * none. */
const sc_column *sc_statistic_bounded(const sc_query *query, const sc_typed *typed);

/* How a statement's aggregates are made of numbers. */
typedef struct sc_statistics_plan {
    sc_bounds bounds;
    bool
        rows_are_units; /* keys are discovered, and of a unit one row counts in each group */
    /* The rows of this aggregate, counted from 1, are a cell, and all rows are the sum of both cells; 0: rows are
     * counted one by one. */
    size_t cells;
    /* Sums are totals of a unit in a group, clamped to as many rows as it may have there, unless a declared bound is smaller. */
    bool clamps;
    /* Bit i: the rows of aggregate i have nothing in common with those of the others that have a bit, and all are drawn together. */
    uint64_t disjoint;
} sc_statistics_plan;

/* Aggregates that may have a bit. */
#define SC_DISJOINT_MOST 64

/* Can its sums be so? It has one grouping, rows have units, of which several rows count in a group; it has sums alone, and does not divide by one; and
 * bounds, normal, are of groups and rows, or of a total of rows alone. */
bool sc_statistics_may_clamp(const sc_query *query, const sc_bounds *bounds);

/* Can the rows of an aggregate, counted from 0, be a cell? They are not all rows, COUNT(*) is asked for besides, and nothing
 * else needs all rows. statistics are those of the same query without cells. */
bool sc_statistics_may_have_cells(const sc_query *query, const sc_statistics *statistics,
                                  size_t aggregate);

/* Does an aggregate, counted from 0, count rows on a condition, so that they may be drawn with those of others? statistics are
 * those of the same query with nothing drawn together. */
bool sc_statistics_may_be_disjoint(const sc_statistics *statistics, size_t aggregate);

/* All in the arena. SCRIM_E_MEMORY; SCRIM_E_PARAM for cells of an aggregate that cannot have them, for rows that cannot be drawn
 * together, and for sums that cannot be clamped. */
SCRIM_MUST_USE scrim_status sc_statistics_of(const sc_query *query,
                                             const sc_statistics_plan *plan,
                                             sc_arena *arena, sc_statistics *out,
                                             scrim_error *error);

#endif
