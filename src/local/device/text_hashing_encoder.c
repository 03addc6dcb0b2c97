#include "local/device/text_hashing_encoder.h"

#include "local/device/set_protocol.h"

uint64_t sl_field_product(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (uint32_t i = 64; i > 0; i--) {
        product = product << 1 ^ (0x1b & sl_mask((uint32_t)(product >> 63)));
        product ^= b & sl_mask((uint32_t)(a >> (i - 1) & 1));
    }
    return product;
}

uint32_t sl_text_words(const uint8_t *text, uint32_t bytes, uint32_t bits,
                       uint64_t words[SL_TEXT_WORDS])
{
    const uint32_t count = (bytes + 7) / 8;
    for (uint32_t i = 0; i < bytes; i++) {
        const uint32_t kept = bits < 8 * i ? 0 : bits - 8 * i;
        const uint32_t mask = kept < 8 ? 0xff00u >> kept : 0xff;
        if (i % 8 == 0)
            words[i / 8] = 0;
        words[i / 8] |= (uint64_t)(text[i] & mask) << (56 - 8 * (i % 8));
    }
    return count;
}

static scrim_local_status text_check(const scrim_local_config *config)
{
    if (config->text > SL_TEXT_LIMIT || config->cells > SL_CELLS_LIMIT)
        return SCRIM_LOCAL_E_LIMIT;
    return config->text < 1 || config->cells < 2 ||
                   (config->cells & (config->cells - 1)) != 0
               ? SCRIM_LOCAL_E_PARAM
               : SCRIM_LOCAL_OK;
}

static size_t text_bytes(const scrim_local_config *config)
{
    return (size_t)8 * ((config->text + 7) / 8) + sl_bytes_below(config->cells);
}

static void text_prepare(const scrim_local_config *config, sl_plan *plan)
{
    sl_response_prepare(config, config->cells, plan);
}

static void text_encode_bits(const sl_plan *plan, const uint8_t *text, uint32_t length,
                             sl_bits *bits, uint8_t *report)
{
    uint64_t words[SL_TEXT_WORDS], sum = 0;
    const uint32_t count = sl_text_words(text, plan->config->text, length, words);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t factor = sl_word(bits);
        sum ^= sl_field_product(factor, words[i]);
        sl_put(report + (size_t)8 * i, factor, 8);
    }
    /* Two shifts, since one by 64 is undefined. */
    const uint64_t cell = sum >> 1 >> (63 - sl_cell_bits(plan->config->cells));
    const uint64_t y = sl_response_draw(plan, cell, bits);
    sl_put(report + (size_t)8 * count, y, plan->bytes);
    sl_wipe(words, sizeof words);
}

static void text_encode(const sl_plan *plan, const uint8_t *text, sl_bits *bits,
                        uint8_t *report)
{
    text_encode_bits(plan, text, 8 * plan->config->text, bits, report);
}

const sl_kind sl_text_hashing = {
    .name = "text-hashing",
    .words = SL_AB | SL_TEXT | SL_CELLS,
    .check = text_check,
    .report_bytes = text_bytes,
    .loss = sl_set_loss,
    .prepare = text_prepare,
    .encode_text = text_encode,
};

/* Lengths rise, and the last one is that of the text. */
static scrim_local_status prefix_check(const scrim_local_config *config)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < config->prefixes; i++) {
        if (config->prefix[i] <= before)
            return SCRIM_LOCAL_E_PARAM;
        before = config->prefix[i];
    }
    const scrim_local_status status = text_check(config);
    if (status != SCRIM_LOCAL_OK)
        return status;
    return before == 8 * config->text ? SCRIM_LOCAL_OK : SCRIM_LOCAL_E_PARAM;
}

static size_t prefix_bytes(const scrim_local_config *config)
{
    return sl_bytes_below(config->prefixes) + text_bytes(config);
}

static void prefix_prepare(const scrim_local_config *config, sl_plan *plan)
{
    text_prepare(config, plan);
    plan->seeds = sl_range_of(config->prefixes);
}

/* The group does not depend on the text, and is public. */
static void prefix_encode(const sl_plan *plan, const uint8_t *text, sl_bits *bits,
                          uint8_t *report)
{
    const uint64_t group = sl_uniform(bits, &plan->seeds);
    const uint32_t bytes = sl_bytes_below(plan->seeds.size);
    sl_put(report, group, bytes);
    text_encode_bits(plan, text, plan->config->prefix[group], bits, report + bytes);
}

const sl_kind sl_prefix = {
    .name = "prefix",
    .words = SL_AB | SL_TEXT | SL_CELLS | SL_PREFIXES,
    .check = prefix_check,
    .report_bytes = prefix_bytes,
    .loss = sl_set_loss,
    .prepare = prefix_prepare,
    .encode_text = prefix_encode,
};
