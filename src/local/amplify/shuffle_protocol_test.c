#include "check.h"
#include "local/amplify/shuffle_protocol.h"

#include <math.h>

/* A protocol whose reports are likely in a set of outputs, one for each value, as bits. */
typedef struct sets {
    unsigned outputs, values;
    uint32_t set[16];
} sets;

/* The overlap of two sets, the smallest of all pairs, and what it leaves. */
static void check_sets(const char *line, const sets *all, int64_t p)
{
    scrim_error error;
    unsigned least = 32;
    const unsigned size = (unsigned)__builtin_popcount(all->set[0]);
    for (unsigned x = 0; x < all->values; x++)
        for (unsigned y = 0; y < x; y++) {
            const unsigned both = (unsigned)__builtin_popcount(all->set[x] & all->set[y]);
            least = both < least ? both : least;
        }
    sc_blanket_law law;
    sc_blanket_law_init(&law);
    sc_ball_set_int64(&law.p, p);
    REQUIRE_OK(sc_shuffle_protocol(sc_text_of(line), &law, &error));
    const double whole = (double)size * (double)p + all->outputs - size;
    CHECK_NEAR(sc_ball_upper(&law.r), (size - least) / whole, 1e-15);
    CHECK_NEAR(sc_ball_upper(&law.t11), least / whole, 1e-15);
    CHECK_NEAR(sc_ball_upper(&law.t10), (all->outputs + least - 2 * size) / whole, 1e-15);
    sc_blanket_law_clear(&law);
}

static unsigned parity(unsigned x)
{
    return (unsigned)__builtin_popcount(x) & 1;
}

TEST(shuffle_protocol_counts_sets)
{
    CLAIM("shuffle-protocol.exact");
    sets response = {.outputs = 4, .values = 4};
    for (unsigned x = 0; x < 4; x++)
        response.set[x] = 1U << x;
    check_sets("randomised-response values=4", &response, 3);
    sets fano = {.outputs = 7,
                 .values = 7}; /* points 1..7 of three bits, orthogonal ones */
    for (unsigned x = 0; x < 7; x++)
        for (unsigned y = 0; y < 7; y++)
            fano.set[x] |= (parity((x + 1) & (y + 1)) ^ 1U) << y;
    check_sets("projective-geometry field=2 digits=3 values=7", &fano, 3);
    sets pairs = {.outputs = 10, .values = 5}; /* the subsets of two of five */
    for (unsigned a = 0, at = 0; a < 5; a++)
        for (unsigned b = a + 1; b < 5; b++, at++) {
            pairs.set[a] |= 1U << at;
            pairs.set[b] |= 1U << at;
        }
    check_sets("subset-selection values=5 chosen=2", &pairs, 5);
    sets wave = {.outputs = 7, .values = 5};
    for (unsigned x = 0; x < 5; x++)
        wave.set[x] = 7U << x;
    check_sets("square-wave values=5 width=1", &wave, 5);
    sets near = {.outputs = 7, .values = 3}; /* wide: all sets overlap */
    for (unsigned x = 0; x < 3; x++)
        near.set[x] = 31U << x;
    check_sets("square-wave values=3 width=2", &near, 5);
    for (unsigned blocks = 1; blocks <= 2; blocks++) {
        sets rows = {.outputs = 4 * blocks, .values = 3 * blocks};
        for (unsigned x = 0; x < rows.values; x++)
            for (unsigned y = 0; y < 4; y++)
                rows.set[x] |= (parity((x % 3 + 1) & y) ^ 1U) << (4 * (x / 3) + y);
        check_sets(blocks == 1 ? "hadamard" : "hadamard blocks=2", &rows, 3);
    }
    sets cells = {.outputs = 9, .values = 3}; /* g = 3: seed a, cell a x mod 3 */
    for (unsigned x = 0; x < 3; x++)
        for (unsigned a = 0; a < 3; a++)
            cells.set[x] |= 1U << (3 * a + a * x % 3);
    check_sets("local-hashing field=3", &cells, 3);
    sets any = {.outputs = 2, .values = 2, .set = {1, 2}};
    check_sets("", &any, 7);
}

/* Two bits: own is 1 with probability a, the other with b; four outputs. */
static void check_unary(const char *line, double p, double a, double b)
{
    scrim_error error;
    sc_blanket_law law;
    sc_blanket_law_init(&law);
    sc_ball_set_int64(&law.p, (int64_t)p);
    REQUIRE_OK(sc_shuffle_protocol(sc_text_of(line), &law, &error));
    double r = 0, t11 = 0, t10 = 0; /* minima of the two probabilities of each output */
    for (int y = 0; y < 4; y++) {
        const double one = ((y & 1) != 0 ? a : 1 - a) * ((y & 2) != 0 ? b : 1 - b),
                     two = ((y & 1) != 0 ? b : 1 - b) * ((y & 2) != 0 ? a : 1 - a);
        r += y == 1 ? fmin(one, two) : 0;
        /* outputs that both give alike: p times or once their blanket */
        t11 += y == 3 ? one / p : 0;
        t10 += y == 0 ? one : 0;
    }
    CHECK_NEAR(sc_ball_upper(&law.r), r, 1e-14);
    CHECK_NEAR(sc_ball_upper(&law.t11), t11, 1e-14);
    CHECK_NEAR(sc_ball_upper(&law.t10), t10, 1e-14);
    sc_blanket_law_clear(&law);
}

TEST(shuffle_protocol_counts_bits)
{
    CLAIM("shuffle-protocol.exact");
    check_unary("optimised-unary", 9, 0.5, 0.1);
    check_unary("symmetric-unary", 9, 0.75, 0.25);
}

TEST(shuffle_protocol_refuses_what_it_does_not_know)
{
    static const char *const lines[] = {"rappor",
                                        "randomised-response",
                                        "projective-geometry field=3",
                                        "projective-geometry field=1000 digits=60",
                                        "subset-selection values=3 chosen=3",
                                        "local-hashing",
                                        "square-wave width=3",
                                        "square-wave values=3",
                                        "randomised-response values=1"};
    sc_blanket_law law;
    scrim_error error;
    sc_blanket_law_init(&law);
    sc_ball_set_int64(&law.p, 3);
    for (size_t i = 0; i < COUNT(lines); i++)
        CHECK_STATUS(sc_shuffle_protocol(sc_text_of(lines[i]), &law, &error),
                     SCRIM_E_PARAM);
    CHECK_STATUS(sc_shuffle_protocol(sc_text_of("hadamard 3"), &law, &error),
                 SCRIM_E_SYNTAX);
    sc_blanket_law_clear(&law);
}
