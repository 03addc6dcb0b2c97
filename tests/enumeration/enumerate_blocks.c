/* The fast road, enumerated level by level.
 *
 * 1. The table: its digits are those of the cells' exact borders, computed from the laws in
 *    closed form; and the code decides every word as the digits say, checked at each border, one
 *    below and one above it, at each edge of the guide, and in the ties with further words. A
 *    decision is monotone between two of these, so this is every word.
 * 2. The coin: a trial decides as the exact rational says, at its border and beside it; and the
 *    sequence pass, pass, .., fail gives heads for an even number of passes.
 * 3. The draw: block, offset and sign become the value they should.
 * 4. The product of 1 to 3, for a block against the next and for the far blocks, is the law. */
#include "balls.h"
#include "check.h"
#include "random/bits_tape.h"
#include "sampling/distribution.h"

#include <stdio.h>
#include <string.h>

#define BITS 320
#define DIGITS 127

/* At least twenty laws of each sampler on the fast road; the first five of each in `make test`. */
#define LAWS_MAX 24
#define LAWS_QUICK 5
static const struct {
    const char *name;
    const char *parameters[LAWS_MAX];
} samplers[] = {
    {"discrete-laplace",
     {"scale=1",          "scale=1000",  "scale=1/3",  "scale=2^60",  "scale=31.999",
      "scale=10",         "scale=100/3", "scale=2^40", "scale=1/100", "scale=32",
      "scale=123456.789", "scale=2/7",   "scale=33",   "scale=63/2",  "scale=1e6",
      "scale=7/3",        "scale=2^-60", "scale=5",    "scale=2^20",  "scale=2^48",
      "scale=1e15",       "scale=64"}},
    {"geometric", {"scale=7/3",  "scale=500",  "scale=1",   "scale=1e9",  "scale=1/2",
                   "scale=10",   "scale=31",   "scale=32",  "scale=33.3", "scale=2^30",
                   "scale=2^60", "scale=1/50", "scale=3",   "scale=100",  "scale=255/8",
                   "scale=1e12", "scale=64",   "scale=4/5", "scale=20",   "scale=2^-30"}},
    {"discrete-gaussian",
     {"variance=25/4",   "variance=1e6",    "variance=1/9",  "variance=4095",
      "variance=2^120",  "variance=1",      "variance=4096", "variance=12345.678",
      "variance=1e12",   "variance=2^80",   "variance=100",  "variance=2/3",
      "variance=4097",   "variance=1/100",  "variance=50",   "variance=2^100",
      "variance=9999/7", "variance=2^-120", "variance=3",    "variance=2^40",
      "variance=1e5"}},
    {"truncated-laplace",
     {"scale=10 bound=40",     "scale=1000 bound=5000", "scale=1/4 bound=3",
      "scale=2^60 bound=2^60", "scale=1e6 bound=511",   "scale=1e6 bound=100",
      "scale=1e6 bound=1e5",   "scale=1e6 bound=512",   "scale=1e6 bound=513",
      "scale=1 bound=1",       "scale=32 bound=600",    "scale=40 bound=640",
      "scale=40 bound=641",    "scale=50 bound=1e9",    "scale=2^60 bound=1",
      "scale=3 bound=2^60",    "scale=5/2 bound=60",    "scale=33 bound=1000",
      "scale=1e9 bound=12345", "scale=1/100 bound=7"}},
    {"shifted-laplace",
     {"epsilon=1/2 q=9",     "epsilon=1/1000 q=4001", "epsilon=1 q=1",
      "epsilon=1/10 q=219",  "epsilon=3 q=100000",    "epsilon=1e-6 q=1000",
      "epsilon=1e-6 q=1023", "epsilon=1e-6 q=1024",   "epsilon=1e-6 q=1025",
      "epsilon=1 q=2",       "epsilon=1/7 q=56",      "epsilon=1/40 q=1281",
      "epsilon=1/40 q=1282", "epsilon=2^-60 q=2^60",  "epsilon=2^-60 q=5",
      "epsilon=13/10 q=4",   "epsilon=1/4 q=9",       "epsilon=2 q=3",
      "epsilon=1/33 q=2000", "epsilon=20 q=11"}},
};
#define SAMPLERS (sizeof samplers / sizeof *samplers)

