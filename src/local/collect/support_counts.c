#include "local/collect/support_counts.h"

#include "base/checked.h"
#include "base/memory.h"

#include <string.h>

void sc_walsh_hadamard(double *x, size_t count)
{
    for (size_t half = 1; half < count; half *= 2)
        for (size_t block = 0; block < count; block += 2 * half)
            for (size_t i = block; i < block + half; i++) {
                const double a = x[i], b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
}

/* One digit: to[a][b0 b][z] = sum over d of from[a d][b][z + b0 d], for heads a, rests b and rows of g
 * sums. */
static void hashing_step(const double *from, double *to, uint32_t g, size_t heads,
                         size_t rests)
{
    memset(to, 0, heads * g * rests * g * sizeof *to);
    for (size_t a = 0; a < heads; a++)
        for (uint32_t b0 = 0; b0 < g; b0++)
            for (uint32_t d = 0; d < g; d++) {
                const uint32_t turn = (uint32_t)((uint64_t)b0 * d % g);
                const double *in = from + (a * g + d) * rests * g;
                double *out = to + (a * g + b0) * rests * g;
                for (size_t b = 0; b < rests; b++, in += g, out += g) {
                    for (uint32_t z = 0; z < g - turn; z++)
                        out[z] += in[z + turn];
                    for (uint32_t z = g - turn; z < g; z++)
                        out[z] += in[z + turn - g];
                }
            }
}

scrim_status sc_hashing_turned(double *counts, uint32_t g, uint32_t m, scrim_error *error)
{
    const size_t values = sc_size_power(g, m);
    double *other = sc_allocate(values * g, sizeof *other);
    double *from = counts, *to = other;
    if (other == NULL)
        return sc_no_memory(error, "decoding");
    size_t heads = values, rests = 1;
    for (uint32_t l = m; l > 0; l--) {
        heads /= g;
        hashing_step(from, to, g, heads, rests);
        rests *= g;
        double *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != counts)
        memcpy(counts, from, values * g * sizeof *counts);
    sc_free(other);
    return SCRIM_OK;
}

scrim_status sc_hashing_support(double *counts, uint32_t g, uint32_t m,
                                scrim_error *error)
{
    const size_t values = sc_size_power(g, m);
    const scrim_status status = sc_hashing_turned(counts, g, m, error);
    for (size_t v = 0; status == SCRIM_OK && v < values; v++)
        counts[v] = counts[v * g];
    return status;
}

uint32_t sc_projective_points(uint32_t q, uint32_t t)
{
    uint64_t points = 0;
    for (; t > 0; t--)
        points = points * q + 1;
    return (uint32_t)points;
}

/* With y = (a, rest), v = (…, b) and l digits in a, the table of a level holds
 *
 *     D[a][b][z] = sum of h[y] over the points y that begin with a and whose rest has <rest, b> = z
 *
 * for a that is 0 or a point of l digits and b that is 0 or a point of t - l digits: b times c has the
 * same sums, at z times c. Place 0 of either is the vector 0, place 1 + i the point i. A row of q sums
 * belongs to each pair. */
typedef struct level {
    double *sums;
    uint32_t heads, tails; /* 1 + points of l and of t - l digits */
} level;

static level level_of(double *sums, uint32_t q, uint32_t head_digits,
                      uint32_t tail_digits)
{
    return (level){sums, 1 + sc_projective_points(q, head_digits),
                   1 + sc_projective_points(q, tail_digits)};
}

static double *row_of(const level *from, uint32_t q, uint32_t head, uint32_t tail)
{
    return from->sums + ((size_t)head * from->tails + tail) * q;
}

/* The head that is this one with a digit behind it; 0 that becomes no point counts nothing. */
static bool longer_head(uint32_t head, uint32_t digit, uint32_t q, uint32_t *out)
{
    *out = head == 0 ? digit : q * (head - 1) + digit + 2;
    return head != 0 || digit < 2;
}

/* out[u] += in[u - turn mod q]. */
static void add_turned(double *restrict out, const double *restrict in, uint32_t turn,
                       uint32_t q)
{
    for (uint32_t u = turn; u < q; u++)
        out[u] += in[u - turn];
    for (uint32_t u = 0; u < turn; u++)
        out[u] += in[u + q - turn];
}

/* Where multiples of a point stand among all vectors of as many digits: multiple[i q + c]. */
static void list_multiples(uint32_t *multiple, uint32_t q, uint32_t points)
{
    for (uint32_t i = 0; i < points; i++)
        for (uint32_t c = 0; c < q; c++) {
            const uint32_t digit = (uint32_t)((uint64_t)c * ((i + q - 1) % q) % q);
            multiple[(size_t)i * q + c] =
                i == 0 ? c : multiple[(size_t)((i - 1) / q) * q + c] * q + digit;
        }
}

static void list_inverses(uint16_t *inverse, uint32_t q)
{
    inverse[1] = 1;
    for (uint32_t c = 2; c < q; c++)
        inverse[c] = (uint16_t)((uint64_t)(q - q / c) * inverse[q % c] % q);
}

typedef struct transform {
    uint32_t q;
    double *turned;     /* a row */
    uint32_t *multiple; /* of the tails of this projective_step */
    uint16_t *inverse;  /* of 1 .. q-1 */
} transform;

/* Rows of tails that begin with the digit 0: the sums over the next digit of y. */
static void step_zero(const transform *by, const level *from, const level *to,
                      uint32_t head)
{
    const uint32_t q = by->q;
    double *out = row_of(to, q, head, 0);
    uint32_t longer = 0;
    for (uint32_t d = 0; d < q && longer_head(head, d, q, &longer); d++) {
        const double *in = row_of(from, q, longer, 0);
        for (size_t i = 0; i < (size_t)from->tails * q; i++)
            out[i] += in[i];
    }
}

/* The row of the tail (1, c b) for a point b: D[a][1, c b][c u] = sum over d of D[a d][b][u - d/c]. */
static void step_multiple(const transform *by, const level *from, const level *to,
                          uint32_t head, uint32_t tail, uint32_t c)
{
    const uint32_t q = by->q;
    double *out =
        row_of(to, q, head, from->tails + by->multiple[(size_t)(tail - 1) * q + c]);
    uint32_t longer = 0, turn = 0;
    memset(by->turned, 0, q * sizeof *by->turned);
    for (uint32_t d = 0; d < q && longer_head(head, d, q, &longer); d++) {
        add_turned(by->turned, row_of(from, q, longer, tail), turn, q);
        turn += by->inverse[c];
        turn -= turn >= q ? q : 0;
    }
    for (uint32_t u = 0, z = 0; u < q; u++) {
        out[z] = by->turned[u];
        z += c;
        z -= z >= q ? q : 0;
    }
}

/* The row of the tail (1, 0): the digit itself is the product. */
static void step_alone(const transform *by, const level *from, const level *to,
                       uint32_t head)
{
    const uint32_t q = by->q;
    double *out = row_of(to, q, head, from->tails);
    uint32_t longer = 0;
    for (uint32_t d = 0; d < q && longer_head(head, d, q, &longer); d++)
        out[d] = *row_of(from, q, longer, 0);
}

static void projective_step(const transform *by, const level *from, const level *to)
{
    memset(to->sums, 0, (size_t)to->heads * to->tails * by->q * sizeof *to->sums);
    list_multiples(by->multiple, by->q, from->tails - 1);
    for (uint32_t head = 0; head < to->heads; head++) {
        step_zero(by, from, to, head);
        step_alone(by, from, to, head);
        for (uint32_t tail = 1; tail < from->tails; tail++)
            for (uint32_t c = 1; c < by->q; c++)
                step_multiple(by, from, to, head, tail, c);
    }
}

/* q = 2: C_v = (n + W_v)/2, W the Walsh-Hadamard transform; point i is the number i + 1. */
static scrim_status binary_support(double *masses, uint32_t t, scrim_error *error)
{
    const size_t count = (size_t)1 << t;
    double *all = sc_allocate(count, sizeof *all);
    if (all == NULL)
        return sc_no_memory(error, "decoding");
    memcpy(all + 1, masses, (count - 1) * sizeof *masses);
    sc_walsh_hadamard(all, count);
    for (size_t v = 1; v < count; v++)
        masses[v - 1] = (all[0] + all[v]) / 2;
    sc_free(all);
    return SCRIM_OK;
}

/* The largest table of any level, in sums. */
static size_t largest_level(uint32_t q, uint32_t t)
{
    size_t largest = 0;
    for (uint32_t l = 0; l <= t; l++) {
        const level one = level_of(NULL, q, l, t - l);
        const size_t sums = (size_t)one.heads * one.tails * q;
        largest = sums > largest ? sums : largest;
    }
    return largest;
}

static void run(transform *by, double *tables[2], double *masses, uint32_t t)
{
    const uint32_t q = by->q;
    level from = level_of(tables[0], q, t, 0);
    list_inverses(by->inverse, q);
    for (uint32_t i = 1; i < from.heads; i++)
        *row_of(&from, q, i, 0) = masses[i - 1];
    for (uint32_t l = t; l-- > 0;) {
        const level to = level_of(tables[(t - l) % 2], q, l, t - l);
        projective_step(by, &from, &to);
        from = to;
    }
    for (uint32_t v = 1; v < from.tails; v++)
        masses[v - 1] = *row_of(&from, q, 0, v);
}

scrim_status sc_projective_support(double *masses, uint32_t q, uint32_t t,
                                   scrim_error *error)
{
    if (q == 2)
        return binary_support(masses, t, error);
    const size_t largest = largest_level(q, t);
    double *tables[2] = {sc_allocate(largest, sizeof(double)),
                         sc_allocate(largest, sizeof(double))};
    transform by = {q, sc_allocate(q, sizeof(double)),
                    sc_allocate((size_t)sc_projective_points(q, t) + q, sizeof(uint32_t)),
                    sc_allocate(q, sizeof(uint16_t))};
    const bool is_ready = tables[0] != NULL && tables[1] != NULL && by.turned != NULL &&
                          by.multiple != NULL && by.inverse != NULL;
    if (is_ready)
        run(&by, tables, masses, t);
    sc_free(by.inverse);
    sc_free(by.multiple);
    sc_free(by.turned);
    sc_free(tables[1]);
    sc_free(tables[0]);
    return is_ready ? SCRIM_OK : sc_no_memory(error, "decoding");
}

#define PLANES 4
#define EIGHTHS 8
#define SIXTEENS_MAX 255 /* what a byte counts */
#define LOW_OF_BYTES UINT64_C(0x0101010101010101)

scrim_status sc_bit_counters_init(sc_bit_counters *counters, size_t bits,
                                  scrim_error *error)
{
    const size_t words = (bits + 63) / 64;
    *counters = (sc_bit_counters){.bits = bits, .bytes = (bits + 7) / 8, .words = words};
    counters->rows = sc_allocate(words * SC_BIT_ROWS, sizeof(uint64_t));
    counters->planes = sc_allocate(words * PLANES, sizeof(uint64_t));
    counters->eighths = sc_allocate(words * EIGHTHS, sizeof(uint64_t));
    counters->counts = sc_allocate(words * 64, sizeof(uint64_t));
    if (counters->rows != NULL && counters->planes != NULL && counters->eighths != NULL &&
        counters->counts != NULL)
        return SCRIM_OK;
    sc_bit_counters_clear(counters);
    return sc_no_memory(error, "counters");
}

void sc_bit_counters_clear(sc_bit_counters *counters)
{
    sc_free(counters->rows);
    sc_free(counters->planes);
    sc_free(counters->eighths);
    sc_free(counters->counts);
    *counters = (sc_bit_counters){0};
}

/* a + b + c = sum + 2 carry, in every bit. */
#define ADD_THREE(sum, carry, a, b, c)                                                   \
    do {                                                                                 \
        const uint64_t either_ = (a) ^ (b), third_ = (c);                                \
        (carry) = ((a) & (b)) | (either_ & third_);                                      \
        (sum) = either_ ^ third_;                                                        \
    } while (0)

/* The sixteen rows of one word go into its planes; what overflows them, of weight 16, is returned. */
static inline uint64_t add_sixteen(uint64_t *plane, const uint64_t *row, size_t words)
{
    uint64_t ones = plane[0], twos = plane[1], fours = plane[2], sixteen;
    uint64_t two[2], four[2], eight[2];
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned j = 0; j < 2; j++, row += 4 * words) {
            ADD_THREE(ones, two[0], ones, row[0], row[words]);
            ADD_THREE(ones, two[1], ones, row[2 * words], row[3 * words]);
            ADD_THREE(twos, four[j], twos, two[0], two[1]);
        }
        ADD_THREE(fours, eight[i], fours, four[0], four[1]);
    }
    ADD_THREE(plane[3], sixteen, plane[3], eight[0], eight[1]);
    plane[0] = ones;
    plane[1] = twos;
    plane[2] = fours;
    return sixteen;
}

