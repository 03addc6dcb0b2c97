/* The data of a plan: options, parts, statements, choices, the trial at an epsilon, the texts to show. All
 * planning files work on these structs; plan.h makes a plan.
 *
 * Options are read exactly: the budget, and how answers are to look.
 *
 * Claim  plan-options.required  neither epsilon nor delta has a default; what is outside of its
 *                               domain is refused before data are opened, and says what is legal
 * Claim  plan-options.rho       with a rho, epsilon is one that it keeps at delta, and noise is Gaussian
 */
#ifndef SC_QUERY_PLAN_MODEL_H
#define SC_QUERY_PLAN_MODEL_H

#include "base/memory.h"
#include "base/number/ratio.h"
#include "ledger/allowance.h"
#include "query/estimate/column_guess.h"
#include "query/plan/asked_bounds.h"
#include "query/rows/statistic.h"
#include "scrim/query.h"
#include "vault/policy.h"
#include "vault/state/event.h"

/* Epsilon is from 2^-60 to 1000. A numerator or denominator with more bits is SCRIM_E_LIMIT, so that the
 * cost of every part can be charged without rounding. */
#define SC_PLAN_EPSILON_BITS 120
#define SC_PLAN_DELTA_BITS 160
#define SC_PLAN_NUMBER_BITS 62

/* Queries of a batch; beyond this a plan is SCRIM_E_LIMIT. */
#define SC_PLAN_STATEMENTS 256
/* Shares are integers from 1 to this. */
#define SC_PLAN_SHARE_MOST 1000000

typedef enum sc_plan_noise {
    SC_PLAN_ANY_NOISE = 0,
    SC_PLAN_LAPLACE,
    SC_PLAN_GAUSSIAN,
    SC_PLAN_STLAP /* histograms only lose rows; other numbers have Laplace noise */
} sc_plan_noise;

typedef struct sc_plan_options {
    bool has_epsilon; /* else the target */
    sc_ratio epsilon, delta, target, confidence, expect;
    sc_ratio rho;     /* 0: not given; else epsilon is what it has at delta, rounded up */
    bool is_relative; /* the target is a part of the value */
    bool has_expect;  /* another one than is taken without */
    bool says_rows;   /* the rows were given, whatever they are */
    sc_ratio
        auto_share; /* of epsilon, which finds the bounds; 0: they are those declared */
    sc_ratio
        cut_share; /* of what each statement splits, which counts people whose rows are left out */
    sc_column_guesses guesses;
    sc_plan_noise noise;
    uint32_t shares[SC_PLAN_STATEMENTS];   /* of the queries of a batch, */
    size_t share_count;                    /* where they were given; else 0 */
    char version[SC_EVENT_NAME_BYTES + 1]; /* of contents that are pushed; "": none */
    uint64_t rows_upper;                   /* of rows that are pushed; 0: not known */
    unsigned workers;
    size_t memory_bytes;
    void (*progress)(void *context, uint64_t done, uint64_t total);
    int (*is_cancelled)(void *context);
    void *context;
} sc_plan_options;

void sc_plan_options_init(sc_plan_options *options);
void sc_plan_options_clear(sc_plan_options *options);

/* SCRIM_E_PARAM for an option that is missing, not a number or outside of its domain; SCRIM_E_LIMIT beyond
 * the sizes above. */
SCRIM_MUST_USE scrim_status sc_plan_options_read(const scrim_query_options *given,
                                                 sc_plan_options *out,
                                                 scrim_error *error);

/* The expected rows and the guesses, "1000,age=38.6:13.6". */
void sc_plan_options_put_expect(const sc_plan_options *options, sc_text_sink *sink);

/* "2,1,1"; writes nothing if no shares were given. */
void sc_plan_options_put_shares(const sc_plan_options *options, sc_text_sink *sink);

/* Options as texts that end in a zero byte, each in its one spelling. */
typedef struct sc_plan_option_texts {
    sc_text epsilon, delta, expect;
} sc_plan_option_texts;

