/* Rows on their way to their units: packed, and apart by the hash of the unit, so that all rows of
 * a unit lie in the same one of SC_UNIT_PARTS parts. Each worker fills a store of its own.
 *
 * A row is its unit, the number of its group and its values, packed into value_bytes. What is held
 * is wiped when it is given back.
 */
#ifndef SC_QUERY_UNIT_ROWS_H
#define SC_QUERY_UNIT_ROWS_H

#include "base/text.h"
#include "query/rows/unit_pool.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#define SC_UNIT_PARTS 256
/* The longest unit. */
#define SC_UNIT_BYTES 4096
/* Bytes behind a unit that are read with it, and behind the values that may be written. */
#define SC_UNIT_PADDING 16

typedef struct sc_unit_chunk sc_unit_chunk;
struct sc_unit_chunk {
    sc_unit_chunk *next; /* filled before this one */
    size_t used, capacity;
    bool is_pooled;
    unsigned char bytes[]; /* and SC_UNIT_PADDING more */
};

/* Entries of three kinds, by their unit, and apart from each other: all that are of one kind but
 * SC_UNIT_OF_TEXT are of one size.
 *
 * SC_UNIT_OF_WORD    a unit of up to 8 bytes, the last of which is not 0: the unit, filled up with
 *                    zeros to 8; the group, the values
 * SC_UNIT_OF_WORDS   the same, and behind it how many copies there are of the row
 * SC_UNIT_OF_TEXT    any other unit: its length less one, and whether a number of copies is there;
 *                    the group, the values, the copies if they are not one, the unit */
typedef enum sc_unit_kind {
    SC_UNIT_OF_WORD,
    SC_UNIT_OF_WORDS,
    SC_UNIT_OF_TEXT,
    SC_UNIT_KINDS
} sc_unit_kind;

/* The entries of one kind in one part. */
typedef struct sc_unit_stream {
    sc_unit_chunk *chunks;   /* newest first */
    unsigned char *at, *end; /* what is free in the newest */
    uint64_t entries;        /* of texts; those of others are known by their bytes */
    size_t held_bytes;       /* of its chunks */
} sc_unit_stream;

typedef struct sc_unit_rows {
    sc_unit_stream streams[SC_UNIT_KINDS][SC_UNIT_PARTS];
    size_t value_bytes, group_bytes;
    atomic_size_t held_bytes; /* of all chunks; parts may be of several threads */
    sc_unit_pool own_pool, *pool;
} sc_unit_rows;

/* Groups are numbers of 2 or 4 bytes. */
void sc_unit_rows_init(sc_unit_rows *rows, size_t value_bytes, size_t group_bytes);
/* A store for the same rows that is cleared before the other is. */
void sc_unit_rows_init_beside(sc_unit_rows *rows, const sc_unit_rows *other);
void sc_unit_rows_clear(sc_unit_rows *rows);
/* Gives back what a part holds. */
void sc_unit_rows_clear_part(sc_unit_rows *rows, size_t part);

/* Makes room in a part for `entries` entries of a kind that were written elsewhere, of `bytes`
 * bytes in all (at least 1). The caller copies them to the address returned. NULL: no memory. */
unsigned char *sc_unit_rows_attach(sc_unit_rows *rows, sc_unit_kind kind, size_t part,
                                   uint64_t entries, size_t bytes);

/* Gives each of two stores, one of which was made beside the other, the other's part. */
void sc_unit_rows_exchange_part(sc_unit_rows *a, sc_unit_rows *b, size_t part);

/* How many entries a part has, and what its chunks take. */
uint64_t sc_unit_rows_entries(const sc_unit_rows *rows, size_t part);
size_t sc_unit_rows_part_bytes(const sc_unit_rows *rows, size_t part);

/* The size of an entry of a word, with its copies or without. */
static inline size_t sc_unit_rows_width(const sc_unit_rows *rows, sc_unit_kind kind)
{
    return sizeof(uint64_t) + rows->group_bytes + rows->value_bytes +
           (kind == SC_UNIT_OF_WORDS ? sizeof(uint64_t) : 0);
}

/* The group that lies there, of 2 or 4 bytes; 4 are readable. */
static inline uint32_t sc_unit_group_at(const unsigned char *at, size_t bytes)
{
    uint16_t narrow;
    uint32_t group;
    memcpy(&narrow, at, sizeof narrow);
    memcpy(&group, at, sizeof group);
    return bytes == sizeof narrow ? narrow : group;
}

/* Writes a group, and up to 2 bytes behind it. */
static inline void sc_unit_put_group(unsigned char *at, uint32_t group, size_t bytes)
{
    const uint16_t narrow = (uint16_t)group;
    if (bytes == sizeof narrow)
        memcpy(at, &narrow, sizeof narrow);
    else
        memcpy(at, &group, sizeof group);
}

