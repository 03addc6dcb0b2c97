#include "synth/model/absent_null.h"

#include "base/checked.h"
#include "synth/model/recoding.h"

/* 3 sigma <= total/20, as integers: 60^2 variance <= total^2. */
static bool is_noise_small(uint64_t variance_64ths, int64_t total)
{
    return (sc_uint128)variance_64ths * 3600 <=
           (sc_uint128)(uint64_t)total * (uint64_t)total * 64;
}

sc_clique sc_absent_nulls(const sc_synth_columns *columns, sc_clique nullable,
                          const int64_t *const *counts, uint64_t variance_64ths,
                          int64_t total)
{
    sc_clique absent = 0;
    if (!is_noise_small(variance_64ths, total))
        return 0;
    for (sc_clique rest = nullable; rest != 0; rest &= rest - 1) {
        const size_t i = sc_clique_first(rest);
        const uint32_t last = columns->sizes[i] - 1;
        if (last > 0 && !sc_stands_out(counts[i][last], variance_64ths))
            absent |= sc_clique_of(i);
    }
    return absent;
}

uint64_t sc_present_cells(const sc_synth_columns *columns, sc_clique absent,
                          sc_clique clique)
{
    sc_synth_columns present = *columns;
    for (sc_clique rest = absent & clique; rest != 0; rest &= rest - 1)
        present.sizes[sc_clique_first(rest)]--;
    return sc_clique_cells(&present, clique);
}
