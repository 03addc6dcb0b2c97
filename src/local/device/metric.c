#include "local/device/metric.h"

#include "local/device/sha256.h"

/* Where row y begins: values below it have y distances, for x = 0, ..., y - 1. */
static size_t metric_place(uint32_t y)
{
    return (size_t)y * (y - 1) / 2;
}

uint32_t sl_metric_distance(const scrim_local_config *config, uint32_t x, uint32_t y)
{
    if (config->metric == 0)
        return x < y ? y - x : x - y;
    if (x == y)
        return 0;
    return x < y ? config->table[metric_place(y) + x]
                 : config->table[metric_place(x) + y];
}

uint32_t sl_metric_diameter(const scrim_local_config *config)
{
    uint32_t most = 0;
    if (config->metric == 0)
        return config->values - 1;
    for (size_t i = 0; i < metric_place(config->values); i++)
        most = config->table[i] > most ? config->table[i] : most;
    return most;
}

void sl_metric_row(const scrim_local_config *config, uint64_t x,
                   uint8_t row[SL_METRIC_VALUES])
{
    const uint8_t *at = config->table;
    for (uint32_t z = 0; z < config->values; z++)
        row[z] = 0;
    for (uint32_t y = 1; y < config->values; y++)
        for (uint32_t z = 0; z < y; z++, at++) {
            row[z] |= (uint8_t)(*at & sl_mask_equal(x, y));
            row[y] |= (uint8_t)(*at & sl_mask_equal(x, z));
        }
}

/* No way over a third value is shorter, and different values are apart. */
static int metric_is_right(const scrim_local_config *config)
{
    const uint32_t values = config->values;
    for (uint32_t x = 0; x < values; x++)
        for (uint32_t y = 0; y < x; y++) {
            const uint32_t straight = sl_metric_distance(config, x, y);
            if (straight == 0)
                return 0;
            for (uint32_t z = 0; z < values; z++)
                if (sl_metric_distance(config, x, z) + sl_metric_distance(config, z, y) <
                    straight)
                    return 0;
        }
    return 1;
}

void scrim_local_table_hash(const uint8_t *table, size_t bytes,
                            uint8_t out[SCRIM_LOCAL_HASH_BYTES])
{
    sl_sha256(table, bytes, out);
}

scrim_local_status scrim_local_config_table(scrim_local_config *config,
                                            const uint8_t *table, size_t bytes)
{
    uint8_t hash[SCRIM_LOCAL_HASH_BYTES];
    uint32_t differs = 0;
    if (config->metric != 1 || bytes != metric_place(config->values))
        return SCRIM_LOCAL_E_PARAM;
    sl_sha256(table, bytes, hash);
    for (uint32_t i = 0; i < SCRIM_LOCAL_HASH_BYTES; i++)
        differs |= (uint32_t)(hash[i] ^ config->table_hash[i]);
    config->table = table;
    if (differs == 0 && metric_is_right(config))
        return SCRIM_LOCAL_OK;
    config->table = NULL;
    return SCRIM_LOCAL_E_PARAM;
}
