/* Columns of synthetic records: their codes, their cuts, and the domain that they form. */
#ifndef SC_SYNTH_DOMAIN_H
#define SC_SYNTH_DOMAIN_H

#include "data/value/schema.h"
#include "ledger/allowance.h"
#include "query/language/question.h"
#include "query/plan/asked_bounds.h"
#include "query/rows/key_tuple.h"
#include "scrim/synth.h"
#include "synth/model/clique.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/mwem.h"
#include "synth/rounds/synth_released.h"
#include "vault/policy.h"

/* A column of a dataset as a synthesiser has it: values become the codes 0 .. size - 1.
 *
 * A column with public keys has a category for each of them. Numbers, dates and truth values without keys are in
 * bins of their declared range. NULL is the last category, where it can occur. All of it is declared; a value alone
 * decides its code.
 *
 * Text without public keys has private ones: a category for each key that a private selection found (record_reader.h), and
 * NULL, which has the rows of all other values. Before the selection only their largest number is known.
 *
 * Claim  coded-column.total  every value has a code: what is below the first bin is in it, what is above the last one
 *                            in that
 * Claim  coded-column.found  a value that no selection found has the code of NULL
 * Claim  coded-column.back   the text of a category has the code of that category
 */

/* The most bins of a column without keys. */
#define SC_CODED_BINS 65536
/* A column without a cut has a bin for each value if it has at most SC_CODED_VALUES values, else
 * SC_CODED_USUAL bins. */
#define SC_CODED_VALUES 256
#define SC_CODED_USUAL 16

typedef struct sc_coded_column {
    const sc_column *column;
    bool is_listed; /* a category for each key; else bins */
    bool is_nullable;
    /* The line of the measurement that selects private keys; NULL: all keys are declared. */
    const char *selection;
    uint32_t
        count; /* categories without NULL; private keys before the selection: at most */
    /* [count] of a listed column, by code; NULL: the selection is still to come */
    const sc_text *texts;
    const int64_t *
        values; /* [count] of listed numbers, ascending; NULL: of text, whose texts ascend */
    /* [count + 2] of bins: bin c holds what is from edges[c] on and below edges[c + 1]; the last edge is a place
     * for NULL */
    const int64_t *edges;
} sc_coded_column;

/* With NULL. */
static inline uint32_t sc_coded_size(const sc_coded_column *c)
{
    return c->count + (c->is_nullable ? 1 : 0);
}

/* Are its categories still to be selected? */
static inline bool sc_coded_is_open(const sc_coded_column *c)
{
    return c->selection != NULL && c->texts == NULL;
}

static inline bool sc_coded_is_number(const sc_coded_column *c)
{
    return c->column->type == SC_COLUMN_INT || c->column->type == SC_COLUMN_DECIMAL;
}

/* Without a cut: by its keys, or in usual bins. out has column and is_nullable. SCRIM_E_PARAM for a text without
 * keys, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_coded_usual(sc_coded_column *out, sc_arena *arena,
                                           scrim_error *error);

/* The code of a value, or text, of a row; its categories are known. */
uint32_t sc_coded_code(const sc_coded_column *c, const sc_key_part *part);

/* A value of a column that has a range, in steps, as the policy writes it. Without a message:
 * SCRIM_E_PARAM for an invalid text, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_coded_read(const sc_column *column, sc_text text,
                                          int64_t *out);
/* The category that a text means: a key, a number in a bin, or NULL; its categories are known. As sc_coded_read. */
SCRIM_MUST_USE scrim_status sc_coded_find(const sc_coded_column *c, sc_text text,
                                          uint32_t *out);
/* How a category is written: a key, a value, NULL, or "17 to 21". As snprintf. */
size_t sc_coded_format(const sc_coded_column *c, uint32_t code, char *text,
                       size_t capacity);

/* How a column of numbers or dates is cut into bins, as an option says it.
 *
 *     age=5            bins of width 5 from the lower end of the declared range
 *     age=17:5:15      15 bins of width 5 from 17 on
 *     age=18,30,65     bins that begin there, and one before them
 *
 * Widths of dates are days, of timestamps seconds. Bins end at the ends of the declared range: what a cut leaves out at
 * either end belongs to the first or the last bin.
 */

/* The bins of the column that out has. SCRIM_E_PARAM for an invalid text or a column that cannot
 * be cut, SCRIM_E_LIMIT above SC_CODED_BINS, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_column_cut(sc_coded_column *out, sc_text cut,
                                          sc_arena *arena, scrim_error *error);
/* The bins as a cut has them: "17:5:15", or "18,30,65"; empty for listed keys and one bin. */
void sc_column_cut_put(const sc_coded_column *c, sc_text_sink *sink);

