#include "query/rows/unit_rows.h"

/* Chunks grow to this size: a small table asks for little, and a large one seldom. */
#define FIRST_CHUNK_BYTES ((size_t)1 << 9)
#define CHUNK_BYTES (SC_UNIT_POOL_BYTES - sizeof(sc_unit_chunk) - SC_UNIT_PADDING)

void sc_unit_rows_init(sc_unit_rows *rows, size_t value_bytes, size_t group_bytes)
{
    memset(rows, 0, sizeof *rows);
    rows->value_bytes = value_bytes;
    rows->group_bytes = group_bytes;
    sc_unit_pool_init(&rows->own_pool);
    rows->pool = &rows->own_pool;
}

void sc_unit_rows_init_beside(sc_unit_rows *rows, const sc_unit_rows *other)
{
    sc_unit_rows_init(rows, other->value_bytes, other->group_bytes);
    rows->pool = other->pool;
}

static void clear_stream(sc_unit_rows *rows, sc_unit_stream *stream)
{
    sc_unit_chunk *chunk = stream->chunks;
    while (chunk != NULL) {
        sc_unit_chunk *next = chunk->next;
        const bool is_pooled = chunk->is_pooled;
        sc_wipe(chunk, sizeof *chunk + chunk->capacity + SC_UNIT_PADDING);
        if (is_pooled)
            sc_unit_pool_give(rows->pool, chunk);
        else
            sc_free(chunk);
        chunk = next;
    }
    rows->held_bytes -= stream->held_bytes;
    *stream = (sc_unit_stream){.chunks = NULL};
}

void sc_unit_rows_clear_part(sc_unit_rows *rows, size_t part)
{
    for (sc_unit_kind kind = 0; kind < SC_UNIT_KINDS; kind++)
        clear_stream(rows, &rows->streams[kind][part]);
}

void sc_unit_rows_exchange_part(sc_unit_rows *a, sc_unit_rows *b, size_t part)
{
    for (sc_unit_kind kind = 0; kind < SC_UNIT_KINDS; kind++) {
        sc_unit_stream *left = &a->streams[kind][part], *right = &b->streams[kind][part];
        const sc_unit_stream moved = *left;
        *left = *right;
        *right = moved;
        a->held_bytes += left->held_bytes - right->held_bytes;
        b->held_bytes += right->held_bytes - left->held_bytes;
    }
}

void sc_unit_rows_clear(sc_unit_rows *rows)
{
    for (size_t i = 0; i < SC_UNIT_PARTS; i++)
        sc_unit_rows_clear_part(rows, i);
    sc_unit_pool_clear(&rows->own_pool);
}

uint64_t sc_unit_rows_entries(const sc_unit_rows *rows, size_t part)
{
    uint64_t entries = rows->streams[SC_UNIT_OF_TEXT][part].entries;
    for (sc_unit_kind kind = 0; kind < SC_UNIT_OF_TEXT; kind++) {
        const sc_unit_stream *stream = &rows->streams[kind][part];
        for (const sc_unit_chunk *chunk = stream->chunks; chunk != NULL;
             chunk = chunk->next)
            entries +=
                sc_unit_stream_used(stream, chunk) / sc_unit_rows_width(rows, kind);
    }
    return entries;
}

size_t sc_unit_rows_part_bytes(const sc_unit_rows *rows, size_t part)
{
    size_t bytes = 0;
    for (sc_unit_kind kind = 0; kind < SC_UNIT_KINDS; kind++)
        bytes += rows->streams[kind][part].held_bytes;
    return bytes;
}

static sc_unit_chunk *new_chunk(sc_unit_rows *rows, sc_unit_stream *stream,
                                size_t capacity, bool is_pooled)
{
    const size_t whole = sizeof(sc_unit_chunk) + capacity + SC_UNIT_PADDING;
    sc_unit_chunk *chunk =
        is_pooled ? sc_unit_pool_take(rows->pool) : sc_allocate_raw(whole);
    if (chunk == NULL)
        return NULL;
    *chunk = (sc_unit_chunk){.capacity = capacity, .is_pooled = is_pooled};
    stream->held_bytes += whole;
    rows->held_bytes += whole;
    return chunk;
}

