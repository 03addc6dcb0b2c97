#include "synth/release/query_report.h"

#include "base/memory.h"

#include <math.h>

#define RATE_UNIT 0x1p-32
/* Room for the rounding of the quotients. */
#define OUTWARDS 1e-12

typedef struct making {
    const sc_released_report *of;
    const sc_synth_released *released;
    double share; /* of beta, for a statement */
    sc_variation_total total;
    sc_query_entry *out;
} making;

static scrim_status count_rows(const making *m, size_t i, scrim_error *error)
{
    const sc_synth_columns *columns = &m->released->columns;
    const sc_linear_query *query = &m->of->options->queries[i];
    const size_t cells = (size_t)sc_clique_cells(columns, query->clique);
    int64_t *counts = sc_allocate(cells, sizeof *counts);
    if (counts == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a report");
    sc_synth_rows_count(m->of->rows, columns, query->clique, counts);
    m->out[i] = (sc_query_entry){0, SC_REPORT_MODEL, {0, 1}};
    for (size_t k = 0; k < cells; k++)
        m->out[i].rows += query->numerators[k] != 0 ? (uint64_t)counts[k] : 0;
    sc_free(counts);
    return SCRIM_OK;
}

/* What is known of the share in the data: its count is within a radius of a centre. */
static void bound(const making *m, size_t i, double centre, double radius,
                  sc_report_kind kind)
{
    const double share = (double)m->out[i].rows / (double)m->of->rows->count;
    const double least = m->total.total - m->total.slack;
    const double low = fmax(centre - radius, 0) / (m->total.total + m->total.slack);
    const double high = least > 0 ? fmin((centre + radius) / least, 1) : 1;
    m->out[i].kind = kind;
    m->out[i].difference.lower = fmax(fmax(low - share, share - high) - OUTWARDS, 0);
    m->out[i].difference.upper = fmin(fmax(high - share, share - low) + OUTWARDS, 1);
}

/* |noise| is at most this, but for the share of beta. */
static double noise_upper(const making *m, const sc_synth_step *step)
{
    const sc_cell_noise noise = {step->noise == SC_SYNTH_LAPLACE,
                                 (double)step->scale_64ths / 64};
    return sc_variation_slack_upper(&noise, m->share);
}

static void bound_measured(const making *m)
{
    for (size_t i = 1; i < m->released->count; i++) {
        const sc_synth_step *step = &m->released->steps[i];
        bound(m, (size_t)step->query, (double)step->counts[0], noise_upper(m, step),
              SC_REPORT_MEASURED);
    }
}

/* Candidates of the last round that were never measured. */
static scrim_status bound_others(const making *m, scrim_error *error)
{
    sc_synth_released before = *m->released;
    const sc_released_options *options = m->of->options;
    const sc_synth_step *last = &before.steps[before.count - 1];
    sc_weight_model *model = NULL;
    int64_t answer = 0;
    before.count--;
    before.last_passes = 0;
    scrim_status status = sc_released_weights(&before, options, &model, error);
    if (status == SCRIM_OK)
        status =
            sc_weight_model_answer(model, &options->queries[last->query], &answer, error);
    const sc_selection_round round = {.candidates = last->candidates,
                                      .h = (double)last->rate * RATE_UNIT,
                                      .chosen_weight = 1,
                                      .chosen_upper =
                                          fabs((double)last->counts[0] - (double)answer) +
                                          noise_upper(m, last)};
    const double upper = sc_selection_upper(&round, 1, 0, m->share);
    for (size_t i = 0; status == SCRIM_OK && i < options->query_count; i++) {
        if (m->out[i].kind != SC_REPORT_MODEL)
            continue;
        status = sc_weight_model_answer(model, &options->queries[i], &answer, error);
        bound(m, i, (double)answer, upper, SC_REPORT_SELECTION);
    }
    sc_weight_model_free(model);
    return status;
}

scrim_status sc_query_report_make(const sc_released_report *of, sc_query_entry *out,
                                  scrim_error *error)
{
    const sc_synth_released *released = of->released;
    making m = {.of = of, .released = released, .out = out};
    const size_t count = of->options->query_count;
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = count_rows(&m, i, error);
    if (status != SCRIM_OK || count == 0 || released->method != SC_SYNTH_MWEM)
        return status;
    m.share = of->beta / (double)(released->count + 1);
    m.total.total = (double)released->total;
    m.total.slack = noise_upper(&m, &released->steps[0]);
    bound_measured(&m);
    return released->count - 1 < count ? bound_others(&m, error) : SCRIM_OK;
}
