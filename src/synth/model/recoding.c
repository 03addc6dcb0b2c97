#include "synth/model/recoding.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

void sc_recoding_init(sc_recoding *recoding)
{
    memset(recoding, 0, sizeof *recoding);
}

void sc_recoding_clear(sc_recoding *recoding)
{
    for (size_t i = 0; i < recoding->count; i++) {
        sc_free(recoding->list[i].codes);
        sc_free(recoding->list[i].sorted);
    }
    sc_recoding_init(recoding);
}

bool sc_stands_out(int64_t count, uint64_t variance_64ths)
{
    return count > 0 && (sc_uint128)count * (uint64_t)count >=
                            ((sc_uint128)variance_64ths * 9 + 63) / 64;
}

/* Kept categories first, then the others; counts is NULL where all are kept. */
static void sort_categories(sc_recoded *column, const int64_t *counts,
                            uint64_t variance_64ths)
{
    uint32_t place = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t u = 0; u < column->size; u++)
            if ((counts == NULL || sc_stands_out(counts[u], variance_64ths)) ==
                (turn == 0))
                column->sorted[place++] = u;
        if (turn == 0)
            column->kept = place;
    }
    for (uint32_t i = 0; i < column->size; i++)
        column->codes[column->sorted[i]] = i < column->kept ? i : column->kept;
}

static scrim_status fill(const sc_synth_columns *columns, const int64_t *const *counts,
                         uint64_t variance_64ths, sc_recoding *out, scrim_error *error)
{
    sc_recoding made;
    sc_recoding_init(&made);
    for (size_t i = 0; i < columns->count; i++) {
        sc_recoded *column = &made.list[made.count++];
        column->size = columns->sizes[i];
        column->codes = sc_allocate(column->size, sizeof *column->codes);
        column->sorted = sc_allocate(column->size, sizeof *column->sorted);
        if (column->codes == NULL || column->sorted == NULL) {
            sc_recoding_clear(&made);
            return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a model");
        }
        sort_categories(column, counts == NULL ? NULL : counts[i], variance_64ths);
    }
    sc_recoding_clear(out);
    *out = made;
    return SCRIM_OK;
}

scrim_status sc_recoding_compress(const sc_synth_columns *columns,
                                  const int64_t *const *counts, uint64_t variance_64ths,
                                  sc_recoding *out, scrim_error *error)
{
    return fill(columns, counts, variance_64ths, out, error);
}

scrim_status sc_recoding_keep_all(const sc_synth_columns *columns, sc_recoding *out,
                                  scrim_error *error)
{
    return fill(columns, NULL, 0, out, error);
}

void sc_recoding_columns(const sc_recoding *recoding, sc_synth_columns *out)
{
    out->count = recoding->count;
    for (size_t i = 0; i < recoding->count; i++) {
        const sc_recoded *column = &recoding->list[i];
        out->sizes[i] = column->kept + (column->kept < column->size ? 1 : 0);
    }
}

uint32_t sc_recoded_members(const sc_recoded *column, uint32_t code)
{
    return code < column->kept ? 1 : column->size - column->kept;
}

void sc_recoded_counts(const sc_recoded *column, const int64_t *counts, int64_t *out,
                       uint32_t *members)
{
    const uint32_t size = column->kept + (column->kept < column->size ? 1 : 0);
    for (uint32_t code = 0; code < size; code++) {
        out[code] = 0;
        members[code] = sc_recoded_members(column, code);
    }
    for (uint32_t u = 0; u < column->size; u++)
        out[column->codes[u]] += counts[u];
}
