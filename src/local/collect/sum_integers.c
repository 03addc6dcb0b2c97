/* Reports that are one integer, or two: a histogram. */
#include "base/checked.h"
#include "base/memory.h"
#include "local/collect/sum_kind.h"
#include "mechanism/local/protocol.h"

#include <string.h>

/* Neighbouring reports go into different tables, so that none waits for the counter that the one before
 * it has just written; larger tables are hit twice in a row too rarely for that. */
#define WAYS 4
#define WAYS_CELLS_MAX 4096
#define FLUSH_AFTER (UINT32_C(1) << 31)

typedef struct tally {
    uint32_t *ways[WAYS]; /* all the same where there is one table */
    uint32_t *tables;
    uint32_t waiting; /* reports in them, at most */
    uint64_t first_mask, second_mask;
    uint32_t first_limit, second_limit;
    unsigned second_shift;
    size_t bytes; /* of both */
} tally;

static uint64_t bytes_mask(size_t bytes)
{
    return bytes == 0 ? 0 : UINT64_MAX >> (64 - 8 * bytes);
}

static size_t count_cells(const scrim_local_config *config)
{
    const sc_protocol_integers read = sc_protocol_integers_of(config);
    return (size_t)read.first * read.second;
}

static scrim_status begin_tally(sc_sums *sums, scrim_error *error)
{
    const sc_protocol_integers read = sc_protocol_integers_of(&sums->config);
    const size_t tables = sums->cells <= WAYS_CELLS_MAX ? WAYS : 1;
    const size_t first_bytes = sc_report_integer_bytes(read.first);
    const size_t second_bytes =
        read.second == 1 ? 0 : sc_report_integer_bytes(read.second);
    tally *t = sc_allocate(1, sizeof *t);
    sums->context = t;
    if (t != NULL)
        t->tables = sc_allocate(sums->cells * tables, sizeof *t->tables);
    if (t == NULL || t->tables == NULL)
        return sc_no_memory(error, "sums");
    for (size_t i = 0; i < WAYS; i++)
        t->ways[i] = t->tables + (tables == 1 ? 0 : i * sums->cells);
    t->first_limit = read.first;
    t->second_limit = read.second;
    t->first_mask = bytes_mask(first_bytes);
    t->second_mask = bytes_mask(second_bytes);
    t->second_shift = (unsigned)(8 * first_bytes);
    t->bytes = first_bytes + second_bytes;
    return SCRIM_OK;
}

static void end_tally(sc_sums *sums)
{
    tally *t = sums->context;
    if (t != NULL)
        sc_free(t->tables);
    sc_free(t);
}

static void finish(sc_sums *sums)
{
    tally *t = sums->context;
    for (size_t w = 0; w < WAYS; w++)
        for (size_t i = 0; i < sums->cells; i++) {
            sums->counts[i] += t->ways[w][i];
            t->ways[w][i] = 0;
        }
    t->waiting = 0;
}

static inline uint64_t word_at(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The eight bytes that begin with a report go into the histogram; 1 if they are out of range. */
static inline unsigned count_one(tally t, uint32_t *way, uint64_t word, bool has_second)
{
    const uint64_t first = word & t.first_mask;
    const uint64_t second = has_second ? word >> t.second_shift & t.second_mask : 0;
    if (__builtin_expect(first >= t.first_limit || second >= t.second_limit, 0))
        return 1;
    way[has_second ? first * t.second_limit + second : first]++;
    return 0;
}

/* Reports behind each of which eight bytes can be read: how many are dropped. The tally is a copy, which no
 * counter can be a part of. */
static inline uint64_t count_run(const tally t, const uint8_t *at, size_t count,
                                 size_t stride, bool has_second)
{
    uint64_t dropped = 0;
    for (; count >= WAYS; count -= WAYS)
        for (unsigned w = 0; w < WAYS; w++, at += stride)
            dropped += count_one(t, t.ways[w], word_at(at), has_second);
    for (; count > 0; count--, at += stride)
        dropped += count_one(t, t.ways[0], word_at(at), has_second);
    return dropped;
}

/* Bytes back to back: eight reports a word, each with a table of its own. */
static uint64_t count_bytes(const tally t, const uint8_t *at, size_t count)
{
    uint32_t tables[8][256] = {{0}};
    uint64_t dropped = 0;
    for (; count >= 8; count -= 8, at += 8) {
        const uint64_t word = word_at(at);
        tables[0][word & 0xff]++;
        tables[1][word >> 8 & 0xff]++;
        tables[2][word >> 16 & 0xff]++;
        tables[3][word >> 24 & 0xff]++;
        tables[4][word >> 32 & 0xff]++;
        tables[5][word >> 40 & 0xff]++;
        tables[6][word >> 48 & 0xff]++;
        tables[7][word >> 56]++;
    }
    for (; count > 0; count--)
        tables[0][*at++]++;
    for (unsigned value = 0; value < 256; value++)
        for (unsigned i = 0; i < 8; i++) {
            if (value < t.first_limit)
                t.ways[0][value] += tables[i][value];
            else
                dropped += tables[i][value];
        }
    return dropped;
}

static uint64_t count_many(const tally *t, const uint8_t *at, size_t count, size_t stride)
{
    if (t->bytes == 1 && stride == 1)
        return count_bytes(*t, at, count);
    return t->second_limit == 1 ? count_run(*t, at, count, stride, false)
                                : count_run(*t, at, count, stride, true);
}

static uint64_t count_near_the_end(const tally *t, const uint8_t *at, size_t count,
                                   size_t stride)
{
    uint64_t dropped = 0;
    for (; count > 0; count--, at += stride)
        dropped += count_one(*t, t->ways[0], sc_report_integer(at, t->bytes), true);
    return dropped;
}

static void add(sc_sums *sums, const uint8_t *reports, size_t count, size_t stride,
                size_t readable)
{
    tally *t = sums->context;
    while (count > 0) {
        if (t->waiting >= FLUSH_AFTER)
            finish(sums);
        size_t now = count < FLUSH_AFTER ? count : FLUSH_AFTER;
        size_t wide = readable < 8 ? 0 : (readable - 8) / stride + 1;
        wide = wide < now ? wide : now;
        const uint64_t dropped =
            count_many(t, reports, wide, stride) +
            count_near_the_end(t, reports + wide * stride, now - wide, stride);
        t->waiting += (uint32_t)now;
        sums->dropped += dropped;
        sums->reports += now - dropped;
        count -= now;
        reports += now * stride;
        readable -= count == 0 ? 0 : now * stride;
    }
}

static bool is_possible(const sc_sums *sums)
{
    uint64_t total = 0;
    for (size_t i = 0; i < sums->cells; i++)
        if (!sc_uint64_add(total, sums->counts[i], &total))
            return false;
    return total == sums->reports;
}

const sc_sum_layout sc_sum_integers = {.cells = count_cells,
                                       .begin = begin_tally,
                                       .end = end_tally,
                                       .add = add,
                                       .finish = finish,
                                       .is_possible = is_possible};
