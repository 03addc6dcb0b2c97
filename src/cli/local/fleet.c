#include "cli/local/fleet.h"

#include "cli/terminal/complaint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATES_BYTES ((size_t)1 << 30) /* of all devices */
#define NATS 4294967296.0              /* parts of a nat in a state */

typedef struct fleet {
    const sc_fleet_plan *plan;
    scrim_local_config config;
    size_t state_bytes, report_bytes;
    uint8_t *states, *message, *batch;
    uint32_t *values;
    double *below;  /* the chance of all values before each */
    uint64_t *held; /* by those who report in this period */
    uint64_t words[256];
    size_t left; /* of words */
} fleet;

/* Words are fetched many at a time, since each device draws one in each period. */
static bool draw(fleet *f, double *out)
{
    const scrim_local_source *source = &f->plan->source;
    if (f->left == 0) {
        if (source->fill(source->context, f->words, sizeof f->words) != 0)
            return false;
        f->left = sizeof f->words / sizeof *f->words;
    }
    *out = ldexp((double)(f->words[--f->left] >> 11), -53);
    return true;
}

/* The weights are unnormalised; false: no such law. */
static bool fill_law(fleet *f)
{
    const char *law = f->plan->law;
    const double k = f->config.values;
    double sum = 0;
    for (uint32_t v = 0; v < f->config.values; v++) {
        const double z = (v + 0.5 - k / 2) / (k / 6);
        f->below[v] = sum;
        if (strcmp(law, "zipf") == 0)
            sum += pow(v + 1.0, -1.1);
        else if (strcmp(law, "normal") == 0)
            sum += exp(-z * z / 2);
        else if (strcmp(law, "uniform") == 0)
            sum += 1;
        else
            return false;
    }
    for (uint32_t v = 0; v < f->config.values; v++)
        f->below[v] /= sum;
    return true;
}

static uint32_t value_at(const fleet *f, double u)
{
    uint32_t low = 0, high = f->config.values;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (f->below[middle] <= u)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static scrim_status no_bits(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_ENTROPY, "there are no random bits");
}

static scrim_status make_devices(fleet *f, scrim_error *error)
{
    const uint64_t loss = scrim_local_loss(&f->config);
    const double life = f->plan->lifetime * NATS;
    const uint64_t whole =
        loss > UINT64_MAX / f->plan->periods ? UINT64_MAX : loss * f->plan->periods;
    const uint64_t cap = f->plan->lifetime > 0 && life < 0x1p63 ? (uint64_t)life : whole;
    for (uint64_t i = 0; i < f->plan->users; i++) {
        double u;
        if (!draw(f, &u) ||
            scrim_local_state_init(f->states + i * f->state_bytes, f->state_bytes, 1,
                                   (uint32_t)f->report_bytes, cap, loss,
                                   &f->plan->source) != SCRIM_LOCAL_OK)
            return no_bits(error);
        f->values[i] = value_at(f, u);
    }
    return SCRIM_OK;
}

/* One device, one period: false, and there is no report, where its budget is spent. */
static bool report(fleet *f, uint64_t device, uint64_t period)
{
    uint8_t *state = f->states + device * f->state_bytes;
    return scrim_local_state_prepare(state, f->state_bytes, &f->config, period,
                                     f->values[device]) == SCRIM_LOCAL_OK &&
           scrim_local_state_send(state, f->state_bytes, &f->config, period,
                                  f->message) == SCRIM_LOCAL_OK;
}

static scrim_status move(fleet *f, uint64_t device, scrim_error *error)
{
    double u;
    if (!draw(f, &u))
        return no_bits(error);
    if (u < f->plan->drift)
        f->values[device] = (f->values[device] + 1) % f->config.values;
    return SCRIM_OK;
}

static scrim_status send_all(fleet *f, uint64_t period, scrim_collection *collection,
                             sc_fleet_period *seen, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    scrim_local_header(&f->config, f->batch);
    f->batch[3] = 1;
    status = scrim_collection_read(collection, f->batch, SCRIM_LOCAL_HEADER_BYTES, error);
    memset(f->held, 0, f->config.values * sizeof *f->held);
    for (uint64_t i = 0; i < f->plan->users && status == SCRIM_OK; i++) {
        if (period > 1 && f->plan->drift > 0)
            status = move(f, i, error);
        if (status != SCRIM_OK)
            break;
        if ((period + i) % f->plan->every != 0)
            continue;
        if (!report(f, i, period)) {
            seen->silent++;
            continue;
        }
        seen->reports++;
        f->held[f->values[i]]++;
        status = scrim_collection_read(collection, f->message + SCRIM_LOCAL_HEADER_BYTES,
                                       f->report_bytes, error);
    }
    return status == SCRIM_OK ? scrim_collection_end_file(collection, error) : status;
}