unsigned char *sc_unit_rows_attach(sc_unit_rows *rows, sc_unit_kind kind, size_t part,
                                   uint64_t entries, size_t bytes)
{
    sc_unit_stream *own = &rows->streams[kind][part];
    /* Other threads may be there too, of which a pool serves one. */
    sc_unit_chunk *chunk = new_chunk(rows, own, bytes, false);
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

/* Begins a new chunk of a stream, with room for at least `bytes` bytes. False: no memory. */
static bool make_room(sc_unit_rows *rows, sc_unit_stream *stream, size_t bytes)
{
    sc_unit_chunk *last = stream->chunks;
    size_t capacity = last == NULL ? FIRST_CHUNK_BYTES : 2 * last->capacity;
    capacity = capacity > CHUNK_BYTES ? CHUNK_BYTES : capacity;
    capacity = capacity < bytes ? bytes : capacity;
    sc_unit_chunk *chunk = new_chunk(rows, stream, capacity, capacity == CHUNK_BYTES);
    if (chunk == NULL)
        return false;
    if (last != NULL)
        last->used = (size_t)(stream->at - last->bytes);
    chunk->next = last;
    stream->chunks = chunk;
    stream->at = chunk->bytes;
    stream->end = chunk->bytes + capacity;
    return true;
}

/* Adding. */

/* How far behind an entry the next ones of its stream are fetched: there are too many streams for
 * the machine to see where they go. */
#define FETCH_BYTES 128

/* Copies values, and up to SC_UNIT_PADDING bytes behind them, which what follows is written over. */
static inline void put_values(unsigned char *to, const unsigned char *values,
                              size_t bytes)
{
    if (__builtin_expect(bytes <= 8, 1))
        memcpy(to, values, 8);
    else if (__builtin_expect(bytes <= SC_UNIT_PADDING, 1))
        memcpy(to, values, SC_UNIT_PADDING);
    else
        memcpy(to, values, bytes);
}

static bool add_word(sc_unit_rows *rows, uint64_t hash, uint64_t word, uint32_t group,
                     uint64_t copies, const unsigned char *values)
{
    const sc_unit_kind kind = copies == 1 ? SC_UNIT_OF_WORD : SC_UNIT_OF_WORDS;
    sc_unit_stream *stream = &rows->streams[kind][sc_unit_rows_part(hash)];
    const size_t bytes = sc_unit_rows_width(rows, kind);
    if ((size_t)(stream->end - stream->at) < bytes && !make_room(rows, stream, bytes))
        return false;
    unsigned char *at = stream->at;
    memcpy(at, &word, sizeof word);
    sc_unit_put_group(at + sizeof word, group, rows->group_bytes);
    put_values(at + sizeof word + rows->group_bytes, values, rows->value_bytes);
    stream->at = at + bytes;
    if (copies != 1)
        memcpy(stream->at - sizeof copies, &copies, sizeof copies);
    return true;
}

static inline bool add_text(sc_unit_rows *rows, uint64_t hash, sc_text unit,
                            uint32_t group, uint64_t copies, const unsigned char *values)
{
    sc_unit_stream *stream = &rows->streams[SC_UNIT_OF_TEXT][sc_unit_rows_part(hash)];
    const bool has_copies = copies != 1;
    const uint16_t head =
        (uint16_t)((unit.bytes - 1) | (has_copies ? SC_UNIT_HEAD_COPIES : 0));
    const size_t bytes = sizeof head + rows->group_bytes + rows->value_bytes +
                         (has_copies ? sizeof copies : 0) + unit.bytes;
    if ((size_t)(stream->end - stream->at) < bytes && !make_room(rows, stream, bytes))
        return false;
    unsigned char *at = stream->at;
    memcpy(at, &head, sizeof head);
    sc_unit_put_group(at + sizeof head, group, rows->group_bytes);
    at += sizeof head + rows->group_bytes;
    put_values(at, values, rows->value_bytes);
    at += rows->value_bytes;
    if (has_copies) {
        memcpy(at, &copies, sizeof copies);
        at += sizeof copies;
    }
    if (unit.bytes <= SC_UNIT_PADDING)
        memcpy(at, unit.start, SC_UNIT_PADDING);
    else
        memcpy(at, unit.start, unit.bytes);
    __builtin_prefetch(at + FETCH_BYTES, 1);
    stream->at = at + unit.bytes;
    stream->entries++;
    return true;
}

/* A unit as a word; false if it is empty, longer than a word, or ends with a zero byte, which a
 * word would lose. */
static inline bool take_word(sc_text unit, uint64_t *word)
{
    if (unit.bytes - 1 >= sizeof *word)
        return false;
    *word = sc_unit_word(unit);
    return unit.start[unit.bytes - 1] != 0;
}

bool sc_unit_rows_add(sc_unit_rows *rows, uint64_t hash, sc_text unit, uint32_t group,
                      uint64_t copies, const unsigned char *values)
{
    uint64_t word;
    return take_word(unit, &word) ? add_word(rows, hash, word, group, copies, values)
                                  : add_text(rows, hash, unit, group, copies, values);
}

/* Everything that each row needs is at hand: as bytes may be written anywhere, it would be read again. */
bool sc_unit_rows_add_block(sc_unit_rows *rows, const sc_unit_block *block)
{
    const sc_unit_block b = *block;
    const size_t value_bytes = rows->value_bytes, group_bytes = rows->group_bytes,
                 bytes = sc_unit_rows_width(rows, SC_UNIT_OF_WORD);
    const unsigned char *values = b.values;
    for (size_t i = 0; i < b.count; i++, values += value_bytes) {
        const sc_text unit = b.units[i];
        const uint32_t group = b.groups[i];
        sc_unit_stream *stream =
            &rows->streams[SC_UNIT_OF_WORD][sc_unit_rows_part(b.hashes[i])];
        unsigned char *at = stream->at;
        uint64_t word;
        if (group == SC_UNIT_NO_GROUP)
            continue;
        if (__builtin_expect(!take_word(unit, &word), 0) ||
            __builtin_expect((size_t)(stream->end - at) < bytes, 0)) {
            if (unit.bytes - 1 < SC_UNIT_BYTES &&
                !sc_unit_rows_add(rows, b.hashes[i], unit, group, 1, values))
                return false;
            continue;
        }
        memcpy(at, &word, sizeof word);
        sc_unit_put_group(at + sizeof word, group, group_bytes);
        put_values(at + sizeof word + group_bytes, values, value_bytes);
        __builtin_prefetch(at + FETCH_BYTES, 1);
        stream->at = at + bytes;
    }
    return true;
}

/* Reading. */

static void enter_chunk(sc_unit_walk *walk, const sc_unit_chunk *chunk)
{
    const sc_unit_stream *stream = &walk->rows->streams[walk->kind][walk->part];
    walk->chunk = chunk;
    walk->at = walk->end = NULL;
    if (chunk != NULL) {
        walk->at = chunk->bytes;
        walk->end = walk->at + sc_unit_stream_used(stream, chunk);
    }
}

sc_unit_walk sc_unit_walk_begin(const sc_unit_rows *rows, sc_unit_kind kind, size_t part)
{
    sc_unit_walk walk = {.rows = rows, .part = part, .kind = kind};
    enter_chunk(&walk, rows->streams[kind][part].chunks);
    return walk;
}

bool sc_unit_walk_chunk(sc_unit_walk *walk)
{
    if (walk->chunk != NULL && walk->chunk->next != NULL) {
        enter_chunk(walk, walk->chunk->next);
        return true;
    }
    if (walk->kind == SC_UNIT_OF_TEXT)
        return false;
    *walk = sc_unit_walk_begin(walk->rows, walk->kind + 1, walk->part);
    return true;
}
