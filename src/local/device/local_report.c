#include "local/encoder/kind_table.h"

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

/* Wipes what the draws left; reports of a source that failed are zeros. */
static scrim_local_status report_end(sl_bits *bits, uint8_t *reports, size_t bytes)
{
    const scrim_local_status status = sl_bits_clear(bits);
    if (status != SCRIM_LOCAL_OK)
        sl_wipe(reports, bytes);
    return status;
}

scrim_local_status scrim_local_encode(const scrim_local_config *config, uint64_t value,
                                      const scrim_local_source *source, uint8_t *report)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    sl_bits bits;
    sl_plan plan;
    if (!sl_kind_takes(kind, config, 0))
        return SCRIM_LOCAL_E_PARAM;
    sl_bits_init(&bits, source, 0);
    kind->prepare(config, &plan);
    kind->encode(&plan, value, &bits, report);
    return report_end(&bits, report, kind->report_bytes(config));
}

scrim_local_status scrim_local_encode_text(const scrim_local_config *config,
                                           const uint8_t *text,
                                           const scrim_local_source *source,
                                           uint8_t *report)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    sl_bits bits;
    sl_plan plan;
    if (!sl_kind_takes(kind, config, 1))
        return SCRIM_LOCAL_E_PARAM;
    sl_bits_init(&bits, source, 0);
    kind->prepare(config, &plan);
    kind->encode_text(&plan, text, &bits, report);
    return report_end(&bits, report, kind->report_bytes(config));
}

scrim_local_status scrim_local_encode_many(const scrim_local_config *config,
                                           const uint32_t *values, size_t count,
                                           const scrim_local_source *source,
                                           uint8_t *reports)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    sl_bits bits;
    sl_plan plan;
    if (!sl_kind_takes(kind, config, 0))
        return SCRIM_LOCAL_E_PARAM;
    const size_t bytes = kind->report_bytes(config);
    sl_bits_init(&bits, source, 1);
    kind->prepare(config, &plan);
    if (kind->encode_many != NULL)
        kind->encode_many(&plan, values, count, &bits, reports);
    for (size_t i = 0; kind->encode_many == NULL && i < count && !bits.failed; i++)
        kind->encode(&plan, values[i], &bits, reports + i * bytes);
    return report_end(&bits, reports, count * bytes);
}

scrim_local_status scrim_local_encode_texts(const scrim_local_config *config,
                                            const uint8_t *texts, size_t count,
                                            const scrim_local_source *source,
                                            uint8_t *reports)
{
    const sl_kind *kind = sl_kind_of(config->protocol);
    sl_bits bits;
    sl_plan plan;
    if (!sl_kind_takes(kind, config, 1))
        return SCRIM_LOCAL_E_PARAM;
    const size_t bytes = kind->report_bytes(config);
    sl_bits_init(&bits, source, 1);
    kind->prepare(config, &plan);
    for (size_t i = 0; i < count && !bits.failed; i++)
        kind->encode_text(&plan, texts + i * config->text, &bits, reports + i * bytes);
    return report_end(&bits, reports, count * bytes);
}