/* The distribution number i of a sampler; NULL past the last of this tier. */
static scrim_distribution *law_at(size_t sampler, size_t i)
{
    char line[128];
    scrim_distribution *d = NULL;
    if (i >= check_count(LAWS_QUICK, LAWS_MAX) || samplers[sampler].parameters[i] == NULL)
        return NULL;
    snprintf(line, sizeof line, "%s %s", samplers[sampler].name,
             samplers[sampler].parameters[i]);
    CHECK_STATUS(scrim_distribution_parse(line, &d, NULL), SCRIM_OK);
    return d;
}

/* 1. the table. */

/* The law of the block number, as one of the laws of the catalogue: P(h) of a geometric or a
 * Gaussian number with the blocks' rate. */
static void block_law(const sc_blocks *b, sc_law *law)
{
    sc_ratio shape, factor;
    sc_ratio_init(&shape);
    sc_ratio_init(&factor);
    sc_integer one, power;
    sc_integer_init(&one);
    sc_integer_init(&power);
    sc_integer_set_int128(&one, 1);
    sc_integer_shift_left(&power, &one, b->law.is_square ? 2 * b->shift + 1 : b->shift);
    sc_ratio_set_fraction(&factor, &power, &one);
    sc_ratio_mul(&factor, &factor, &b->rate); /* rate m, or 2 rate m^2 */
    sc_ratio_set_int64(&shape, 1);
    sc_ratio_div(&shape, &shape, &factor);
    sc_law_init(law, b->law.is_square ? &sc_discrete_gaussian_law : &sc_geometric_law,
                &shape, 0);
    sc_ratio_clear(&shape);
    sc_ratio_clear(&factor);
    sc_integer_clear(&one);
    sc_integer_clear(&power);
}

/* sum of the weights of blocks 0..cell, over the total, in closed form: with G the law above,
 * the weights are G(h), or G(h)/2 at 0 where both signs share it. */
static void exact_border(const sc_blocks *b, const sc_law *law, uint32_t cell,
                         sc_ball *out)
{
    sc_ball zero, last;
    sc_ball_init(&zero);
    sc_ball_init(&last);
    bool half = b->shift == 0 && b->law.sides == SC_SIDES_BOTH;
    sc_law_pmf(law, 0, BITS, &zero);
    if (!half)
        sc_ball_set_int64(&zero, 0);
    else
        sc_ball_mul_power2(&zero, &zero, -1);
    /* below: P(0 <= h <= cell); whole: all of it, or up to the last block */
    sc_law_between(law, 0, cell, BITS, out);
    sc_ball_sub(out, out, &zero, BITS);
    if (b->table.weights.has_rest)
        sc_law_at_least(law, 0, BITS, &last);
    else
        sc_law_between(law, 0, b->count - 1, BITS, &last);
    sc_ball_sub(&last, &last, &zero, BITS);
    sc_ball_div(out, out, &last, BITS);
    sc_ball_clear(&zero);
    sc_ball_clear(&last);
}