/* A word's bits times a weight into the counts of its bits. */
static void count_word(uint64_t *counts, uint64_t word, uint64_t weight)
{
    for (unsigned i = 0; i < 64; i++)
        counts[i] += (word >> i & 1) * weight;
}

static void flush_eighths(sc_bit_counters *counters)
{
    for (size_t w = 0; w < counters->words; w++) {
        uint64_t *eighth = counters->eighths + w * EIGHTHS;
        for (unsigned i = 0; i < 64; i++)
            counters->counts[w * 64 + i] +=
                SC_BIT_ROWS * (eighth[i % 8] >> (i - i % 8) & 0xff);
    }
    memset(counters->eighths, 0, counters->words * EIGHTHS * sizeof(uint64_t));
    counters->sixteens = 0;
}

static void add_rows(sc_bit_counters *counters)
{
    for (size_t w = 0; w < counters->words; w++) {
        uint64_t *eighth = counters->eighths + w * EIGHTHS;
        const uint64_t sixteen = add_sixteen(counters->planes + w * PLANES,
                                             counters->rows + w, counters->words);
        for (unsigned b = 0; b < EIGHTHS; b++)
            eighth[b] += sixteen >> b & LOW_OF_BYTES;
    }
    counters->waiting = 0;
    if (++counters->sixteens == SIXTEENS_MAX)
        flush_eighths(counters);
}

