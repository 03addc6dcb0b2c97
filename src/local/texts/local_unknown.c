#include "scrim/local_unknown.h"

#include "audit/bounds.h"
#include "base/memory.h"
#include "local/texts/prefix_search.h"
#include "local/texts/support_threshold.h"
#include "local/texts/text_support.h"
#include "model/option_struct.h"
#include "query/estimate/noise_sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEEP 64
#define ALPHA 0.05
/* The chance at which a text is called detectable. */
#define POWER 0.9

struct scrim_local_unknown {
    scrim_local_text *rows;
    size_t count;
    scrim_local_unknown_facts facts;
};

/* P and Q, and what was asked for. */
typedef struct unknown_search {
    const scrim_local_config *config;
    scrim_local_unknown_options asked;
    double truth, other;
} unknown_search;

static scrim_status read_options(const scrim_local_config *config, uint32_t protocol,
                                 const scrim_local_unknown_options *options,
                                 unknown_search *out, scrim_error *error)
{
    *out = (unknown_search){.config = config};
    if (config->protocol != protocol)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
                           "texts need reports of %s",
                           scrim_local_protocol_name(protocol));
    const scrim_status status = sc_option_struct_copy(
        options, sizeof options->size, &out->asked, sizeof out->asked, error);
    if (status != SCRIM_OK)
        return status;
    out->asked.keep = out->asked.keep == 0 ? KEEP : out->asked.keep;
    out->asked.alpha = out->asked.alpha == 0 ? ALPHA : out->asked.alpha;
    if (!(out->asked.alpha > 0 && out->asked.alpha <= 1))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
                                 "must be above 0 and at most 1");
    out->truth = sc_text_report_truth(config);
    out->other = 1 / (double)config->cells;
    return SCRIM_OK;
}

/* Devices of all groups, and the standard error: of the reports, and of which devices are in the group. */
static void fill_estimate(const unknown_search *s, const scrim_local_unknown_facts *facts,
                          scrim_local_text *row)
{
    const double n = (double)(facts->reports - facts->dropped);
    const double group = (double)facts->last_group, gap = s->truth - s->other;
    const double held = ((double)row->count - group * s->other) / gap;
    const double known = fmin(group, fmax(0, held)), f = known / group;
    const double variance = (known * s->truth * (1 - s->truth) +
                             (group - known) * s->other * (1 - s->other)) /
                            (gap * gap);
    row->estimate = held * n / group;
    row->error = sqrt(variance * (n / group) * (n / group) +
                      n * n * f * (1 - f) * (1 / group - 1 / n));
    row->p_value = sc_binomial_at_least(row->count, facts->last_group, s->other);
}

static int by_count(const void *a, const void *b)
{
    const scrim_local_text *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return memcmp(x->text, y->text, sizeof x->text);
}

static scrim_status threshold_by_rate(const unknown_search *s, scrim_local_unknown *found,
                                      scrim_error *error)
{
    uint64_t *counts = sc_allocate(found->count, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "texts");
    for (size_t i = 0; i < found->count; i++)
        counts[i] = found->rows[i].count;
    found->facts.threshold = sc_support_threshold_rate(
        found->facts.last_group, s->other, counts, found->count, s->asked.alpha);
    sc_free(counts);
    return SCRIM_OK;
}

/* The share that a text needs in a group of n to pass the threshold with the chance POWER. */
static double detectable(const unknown_search *s, uint64_t threshold, double n)
{
    const double spread = sc_normal_quantile(POWER) * sqrt(n * s->other * (1 - s->other));
    return ((double)threshold - n * s->other + spread) / (s->truth - s->other) / n;
}

/* Sorts the candidates, and leaves out those below the threshold. */
static scrim_status finish(const unknown_search *s, scrim_local_unknown *found,
                           scrim_error *error)
{
    scrim_local_unknown_facts *facts = &found->facts;
    scrim_status status = SCRIM_OK;
    const double n = (double)facts->last_group;
    facts->candidates = found->count;
    qsort(found->rows, found->count, sizeof *found->rows, by_count);
    facts->threshold = sc_support_threshold(
        facts->last_group, s->other, found->count > 0 ? found->count : 1, s->asked.alpha);
    facts->detectable = n > 0 ? detectable(s, facts->threshold, n) : 1;
    if (s->asked.is_rate)
        status = threshold_by_rate(s, found, error);
    size_t listed = 0;
    while (listed < found->count && found->rows[listed].count >= facts->threshold)
        fill_estimate(s, facts, &found->rows[listed++]);
    found->count = listed;
    return status;
}

