/* Reports that are a bitmap, perhaps behind the number of a cohort: how often each bit is 1. The counters
 * of a cohort are its reports and then its bits; without cohorts they are the bits alone. */
#include "audit/bounds.h"
#include "base/checked.h"
#include "base/memory.h"
#include "base/number/ball_double.h"
#include "local/collect/config_advice.h"
#include "local/collect/decoding.h"
#include "local/collect/report_sums.h"
#include "local/collect/support_counts.h"
#include "mechanism/local/protocol.h"

#include <string.h>

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

static size_t bitmap_cells(const scrim_local_config *config)
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

static void bitmap_add(sc_sums *sums, const uint8_t *reports, size_t count, size_t stride,
                       size_t readable)
{
    (void)readable;
    for (; count > 0; count--, reports += stride)
        add_one(sums, sums->context, reports);
}

static void bitmap_finish(sc_sums *sums)
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

static bool bitmap_is_possible(const sc_sums *sums)
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

static const sc_sum_layout sum_bitmaps = {.cells = bitmap_cells,
                                          .begin = begin_bitmaps,
                                          .end = end_bitmaps,
                                          .add = bitmap_add,
                                          .finish = bitmap_finish,
                                          .is_possible = bitmap_is_possible};

/* Reports of bit-flip: some buckets, rising, and a bit for each. The counters of a bucket are its reports
 * and how many of them are 1. */

static size_t bucket_cells(const scrim_local_config *config)
{
    return 2 * (size_t)config->values;
}

static scrim_status begin_buckets(sc_sums *sums, scrim_error *error)
{
    (void)sums;
    (void)error;
    return SCRIM_OK;
}

static void end_buckets(sc_sums *sums)
{
    (void)sums;
}

static bool is_report(const sc_sums *sums, const uint8_t *report, size_t width)
{
    const scrim_local_config *config = &sums->config;
    const uint8_t *bitmap = report + width * config->chosen;
    const unsigned spare = config->chosen % 8 == 0 ? 0 : 0xffu << config->chosen % 8;
    uint64_t next = 0; /* a bucket is at least this */
    for (uint32_t i = 0; i < config->chosen; i++, report += width) {
        const uint64_t bucket = sc_report_integer(report, width);
        if (bucket < next || bucket >= config->values)
            return false;
        next = bucket + 1;
    }
    return (bitmap[(config->chosen - 1) / 8] & spare & 0xff) == 0;
}

static void bucket_add(sc_sums *sums, const uint8_t *reports, size_t count, size_t stride,
                       size_t readable)
{
    (void)readable;
    const uint32_t chosen = sums->config.chosen;
    const size_t width = sc_report_integer_bytes(sums->config.values);
    for (; count > 0; count--, reports += stride) {
        const uint8_t *bitmap = reports + width * chosen;
        if (!is_report(sums, reports, width)) {
            sums->dropped++;
            continue;
        }
        for (uint32_t i = 0; i < chosen; i++) {
            uint64_t *cell =
                sums->counts + 2 * sc_report_integer(reports + i * width, width);
            cell[0]++;
            cell[1] += bitmap[i / 8] >> i % 8 & 1;
        }
        sums->reports++;
    }
}

static void bucket_finish(sc_sums *sums)
{
    (void)sums;
}

static bool bucket_is_possible(const sc_sums *sums)
{
    sc_uint128 total = 0;
    for (size_t i = 0; i < sums->cells; i += 2) {
        if (sums->counts[i] > sums->reports || sums->counts[i + 1] > sums->counts[i])
            return false;
        total += sums->counts[i];
    }
    return total == (sc_uint128)sums->reports * sums->config.chosen;
}

static const sc_sum_layout sum_buckets = {.cells = bucket_cells,
                                          .begin = begin_buckets,
                                          .end = end_buckets,
                                          .add = bucket_add,
                                          .finish = bucket_finish,
                                          .is_possible = bucket_is_possible};

/* Reports that are one integer, or two: a histogram. */

/* Neighbouring reports go into different tables, so that none waits for the counter that the one before
 * it has just written; larger tables are hit twice in a row too rarely for that. */
#define WAYS 4
#define WAYS_CELLS_MAX 4096
#define FLUSH_AFTER (UINT32_C(1) << 31)

