#include "mechanism/threshold/keep_table.h"

#include "base/mask.h"
#include "base/memory.h"
#include "base/number/ball.h"
#include "base/work_limit.h"

#include <string.h>

/* Above this e^epsilon has no room in 128 bits; a smaller one is private all the more. */
#define EPSILON_MAX 44

/* Epsilon and delta of one group. */

/* floor(2^62 exp(epsilon)); e to a rational is no integer, so that it can be decided. */
static bool growth_of(const sc_ratio *epsilon, sc_uint128 *out)
{
    bool known = false;
    SC_OWN(sc_ball, x);
    SC_OWN(sc_integer, whole);
    for (long bits = 256; !known && bits <= 65536; bits *= 2) {
        sc_ball_set_ratio(&x, epsilon, bits);
        sc_ball_exp(&x, &x, bits);
        sc_ball_mul_power2(&x, &x, SC_KEEP_GROWTH_BITS);
        known = sc_ball_floor(&x, &whole) && sc_integer_get_uint128(&whole, out);
    }
    return known;
}

/* At most 1 - (1 - delta)^(1/parts): the largest multiple of 2^-126, but where that is a
 * multiple itself perhaps one less. */
static bool split_delta(const sc_ratio *delta, uint64_t parts, sc_ratio *out)
{
    const long bits = 512;
    SC_OWN(sc_ball, x, divisor);
    sc_ball_set_ratio(&x, delta, bits);
    sc_ball_neg(&x, &x);
    sc_ball_log1p(&x, &x, bits);
    sc_ball_set_int128(&divisor, (sc_int128)parts);
    sc_ball_div(&x, &x, &divisor, bits);
    sc_ball_expm1(&x, &x, bits);
    sc_ball_neg(&x, &x);
    return sc_ball_round_down(&x, SC_KEEP_BITS, out);
}

static bool new_mass_of(const sc_ratio *delta, uint64_t parts, sc_uint128 *out)
{
    SC_OWN(sc_ratio, part, whole);
    SC_OWN(sc_integer, mass);
    bool known = true;
    if (parts == 1)
        sc_ratio_set(&part, delta);
    else
        known = split_delta(delta, parts, &part);
    sc_ratio_set_int128(&whole, (sc_int128)SC_KEEP_WHOLE);
    sc_ratio_mul(&part, &part, &whole);
    sc_ratio_floor(&part, &mass);
    return known && sc_integer_get_uint128(&mass, out);
}

/* min(epsilon / parts, EPSILON_MAX). */
static void split_epsilon(const sc_ratio *epsilon, uint64_t parts, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int128(&divisor, (sc_int128)parts);
    sc_ratio_div(out, epsilon, &divisor);
    if (sc_ratio_compare_int64(out, EPSILON_MAX) > 0)
        sc_ratio_set_int64(out, EPSILON_MAX);
}

/* The table. */

/* The integers of one step. */
typedef struct step {
    sc_integer growth, one; /* A, and 2^62 */
    sc_integer x, y;
} step;

static void step_init(step *s, const sc_keep_table *table)
{
    sc_integer_init(&s->growth);
    sc_integer_init(&s->one);
    sc_integer_init(&s->x);
    sc_integer_init(&s->y);
    sc_integer_set_uint128(&s->growth, table->growth);
    sc_integer_set_uint128(&s->one, (sc_uint128)1 << SC_KEEP_GROWTH_BITS);
}

static void step_clear(step *s)
{
    sc_integer_clear(&s->y);
    sc_integer_clear(&s->x);
    sc_integer_clear(&s->one);
    sc_integer_clear(&s->growth);
}

/* 2^126 - ceil(2^62 rest / A). */
static sc_uint128 by_leaving_out(step *s, sc_uint128 rest)
{
    sc_uint128 left = 0;
    sc_integer_set_uint128(&s->x, rest);
    sc_integer_shift_left(&s->x, &s->x, SC_KEEP_GROWTH_BITS);
    sc_integer_divide(&s->x, &s->y, &s->x, &s->growth);
    (void)sc_integer_get_uint128(&s->x, &left); /* at most rest, since A >= 2^62 */
    return SC_KEEP_WHOLE - left - (sc_integer_sign(&s->y) > 0);
}

/* floor(A p / 2^62) + d, or 2^126 where it is more. */
static sc_uint128 by_keeping(step *s, sc_uint128 p, sc_uint128 d)
{
    sc_uint128 next = 0;
    sc_integer_set_uint128(&s->x, p);
    sc_integer_mul(&s->x, &s->x, &s->growth);
    sc_integer_divide(&s->x, NULL, &s->x, &s->one);
    if (!sc_integer_get_uint128(&s->x, &next) || next >= SC_KEEP_WHOLE - d)
        return SC_KEEP_WHOLE;
    return next + d;
}

static sc_uint128 next_of(step *s, sc_uint128 p, sc_uint128 d)
{
    if (p >= SC_KEEP_WHOLE - d)
        return SC_KEEP_WHOLE; /* and then by keeping as well: A >= 2^62 */
    const sc_uint128 a = by_keeping(s, p, d);
    const sc_uint128 b = by_leaving_out(s, SC_KEEP_WHOLE - p - d);
    return a < b ? a : b;
}