/* floor(border 2^127) is what the table holds, or all ones where the border is that close to 1. */
static void check_digits(const sc_blocks *b, const sc_law *law, uint32_t cell)
{
    sc_ball border, low, high;
    sc_integer digits, one;
    sc_ball_init(&border);
    sc_ball_init(&low);
    sc_ball_init(&high);
    sc_integer_init(&digits);
    sc_integer_init(&one);
    exact_border(b, law, cell, &border);
    sc_ball_mul_power2(&border, &border, DIGITS);
    sc_integer_set_uint128(&digits, (sc_uint128)b->table.first[cell] << 64 |
                                        b->table.second[cell]);
    sc_integer_set_int128(&one, 1);
    sc_ball_set_integer(&low, &digits);
    sc_integer_add(&digits, &digits, &one);
    sc_ball_set_integer(&high, &digits);
    bool is_last =
        sc_integer_bits(&digits) == DIGITS + 1; /* border < 1 needs no proof here */
    CHECK(sc_ball_is_less_equal(&low, &border));
    CHECK(is_last || sc_ball_is_less(&border, &high));
    sc_ball_clear(&border);
    sc_ball_clear(&low);
    sc_ball_clear(&high);
    sc_integer_clear(&digits);
    sc_integer_clear(&one);
}

/* The cell that the digits give to u, by plain search; count + 1 when u is a border's. */
static uint32_t plain_cell(const sc_blocks *b, uint32_t borders, uint64_t u)
{
    for (uint32_t cell = 0; cell < borders; cell++) {
        if (u == b->table.first[cell])
            return b->count + 1;
        if (u < b->table.first[cell])
            return cell;
    }
    return borders;
}

static scrim_status pick(const sc_blocks *b, uint64_t u, const uint64_t *more,
                         size_t count, uint32_t *cell)
{
    sc_tape *tape = NULL;
    if (sc_tape_words(more, count, &tape, NULL) != SCRIM_OK)
        return SCRIM_E_INTERNAL;
    scrim_status status =
        sc_threshold_table_pick(sc_tape_bits_of(tape), &b->table, u, cell, NULL);
    sc_tape_free(tape);
    return status;
}

/* Decided at once, as the digits say; or not without further words, when u is a border. */
static void check_word(const sc_blocks *b, uint32_t borders, uint64_t u)
{
    uint32_t cell = 0, plain = plain_cell(b, borders, u);
    scrim_status status = pick(b, u, NULL, 0, &cell);
    if (plain > b->count)
        CHECK_STATUS(status, SCRIM_E_ENTROPY);
    else if (CHECK_STATUS(status, SCRIM_OK))
        CHECK_INT(cell, plain);
}

static void check_tie(const sc_blocks *b, uint32_t borders, uint32_t cell)
{
    const uint64_t u = b->table.first[cell], second = b->table.second[cell];
    uint32_t got = 0;
    bool shared = (cell > 0 && b->table.first[cell - 1] == u) ||
                  (cell + 1 < borders && b->table.first[cell + 1] == u);
    if (shared)
        return; /* borders that agree in 63 digits are decided by the next 64: not both alone */
    if (second > 0) {
        uint64_t below = second - 1;
        if (CHECK_STATUS(pick(b, u, &below, 1, &got), SCRIM_OK))
            CHECK_INT(got, cell);
    }
    if (second < UINT64_MAX) {
        uint64_t above = second + 1;
        if (CHECK_STATUS(pick(b, u, &above, 1, &got), SCRIM_OK))
            CHECK_INT(got, cell + 1);
    }
    /* All 127 digits: a further word of zeros is below the border, unless its digits are zeros. */
    uint64_t deeper[2] = {second, 0};
    if (CHECK_STATUS(pick(b, u, deeper, 2, &got), SCRIM_OK))
        CHECK_INT(got, cell);
    deeper[1] = UINT64_MAX;
    scrim_status status = pick(b, u, deeper, 2, &got);
    if (status == SCRIM_OK) /* not where the border's own digits are ones */
        CHECK_INT(got, cell + 1);
}

