#include "local/device/integers.h"
#include "local/device/kind.h"
#include "scrim_local.h"

size_t scrim_local_report_bytes(const scrim_local_config *config)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    return kind == NULL ? 0 : kind->report_bytes(config);
}

void scrim_local_header(const scrim_local_config *config,
                        uint8_t out[SCRIM_LOCAL_HEADER_BYTES])
{
    out[0] = 'S';
    out[1] = 'L';
    out[2] = 1;
    out[3] = 0;
    for (uint32_t i = 4; i < SCRIM_LOCAL_HEADER_BYTES; i++)
        out[i] = config->hash[i - 4];
}

/* State that the reports of one call share. */
typedef struct report_run {
    const sl_kind *kind;
    sl_bits bits;
    sl_plan plan;
} report_run;

static scrim_local_status report_begin(report_run *run, const scrim_local_config *config,
                                       int is_text, const scrim_local_source *source,
                                       uint32_t ahead)
{
    run->kind = sl_kind_of(config->protocol);
    if (!sl_kind_takes(run->kind, config, is_text))
        return SCRIM_LOCAL_E_PARAM;
    sl_bits_init(&run->bits, source, ahead);
    run->kind->prepare(config, &run->plan);
    return SCRIM_LOCAL_OK;
}

/* Wipes what the draws left; reports of a source that failed are zeros. */
static scrim_local_status report_end(report_run *run, uint8_t *reports, size_t count)
{
    const size_t bytes = count * run->kind->report_bytes(run->plan.config);
    const scrim_local_status status = sl_bits_clear(&run->bits);
    if (status != SCRIM_LOCAL_OK)
        sl_wipe(reports, bytes);
    return status;
}

scrim_local_status scrim_local_encode(const scrim_local_config *config, uint64_t value,
                                      const scrim_local_source *source, uint8_t *report)
{
    report_run run;
    const scrim_local_status status = report_begin(&run, config, 0, source, 0);
    if (status != SCRIM_LOCAL_OK)
        return status;
    run.kind->encode(&run.plan, value, &run.bits, report);
    return report_end(&run, report, 1);
}

scrim_local_status scrim_local_encode_many(const scrim_local_config *config,
                                           const uint32_t *values, size_t count,
                                           const scrim_local_source *source,
                                           uint8_t *reports)
{
    report_run run;
    const scrim_local_status status = report_begin(&run, config, 0, source, 1);
    if (status != SCRIM_LOCAL_OK)
        return status;
    const sl_kind *kind = run.kind;
    const size_t bytes = kind->report_bytes(config);
    if (kind->encode_many != NULL)
        kind->encode_many(&run.plan, values, count, &run.bits, reports);
    for (size_t i = 0; kind->encode_many == NULL && i < count && !run.bits.failed; i++)
        kind->encode(&run.plan, values[i], &run.bits, reports + i * bytes);
    return report_end(&run, reports, count);
}

static scrim_local_status report_texts(const scrim_local_config *config,
                                       const uint8_t *texts, size_t count,
                                       const scrim_local_source *source, uint32_t ahead,
                                       uint8_t *reports)
{
    report_run run;
    const scrim_local_status status = report_begin(&run, config, 1, source, ahead);
    if (status != SCRIM_LOCAL_OK)
        return status;
    const size_t bytes = run.kind->report_bytes(config);
    for (size_t i = 0; i < count && !run.bits.failed; i++)
        run.kind->encode_text(&run.plan, texts + i * config->text, &run.bits,
                              reports + i * bytes);
    return report_end(&run, reports, count);
}

scrim_local_status scrim_local_encode_text(const scrim_local_config *config,
                                           const uint8_t *text,
                                           const scrim_local_source *source,
                                           uint8_t *report)
{
    return report_texts(config, text, 1, source, 0, report);
}

scrim_local_status scrim_local_encode_texts(const scrim_local_config *config,
                                            const uint8_t *texts, size_t count,
                                            const scrim_local_source *source,
                                            uint8_t *reports)
{
    return report_texts(config, texts, count, source, 1, reports);
}

/* One element: its number, 0 or 1, and zeros. */
static void prio_element(uint8_t *out, uint64_t bit, uint32_t element_bytes)
{
    out[0] = (uint8_t)bit;
    for (uint32_t i = 1; i < element_bytes; i++)
        out[i] = 0;
}

scrim_local_status scrim_local_histogram_vector(uint64_t value, uint32_t buckets,
                                                uint32_t element_bytes, uint8_t *out)
{
    if (buckets == 0 || element_bytes == 0)
        return SCRIM_LOCAL_E_PARAM;
    const uint64_t x = sl_inside(value, buckets);
    for (uint32_t i = 0; i < buckets; i++, out += element_bytes)
        prio_element(out, sl_mask_equal(x, i) & 1, element_bytes);
    return SCRIM_LOCAL_OK;
}

scrim_local_status scrim_local_sum_vector(const uint64_t *values, uint32_t count,
                                          uint32_t bits, uint32_t element_bytes,
                                          uint8_t *out)
{
    if (count == 0 || bits == 0 || bits > 62 || element_bytes == 0)
        return SCRIM_LOCAL_E_PARAM;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t x = sl_inside(values[i], (uint64_t)1 << bits);
        for (uint32_t j = 0; j < bits; j++, out += element_bytes)
            prio_element(out, x >> j & 1, element_bytes);
    }
    return SCRIM_LOCAL_OK;
}