typedef struct tally {
    uint32_t *ways[WAYS]; /* all the same where there is one table */
    uint32_t *tables;
    uint32_t waiting; /* reports in them, at most */
    uint64_t first_mask, second_mask;
    uint32_t first_limit, second_limit;
    unsigned second_shift;
    size_t bytes; /* of both */
} tally;

static uint64_t bytes_mask(size_t bytes)
{
    return bytes == 0 ? 0 : UINT64_MAX >> (64 - 8 * bytes);
}

static size_t integer_cells(const scrim_local_config *config)
{
    const sc_protocol_integers read = sc_protocol_integers_of(config);
    return (size_t)read.first * read.second;
}

static scrim_status begin_tally(sc_sums *sums, scrim_error *error)
{
    const sc_protocol_integers read = sc_protocol_integers_of(&sums->config);
    const size_t tables = sums->cells <= WAYS_CELLS_MAX ? WAYS : 1;
    const size_t first_bytes = sc_report_integer_bytes(read.first);
    const size_t second_bytes =
        read.second == 1 ? 0 : sc_report_integer_bytes(read.second);
    tally *t = sc_allocate(1, sizeof *t);
    sums->context = t;
    if (t != NULL)
        t->tables = sc_allocate(sums->cells * tables, sizeof *t->tables);
    if (t == NULL || t->tables == NULL)
        return sc_no_memory(error, "sums");
    for (size_t i = 0; i < WAYS; i++)
        t->ways[i] = t->tables + (tables == 1 ? 0 : i * sums->cells);
    t->first_limit = read.first;
    t->second_limit = read.second;
    t->first_mask = bytes_mask(first_bytes);
    t->second_mask = bytes_mask(second_bytes);
    t->second_shift = (unsigned)(8 * first_bytes);
    t->bytes = first_bytes + second_bytes;
    return SCRIM_OK;
}

static void end_tally(sc_sums *sums)
{
    tally *t = sums->context;
    if (t != NULL)
        sc_free(t->tables);
    sc_free(t);
}

static void integer_finish(sc_sums *sums)
{
    tally *t = sums->context;
    for (size_t w = 0; w < WAYS; w++)
        for (size_t i = 0; i < sums->cells; i++) {
            sums->counts[i] += t->ways[w][i];
            t->ways[w][i] = 0;
        }
    t->waiting = 0;
}