static void check_table(const sc_blocks *b)
{
    uint32_t borders = b->table.weights.has_rest ? b->count : b->count - 1;
    const uint64_t end = (uint64_t)1 << 63;
    sc_law law;
    block_law(b, &law);
    uint32_t step = (uint32_t)check_count(borders / 40 + 1, 1);
    for (uint32_t cell = 0; cell < borders; cell += step)
        check_digits(b, &law, cell);
    for (uint32_t cell = 0; cell < borders; cell++) {
        const uint64_t u = b->table.first[cell];
        CHECK(cell == 0 || u >= b->table.first[cell - 1]);
        check_word(b, borders, u);
        if (u > 0)
            check_word(b, borders, u - 1);
        if (u + 1 < end)
            check_word(b, borders, u + 1);
    }
    for (uint32_t cell = 0; cell < borders; cell += step)
        check_tie(b, borders, cell);
    for (uint64_t bucket = 0; bucket < (1u << SC_THRESHOLD_GUIDE_BITS); bucket++) {
        uint64_t edge = bucket << (63 - SC_THRESHOLD_GUIDE_BITS);
        check_word(b, borders, edge);
        check_word(b, borders, edge + 1);
        check_word(b, borders, edge == 0 ? end - 1 : edge - 1);
    }
    sc_law_clear(&law);
}

/* 2. the coin. */

/* Is a uniform real beginning with word below rate exponent / k? By exact integers. */
static int exact_order(const sc_blocks *b, sc_uint128 exponent, uint64_t k, uint64_t word)
{
    sc_integer n, d, digits, w;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_init(&digits);
    sc_integer_init(&w);
    sc_integer_set_uint128(&n, exponent);
    sc_integer_mul(&n, &n, &b->rate_parts.n);
    sc_integer_mul_uint64(&d, &b->rate_parts.d, k);
    sc_integer_shift_left(&n, &n, 64);
    sc_integer_divide(&digits, NULL, &n, &d);
    sc_integer_set_uint128(&w, word);
    int order = sc_integer_compare(&w, &digits);
    sc_integer_clear(&n);
    sc_integer_clear(&d);
    sc_integer_clear(&digits);
    sc_integer_clear(&w);
    return order;
}