static scrim_status fail_long(scrim_error *error)
{
    return sc_fail(
        error, SCRIM_E_LIMIT,
        "epsilon: with so small an epsilon for each group only groups of more "
        "than 4194304 units would be sure to be kept; choose a larger epsilon or "
        "fewer max-groups");
}

/* Work for one number of units (base/work_limit.h). */
#define UNIT_WORK 250

static scrim_status fill(sc_keep_table *table, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    size_t capacity = 64, n = 0;
    step s;
    step_init(&s, table);
    table->keep = sc_allocate(capacity, sizeof *table->keep);
    if (table->keep == NULL)
        status = sc_no_memory(error, "a measurement");
    while (status == SCRIM_OK && table->keep[n] < SC_KEEP_WHOLE) {
        sc_work_add(UNIT_WORK);
        if (n + 1 > SC_KEEP_UNITS_MAX || sc_work_limit_is_over())
            status = fail_long(error);
        else if (!sc_make_room(&table->keep, n + 1, &capacity, sizeof *table->keep))
            status = sc_no_memory(error, "a measurement");
        else
            table->keep[n + 1] = next_of(&s, table->keep[n], table->new_mass);
        n++;
    }
    table->certain = n;
    step_clear(&s);
    return status;
}

static scrim_status set_starts(sc_keep_table *table, scrim_error *error)
{
    table->start = sc_allocate(table->certain + 1, sizeof *table->start);
    if (table->start == NULL)
        return sc_no_memory(error, "a measurement");
    for (size_t n = 0; n < table->certain; n++)
        table->start[n] =
            (uint16_t)(table->keep[n] >> (SC_KEEP_BITS - SC_KEEP_START_BITS));
    table->start[table->certain] = UINT16_MAX;
    return SCRIM_OK;
}

/* Certainly too long: with a = A / 2^62, p(n) <= d (a^n - 1)/(a - 1), which is at most 1/2 up to
 * n = ln(1 + (a - 1)/(2 d)) / ln a. Only a quick answer where filling would be a slow one. */
static bool is_too_long(const sc_keep_table *table)
{
    const long bits = 256;
    SC_OWN(sc_ball, growth, units, limit);
    sc_ball_set_int128(&limit, (sc_int128)table->new_mass);
    sc_ball_mul_power2(&limit, &limit, 1 - SC_KEEP_BITS);
    sc_ball_set_int128(&growth, (sc_int128)table->growth);
    sc_ball_mul_power2(&growth, &growth, -SC_KEEP_GROWTH_BITS);
    sc_ball_add_int64(&units, &growth, -1, bits);
    sc_ball_div(&units, &units, &limit, bits);
    sc_ball_log1p(&units, &units, bits);
    sc_ball_log(&growth, &growth, bits);
    sc_ball_set_int64(&limit, (int64_t)SC_KEEP_UNITS_MAX);
    sc_ball_mul(&limit, &limit, &growth, bits);
    return sc_ball_is_less(&limit, &units);
}

scrim_status sc_keep_table_init(sc_keep_table *table, const sc_ratio *epsilon,
                                const sc_ratio *delta, uint64_t parts, scrim_error *error)
{
    *table = (sc_keep_table){0};
    SC_OWN(sc_ratio, part);
    split_epsilon(epsilon, parts, &part);
    scrim_status status = SCRIM_OK;
    if (!growth_of(&part, &table->growth) || !new_mass_of(delta, parts, &table->new_mass))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a probability could not be computed");
    else if (table->new_mass == 0)
        status =
            sc_fail(error, SCRIM_E_LIMIT,
                    "delta: the part of each group is below 1.2e-38, and no group would "
                    "ever be kept; choose a larger delta or fewer max-groups");
    else if (is_too_long(table))
        status = fail_long(error);
    if (status == SCRIM_OK)
        status = fill(table, error);
    if (status == SCRIM_OK)
        status = set_starts(table, error);
    if (status != SCRIM_OK)
        sc_keep_table_clear(table);
    return status;
}

void sc_keep_table_clear(sc_keep_table *table)
{
    sc_free(table->start);
    sc_free(table->keep);
    *table = (sc_keep_table){0};
}

size_t sc_keep_table_units(const sc_keep_table *table, sc_uint128 whole)
{
    size_t low = 0, high = table->certain;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table->keep[middle] >= whole)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Drawing. */

scrim_status sc_keep_table_draw(sc_bits *bits, const sc_keep_table *table, uint64_t n,
                                bool *out, scrim_error *error)
{
    uint64_t high = 0, low = 0;
    SC_TRY(sc_bits_word(bits, &high, error));
    SC_TRY(sc_bits_word(bits, &low, error));
    *out = ((sc_uint128)high << 64 | low) >> (128 - SC_KEEP_BITS) <
           sc_keep_table_at(table, n);
    return SCRIM_OK;
}

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

/* Breaks one tie by the remaining bits; keeps no group if no tie is left. */
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
    /* Without a tie, group 0 is read and discarded: the pattern of accesses stays the same. */
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

/* Wipes the memory that the first and largest block has used. */
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