/* Synthetic records as they are asked for (scrim/synth.h): everything public of a release before its charge.
 *
 * Claim  synth-plan.question  the same columns, cuts, impossible combinations, method, bounds and budget are the same
 *                             question, however they are written
 * Claim  synth-ask.charged    no round is drawn whose total is not charged in the ledger before; a failure afterwards
 *                             leaves the charge
 * Claim  synth-ask.once       the same question about the same version is charged once, and its rows are the same
 */

/* The most columns of a synthesiser, which are the keys of a query. */
#define SC_SYNTH_PLAN_COLUMNS SC_QUERY_KEYS
#define SC_SYNTH_NEVER 1024
/* The most columns of a marginal of mwem, and the most marginals. */
#define SC_SYNTH_WAYS 8
#define SC_SYNTH_MARGINALS 65536
/* How many private keys a column may have: the default limit, and the largest one. */
#define SC_SYNTH_PRIVATE_USUAL 64
#define SC_SYNTH_PRIVATE_MOST 65536

/* A combination that no row has. */
typedef struct sc_synth_never {
    sc_clique clique;
    uint32_t codes[SC_SYNTH_PLAN_COLUMNS]; /* by column; of those in the clique */
} sc_synth_never;

/* Facts that the record and the plan share. */
typedef struct sc_synth_domain {
    size_t count;
    sc_coded_column columns[SC_SYNTH_PLAN_COLUMNS];
    const sc_synth_never *never;
    size_t never_count;
    /* Counting queries that were asked for, by their texts (counting_query.h). */
    const sc_linear_query *queries;
    const char *const *query_texts;
    size_t query_count;
} sc_synth_domain;

void sc_synth_domain_sizes(const sc_synth_domain *domain, sc_synth_columns *out);
/* The place of a column by name; SIZE_MAX for an unknown name. */
size_t sc_synth_domain_find(const sc_synth_domain *domain, sc_text name);
/* A column, with its name and cut. */
void sc_synth_domain_describe(const sc_synth_domain *domain, size_t index,
                              const char *const *names, const char *const *cuts,
                              scrim_synth_column *out);
/* Columns whose NULL may turn out to be absent: those that have one, and no part in an impossible combination, whose rows
 * are moved there. */
sc_clique sc_synth_domain_nullable(const sc_synth_domain *domain);
/* Where rows are moved that have an impossible combination: NULL, or the first category. */
static inline uint32_t sc_synth_other(const sc_coded_column *c)
{
    return c->is_nullable ? c->count : 0;
}
/* The category of "NAME=VALUE". SCRIM_E_PARAM, for that parameter; also where the categories of the column are still
 * to be selected. */
SCRIM_MUST_USE scrim_status sc_synth_domain_read(const sc_synth_domain *domain,
                                                 const char *parameter, sc_text text,
                                                 size_t *column, uint32_t *code,
                                                 scrim_error *error);
/* The combinations as cells, in the arena. SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_domain_zeros(const sc_synth_domain *domain,
                                                  sc_arena *arena,
                                                  const sc_synth_zero **out,
                                                  scrim_error *error);

struct scrim_synth {
    sc_planned_dataset dataset;
    const sc_schema *schema;
    const char *policy;          /* of the dataset, with the bounds of this question */
    sc_asked_bounds asked;       /* these bounds */
    scrim_synth_options options; /* of workers, memory and progress */
    scrim_frame frame;           /* the rows, where the options name a frame */
    bool is_once;                /* the same question is charged once */
    sc_synth_method method;
    sc_ratio epsilon, delta, rho;
    bool is_pure;
    sc_round_unit unit;
    sc_synth_domain domain;
    sc_synth_columns sizes;
    const sc_synth_zero *zeros;
    const sc_query *query; /* counts distinct rows */
    /* Columns whose private keys are still to be selected: what all of them cost, how they are selected, the units of one
     * that is kept with probability 1/2 and 0.95, and the query that counts the values of each; by column. */
    size_t private_count;
    sc_ratio selection_epsilon, selection_delta;
    scrim_measurement *selection; /* of one of them */
    uint64_t kept_half, kept_most;
    const sc_query *value_queries[SC_SYNTH_PLAN_COLUMNS];
    unsigned ways;              /* of the marginals that mwem measures */
    const sc_clique *marginals; /* all of them */
    size_t marginal_count;
    size_t measured_count;           /* queries that mwem will measure */
    scrim_synth_release *before;     /* that is refined, or NULL */
    const scrim_synth_release *like; /* whose columns it has: that, another, or NULL */
    char *question;
    const char *cuts[SC_SYNTH_PLAN_COLUMNS], *names[SC_SYNTH_PLAN_COLUMNS];
    char count_error[SCRIM_NUMBER_BYTES], pair_error[SCRIM_NUMBER_BYTES];
    sc_arena arena;
};

/* As scrim_synth_new, of the columns, cuts and found categories of a release of any method, to read its data again; the
 * release must live as long. */
SCRIM_MUST_USE scrim_status sc_synth_new_like(scrim_vault *vault,
                                              const scrim_synth_release *release,
                                              scrim_synth **out, scrim_error *error);

#endif
