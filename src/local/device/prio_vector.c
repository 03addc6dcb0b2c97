#include "local/device/integers.h"
#include "scrim_local.h"

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
