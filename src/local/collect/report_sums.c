#include "local/collect/report_sums.h"

#include "base/checked.h"
#include "base/memory.h"
#include "mechanism/local/protocol.h"

size_t sc_report_integer_bytes(uint64_t n)
{
    const size_t bytes = (sc_bit_length64(n - 1) + 7) / 8;
    return bytes == 0 ? 1 : bytes;
}

uint64_t sc_report_integer(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;)
        value = value << 8 | bytes[i];
    return value;
}

scrim_status sc_sums_begin(sc_sums *sums, const scrim_local_config *config,
                           const sc_sum_layout *layout, scrim_error *error)
{
    const size_t cells = layout->cells(config);
    if (cells > SC_PROTOCOL_COUNTERS)
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "config",
                           "sums of this configuration need %zu counters; a server "
                           "keeps at most %zu",
                           cells, (size_t)SC_PROTOCOL_COUNTERS);
    *sums = (sc_sums){.config = *config,
                      .layout = layout,
                      .cells = cells,
                      .report_bytes = scrim_local_report_bytes(config)};
    sums->counts = sc_allocate(sums->cells, sizeof *sums->counts);
    scrim_status status = SCRIM_OK;
    if (sums->counts == NULL)
        status = sc_no_memory(error, "sums");
    if (status == SCRIM_OK)
        status = layout->begin(sums, error);
    if (status != SCRIM_OK)
        sc_sums_clear(sums);
    return status;
}

void sc_sums_clear(sc_sums *sums)
{
    if (sums->layout != NULL)
        sums->layout->end(sums);
    sc_free(sums->counts);
    *sums = (sc_sums){0};
}

static scrim_status check_total(const sc_sums *sums, uint64_t reports, uint64_t dropped,
                                scrim_error *error)
{
    if (reports < SC_SUMS_REPORTS_MAX && dropped < SC_SUMS_REPORTS_MAX &&
        sums->reports + sums->dropped + reports + dropped < SC_SUMS_REPORTS_MAX)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_LIMIT, "there are more than 9e15 reports");
}

scrim_status sc_sums_add(sc_sums *sums, const uint8_t *reports, size_t count,
                         size_t stride, size_t readable, scrim_error *error)
{
    const scrim_status status = check_total(sums, count, 0, error);
    if (status == SCRIM_OK)
        sums->layout->add(sums, reports, count, stride, readable);
    return status;
}

const uint64_t *sc_sums_counts(sc_sums *sums)
{
    sums->layout->finish(sums);
    return sums->counts;
}

scrim_status sc_sums_merge(sc_sums *sums, const sc_sums *other, scrim_error *error)
{
    const scrim_status status = check_total(sums, other->reports, other->dropped, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < sums->cells; i++)
        sums->counts[i] += other->counts[i];
    sums->reports += other->reports;
    sums->dropped += other->dropped;
    sums->flagged += other->flagged;
    return SCRIM_OK;
}