/* The texts live in the arena. False without memory. */
bool sc_plan_options_copy_texts(const sc_plan_options *options, sc_arena *arena,
                                sc_plan_option_texts *out);

/* "laplace", "gaussian"; NULL for any. */
const char *sc_plan_noise_name(sc_plan_noise noise);

/* Parts and statements. */

/* One draw, or one draw for each group. */
typedef struct sc_drawn_part {
    size_t
        statistic; /* among the statement's; SC_STATISTIC_NONE: the selection of keys */
    const scrim_measurement *measurement;
    bool is_apart; /* drawn for each group by itself; else for all groups at once */
    uint64_t
        copies; /* how many of its draws one unit can change: those of a running total, or 1
                        unless is_apart */
    sc_ratio share; /* of the plan's epsilon, or rho: those of all parts add up to 1 */
    int64_t width;  /* of the buckets of a histogram, in steps; else 0 */
} sc_drawn_part;

typedef enum sc_plan_keys {
    SC_PLAN_NO_KEYS = 1, /* one group: all rows */
    SC_PLAN_PUBLIC_KEYS, /* all of them are shown */
    SC_PLAN_DISCOVERED   /* those that the selection keeps */
} sc_plan_keys;

/* A way to select keys that was compared with the others. */
typedef struct sc_key_choice {
    const scrim_measurement *measurement;
    uint64_t half,
        most; /* the units of a group that is kept with probability 1/2, and 0.95 */
    bool is_chosen;
    bool shows; /* its noisy counts are the units that are asked for */
    /* Draws the units besides, from the rest of the budget; NULL: nothing does. */
    const scrim_measurement *units;
    const char *reason; /* of the chosen one; else "" */
} sc_key_choice;

/* The numbers of a group in an earlier release. */
typedef struct sc_plan_base {
    sc_text key; /* a tuple */
    const sc_int128 *numbers;
} sc_plan_base;

/* The release of a series (series.h) that a query is. */
typedef struct sc_plan_series {
    sc_text name;
    uint64_t number,
        release;          /* of the series in its vault; which release of it this is */
    bool is_continued;    /* keys that an earlier release has shown are public */
    const sc_text *known; /* these: tuples, in increasing order, each once */
    size_t known_count;
    bool
        discovers_ranges; /* it is from before columns were public keys by their ranges */
    /* The number of releases, where answers are running totals (series.h); 0: they are not. */
    uint64_t running;
    sc_text
        total; /* then: the query that is answered; the one that is drawn is of a node */
    /* The numbers that are added to those drawn, by key in increasing order. Not copied: they live in the
     * plan's earlier. */
    const sc_plan_base *base;
    size_t base_count;
    bool is_whole; /* it has all that earlier releases give, and may be asked */
} sc_plan_series;

/* Counts of statements that are sums of the groups of one of them, the source: all count the same rows. The bounds of
 * a unit hold for the groups of the source, so that all of its rows may fall into one group of another statement. The source
 * may also be a query of its own, of which nothing is drawn. */
typedef struct sc_plan_nesting {
    size_t source;
    const char *query; /* the source, if it is not one of the statements; else NULL */
    const uint64_t *
        keys; /* by statement, bit i: it is grouped by key i of the source; in the same order */
} sc_plan_nesting;

