#include "query/unit_rows.h"

/* Chunks grow to this size: a small table asks for little, and a large one seldom. */
#define FIRST_CHUNK_BYTES ((size_t)1 << 9)
#define CHUNK_BYTES ((size_t)1 << 15)

void sc_unit_rows_init(sc_unit_rows *rows, size_t value_bytes)
{
    memset(rows, 0, sizeof *rows);
    rows->value_bytes = value_bytes;
}

static void clear_stream(sc_unit_rows *rows, sc_unit_stream *stream)
{
    sc_unit_chunk *chunk = stream->chunks;
    while (chunk != NULL) {
        sc_unit_chunk *next = chunk->next;
        sc_release_wiped(chunk, sizeof *chunk + chunk->capacity + SC_UNIT_PADDING);
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
                                size_t capacity)
{
    const size_t whole = sizeof(sc_unit_chunk) + capacity + SC_UNIT_PADDING;
    sc_unit_chunk *chunk = sc_allocate_raw(whole);
    if (chunk == NULL)
        return NULL;
    *chunk = (sc_unit_chunk){.capacity = capacity};
    stream->held_bytes += whole;
    rows->held_bytes += whole;
    return chunk;
}

unsigned char *sc_unit_rows_attach(sc_unit_rows *rows, sc_unit_kind kind, size_t part,
                                   uint64_t entries, size_t bytes)
{
    sc_unit_stream *own = &rows->streams[kind][part];
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

bool sc_unit_rows_make_room(sc_unit_rows *rows, sc_unit_stream *stream, size_t bytes)
{
    sc_unit_chunk *last = stream->chunks;
    size_t capacity = last == NULL ? FIRST_CHUNK_BYTES : 2 * last->capacity;
    capacity = capacity > CHUNK_BYTES ? CHUNK_BYTES : capacity;
    capacity = capacity < bytes ? bytes : capacity;
    sc_unit_chunk *chunk = new_chunk(rows, stream, capacity);
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

/* The head of an entry of text. */
#define HEAD_COPIES 0x8000u

static bool add_words(sc_unit_rows *rows, uint64_t hash, sc_text unit, uint32_t group,
                      uint64_t copies, const unsigned char *values)
{
    sc_unit_stream *stream = &rows->streams[SC_UNIT_OF_WORDS][sc_unit_rows_part(hash)];
    const size_t bytes = sc_unit_rows_width(rows, SC_UNIT_OF_WORDS);
    const uint64_t word = sc_unit_word(unit);
    if ((size_t)(stream->end - stream->at) < bytes &&
        !sc_unit_rows_make_room(rows, stream, bytes))
        return false;
    unsigned char *at = stream->at;
    memcpy(at, &word, sizeof word);
    memcpy(at + sizeof word, &group, sizeof group);
    if (rows->value_bytes > 0)
        memcpy(at + SC_UNIT_WORD_BYTES, values, rows->value_bytes);
    memcpy(at + SC_UNIT_WORD_BYTES + rows->value_bytes, &copies, sizeof copies);
    stream->at = at + bytes;
    return true;
}

bool sc_unit_rows_add_other(sc_unit_rows *rows, uint64_t hash, sc_text unit,
                            uint32_t group, uint64_t copies, const unsigned char *values)
{
    if (sc_unit_is_word(unit))
        return add_words(rows, hash, unit, group, copies, values);
    sc_unit_stream *stream = &rows->streams[SC_UNIT_OF_TEXT][sc_unit_rows_part(hash)];
    const bool has_copies = copies != 1;
    const uint16_t head = (uint16_t)((unit.bytes - 1) | (has_copies ? HEAD_COPIES : 0));
    const size_t bytes = sizeof head + sizeof group + rows->value_bytes +
                         (has_copies ? sizeof copies : 0) + unit.bytes;
    if ((size_t)(stream->end - stream->at) < bytes &&
        !sc_unit_rows_make_room(rows, stream, bytes))
        return false;
    unsigned char *at = stream->at;
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, &group, sizeof group);
    at += sizeof head + sizeof group;
    sc_unit_put_values(at, values, rows->value_bytes);
    at += rows->value_bytes;
    if (has_copies) {
        memcpy(at, &copies, sizeof copies);
        at += sizeof copies;
    }
    if (unit.bytes <= SC_UNIT_PADDING)
        memcpy(at, unit.start, SC_UNIT_PADDING);
    else
        memcpy(at, unit.start, unit.bytes);
    stream->at = at + unit.bytes;
    stream->entries++;
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

static sc_unit_walk begin_at(const sc_unit_rows *rows, sc_unit_kind kind, size_t part)
{
    sc_unit_walk walk = {.rows = rows, .part = part, .kind = kind};
    enter_chunk(&walk, rows->streams[kind][part].chunks);
    return walk;
}

sc_unit_walk sc_unit_walk_begin(const sc_unit_rows *rows, size_t part)
{
    return begin_at(rows, SC_UNIT_OF_WORD, part);
}

sc_unit_walk sc_unit_walk_texts(const sc_unit_rows *rows, size_t part)
{
    return begin_at(rows, SC_UNIT_OF_TEXT, part);
}

/* Goes on to the next chunk, of this kind or the next. False at the end. */
static bool next_chunk(sc_unit_walk *walk)
{
    if (walk->chunk != NULL && walk->chunk->next != NULL) {
        enter_chunk(walk, walk->chunk->next);
        return true;
    }
    if (walk->kind == SC_UNIT_OF_TEXT)
        return false;
    *walk = begin_at(walk->rows, walk->kind + 1, walk->part);
    return true;
}

static void read_word(sc_unit_walk *walk, sc_unit_entry *entry)
{
    const unsigned char *at = walk->at;
    entry->unit = sc_unit_of_word(at);
    memcpy(&entry->group, at + sizeof(uint64_t), sizeof entry->group);
    entry->values = at + SC_UNIT_WORD_BYTES;
    entry->copies = 1;
    walk->at = entry->values + walk->rows->value_bytes;
    if (walk->kind == SC_UNIT_OF_WORDS) {
        memcpy(&entry->copies, walk->at, sizeof entry->copies);
        walk->at += sizeof entry->copies;
    }
}

static void read_text(sc_unit_walk *walk, sc_unit_entry *entry)
{
    uint16_t head;
    const unsigned char *at = walk->at;
    memcpy(&head, at, sizeof head);
    memcpy(&entry->group, at + sizeof head, sizeof entry->group);
    entry->values = at + sizeof head + sizeof entry->group;
    at = entry->values + walk->rows->value_bytes;
    entry->copies = 1;
    if ((head & HEAD_COPIES) != 0) {
        memcpy(&entry->copies, at, sizeof entry->copies);
        at += sizeof entry->copies;
    }
    entry->unit = (sc_text){(const char *)at, (head & (HEAD_COPIES - 1)) + 1u};
    walk->at = at + entry->unit.bytes;
}

bool sc_unit_walk_next(sc_unit_walk *walk, sc_unit_entry *entry)
{
    while (walk->at == walk->end)
        if (!next_chunk(walk))
            return false;
    if (walk->kind == SC_UNIT_OF_TEXT)
        read_text(walk, entry);
    else
        read_word(walk, entry);
    return true;
}
