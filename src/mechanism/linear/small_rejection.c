#include "mechanism/linear/small_rejection.h"

#include "sampling/uniform.h"

#include <string.h>

/* Place after place: of those left, each is chosen with the same probability. */
scrim_status sc_small_rejection_uniform(size_t bins, uint64_t rows, sc_bits *bits,
                                        int64_t *table, scrim_error *error)
{
    uint64_t chosen = 0;
    size_t bin = 0;
    memset(table, 0, bins * sizeof *table);
    for (uint64_t left = bins + rows - 1; left > 0; left--) {
        uint64_t at = 0;
        const scrim_status status = sc_uniform_64(bits, left, &at, error);
        if (status != SCRIM_OK)
            return status;
        if (at < rows - chosen) {
            table[bin]++;
            chosen++;
        } else {
            bin++;
        }
    }
    return SCRIM_OK;
}

scrim_status sc_small_rejection_draw(const sc_small_rejection *how, sc_bits *bits,
                                     int64_t *table, scrim_error *error)
{
    for (uint64_t turn = 0; turn < SC_SMALL_REJECTION_TURNS; turn++) {
        uint64_t is_kept = 0;
        scrim_status status =
            sc_small_rejection_uniform(how->bins, how->rows, bits, table, error);
        if (status != SCRIM_OK)
            return status;
        const int64_t score = how->score(how->context, table);
        status = sc_gap_weights_flip(bits, how->weights, 0, &score, 1, &is_kept, error);
        if (status != SCRIM_OK || is_kept != 0)
            return status;
    }
    return sc_bits_broken(error);
}
