#include "query/unit_rows.h"

/* Chunks grow to this size: a small table asks for little, and a large one seldom. */
#define FIRST_CHUNK_BYTES ((size_t)1 << 9)
#define CHUNK_BYTES ((size_t)1 << 15)

void sc_unit_rows_init(sc_unit_rows *rows, size_t value_bytes)
{
    memset(rows, 0, sizeof *rows);
    rows->value_bytes = value_bytes;
}

void sc_unit_rows_clear_part(sc_unit_rows *rows, size_t part)
{
    sc_unit_chunk *chunk = rows->parts[part].chunks;
    while (chunk != NULL) {
        sc_unit_chunk *next = chunk->next;
        sc_release_wiped(chunk, sizeof *chunk + chunk->capacity + SC_UNIT_PADDING);
        chunk = next;
    }
    rows->held_bytes -= rows->parts[part].held_bytes;
    rows->parts[part] = (sc_unit_part){.chunks = NULL};
}

void sc_unit_rows_exchange_part(sc_unit_rows *a, sc_unit_rows *b, size_t part)
{
    const sc_unit_part moved = a->parts[part];
    a->parts[part] = b->parts[part];
    b->parts[part] = moved;
    a->held_bytes += a->parts[part].held_bytes - moved.held_bytes;
    b->held_bytes += moved.held_bytes - a->parts[part].held_bytes;
}

void sc_unit_rows_clear(sc_unit_rows *rows)
{
    for (size_t i = 0; i < SC_UNIT_PARTS; i++)
        sc_unit_rows_clear_part(rows, i);
}

static sc_unit_chunk *new_chunk(sc_unit_rows *rows, sc_unit_part *part, size_t capacity)
{
    const size_t whole = sizeof(sc_unit_chunk) + capacity + SC_UNIT_PADDING;
    sc_unit_chunk *chunk = sc_allocate_raw(whole);
    if (chunk == NULL)
        return NULL;
    *chunk = (sc_unit_chunk){.capacity = capacity};
    part->held_bytes += whole;
    rows->held_bytes += whole;
    return chunk;
}

unsigned char *sc_unit_rows_attach(sc_unit_rows *rows, size_t part, uint64_t entries,
                                   size_t bytes)
{
    sc_unit_part *own = &rows->parts[part];
    sc_unit_chunk *chunk = new_chunk(rows, own, bytes);
    if (chunk == NULL)
        return NULL;
    chunk->used = bytes;
    own->entries += entries;
    if (own->chunks == NULL) {
        own->chunks = chunk;
        own->at = own->end = chunk->bytes + bytes;
    } else { /* behind the one that is being filled */
        chunk->next = own->chunks->next;
        own->chunks->next = chunk;
    }
    return chunk->bytes;
}

bool sc_unit_rows_make_room(sc_unit_rows *rows, sc_unit_part *part, size_t bytes)
{
    sc_unit_chunk *last = part->chunks;
    size_t capacity = last == NULL ? FIRST_CHUNK_BYTES : 2 * last->capacity;
    capacity = capacity > CHUNK_BYTES ? CHUNK_BYTES : capacity;
    capacity = capacity < bytes ? bytes : capacity;
    sc_unit_chunk *chunk = new_chunk(rows, part, capacity);
    if (chunk == NULL)
        return false;
    if (last != NULL)
        last->used = (size_t)(part->at - last->bytes);
    chunk->next = last;
    part->chunks = chunk;
    part->at = chunk->bytes;
    part->end = chunk->bytes + capacity;
    return true;
}

sc_unit_walk sc_unit_walk_begin(const sc_unit_rows *rows, size_t part)
{
    const sc_unit_part *own = &rows->parts[part];
    sc_unit_walk walk = {.chunk = own->chunks, .value_bytes = rows->value_bytes};
    if (walk.chunk != NULL) {
        walk.at = walk.chunk->bytes;
        walk.end = own->at;
    }
    return walk;
}

bool sc_unit_walk_chunk(sc_unit_walk *walk)
{
    if (walk->chunk == NULL || walk->chunk->next == NULL)
        return false;
    walk->chunk = walk->chunk->next;
    walk->at = walk->chunk->bytes;
    walk->end = walk->at + walk->chunk->used;
    return true;
}