static scrim_status make(size_t count, scrim_local_unknown **out, scrim_error *error)
{
    scrim_local_unknown *made = sc_allocate(1, sizeof *made);
    if (made != NULL)
        made->rows = sc_allocate(count, sizeof *made->rows);
    if (made == NULL || made->rows == NULL) {
        sc_free(made);
        return sc_no_memory(error, "texts");
    }
    made->count = count;
    *out = made;
    return SCRIM_OK;
}

static scrim_status finish_into(const unknown_search *s, scrim_local_unknown *made,
                                scrim_status status, scrim_local_unknown **out,
                                scrim_error *error)
{
    if (status == SCRIM_OK)
        status = finish(s, made, error);
    if (status == SCRIM_OK)
        *out = made;
    else
        scrim_local_unknown_free(made);
    return status;
}

scrim_status scrim_local_unknown_search(const scrim_local_config *config,
                                        const uint8_t *reports, size_t count,
                                        const scrim_local_unknown_options *options,
                                        scrim_local_unknown **out, scrim_error *error)
{
    unknown_search s;
    sc_prefix_search search;
    scrim_local_unknown *made = NULL;
    scrim_status status = read_options(config, SCRIM_LOCAL_PREFIX, options, &s, error);
    if (status == SCRIM_OK)
        status =
            sc_prefix_search_run(config, reports, count, s.asked.keep, &search, error);
    if (status != SCRIM_OK)
        return status;
    status = make(search.count, &made, error);
    for (size_t i = 0; i < search.count && status == SCRIM_OK; i++) {
        memcpy(made->rows[i].text, search.candidates[i].text, sizeof made->rows[i].text);
        made->rows[i].count = search.candidates[i].count;
    }
    if (status == SCRIM_OK)
        made->facts = (scrim_local_unknown_facts){
            .reports = count,
            .dropped = search.dropped,
            .last_group = search.reports[config->prefixes - 1]};
    sc_free(search.candidates);
    return finish_into(&s, made, status, out, error);
}

scrim_status scrim_local_unknown_count(const scrim_local_config *config,
                                       const uint8_t *reports, size_t count,
                                       const uint8_t *texts, size_t text_count,
                                       const scrim_local_unknown_options *options,
                                       scrim_local_unknown **out, scrim_error *error)
{
    unknown_search s;
    scrim_local_unknown *made = NULL;
    uint64_t *counts = NULL, dropped = 0;
    scrim_status status =
        read_options(config, SCRIM_LOCAL_TEXT_HASHING, options, &s, error);
    if (status == SCRIM_OK)
        status = make(text_count, &made, error);
    if (status != SCRIM_OK)
        return status;
    counts = sc_allocate(text_count, sizeof *counts);
    status = counts == NULL ? sc_no_memory(error, "texts")
                            : sc_text_support(config, reports, count, texts, text_count,
                                              counts, &dropped, error);
    for (size_t i = 0; i < text_count && status == SCRIM_OK; i++) {
        memcpy(made->rows[i].text, texts + i * config->text, config->text);
        made->rows[i].count = counts[i];
    }
    made->facts = (scrim_local_unknown_facts){
        .reports = count, .dropped = dropped, .last_group = count - dropped};
    sc_free(counts);
    return finish_into(&s, made, status, out, error);
}

void scrim_local_unknown_free(scrim_local_unknown *found)
{
    if (found != NULL)
        sc_free(found->rows);
    sc_free(found);
}

const scrim_local_text *scrim_local_unknown_texts(const scrim_local_unknown *found,
                                                  size_t *count)
{
    *count = found->count;
    return found->rows;
}

void scrim_local_unknown_describe(const scrim_local_unknown *found,
                                  scrim_local_unknown_facts *out)
{
    *out = found->facts;
}
