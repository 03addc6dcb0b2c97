/* The record of a query's answer in the ledger: text that can be shown again without the vault's
 * policy, the source or this version's planner. docs/ledger-format.md describes it.
 *
 * It holds the schema's lines as they were (without public keys and the source), the options, and
 * for each statement its text, the measurements of its parts and the noisy numbers of every group
 * that was released, as integers.
 *
 * Claim  record.whole  what is read from a written record is that record, number by number and byte
 *                      by byte; every other text is refused
 */
#ifndef SC_QUERY_RECORD_H
#define SC_QUERY_RECORD_H

#include "query/estimate/bar_answer.h"
#include "query/plan/kept_words.h"
#include "query/plan/plan_model.h"

/* Stands for a number that was not drawn, because its mechanism showed no range
 * (range_choice.h). Drawn numbers are never so small. */
#define SC_RECORD_NO_NUMBER SC_INT128_MIN

/* A released histogram of a group: the places that are shown, in increasing order; where buckets have noise, all of them. */
typedef struct sc_record_bars {
    const sc_drawn_bar *bars;
    size_t count;
} sc_record_bars;

typedef struct sc_record_row {
    sc_text key;                      /* a tuple, as in key_tuple.h */
    const sc_int128 *numbers;         /* statistics.number_count of them */
    const sc_record_bars *histograms; /* statistics.histogram_count of them */
} sc_record_row;

/* How many people were cut, by cell (cut.h). */
typedef struct sc_record_cut {
    sc_text measurement; /* a line */
    uint64_t from[SC_CUT_CELLS];
    sc_int128 people[SC_CUT_CELLS]; /* noisy */
    size_t count;                   /* of the cells; 0: nobody was counted */
} sc_record_cut;

typedef struct sc_record_statement {
    sc_text text;                /* of the query */
    const sc_text *measurements; /* a line a part, in the order of the plan's */
    const size_t
        *statistics; /* which of the statement's each part is; SC_STATISTIC_NONE: keys */
    const uint64_t *copies; /* by part: how many of its draws one unit can change */
    size_t part_count;
    sc_record_cut cut; /* its part stands behind the others */
    size_t
        cut_of; /* the statement, counted from 1, whose count of cut people is that of this one too; else 0 */
    sc_plan_keys keys_kind;
    bool uses_ranges; /* of public keys: some are those of a column's declared range */
    bool
        clamps; /* its sums are clamped by unit, without a declared bound (rows/statistic.h) */
    size_t
        cells; /* its rows are counted in cells of this aggregate, from 1 (rows/statistic.h); 0: one by one */
    uint64_t
        disjoint; /* the aggregates whose rows are drawn together, bit by bit (rows/statistic.h) */
    size_t
        rows_of; /* the statement, counted from 1, whose bounded rows it counts; 0: its own; or SC_ROWS_OF_ALL */
    size_t
        set; /* of a question with several sets of keys: which, counted from 1; 0: it has one grouping */
    size_t
        found_by; /* in a batch that found its bounds: the ladder, counted from 1 among all statements; else 0 */
    uint64_t groups_of_all; /* how many groups that are, for SC_ROWS_OF_ALL */
    const sc_record_row *rows;
    size_t row_count, number_count;
    const int64_t *widths; /* of the buckets of each histogram, in steps */
    size_t histogram_count;
} sc_record_statement;

typedef struct sc_record {
    bool
        drops_missing; /* from before there was NULL: rows that lacked a value were left out */
    sc_text dataset;
    uint64_t version;
    sc_text series; /* where it is a release of one: its name; else empty */
    uint64_t release;
    bool is_continued; /* keys that an earlier release had shown were taken as public */
    bool is_running;   /* numbers are those of a running total (running.h) */
    sc_text schema;    /* policy lines */
    sc_text epsilon, delta, expect, confidence;
    /* The question found its bounds (plan/auto_bounds.h): the last statements are the ladders that they follow
     * from, and the schema or the text of a statement has the total that was found. */
    bool finds_bounds;
    bool
        tells_cut; /* then, and not in records from before: the answer says how many rows were left out */
    sc_text cost_epsilon, cost_delta,
        cost_rho; /* each is empty if the cost has no such number */
    const sc_record_statement *statements;
    size_t statement_count;
} sc_record;

/* Terminated text, freed by sc_free; NULL without memory. */
char *sc_record_write(const sc_record *record);
/* Views into text and the arena. SCRIM_E_SYNTAX when the text is not a record, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_record_read(sc_text text, sc_arena *arena, sc_record *out,
                                           scrim_error *error);
/* How many statements were asked; the others are ladders. */
size_t sc_record_asked(const sc_record *record);
/* How many draws each number is the sum of. */
uint64_t sc_record_draws(const sc_record *record);
/* The question of a statement, with the schema that it was asked of; where it has several sets of keys, that of its set.
 * As sc_validate; SCRIM_E_LEDGER where the statements are not those of its sets. */
SCRIM_MUST_USE scrim_status sc_record_query(const sc_record *record,
                                            const sc_record_statement *statement,
                                            const sc_schema *schema, sc_arena *arena,
                                            const sc_query **out,
                                            const sc_schema **bounded,
                                            sc_refusal *refusal);
/* The keys of a statement, for the words about it. */
sc_kept_keys sc_record_kept_keys(const sc_record_statement *statement);
/* The contribution bounds of a statement as they were said, and normal: those of the plan. */
sc_bounds sc_record_said(const sc_record_statement *statement, const sc_schema *schema);
sc_bounds sc_record_bounds(const sc_record_statement *statement, const sc_schema *schema);
/* The same of the statement whose groups bound the rows of a unit: itself, or the one that it counts the rows of. */
sc_kept_bounds sc_record_kept_bounds(const sc_record *record,
                                     const sc_record_statement *statement,
                                     const sc_schema *schema);
/* The schema of its questions, with the meaning they had. As sc_schema_parse. */
SCRIM_MUST_USE scrim_status sc_record_schema(const sc_record *record,
                                             const sc_schema **schema,
                                             scrim_error *error);

#endif
