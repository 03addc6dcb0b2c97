#include "query/rows/unit_spill.h"

#include "base/checked.h"

/* Some entries of a stream that were written together. */
typedef struct extent {
    uint64_t offset;
    size_t bytes;
} extent;

typedef struct stream {
    extent *extents;
    size_t count, capacity;
    uint64_t entries;
} stream;

struct sc_unit_spill {
    sc_sealed_file *file; /* borrowed */
    sc_cipher *cipher;    /* of the thread that writes */
    stream streams[SC_UNIT_KINDS][SC_UNIT_PARTS];
};

scrim_status sc_unit_spill_open(sc_sealed_file *file, sc_unit_spill **out,
                                scrim_error *error)
{
    sc_unit_spill *spill = sc_allocate(1, sizeof *spill);
    if (spill == NULL)
        return sc_no_memory(error, "the rows of units");
    spill->file = file;
    const scrim_status status = sc_cipher_open(&spill->cipher, error);
    if (status == SCRIM_OK)
        *out = spill;
    else
        sc_unit_spill_close(spill);
    return status;
}

void sc_unit_spill_close(sc_unit_spill *spill)
{
    if (spill == NULL)
        return;
    sc_cipher_close(spill->cipher);
    for (size_t kind = 0; kind < SC_UNIT_KINDS; kind++)
        for (size_t i = 0; i < SC_UNIT_PARTS; i++)
            sc_free(spill->streams[kind][i].extents);
    sc_free(spill);
}

static scrim_status put_chunk(sc_unit_spill *spill, stream *own, unsigned char *bytes,
                              size_t count, scrim_error *error)
{
    uint64_t offset = 0;
    if (count == 0)
        return SCRIM_OK;
    if (!sc_make_room(&own->extents, own->count, &own->capacity, sizeof *own->extents))
        return sc_no_memory(error, "the rows of units");
    const scrim_status status =
        sc_sealed_file_append(spill->file, spill->cipher, bytes, count, &offset, error);
    if (status == SCRIM_OK)
        own->extents[own->count++] = (extent){offset, count};
    return status;
}

static scrim_status put_stream(sc_unit_spill *spill, stream *own,
                               const sc_unit_stream *from, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (sc_unit_chunk *chunk = from->chunks; status == SCRIM_OK && chunk != NULL;
         chunk = chunk->next)
        status =
            put_chunk(spill, own, chunk->bytes, sc_unit_stream_used(from, chunk), error);
    own->entries += from->entries;
    return status;
}

scrim_status sc_unit_spill_put(sc_unit_spill *spill, sc_unit_rows *rows,
                               scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < SC_UNIT_PARTS; i++) {
        for (size_t kind = 0; status == SCRIM_OK && kind < SC_UNIT_KINDS; kind++)
            status = put_stream(spill, &spill->streams[kind][i], &rows->streams[kind][i],
                                error);
        if (status == SCRIM_OK)
            sc_unit_rows_clear_part(rows, i);
    }
    return status;
}

static scrim_status load_stream(const sc_unit_spill *spill, const sc_cipher *cipher,
                                sc_unit_kind kind, size_t part, sc_unit_rows *rows,
                                scrim_error *error)
{
    const stream *own = &spill->streams[kind][part];
    for (size_t i = 0; i < own->count; i++) {
        const extent *from = &own->extents[i];
        unsigned char *to =
            sc_unit_rows_attach(rows, kind, part, i == 0 ? own->entries : 0, from->bytes);
        if (to == NULL)
            return sc_no_memory(error, "the rows of units");
        const scrim_status status = sc_sealed_file_read(spill->file, cipher, from->offset,
                                                        to, from->bytes, error);
        if (status != SCRIM_OK)
            return status;
    }
    return SCRIM_OK;
}

scrim_status sc_unit_spill_load(const sc_unit_spill *spill, const sc_cipher *cipher,
                                size_t part, sc_unit_rows *rows, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (sc_unit_kind kind = 0; status == SCRIM_OK && kind < SC_UNIT_KINDS; kind++)
        status = load_stream(spill, cipher, kind, part, rows, error);
    return status;
}
