#include "mechanism/threshold/keep_many.h"

#include "base/mask.h"
#include "base/memory.h"

#include <string.h>

#define BLOCK_WORDS (SC_KEEP_BLOCK / SC_KEEP_LANES)
#define REST_BITS (SC_KEEP_BITS - SC_KEEP_START_BITS)

/* One block under way. */
typedef struct block {
    union {
        uint64_t words[SC_KEEP_BLOCK / 4];
        uint16_t starts[SC_KEEP_BLOCK]; /* the first bits of each group */
    } drawn;
    uint16_t starts[SC_KEEP_BLOCK]; /* those of its p(n) */
    uint64_t ties[BLOCK_WORDS + 1]; /* as the answer; the last is 0 */
    /* The words that have ties, one after the other; those from found on are the last. */
    uint8_t places[BLOCK_WORDS + SC_KEEP_TIES + 1];
    size_t found;
} block;

/* A whole word of groups and fewer are looked at alike: what is beyond count is of no units. */
static void look_up(const sc_keep_table *table, const int64_t *units, size_t count,
                    uint16_t *out)
{
    const uint64_t certain = table->certain;
    const uint16_t *start = table->start;
    for (size_t i = 0; i < count; i++) {
        const uint64_t n = (uint64_t)units[i];
        out[i] = start[n < certain ? n : certain];
    }
}

/* Eight bytes of 0 or 1 as eight bits, the first byte lowest. */
static uint64_t bits_of(const unsigned char *bytes)
{
    uint64_t eight;
    memcpy(&eight, bytes, sizeof eight);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return eight * UINT64_C(0x0102040810204080) >> 56;
}

static uint64_t word_of(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= bits_of(bytes + (size_t)8 * i) << 8 * i;
    return word;
}

/* By the first bits. */
static uint64_t compare(const uint16_t *drawn, const uint16_t *starts, uint64_t *ties)
{
    unsigned char below[SC_KEEP_LANES], same[SC_KEEP_LANES];
    for (size_t i = 0; i < SC_KEEP_LANES; i++) {
        below[i] = drawn[i] < starts[i];
        same[i] = drawn[i] == starts[i];
    }
    *ties = word_of(same);
    return word_of(below);
}

/* By the other bits, of one tie or, where there is none left, of nobody. */
static scrim_status break_tie(sc_bits *bits, const sc_keep_table *table, block *b,
                              const int64_t *units, size_t *next, uint64_t *kept,
                              scrim_error *error)
{
    uint64_t words[2];
    scrim_status status = sc_bits_fill(bits, words, 2, error);
    if (status != SCRIM_OK)
        return status;
    const size_t place = b->places[*next];
    const uint64_t tie = b->ties[place], lowest = tie & (0 - tie);
    const uint64_t is_tie = sc_mask(tie != 0);
    /* Of no tie the first group is read, and nothing is done with it. */
    const size_t lane = (size_t)__builtin_ctzll(lowest | (~is_tie & 1));
    const size_t at = (size_t)sc_mask_select(is_tie, SC_KEEP_LANES * place + lane, 0);
    const sc_uint128 p = sc_keep_table_at(table, (uint64_t)units[at]);
    const sc_uint128 rest = p - ((sc_uint128)b->starts[at] << REST_BITS);
    const sc_uint128 drawn = ((sc_uint128)words[0] << 64 | words[1]) >> (128 - REST_BITS);
    kept[sc_mask_select(is_tie, place, 0)] |= lowest & sc_mask(drawn < rest);
    b->ties[place] = tie ^ lowest;
    *next += b->ties[place] == 0 && is_tie != 0;
    sc_wipe(words, sizeof words);
    return SCRIM_OK;
}

static scrim_status break_ties(sc_bits *bits, const sc_keep_table *table, block *b,
                               const int64_t *units, uint64_t *kept, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    size_t next = 0;
    for (size_t i = 0; status == SCRIM_OK && (i < SC_KEEP_TIES || next < b->found); i++)
        status = break_tie(bits, table, b, units, &next, kept, error);
    return status;
}

/* At most SC_KEEP_BLOCK groups. */
static scrim_status keep_block(sc_bits *bits, const sc_keep_table *table, block *b,
                               const int64_t *units, size_t count, uint64_t *kept,
                               scrim_error *error)
{
    const size_t words = (count + SC_KEEP_LANES - 1) / SC_KEEP_LANES;
    const size_t lanes = words * SC_KEEP_LANES;
    scrim_status status = sc_bits_fill(bits, b->drawn.words, lanes / 4, error);
    if (status != SCRIM_OK)
        return status;
    memset(b->places, (int)BLOCK_WORDS, sizeof b->places);
    b->found = 0;
    look_up(table, units, count, b->starts);
    memset(b->starts + count, 0, (lanes - count) * sizeof *b->starts);
    for (size_t i = 0; i < words; i++) {
        kept[i] = compare(b->drawn.starts + SC_KEEP_LANES * i,
                          b->starts + SC_KEEP_LANES * i, &b->ties[i]);
        if (SC_KEEP_LANES * (i + 1) > count) /* ties of no group */
            b->ties[i] &= ((uint64_t)1 << count % SC_KEEP_LANES) - 1;
        b->places[b->found] = (uint8_t)(b->ties[i] != 0 ? i : BLOCK_WORDS);
        b->found += b->ties[i] != 0;
    }
    b->ties[BLOCK_WORDS] = 0;
    return break_ties(bits, table, b, units, kept, error);
}

/* What the first and largest block has used. */
static void block_wipe(block *b, size_t count)
{
    const size_t groups = count < SC_KEEP_BLOCK ? count : SC_KEEP_BLOCK;
    const size_t words = (groups + SC_KEEP_LANES - 1) / SC_KEEP_LANES;
    sc_wipe(&b->drawn, words * SC_KEEP_LANES * sizeof *b->drawn.starts);
    sc_wipe(b->starts, words * SC_KEEP_LANES * sizeof *b->starts);
    sc_wipe(b->ties, words * sizeof *b->ties);
    sc_wipe(b->places, sizeof b->places);
}

scrim_status sc_keep_many(sc_bits *bits, const sc_keep_table *table, const int64_t *units,
                          size_t count, uint64_t *kept, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    block b;
    for (size_t i = 0; status == SCRIM_OK && i < count; i += SC_KEEP_BLOCK)
        status = keep_block(bits, table, &b, units + i,
                            count - i < SC_KEEP_BLOCK ? count - i : SC_KEEP_BLOCK,
                            kept + i / SC_KEEP_LANES, error);
    if (status != SCRIM_OK)
        sc_wipe(kept, (count + SC_KEEP_LANES - 1) / SC_KEEP_LANES * sizeof *kept);
    block_wipe(&b, count);
    return status;
}