static void judge(const fleet *f, const scrim_estimates *estimates, sc_fleet_period *seen)
{
    const double n = (double)seen->reports;
    double squares = 0, covered = 0;
    for (uint32_t v = 0; v < f->config.values; v++) {
        scrim_estimate row;
        const double truth = (double)f->held[v];
        scrim_estimates_at(estimates, v, &row);
        squares += (row.estimate - truth) * (row.estimate - truth);
        covered += row.low <= truth && truth <= row.high;
        if (v == 0) {
            seen->held = truth / n;
            seen->estimate = row.estimate / n;
            seen->low = row.low / n;
            seen->high = row.high / n;
        }
    }
    seen->error = sqrt(squares / f->config.values) / n;
    seen->covered = covered / f->config.values;
}

static scrim_status run_period(fleet *f, uint64_t period, sc_fleet_period *seen,
                               scrim_error *error)
{
    scrim_collection *collection = NULL;
    scrim_estimates *estimates = NULL;
    scrim_local_account account;
    scrim_status status = scrim_collection_new(f->plan->config, &collection, error);
    if (status == SCRIM_OK)
        status = send_all(f, period, collection, seen, error);
    if (status == SCRIM_OK && seen->reports > 0)
        status = scrim_collection_decode(collection, NULL, &estimates, error);
    if (status == SCRIM_OK && estimates != NULL) {
        if (scrim_estimates_count(estimates) == f->config.values)
            judge(f, estimates, seen);
        else
            status = sc_refuse(error, "a fleet needs a protocol that counts values");
    }
    /* A device whose turn comes first. */
    const size_t first = (size_t)((f->plan->every - 1) % f->plan->users);
    if (scrim_local_state_read(f->states + first * f->state_bytes, f->state_bytes,
                               &account) == SCRIM_LOCAL_OK)
        seen->spent = (double)account.spent / NATS;
    scrim_estimates_free(estimates);
    scrim_collection_free(collection);
    return status;
}

/* The others estimate the mean of a number, which has no counters of values. */
static bool counts_values(const scrim_local_config *config)
{
    return config->protocol < SCRIM_LOCAL_ONE_BIT ||
           config->protocol == SCRIM_LOCAL_CONDENSED;
}

static scrim_status prepare(fleet *f, scrim_error *error)
{
    scrim_collection *collection = NULL;
    /* words a refusal of the configuration */
    scrim_status status = scrim_collection_new(f->plan->config, &collection, error);
    scrim_collection_free(collection);
    if (status != SCRIM_OK)
        return status;
    if (scrim_local_config_parse(f->plan->config, &f->config) != SCRIM_LOCAL_OK ||
        f->config.values == 0 || f->config.text > 0 || !counts_values(&f->config))
        return sc_refuse(error, "a fleet needs a protocol that counts values");
    f->report_bytes = scrim_local_report_bytes(&f->config);
    f->state_bytes = scrim_local_state_bytes(1, (uint32_t)f->report_bytes);
    if (f->plan->users > STATES_BYTES / f->state_bytes)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "a device of this configuration keeps %zu bytes; use at "
                                 "most %zu devices: --users",
                                 f->state_bytes, STATES_BYTES / f->state_bytes);
    f->states = calloc((size_t)f->plan->users, f->state_bytes);
    f->values = calloc((size_t)f->plan->users, sizeof *f->values);
    f->message = calloc(1, SCRIM_LOCAL_HEADER_BYTES + f->report_bytes);
    f->batch = calloc(1, SCRIM_LOCAL_HEADER_BYTES);
    f->below = calloc(f->config.values, sizeof *f->below);
    f->held = calloc(f->config.values, sizeof *f->held);
    if (f->states == NULL || f->values == NULL || f->message == NULL ||
        f->batch == NULL || f->below == NULL || f->held == NULL)
        return sc_out_of_memory(error, "devices");
    if (!fill_law(f))
        return sc_refuse(error, "unknown law '%.40s'; use zipf, uniform or normal",
                         f->plan->law);
    return SCRIM_OK;
}

scrim_status sc_fleet_run(const sc_fleet_plan *plan, sc_fleet_watcher *watcher,
                          void *context, scrim_error *error)
{
    fleet f = {.plan = plan};
    scrim_status status = prepare(&f, error);
    if (status == SCRIM_OK)
        status = make_devices(&f, error);
    for (uint64_t period = 1; period <= plan->periods && status == SCRIM_OK; period++) {
        sc_fleet_period seen = {.reports = 0};
        status = run_period(&f, period, &seen, error);
        if (status == SCRIM_OK)
            watcher(context, period, &seen);
    }
    free(f.states);
    free(f.values);
    free(f.message);
    free(f.batch);
    free(f.below);
    free(f.held);
    return status;
}
