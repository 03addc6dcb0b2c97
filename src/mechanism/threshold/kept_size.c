#include "mechanism/threshold/kept_size.h"

#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/partition_selection.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism/threshold/threshold_weighted.h"
#include "scrim/threshold.h"

static bool by_noise(const scrim_measurement *m, const sc_ratio *p, uint64_t *units)
{
    sc_int128 found = 0;
    if ((sc_ratio_compare_int64(p, 1) == 0 &&
         !sc_noisy_threshold_is_bounded(sc_noisy_threshold_of(m))) ||
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
    /* Whatever has that law has a state that begins with its noise; of weights it is not in
     * units. */
    return ((m->mechanism->law == sc_noisy_threshold_law &&
             m->mechanism != &sc_threshold_weighted) ||
            m->mechanism == &sc_stabilise) &&
           by_noise(m, p, units);
}

scrim_status scrim_group_size(const scrim_measurement *m, const char *p, uint64_t *units,
                              scrim_error *error)
{
    uint64_t found = 0;
    SC_OWN(sc_ratio, probability);
    scrim_status status = sc_ratio_parse(sc_text_of(p), &probability, error);
    SC_BALL_SCOPE(scope);
    if (status == SCRIM_OK && !sc_threshold_kept_size(m, &probability, &found))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "p",
                             "%s keeps no group with that probability; p must be above 0 "
                             "and below 1, or 1 where a group can be certain",
                             m->mechanism->entry.name);
    if (status == SCRIM_OK)
        *units = found;
    return status;
}
