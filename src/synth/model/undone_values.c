#include "synth/model/undone_values.h"

#include "base/memory.h"
#include "synth/model/allocation.h"
#include "synth/model/public_coins.h"

/* Streams of a release's public key: one a column. Rows take the first of all (synth_rows.c). */
#define RARE_STREAM (2 * SC_SYNTH_COLUMNS_MAX)
#define BIN_STREAM (3 * SC_SYNTH_COLUMNS_MAX)

void sc_recoded_given(const sc_recoded *column, const bool *is_allowed, double *weights)
{
    for (uint32_t code = 0; code <= column->kept; code++)
        if (code < column->kept || column->kept < column->size)
            weights[code] = 0;
    for (uint32_t u = 0; u < column->size; u++)
        if (is_allowed[u]) {
            const uint32_t code = column->codes[u];
            weights[code] += 1.0 / sc_recoded_members(column, code);
        }
}

/* The rows of `rare` of one column, by category. */
typedef struct rare_rows {
    const sc_recoded *column;
    size_t members;
    double *weights;  /* [members] */
    uint64_t *counts; /* [members] */
    uint32_t *list;   /* [rows] */
    uint64_t count;
} rare_rows;

static void divide(rare_rows *rare, const double *weights, sc_public_coins *coins,
                   uint32_t *codes)
{
    const uint32_t *categories = rare->column->sorted + rare->column->kept;
    for (size_t i = 0; i < rare->members; i++)
        rare->weights[i] = weights == NULL ? 1 : weights[categories[i]];
    sc_allocate_rows(rare->weights, rare->members, rare->count,
                     sc_public_coins_unit(coins), rare->counts);
    sc_public_coins_shuffle(coins, rare->list, (size_t)rare->count);
    const uint32_t *row = rare->list;
    for (size_t i = 0; i < rare->members; i++)
        for (uint64_t left = rare->counts[i]; left > 0; left--)
            codes[*row++] = categories[i];
}

/* Kept categories get their number back; rows of `rare` are listed. */
static void undo_kept(rare_rows *rare, uint32_t *codes, uint64_t count)
{
    for (uint64_t row = 0; row < count; row++)
        if (codes[row] < rare->column->kept)
            codes[row] = rare->column->sorted[codes[row]];
        else
            rare->list[rare->count++] = (uint32_t)row;
}

static scrim_status undo_column(const sc_recoded *column, const double *weights,
                                sc_public_coins *coins, uint32_t *codes, uint64_t count,
                                scrim_error *error)
{
    rare_rows rare = {.column = column, .members = column->size - column->kept};
    rare.weights = sc_allocate(rare.members, sizeof *rare.weights);
    rare.counts = sc_allocate(rare.members, sizeof *rare.counts);
    rare.list = sc_allocate((size_t)count, sizeof *rare.list);
    const bool is_there =
        rare.weights != NULL && rare.counts != NULL && rare.list != NULL;
    if (is_there) {
        undo_kept(&rare, codes, count);
        if (rare.members > 0)
            divide(&rare, weights, coins, codes);
    }
    sc_free(rare.weights);
    sc_free(rare.counts);
    sc_free(rare.list);
    return is_there ? SCRIM_OK : sc_fail(error, SCRIM_E_MEMORY, "out of memory for rows");
}

scrim_status sc_synth_rows_undo(sc_synth_rows *rows, const sc_recoding *recoding,
                                const double *const *weights, const sc_hash_key *key,
                                scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; i < rows->columns && status == SCRIM_OK; i++) {
        sc_public_coins coins;
        sc_public_coins_init(&coins, key, (size_t)RARE_STREAM + i);
        status = undo_column(&recoding->list[i], weights == NULL ? NULL : weights[i],
                             &coins, rows->codes[i], rows->count, error);
    }
    return status;
}

void sc_bin_values(const int64_t *edges, const uint32_t *codes, uint64_t count,
                   const sc_hash_key *key, size_t column, int64_t *out)
{
    sc_public_coins coins;
    sc_public_coins_init(&coins, key, (size_t)BIN_STREAM + column);
    for (uint64_t row = 0; row < count; row++) {
        const int64_t first = edges[codes[row]];
        const uint64_t width = (uint64_t)edges[codes[row] + 1] - (uint64_t)first;
        out[row] = (int64_t)((uint64_t)first + sc_public_coins_below(&coins, width));
    }
}