static uint64_t digits_of(const sc_blocks *b, sc_uint128 exponent, uint64_t k)
{
    uint64_t low = 0,
             high = UINT64_MAX; /* the largest word that is not above the border */
    while (low < high) {
        uint64_t middle = low + (high - low) / 2 + 1;
        if (exact_order(b, exponent, k, middle) <= 0)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void check_coin(const sc_blocks *b, sc_uint128 exponent)
{
    for (uint64_t k = 1; k <= 7; k += 2) {
        uint64_t border = digits_of(b, exponent, k);
        for (int64_t off = -20; off <= 20; off++) {
            uint64_t word = border + (uint64_t)off;
            int order = exact_order(b, exponent, k, word);
            sc_tape *tape;
            bool below = false;
            REQUIRE_OK(sc_tape_words(NULL, 0, &tape, NULL));
            scrim_status status = sc_blocks_below(sc_tape_bits_of(tape), b, exponent, k,
                                                  word, &below, NULL);
            sc_tape_free(tape);
            if (order == 0) /* the border's own word asks for more bits */
                CHECK_STATUS(status, SCRIM_E_ENTROPY);
            else if (CHECK_STATUS(status, SCRIM_OK))
                CHECK_INT(below, order < 0);
        }
    }
    /* Words of 0 pass (while rate exponent / k reaches past 2^-64), ones fail. */
    for (size_t passes = 0; passes <= 12; passes++) {
        uint64_t words[16] = {0};
        if (exponent == 0 || digits_of(b, exponent, passes + 1) < 64)
            break;
        words[passes] = UINT64_MAX;
        sc_tape *tape;
        bool heads = false;
        REQUIRE_OK(sc_tape_words(words, passes + 1, &tape, NULL));
        CHECK_STATUS(sc_blocks_coin(sc_tape_bits_of(tape), b, exponent, &heads, NULL),
                     SCRIM_OK);
        CHECK_INT(heads, passes % 2 == 0);
        sc_tape_free(tape);
    }
}

static sc_uint128 exponent_of(const sc_blocks *b, uint32_t cell, uint64_t offset)
{
    sc_uint128 start = (sc_uint128)cell << b->shift;
    return b->law.is_square ? (2 * start + offset) * offset : offset;
}

/* 3. the draw. */

/* A word whose first 63 digits fall into the cell, with the sign bit given. */
static bool word_in(const sc_blocks *b, uint32_t cell, bool negative, uint64_t *word)
{
    uint64_t low = cell == 0 ? 0 : b->table.first[cell - 1] + 1;
    uint64_t high = b->table.first[cell]; /* exclusive */
    if (low >= high)
        return false;
    *word = (low + (high - low) / 2) << 1 | negative;
    return true;
}

static sc_int128 value_of(const sc_blocks *b, sc_int128 magnitude, bool negative)
{
    if (!negative || b->law.sides == SC_SIDES_ONE)
        return magnitude;
    return b->law.sides == SC_SIDES_BOTH ? -magnitude : -1 - magnitude;
}

/* Draws with these words; a first turn that is refused is followed by an accepted 0 or 1. */
static void check_draw(const sc_blocks *b, uint32_t cell, uint64_t offset, bool negative)
{
    uint64_t words[8] = {0};
    size_t count = 1;
    if (!word_in(b, cell, negative, &words[0]))
        return;
    if (b->shift > 0) {
        words[1] = offset | (uint64_t)1 << 63; /* bits above the shift do not matter */
        words[2] = UINT64_MAX;
        count = 3;
    }
    sc_int128 magnitude = ((sc_int128)cell << b->shift) + (b->shift > 0 ? offset : 0);
    bool refused =
        (b->law.is_bounded && magnitude > b->law.bound) ||
        (b->shift > 0 && b->law.sides == SC_SIDES_BOTH && negative && magnitude == 0);
    sc_tape *tape;
    sc_int128 value = 0;
    REQUIRE_OK(sc_tape_words(words, count, &tape, NULL));
    scrim_status status = sc_blocks_fill_wide(sc_tape_bits_of(tape), b, 1, &value, NULL);
    if (refused) {
        CHECK_STATUS(status, SCRIM_E_ENTROPY);
    } else if (CHECK_STATUS(status, SCRIM_OK)) {
        CHECK_INT(value, value_of(b, magnitude, negative));
        CHECK_INT(sc_tape_words_used(tape), count);
    }
    sc_tape_free(tape);
}

static void check_draws(const sc_blocks *b)
{
    const uint64_t mask = b->shift == 0 ? 0 : ((uint64_t)1 << b->shift) - 1;
    const uint64_t offsets[] = {0, 1, mask / 3, mask / 2 + 1, mask};
    for (uint32_t cell = 0; cell < b->count; cell++)
        for (size_t i = 0; i < (b->shift == 0 ? 1 : 5); i++)
            for (int negative = 0; negative < 2; negative++)
                check_draw(b, cell, offsets[i] & mask, negative);
    if (b->shift > 0)
        for (size_t i = 0; i < 5; i++)
            check_coin(b,
                       exponent_of(b, (uint32_t)i * (b->count / 5), offsets[i] & mask));
}

/* 4. the product. */

/* Far blocks: the geometric scale and the further coin give exp(-phi(h+1) + phi(h)). */
static void check_far(const sc_blocks *b)
{
    sc_ball step, rate, g, square;
    sc_ball_init(&step);
    sc_ball_init(&rate);
    sc_ball_init(&g);
    sc_ball_init(&square);
    sc_ball_set_ratio(&rate, &b->rate, BITS);
    sc_ratio scale;
    sc_ratio_init(&scale);
    sc_ratio_set_fraction(&scale, &b->tail_scale.n, &b->tail_scale.d);
    for (int64_t far = 1; far <= 5; far++) {
        /* exponent by the sampler: g/scale [+ rate m^2 g^2] */
        sc_ball_set_ratio(&g, &scale, BITS);
        sc_ball_set_int64(&step, far);
        sc_ball_div(&step, &step, &g, BITS);
        sc_ball_set_int128(&square, (sc_int128)far << b->shift);
        sc_ball_mul(&square, &square, &square, BITS);
        sc_ball_mul(&square, &square, &rate, BITS);
        if (b->law.is_square)
            sc_ball_add(&step, &step, &square, BITS);
        /* exponent by the law: phi((count+g) m) - phi(count m) */
        sc_ball_set_int128(&g, (sc_int128)(b->count + far) << b->shift);
        sc_ball_set_int128(&square, (sc_int128)b->count << b->shift);
        if (b->law.is_square) {
            sc_ball_mul(&g, &g, &g, BITS);
            sc_ball_mul(&square, &square, &square, BITS);
        }
        sc_ball_sub(&g, &g, &square, BITS);
        sc_ball_mul(&g, &g, &rate, BITS);
        CHECK(ball_overlaps(&g, &step) && sc_ball_is_accurate(&g, 200));
    }
    sc_ratio_clear(&scale);
    sc_ball_clear(&step);
    sc_ball_clear(&rate);
    sc_ball_clear(&g);
    sc_ball_clear(&square);
}

/* table(h) exp(-rate exponent(h, offset)), as a multiple of that of magnitude 0, is
 * pmf(magnitude)/pmf(0) of the law. Table masses are the digits', certain to 2^-126. */
static void check_product(const scrim_distribution *d)
{
    const sc_blocks *b = &d->fast.blocks;
    sc_ball mass, exact, centre, rate, first, gap;
    sc_ball_init(&mass);
    sc_ball_init(&exact);
    sc_ball_init(&centre);
    sc_ball_init(&rate);
    sc_ball_init(&first);
    sc_ball_init(&gap);
    sc_ball_set_ratio(&rate, &b->rate, BITS);
    sc_ball_set_int64(&gap, 1);
    sc_ball_mul_power2(&gap, &gap, -100);
    /* The value of magnitude 0 on the positive side. */
    sc_int128 base = d->kind->law == &sc_shifted_laplace_law ? -(d->law.bound / 2) : 0;
    bool half = b->shift == 0 && b->law.sides == SC_SIDES_BOTH;
    sc_law_pmf(&d->law, base, BITS, &centre);
    uint32_t borders = b->table.weights.has_rest ? b->count : b->count - 1;
    sc_uint128 below = 0, zero_mass = 0;
    for (uint32_t cell = 0; cell < borders; cell++) {
        sc_uint128 border =
            (sc_uint128)b->table.first[cell] << 64 | b->table.second[cell];
        sc_uint128 size = border - below;
        below = border;
        if (cell == 0)
            zero_mass = size;
        uint64_t offset =
            b->shift == 0 ? 0 : (((uint64_t)1 << b->shift) - 1) * (cell % 5) / 4;
        sc_int128 magnitude = ((sc_int128)cell << b->shift) + offset;
        if (b->law.is_bounded && magnitude > b->law.bound)
            continue;
        sc_ball_set_int128(&mass, (sc_int128)size);
        sc_ball_set_int128(&first, (sc_int128)zero_mass);
        if (half && cell > 0) /* 0 has half of its weight for each sign */
            sc_ball_mul_power2(&first, &first, 1);
        sc_ball_div(&mass, &mass, &first, BITS);
        sc_ball_set_int128(&exact, (sc_int128)exponent_of(b, cell, offset));
        sc_ball_mul(&exact, &exact, &rate, BITS);
        sc_ball_neg(&exact, &exact);
        sc_ball_exp(&exact, &exact, BITS);
        sc_ball_mul(&mass, &mass, &exact, BITS);
        sc_law_pmf(&d->law, base + magnitude, BITS, &exact);
        sc_ball_div(&exact, &exact, &centre, BITS);
        sc_ball_sub(&mass, &mass, &exact, BITS);
        sc_ball_abs(&mass, &mass);
        if (!CHECK(sc_ball_is_less(&mass, &gap))) {
            CHECK_FAIL("%s: block %u", d->text, cell);
            break;
        }
    }
    sc_ball_clear(&mass);
    sc_ball_clear(&exact);
    sc_ball_clear(&centre);
    sc_ball_clear(&rate);
    sc_ball_clear(&first);
    sc_ball_clear(&gap);
}

SLOW_TEST(enumerate_fast_road)
{
    CLAIM("blocks.exact");
    CLAIM("threshold-table.exact");
    scrim_distribution *d;
    for (size_t sampler = 0; sampler < SAMPLERS; sampler++)
        for (size_t i = 0; (d = law_at(sampler, i)) != NULL; i += check_every(3)) {
            CHECK(!d->fast.blocks.law.is_bounded || d->is_narrow);
            check_table(&d->fast.blocks);
            check_draws(&d->fast.blocks);
            check_far(&d->fast.blocks);
            check_product(d);
            scrim_distribution_free(d);
        }
}

/* The run and its plain twin. */

static scrim_status no_more(sc_bits *bits, scrim_error *error)
{
    (void)bits;
    return sc_bits_broken(error);
}

#define RUN_WORDS ((size_t)60000)
#define RUN_DRAWS ((size_t)15000)

static void check_runs(const scrim_distribution *d, uint64_t *words, uint64_t *copy,
                       int64_t *many)
{
    sc_tape *tape;
    memcpy(copy, words, RUN_WORDS * sizeof *words);
    sc_bits_supply supply = {.left = RUN_WORDS, .end = words + RUN_WORDS};
    sc_bits bits = {.supply = &supply, .refill = no_more};
    REQUIRE_OK(sc_blocks_fill(&bits, &d->fast.blocks, RUN_DRAWS, many, NULL));
    REQUIRE_OK(sc_tape_words(copy, RUN_WORDS, &tape, NULL));
    for (size_t k = 0; k < RUN_DRAWS; k++) {
        sc_int128 one = 0;
        REQUIRE_OK(
            sc_blocks_fill_wide(sc_tape_bits_of(tape), &d->fast.blocks, 1, &one, NULL));
        if (one != many[k]) {
            CHECK_FAIL("%s: draw %zu differs", d->text, k);
            break;
        }
    }
    CHECK_INT(RUN_WORDS - supply.left, sc_tape_words_used(tape));
    size_t wiped = 0;
    for (size_t w = 0; w < RUN_WORDS - supply.left; w++)
        wiped += words[w] == 0;
    CHECK_INT(wiped, RUN_WORDS - supply.left);
    sc_tape_free(tape);
}

/* Runs of words straight from the supply give what one draw after the other gives. */
TEST(blocks_runs_agree_with_single_draws)
{
    CLAIM("blocks.exact");
    static uint64_t words[2 * RUN_WORDS];
    static int64_t many[RUN_DRAWS];
    scrim_distribution *d;
    for (size_t sampler = 0; sampler < SAMPLERS; sampler++)
        for (size_t i = 0; (d = law_at(sampler, i)) != NULL; i++) {
            sc_tape *seeded;
            REQUIRE_OK(sc_tape_seeded(check_seed() + 100 * sampler + i, &seeded, NULL));
            for (size_t w = 0; w < RUN_WORDS; w++)
                REQUIRE_OK(sc_bits_word(sc_tape_bits_of(seeded), &words[w], NULL));
            sc_tape_free(seeded);
            /* Ties, which chance does not bring: every hundredth word is a border's. */
            for (size_t w = 0; w < RUN_WORDS; w += 101)
                words[w] = d->fast.blocks.table.first[w % d->fast.blocks.count] << 1;
            if (d->is_narrow)
                check_runs(d, words, words + RUN_WORDS, many);
            scrim_distribution_free(d);
        }
}
