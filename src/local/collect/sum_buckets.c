/* Reports of bit-flip: some buckets, rising, and a bit for each. The counters of a bucket are its reports
 * and how many of them are 1. */
#include "base/checked.h"
#include "local/collect/sum_kind.h"

static size_t count_cells(const scrim_local_config *config)
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

static void add(sc_sums *sums, const uint8_t *reports, size_t count, size_t stride,
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

static void finish(sc_sums *sums)
{
    (void)sums;
}

static bool is_possible(const sc_sums *sums)
{
    sc_uint128 total = 0;
    for (size_t i = 0; i < sums->cells; i += 2) {
        if (sums->counts[i] > sums->reports || sums->counts[i + 1] > sums->counts[i])
            return false;
        total += sums->counts[i];
    }
    return total == (sc_uint128)sums->reports * sums->config.chosen;
}

const sc_sum_layout sc_sum_buckets = {.cells = count_cells,
                                      .begin = begin_buckets,
                                      .end = end_buckets,
                                      .add = add,
                                      .finish = finish,
                                      .is_possible = is_possible};