typedef struct sc_planned_statement {
    const sc_query *query;
    sc_bounds
        own;      /* that a query of a batch says for itself; zeros: those of the batch */
    sc_text text; /* canonical, with a clause of these bounds */
    size_t
        ladder; /* of the plan's ladders, counted from 1, which finds its bounds; 0: none does */
    sc_statistics statistics;
    sc_bounds said;   /* of one unit, whole, by which its rows are chosen */
    sc_bounds bounds; /* the same, normal: what one unit can reach in this statement */
    bool
        has_noisy_bars; /* chosen: a delta is given, and each bucket has noise all the same */
    size_t cells;       /* as sc_statistics_plan says, */
    bool clamps;        /* and this, */
    uint64_t disjoint;    /* and this */
    uint64_t source_keys; /* as sc_plan_nesting says */
    const char *
        set; /* of several sets of keys: which one it is, "sex, city" or "all rows"; else "" */
    sc_plan_keys keys_kind;
    /* A column is a public key by its range (plan_keys.h): such keys are discovered; are used. */
    bool discovers_ranges, uses_ranges;
    /* With SC_PLAN_DISCOVERED: units are drawn by themselves, though a selection could show them. */
    bool draws_units;
    const sc_text
        *keys; /* of SC_PLAN_PUBLIC_KEYS: tuples, in increasing order (key_tuple.h) */
    size_t key_count;
    size_t null_count; /* of them with NULL in some part */
    /* With SC_PLAN_DISCOVERED, in a series that continues: known keys are shown without a selection. One that
     * shows its counts adds noise to theirs, too; any other has nothing to do with them. */
    bool is_continued;
    const sc_text *known;
    size_t known_count;
    /* The selection of keys first, where there is one, then the statistics in their order. Each has
     * one part; but units that the selection shows anyway have no part of their own. */
    const sc_drawn_part *parts;
    size_t part_count;
    /* Draws how many units are cut, by cell (cut.h), behind the parts of the statement; nothing counts them: it has no
     * measurement. */
    sc_cut_plan cut;
    sc_drawn_part cut_part;
    size_t
        cut_of; /* the statement, counted from 1, whose count of them is that of this one too; else 0 */
    const sc_key_choice *choices; /* of SC_PLAN_DISCOVERED */
    size_t choice_count;
} sc_planned_statement;

/* The parts of one statement at a tried epsilon. */
typedef struct sc_trial_statement {
    sc_drawn_part *parts;
    size_t part_count;
    sc_drawn_part cut_part;
    sc_key_choice *choices;
    size_t choice_count;
} sc_trial_statement;

/* All measurements of a plan that is tried at an epsilon (trial.h). */
typedef struct sc_trial {
    sc_trial_statement *statements;
    size_t statement_count;
    sc_drawn_part *parts; /* of all statements, those of each behind one another */
    size_t part_count;
    scrim_measurement **made; /* all of them, chosen or not */
    size_t made_count;
    sc_bundle *bundle;
    bool is_sketch; /* selections are left out */
    sc_arena arena;
} sc_trial;

/* The texts of the public interface; they live as long as the plan. */
typedef struct sc_plan_shown {
    const char *unit, *epsilon, *delta, *confidence, *expect, *guesses, *auto_share,
        *found_totals, *unfound_total;
    const scrim_plan_statement *statements;
    const scrim_plan_output *const *outputs; /* by statement */
    const scrim_plan_part *const *parts;
    const scrim_plan_other *const *others;
} sc_plan_shown;

/* A bound of a person's total of a column that a question finds (auto_range.h). */
#define SC_AUTO_RANGES 8
typedef struct sc_auto_range {
    const sc_column *column;
    size_t largest,
        smallest; /* of the plan's ladders, counted from 1; 0: no value is on that side of 0 */
} sc_auto_range;

/* Bounds that were found: a total of rows for each statement, and for each range its rungs, the largest total first. */
typedef struct sc_auto_bounds {
    uint64_t totals[SC_PLAN_STATEMENTS];
    size_t rungs[SC_AUTO_RANGES][2];
} sc_auto_bounds;