static inline uint64_t word_at(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The eight bytes that begin with a report go into the histogram; 1 if they are out of range. */
static inline unsigned count_one(tally t, uint32_t *way, uint64_t word, bool has_second)
{
    const uint64_t first = word & t.first_mask;
    const uint64_t second = has_second ? word >> t.second_shift & t.second_mask : 0;
    if (__builtin_expect(first >= t.first_limit || second >= t.second_limit, 0))
        return 1;
    way[has_second ? first * t.second_limit + second : first]++;
    return 0;
}

/* Reports behind each of which eight bytes can be read: how many are dropped. The tally is a copy, which no
 * counter can be a part of. */
static inline uint64_t count_run(const tally t, const uint8_t *at, size_t count,
                                 size_t stride, bool has_second)
{
    uint64_t dropped = 0;
    for (; count >= WAYS; count -= WAYS)
        for (unsigned w = 0; w < WAYS; w++, at += stride)
            dropped += count_one(t, t.ways[w], word_at(at), has_second);
    for (; count > 0; count--, at += stride)
        dropped += count_one(t, t.ways[0], word_at(at), has_second);
    return dropped;
}

/* Bytes back to back: eight reports a word, each with a table of its own. */
static uint64_t count_bytes(const tally t, const uint8_t *at, size_t count)
{
    uint32_t tables[8][256] = {{0}};
    uint64_t dropped = 0;
    for (; count >= 8; count -= 8, at += 8) {
        const uint64_t word = word_at(at);
        tables[0][word & 0xff]++;
        tables[1][word >> 8 & 0xff]++;
        tables[2][word >> 16 & 0xff]++;
        tables[3][word >> 24 & 0xff]++;
        tables[4][word >> 32 & 0xff]++;
        tables[5][word >> 40 & 0xff]++;
        tables[6][word >> 48 & 0xff]++;
        tables[7][word >> 56]++;
    }
    for (; count > 0; count--)
        tables[0][*at++]++;
    for (unsigned value = 0; value < 256; value++)
        for (unsigned i = 0; i < 8; i++) {
            if (value < t.first_limit)
                t.ways[0][value] += tables[i][value];
            else
                dropped += tables[i][value];
        }
    return dropped;
}

static uint64_t count_many(const tally *t, const uint8_t *at, size_t count, size_t stride)
{
    if (t->bytes == 1 && stride == 1)
        return count_bytes(*t, at, count);
    return t->second_limit == 1 ? count_run(*t, at, count, stride, false)
                                : count_run(*t, at, count, stride, true);
}

static uint64_t count_near_the_end(const tally *t, const uint8_t *at, size_t count,
                                   size_t stride)
{
    uint64_t dropped = 0;
    for (; count > 0; count--, at += stride)
        dropped += count_one(*t, t->ways[0], sc_report_integer(at, t->bytes), true);
    return dropped;
}

static void integer_add(sc_sums *sums, const uint8_t *reports, size_t count,
                        size_t stride, size_t readable)
{
    tally *t = sums->context;
    while (count > 0) {
        if (t->waiting >= FLUSH_AFTER)
            integer_finish(sums);
        size_t now = count < FLUSH_AFTER ? count : FLUSH_AFTER;
        size_t wide = readable < 8 ? 0 : (readable - 8) / stride + 1;
        wide = wide < now ? wide : now;
        const uint64_t dropped =
            count_many(t, reports, wide, stride) +
            count_near_the_end(t, reports + wide * stride, now - wide, stride);
        t->waiting += (uint32_t)now;
        sums->dropped += dropped;
        sums->reports += now - dropped;
        count -= now;
        reports += now * stride;
        readable -= count == 0 ? 0 : now * stride;
    }
}

static bool integer_is_possible(const sc_sums *sums)
{
    uint64_t total = 0;
    for (size_t i = 0; i < sums->cells; i++)
        if (!sc_uint64_add(total, sums->counts[i], &total))
            return false;
    return total == sums->reports;
}

static const sc_sum_layout sum_integers = {.cells = integer_cells,
                                           .begin = begin_tally,
                                           .end = end_tally,
                                           .add = integer_add,
                                           .finish = integer_finish,
                                           .is_possible = integer_is_possible};

static const sc_sum_kind kinds[] = {
    {SCRIM_LOCAL_RESPONSE, &sum_integers, sc_decode_response},
    {SCRIM_LOCAL_PROJECTIVE, &sum_integers, sc_decode_projective},
    {SCRIM_LOCAL_SUBSET, &sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_SYMMETRIC_UNARY, &sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_OPTIMISED_UNARY, &sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_HASHING, &sum_integers, sc_decode_hashing},
    {SCRIM_LOCAL_HADAMARD, &sum_integers, sc_decode_hadamard},
    {SCRIM_LOCAL_BIT_FLIP, &sum_buckets, sc_decode_bit_flip},
    {SCRIM_LOCAL_REPEATED_UNARY, &sum_bitmaps, sc_decode_response},
    {SCRIM_LOCAL_RAPPOR, &sum_bitmaps, sc_decode_rappor},
    {SCRIM_LOCAL_SQUARE_WAVE, &sum_integers, sc_decode_square_wave},
    {SCRIM_LOCAL_ONE_BIT, &sum_integers, sc_decode_one_bit},
    {SCRIM_LOCAL_ROUNDED_BIT, &sum_integers, sc_decode_one_bit},
    {SCRIM_LOCAL_LAPLACE, &sum_integers, sc_decode_laplace},
    {SCRIM_LOCAL_GEOMETRIC, &sum_integers, sc_decode_laplace},
    {SCRIM_LOCAL_CONDENSED, &sum_integers, sc_decode_condensed},
};

const sc_sum_kind *sc_sum_kind_of(const scrim_local_config *config)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].protocol == config->protocol)
            return &kinds[i];
    return NULL;
}

scrim_status sc_sums_init(sc_sums *sums, const char *text, scrim_error *error)
{
    scrim_local_config config;
    const scrim_local_status parsed = scrim_local_config_parse(text, &config);
    if (parsed != SCRIM_LOCAL_OK)
        return sc_config_refuse(text, parsed, error);
    const sc_sum_kind *kind = sc_sum_kind_of(&config);
    if (kind == NULL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
            "reports of %s cannot be added up; they are decoded as they are "
            "(scrim/local_unknown.h)",
            scrim_local_protocol_name(config.protocol));
    return sc_sums_begin(sums, &config, kind->layout, error);
}