/* The ones of each byte, in its place. */
static inline uint64_t weigh_bytes(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

static size_t weight_of(const uint64_t *row, size_t words)
{
    const uint64_t pairs = UINT64_C(0x00ff00ff00ff00ff);
    size_t weight = 0;
    while (words > 0) {
        uint64_t sum = 0;
        for (unsigned i = 0; i < 31 && words > 0; i++, words--)
            sum += weigh_bytes(*row++);
        sum = (sum & pairs) + (sum >> 8 & pairs);
        weight += (size_t)(sum * UINT64_C(0x0001000100010001) >> 48);
    }
    return weight;
}

size_t sc_bit_counters_add(sc_bit_counters *counters, const uint8_t *bitmap)
{
    uint64_t *row = counters->rows + counters->waiting * counters->words;
    row[counters->words - 1] = 0;
    memcpy(row, bitmap, counters->bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t w = 0; w < counters->words; w++)
        row[w] = __builtin_bswap64(row[w]);
#endif
    const size_t weight = weight_of(row, counters->words);
    if (++counters->waiting == SC_BIT_ROWS)
        add_rows(counters);
    return weight;
}

void sc_bit_counters_finish(sc_bit_counters *counters)
{
    flush_eighths(counters);
    for (size_t w = 0; w < counters->words; w++) {
        uint64_t *counts = counters->counts + w * 64;
        for (unsigned p = 0; p < PLANES; p++)
            count_word(counts, counters->planes[w * PLANES + p], UINT64_C(1) << p);
        for (unsigned r = 0; r < counters->waiting; r++)
            count_word(counts, counters->rows[r * counters->words + w], 1);
    }
    memset(counters->planes, 0, counters->words * PLANES * sizeof(uint64_t));
    counters->waiting = 0;
}
