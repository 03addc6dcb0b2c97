/* Reports that are a bitmap, perhaps behind the number of a cohort: how often each bit is 1. The counters
 * of a cohort are its reports and then its bits; without cohorts they are the bits alone. */
#include "audit/bounds.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/bit_counters.h"
#include "local/collect/sum_kind.h"
#include "mechanism/local/protocol.h"

#define RARE 0x1p-40

typedef struct bitmaps {
    sc_bit_counters *cohorts;
    size_t cohort_count, cohort_bytes, bits;
    uint64_t *reports; /* of each cohort */
    uint8_t spare;     /* bits of the last byte that are 0 */
    size_t low, high;  /* weights outside are flagged */
} bitmaps;

static bool has_cohorts(const scrim_local_config *config)
{
    return config->protocol == SCRIM_LOCAL_RAPPOR;
}

static size_t bits_of(const scrim_local_config *config)
{
    return has_cohorts(config) ? config->bits : config->values;
}

static size_t count_cells(const scrim_local_config *config)
{
    return has_cohorts(config) ? (size_t)config->cohorts * (1 + (size_t)config->bits)
                               : config->values;
}

/* Pr[weight <= w] and Pr[weight >= w] of one bit of probability p and others of probability q. */
static double at_most(size_t w, size_t others, double p, double q)
{
    if (w > others)
        return 1;
    return (1 - p) * sc_binomial_at_most(w, others, q) +
           (w == 0 ? 0 : p * sc_binomial_at_most(w - 1, others, q));
}

static double at_least(size_t w, size_t others, double p, double q)
{
    if (w > others)
        return p * sc_binomial_at_least(others, others, q);
    return (1 - p) * sc_binomial_at_least(w, others, q) +
           (w == 0 ? p : p * sc_binomial_at_least(w - 1, others, q));
}

/* The least weight whose lower tail, and the largest whose upper tail, is not rare. */
static void find_weights(bitmaps *maps, double p, double q)
{
    const size_t others = maps->bits - 1;
    size_t low = 0, high = maps->bits;
    for (size_t step = maps->bits; step > 0; step /= 2)
        while (low + step <= maps->bits && at_most(low + step - 1, others, p, q) <= RARE)
            low += step;
    for (size_t step = maps->bits; step > 0; step /= 2)
        while (high >= step && at_least(high - step + 1, others, p, q) <= RARE)
            high -= step;
    maps->low = low;
    maps->high = high;
}

static void set_weights(bitmaps *maps, const scrim_local_config *config)
{
    SC_OWN(sc_ratio, p, q);
    maps->low = 0;
    maps->high = maps->bits;
    if (config->protocol == SCRIM_LOCAL_SUBSET)
        maps->low = maps->high = config->chosen;
    else if (!has_cohorts(config) && sc_protocol_support(config, &p, &q))
        find_weights(maps, sc_ball_near(&p), sc_ball_near(&q));
}

static scrim_status begin_bitmaps(sc_sums *sums, scrim_error *error)
{
    const scrim_local_config *config = &sums->config;
    bitmaps *maps = sc_allocate(1, sizeof *maps);
    const size_t cohorts = has_cohorts(config) ? config->cohorts : 1;
    sums->context = maps;
    if (maps != NULL) {
        maps->cohorts = sc_allocate(cohorts, sizeof *maps->cohorts);
        maps->reports = sc_allocate(cohorts, sizeof *maps->reports);
    }
    if (maps == NULL || maps->cohorts == NULL || maps->reports == NULL)
        return sc_no_memory(error, "sums");
    maps->bits = bits_of(config);
    maps->cohort_bytes = cohorts == 1 ? 0 : sc_report_integer_bytes(cohorts);
    maps->spare = (uint8_t)(maps->bits % 8 == 0 ? 0 : 0xff << maps->bits % 8);
    scrim_status status = SCRIM_OK;
    for (; status == SCRIM_OK && maps->cohort_count < cohorts; maps->cohort_count++)
        status =
            sc_bit_counters_init(&maps->cohorts[maps->cohort_count], maps->bits, error);
    set_weights(maps, config);
    return status;
}

static void end_bitmaps(sc_sums *sums)
{
    bitmaps *maps = sums->context;
    if (maps == NULL)
        return;
    for (size_t i = 0; i < maps->cohort_count; i++)
        sc_bit_counters_clear(&maps->cohorts[i]);
    sc_free(maps->reports);
    sc_free(maps->cohorts);
    sc_free(maps);
}

static void add_one(sc_sums *sums, bitmaps *maps, const uint8_t *report)
{
    const uint64_t cohort = sc_report_integer(report, maps->cohort_bytes);
    const uint8_t *bitmap = report + maps->cohort_bytes;
    if (cohort >= maps->cohort_count ||
        (bitmap[(maps->bits - 1) / 8] & maps->spare) != 0) {
        sums->dropped++;
        return;
    }
    const size_t weight = sc_bit_counters_add(&maps->cohorts[cohort], bitmap);
    sums->flagged += weight < maps->low || weight > maps->high;
    sums->reports++;
    maps->reports[cohort]++;
}

static void add(sc_sums *sums, const uint8_t *reports, size_t count, size_t stride,
                size_t readable)
{
    (void)readable;
    for (; count > 0; count--, reports += stride)
        add_one(sums, sums->context, reports);
}

static void finish(sc_sums *sums)
{
    bitmaps *maps = sums->context;
    uint64_t *to = sums->counts;
    for (size_t c = 0; c < maps->cohort_count; c++) {
        sc_bit_counters *from = &maps->cohorts[c];
        sc_bit_counters_finish(from);
        if (has_cohorts(&sums->config))
            *to++ += maps->reports[c];
        maps->reports[c] = 0;
        for (size_t i = 0; i < maps->bits; i++) {
            *to++ += from->counts[i];
            from->counts[i] = 0;
        }
    }
}

static bool is_possible(const sc_sums *sums)
{
    const bool is_apart = has_cohorts(&sums->config);
    const size_t bits = bits_of(&sums->config);
    sc_uint128 total = is_apart ? 0 : sums->reports;
    for (const uint64_t *at = sums->counts, *end = at + sums->cells; at < end;) {
        const uint64_t reports = is_apart ? *at++ : sums->reports;
        if (reports > sums->reports)
            return false;
        total += is_apart ? reports : 0;
        for (const uint64_t *last = at + bits; at < last; at++)
            if (*at > reports)
                return false;
    }
    return total == sums->reports;
}

const sc_sum_layout sc_sum_bitmaps = {.cells = count_cells,
                                      .begin = begin_bitmaps,
                                      .end = end_bitmaps,
                                      .add = add,
                                      .finish = finish,
                                      .is_possible = is_possible};
