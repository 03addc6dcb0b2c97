#include "mechanism/body/direction_rows.h"

#include "base/checked.h"
#include "base/memory.h"

static bool add_block(sc_direction_rows *r)
{
    if (!sc_make_room(&r->blocks, r->block_count, &r->capacity, sizeof *r->blocks))
        return false;
    int32_t *columns = sc_allocate(r->dimension * SC_DIRECTION_BLOCK, sizeof *columns);
    if (columns == NULL)
        return false;
    r->blocks[r->block_count++] = (sc_direction_block){.columns = columns};
    return true;
}

static bool is_missing(const sc_direction_rows *r, const int64_t *row)
{
    bool is = false;
    for (size_t j = 0; j < r->dimension; j++)
        is |= row[j] == SC_DIRECTION_MISSING;
    return is;
}

static int32_t clamped(int64_t c, int64_t extent)
{
    return (int32_t)(c < 0 ? 0 : c > extent ? extent : c);
}

scrim_status sc_direction_rows_add(sc_direction_rows *r, const int64_t *row,
                                   const int64_t *extents, uint64_t copies,
                                   scrim_error *error)
{
    if (is_missing(r, row)) {
        r->missing += (size_t)copies;
        return SCRIM_OK;
    }
    for (uint64_t i = 0; i < copies; i++) {
        if ((r->block_count == 0 ||
             r->blocks[r->block_count - 1].count == SC_DIRECTION_BLOCK) &&
            !add_block(r))
            return sc_no_memory(error, "the rows of a body");
        sc_direction_block *block = &r->blocks[r->block_count - 1];
        for (size_t j = 0; j < r->dimension; j++)
            block->columns[j * SC_DIRECTION_BLOCK + block->count] =
                clamped(row[j], extents[j]);
        block->count++;
        r->complete++;
    }
    return SCRIM_OK;
}

scrim_status sc_direction_rows_join(sc_direction_rows *r, sc_direction_rows *from,
                                    scrim_error *error)
{
    for (; from->block_count > 0; from->block_count--) {
        if (!sc_make_room(&r->blocks, r->block_count, &r->capacity, sizeof *r->blocks))
            return sc_no_memory(error, "the rows of a body");
        const sc_direction_block *block = &from->blocks[from->block_count - 1];
        r->blocks[r->block_count++] = *block;
        r->complete += block->count;
        from->complete -= block->count;
    }
    r->missing += from->missing;
    from->missing = 0;
    return SCRIM_OK;
}

void sc_direction_rows_clear(sc_direction_rows *r)
{
    for (size_t i = 0; i < r->block_count; i++)
        sc_free_wiped(r->blocks[i].columns,
                      r->dimension * SC_DIRECTION_BLOCK * sizeof(int32_t));
    sc_free(r->blocks);
    *r = (sc_direction_rows){.dimension = r->dimension};
}

/* The list of blocks grows to twice what it was: three entries for each. */
size_t sc_direction_rows_bytes(size_t dimension, size_t rows)
{
    const size_t blocks = rows / SC_DIRECTION_BLOCK + 1,
                 each = dimension * SC_DIRECTION_BLOCK * sizeof(int32_t) +
                        3 * sizeof(sc_direction_block);
    size_t bytes;
    return sc_size_mul(blocks, each, &bytes) ? bytes : SIZE_MAX;
}