struct scrim_plan {
    sc_planned_dataset dataset;
    const char *
        policy; /* of the dataset, with the bounds of the question and the tables that it brings */
    const char *with; /* these tables, as they were given (brought.h); NULL: none */
    sc_asked_bounds asked;
    const sc_schema *schema; /* of that policy */
    scrim_neighbours neighbours;
    bool has_single_rows; /* each unit has one row, by the owner's declaration */
    bool
        is_once; /* the same question again is about the same rows: those of a file, or of a
                   * named version */
    sc_plan_options
        options;    /* epsilon is the one that was found, where a target was given */
    char *question; /* tokens and options */
    char *
        line; /* charged: the question, and what it measures by its digest (same_question.h) */
    const sc_planned_statement *statements;
    size_t statement_count;
    size_t
        source; /* the statement that the others are sums of, counted from 1; 0: no statement is */
    /* The statement that all are sums of, where it is not released: source is then SC_ROWS_OF_ALL. */
    const sc_planned_statement *unreleased;
    /* It is one question with several sets of keys (set_query.h), and its statements are these, in their order. */
    bool has_sets;
    bool has_series; /* it is a release of one */
    sc_plan_series series;
    uint64_t
        draws; /* that a number of the answer is the sum of: 1, or those of its total */
    const sc_bundle *bundle; /* all parts of all statements, in their order */
    /* Where the question finds its bounds (auto_bounds.h): the plan of its ladders, which are drawn first. The bundle is then
     * of the declared bounds in place of those that will be found, and the allowance says what is charged. */
    scrim_plan *ladder;
    sc_allowance *allowance;
    sc_auto_range *ranges;
    size_t range_count;
    bool is_found;   /* it is the plan with bounds that were found */
    sc_trial *trial; /* holds parts, choices and bundle */
    const sc_plan_shown *shown;
    sc_arena arena, earlier; /* earlier: what a release takes from those before it */
};

/* Parts of all queries of a batch; beyond this a plan is SCRIM_E_LIMIT. */
#define SC_PLAN_PARTS 1024

/* The schema that an aggregate of the plan is about: that of its own statement. */
const sc_schema *sc_plan_schema_of(const scrim_plan *plan,
                                   const sc_query_aggregate *aggregate);
/* Are the bounds of a statement to be found? */
bool sc_plan_finds(const scrim_plan *plan, const sc_planned_statement *statement);
/* The charge: the costs of all parts, their joint cost, or NULL, and their sum; or the total that a question which
 * finds its bounds has. */
const sc_exact_cost *sc_plan_costs(const scrim_plan *plan, size_t *count);
const sc_exact_cost *sc_plan_joint(const scrim_plan *plan);
const sc_exact_cost *sc_plan_total(const scrim_plan *plan);
scrim_cost sc_plan_cost(const scrim_plan *plan);
/* In how many releases of its series one unit can change the numbers: 1, or those of a running total. */
uint64_t sc_plan_levels(const scrim_plan *plan);
/* In place of the number of a source: a query of all columns together, which is not released. */
#define SC_ROWS_OF_ALL SIZE_MAX
/* In words: a set of keys of which the finest grouping of the same question is the source. */
#define SC_ROWS_OF_KEYS (SIZE_MAX - 1)
/* Are its groups sums of those of the source? */
bool sc_plan_is_sum(const scrim_plan *plan, size_t statement);
/* Where there is one. */
const sc_planned_statement *sc_plan_source(const scrim_plan *plan);
/* How many texts were asked: one a statement, but one for all sets of a question. */
size_t sc_plan_text_count(const scrim_plan *plan);
/* The query of a statement as it is asked and recorded. */
sc_text sc_plan_text(const scrim_plan *plan, size_t statement);
/* Are keys discovered, and has a group as many rows as units (statistic.h)? */
bool sc_plan_rows_are_units(const sc_schema *schema, const sc_bounds *bounds,
                            sc_plan_keys keys);
/* The numbers of a statement whose query, bounds, keys and cells are set. */
SCRIM_MUST_USE scrim_status sc_plan_statistics_of(const sc_planned_statement *statement,
                                                  sc_arena *arena, sc_statistics *out,
                                                  scrim_error *error);
/* The groups that a statement has, as bounds count them (contribution.h); key_count is that of public keys. */
uint64_t sc_plan_groups(sc_plan_keys keys, size_t key_count);
/* The part that draws a statistic, or (SC_STATISTIC_NONE) selects keys; SC_STATISTIC_NONE if
 * no part does. */
size_t sc_plan_part_of(const sc_planned_statement *statement, size_t statistic);

#endif
