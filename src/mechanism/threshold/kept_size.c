#include "mechanism/threshold/kept_size.h"

#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/partition_selection.h"

static bool by_noise(const scrim_measurement *m, const sc_ratio *p, uint64_t *units)
{
    sc_int128 found = 0;
    if (sc_ratio_compare_int64(p, 1) == 0 ||
        sc_noisy_threshold_units(m, p, &found, NULL) != SCRIM_OK ||
        found > (sc_int128)UINT64_MAX)
        return false;
    *units = (uint64_t)found;
    return true;
}

bool sc_threshold_kept_size(const scrim_measurement *m, const sc_ratio *p,
                            uint64_t *units)
{
    if (sc_ratio_sign(p) <= 0 || sc_ratio_compare_int64(p, 1) > 0)
        return false;
    if (m->mechanism == &sc_partition_selection) {
        *units = sc_partition_units(m, p);
        return true;
    }
    /* Whatever has that law has a state that begins with its noise. */
    return m->mechanism->law == sc_noisy_threshold_law && by_noise(m, p, units);
}
