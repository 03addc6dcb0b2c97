#include "body/release/body_rows.h"

scrim_status sc_body_rows_open(sc_body_rows *r, const scrim_body_fit *f,
                               const sc_pass_options *options, sc_bits *bits,
                               scrim_error *error)
{
    r->statement = (sc_pass_statement){.query = f->query,
                                       .statistics = &f->statistics,
                                       .max_groups = 1,
                                       .max_rows = f->max_rows,
                                       .keeps_rows = true};
    r->dimension = f->count;
    return sc_pass_open(f->schema, &r->statement, 1, options, bits, &r->pass, error);
}

void sc_body_rows_close(sc_body_rows *r)
{
    sc_free_wiped(r->coordinates, r->count * r->dimension * sizeof *r->coordinates);
    sc_pass_close(r->pass);
    *r = (sc_body_rows){.pass = NULL};
}

/* Which list of a group is that of a column. */
static size_t value_of(const scrim_body_fit *f, size_t column)
{
    return f->statistics.list[f->statistics.uses[column].quantiles].value;
}

static scrim_status take_rows(sc_body_rows *r, const scrim_body_fit *f,
                              const sc_group *group, scrim_error *error)
{
    const bool is_empty = group->rows == 0 && f->schema->neighbours == SCRIM_REPLACE;
    const size_t count = is_empty ? 1 : (size_t)group->rows;
    size_t numbers;
    if (sc_size_mul(count > 0 ? count : 1, r->dimension, &numbers))
        r->coordinates = sc_allocate(numbers, sizeof *r->coordinates);
    if (r->coordinates == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "out of memory for the rows of a body");
    r->count = count;
    for (size_t j = 0; !is_empty && count > 0 && j < r->dimension; j++) {
        const int64_t *list = group->lists[value_of(f, j)];
        for (size_t i = 0; i < count; i++)
            r->coordinates[i * r->dimension + j] = sc_body_fit_coordinate(f, j, list[i]);
    }
    return SCRIM_OK;
}

scrim_status sc_body_rows_read(sc_body_rows *r, const scrim_body_fit *f,
                               scrim_error *error)
{
    scrim_status status = sc_pass_run(r->pass, error);
    if (status == SCRIM_OK)
        status = take_rows(r, f, &sc_pass_groups(r->pass, 0)->groups[0], error);
    sc_pass_close(r->pass);
    r->pass = NULL;
    return status;
}