/* The used bytes of a chunk of a stream. */
static inline size_t sc_unit_stream_used(const sc_unit_stream *stream,
                                         const sc_unit_chunk *chunk)
{
    return chunk == stream->chunks ? (size_t)(stream->at - chunk->bytes) : chunk->used;
}

/* Which part a unit's rows lie in. */
static inline size_t sc_unit_rows_part(uint64_t hash)
{
    return (size_t)(hash >> 56);
}

/* The bytes of a short unit as they lie in memory, with zeros behind them. */
static inline uint64_t sc_unit_word(sc_text unit)
{
    const unsigned unused = (unsigned)(64 - 8 * unit.bytes);
    uint64_t word;
    memcpy(&word, unit.start, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return word & ~(uint64_t)0 >> unused;
#else
    return word & ~(uint64_t)0 << unused;
#endif
}

/* The unit whose word lies there. */
static inline sc_text sc_unit_of_word(const unsigned char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const unsigned unused = (unsigned)__builtin_clzll(word);
#else
    const unsigned unused = (unsigned)__builtin_ctzll(word);
#endif
    return (sc_text){(const char *)at, sizeof word - unused / 8};
}

/* Adds an entry to the part of its unit's hash. SC_UNIT_PADDING bytes behind the unit and the
 * values are readable. False: no memory. */
bool sc_unit_rows_add(sc_unit_rows *rows, uint64_t hash, sc_text unit, uint32_t group,
                      uint64_t copies, const unsigned char *values);

/* Rows of units, one copy each; those without a group are left out, and those whose unit is empty
 * or longer than SC_UNIT_BYTES. */
#define SC_UNIT_NO_GROUP UINT32_MAX
typedef struct sc_unit_block {
    size_t count;
    const sc_text *units;
    const uint64_t *hashes;
    const uint32_t *groups;
    const unsigned char *values; /* of one row behind those of the other */
} sc_unit_block;

/* Adds many. False: no memory; then some are added. */
bool sc_unit_rows_add_block(sc_unit_rows *rows, const sc_unit_block *block);

/* An entry as it is read. */
typedef struct sc_unit_entry {
    const unsigned char *values;
    sc_text unit;
    uint64_t copies;
    uint32_t group;
} sc_unit_entry;

/* Walks through a part, from a kind on: words, then texts. Nothing may be added meanwhile. */
typedef struct sc_unit_walk {
    const sc_unit_rows *rows;
    size_t part;
    sc_unit_kind kind;
    const sc_unit_chunk *chunk;
    const unsigned char *at, *end;
} sc_unit_walk;

sc_unit_walk sc_unit_walk_begin(const sc_unit_rows *rows, sc_unit_kind kind, size_t part);
/* Goes on to the next chunk, of this kind or the next. False at the end. */
bool sc_unit_walk_chunk(sc_unit_walk *walk);

/* In the head of an entry of text: there are copies. */
#define SC_UNIT_HEAD_COPIES 0x8000u

static inline void sc_unit_read_word(sc_unit_walk *walk, sc_unit_entry *entry)
{
    const unsigned char *at = walk->at;
    entry->unit = sc_unit_of_word(at);
    entry->group = sc_unit_group_at(at + sizeof(uint64_t), walk->rows->group_bytes);
    entry->values = at + sizeof(uint64_t) + walk->rows->group_bytes;
    entry->copies = 1;
    walk->at = entry->values + walk->rows->value_bytes;
    if (walk->kind == SC_UNIT_OF_WORDS) {
        memcpy(&entry->copies, walk->at, sizeof entry->copies);
        walk->at += sizeof entry->copies;
    }
}

static inline void sc_unit_read_text(sc_unit_walk *walk, sc_unit_entry *entry)
{
    uint16_t head;
    const unsigned char *at = walk->at;
    memcpy(&head, at, sizeof head);
    entry->group = sc_unit_group_at(at + sizeof head, walk->rows->group_bytes);
    entry->values = at + sizeof head + walk->rows->group_bytes;
    at = entry->values + walk->rows->value_bytes;
    entry->copies = 1;
    if ((head & SC_UNIT_HEAD_COPIES) != 0) {
        memcpy(&entry->copies, at, sizeof entry->copies);
        at += sizeof entry->copies;
    }
    entry->unit = (sc_text){(const char *)at, (head & (SC_UNIT_HEAD_COPIES - 1)) + 1u};
    walk->at = at + entry->unit.bytes;
}

/* The next entry. False at the end. */
static inline bool sc_unit_walk_next(sc_unit_walk *walk, sc_unit_entry *entry)
{
    while (walk->at == walk->end)
        if (!sc_unit_walk_chunk(walk))
            return false;
    if (walk->kind == SC_UNIT_OF_TEXT)
        sc_unit_read_text(walk, entry);
    else
        sc_unit_read_word(walk, entry);
    return true;
}

#endif
