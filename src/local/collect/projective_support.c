#include "local/collect/projective_support.h"

#include "base/memory.h"
#include "local/collect/walsh_hadamard.h"

#include <string.h>

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
    uint32_t *multiple; /* of the tails of this step */
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

static void step(const transform *by, const level *from, const level *to)
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
        step(by, &from, &to);
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
