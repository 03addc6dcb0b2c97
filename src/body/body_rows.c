#include "body/body_rows.h"

#include "query/rows/group_cells.h"

/* Which value of a group is that of a column. */
static size_t value_of(const scrim_body_fit *f, size_t column)
{
    return f->statistics.list[f->statistics.uses[column].quantiles].value;
}

static scrim_status keep(void *keeper, unsigned worker, const sc_cell_plan *plan,
                         const sc_unit_row *row, scrim_error *error)
{
    sc_body_rows *r = keeper;
    int64_t coordinates[SC_DIRECTION_DIMENSIONS];
    for (size_t j = 0; j < r->fit->count; j++)
        coordinates[j] = sc_body_fit_coordinate(
            r->fit, j,
            sc_cell_value_of(&plan->values[value_of(r->fit, j)], row->content));
    const scrim_status status = sc_direction_rows_add(
        &r->kept[worker], coordinates, r->fit->extents, row->copies, error);
    sc_wipe(coordinates, r->fit->count * sizeof *coordinates);
    return status;
}

scrim_status sc_body_rows_open(sc_body_rows *r, const scrim_body_fit *f,
                               const sc_pass_options *options, sc_bits *bits,
                               scrim_error *error)
{
    r->fit = f;
    r->statement = (sc_pass_statement){.query = f->query,
                                       .statistics = &f->statistics,
                                       .bounds = {1, f->max_rows, 0},
                                       .keep = keep,
                                       .keeper = r};
    const scrim_status status =
        sc_pass_open(f->schema, &r->statement, 1, options, bits, &r->pass, error);
    if (status != SCRIM_OK)
        return status;
    r->workers = sc_pass_workers(r->pass);
    r->kept = sc_allocate(r->workers, sizeof *r->kept);
    if (r->kept == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the rows of a body");
    for (unsigned i = 0; i < r->workers; i++)
        r->kept[i].dimension = f->count;
    return SCRIM_OK;
}

void sc_body_rows_close(sc_body_rows *r)
{
    for (unsigned i = 0; r->kept != NULL && i < r->workers; i++)
        sc_direction_rows_clear(&r->kept[i]);
    sc_free(r->kept);
    sc_pass_close(r->pass);
    *r = (sc_body_rows){.pass = NULL};
}

/* The source has most_full_rows rows with all values, or most_rows rows if some values are missing. A row with a missing value is
 * not stored, but has a key. The larger of both sums counts. Each worker has one block that is not full. */
bool sc_body_rows_room(const sc_body_rows *r, size_t each, size_t *bytes)
{
    const size_t full = sc_pass_most_full_rows(r->pass), any = sc_pass_most_rows(r->pass),
                 d = r->fit->count;
    size_t more, all,
        stored = sc_direction_rows_bytes(d, full + r->workers * SC_DIRECTION_BLOCK);
    if (!sc_size_mul(full, each, &more) || !sc_size_add(stored, more, &stored) ||
        !sc_size_mul(any, each, &all))
        return false;
    return sc_size_add(stored > all ? stored : all, sc_pass_room_bytes(r->pass), bytes);
}

scrim_status sc_body_rows_read(sc_body_rows *r, scrim_error *error)
{
    scrim_status status = sc_pass_run(r->pass, error);
    for (unsigned i = 1; status == SCRIM_OK && i < r->workers; i++)
        status = sc_direction_rows_join(&r->kept[0], &r->kept[i], error);
    sc_pass_close(r->pass);
    r->pass = NULL;
    if (status == SCRIM_OK && sc_direction_rows_count(&r->kept[0]) == 0 &&
        r->fit->schema->neighbours == SCRIM_REPLACE)
        r->kept[0].missing = 1;
    return status;
}

const sc_direction_rows *sc_body_rows_all(const sc_body_rows *r)
{
    return &r->kept[0];
}

int64_t *sc_body_rows_values(const sc_body_rows *r)
{
    const sc_direction_rows *all = sc_body_rows_all(r);
    const size_t d = all->dimension, count = sc_direction_rows_count(all) * d;
    int64_t *out = sc_allocate(count > 0 ? count : 1, sizeof *out), *at = out;
    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < all->block_count; i++)
        for (size_t k = 0; k < all->blocks[i].count; k++)
            for (size_t j = 0; j < d; j++)
                *at++ = all->blocks[i].columns[j * SC_DIRECTION_BLOCK + k];
    while (at < out + count)
        *at++ = SC_DIRECTION_MISSING;
    return out;
}
