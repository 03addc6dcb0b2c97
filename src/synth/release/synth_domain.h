/* Synthetic records as they are asked for (scrim/synth.h): everything public of a release before its charge.
 *
 * Claim  synth-plan.question  the same columns, cuts, impossible combinations, method and budget are the same question,
 *                             however they are written
 * Claim  synth-ask.charged    no round is drawn whose total is not charged in the ledger before; a failure afterwards
 *                             leaves the charge
 * Claim  synth-ask.once       the same question about the same version is charged once, and its rows are the same
 */
#ifndef SC_SYNTH_DOMAIN_H
#define SC_SYNTH_DOMAIN_H

#include "ledger/allowance.h"
#include "query/language/question.h"
#include "scrim/synth.h"
#include "synth/release/coded_column.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/mwem.h"
#include "synth/rounds/released_model.h"
#include "vault/policy.h"

/* So many columns have keys of a query. */
#define SC_SYNTH_PLAN_COLUMNS SC_QUERY_KEYS
#define SC_SYNTH_NEVER 1024
/* Marginals of mwem have at most so many columns, and there are at most so many of them. */
#define SC_SYNTH_WAYS 8
#define SC_SYNTH_MARGINALS 65536
/* So many private keys of a column: the usual limit, and the largest one. */
#define SC_SYNTH_PRIVATE_USUAL 64
#define SC_SYNTH_PRIVATE_MOST 65536

/* A combination that no row has. */
typedef struct sc_synth_never {
    sc_clique clique;
    uint32_t codes[SC_SYNTH_PLAN_COLUMNS]; /* by column; of those in the clique */
} sc_synth_never;

/* What the record and the plan have in common. */
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
/* The columns by name; SIZE_MAX where there is none. */
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
