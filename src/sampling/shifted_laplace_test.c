#include "exact.h"
#include "law_vectors.h"
#include "sampling/bounded_laplace.h"
#include "transcript.h"
#include "vectors.h"

#include <stdio.h>

/* The law. */

TEST(shifted_laplace_law_is_that_of_the_vectors)
{
    CLAIM("shifted-laplace.exact");
    json_t *rows = vectors_load("flexible-accuracy", "pmf_discrete"), *row, *printed;
    size_t i, j;
    sc_ball value, sum;
    sc_ball_init(&value);
    sc_ball_init(&sum);
    CHECK(json_array_size(rows) >= 8);
    json_array_foreach(rows, i, row)
    {
        sc_law law;
        const json_int_t q = json_integer_value(json_object_get(row, "q"));
        exact_law(&sc_shifted_laplace_law, json_string_value(json_object_get(row, "eps")),
                  q, &law);
        sc_ball_set_int64(&sum, 0);
        json_array_foreach(json_object_get(row, "k_from_minus_q_to_0"), j, printed)
        {
            const sc_int128 k = (sc_int128)j - q;
            sc_law_pmf(&law, k, EXACT_BITS, &value);
            CHECK_PRINTED(&value, json_string_value(printed));
            sc_ball_add(&sum, &sum, &value, EXACT_BITS);
            sc_law_at_most(&law, k, EXACT_BITS, &value);
            CHECK_SAME(&value, &sum, 240);
        }
        CHECK_INT(j, q + 1);
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
    sc_ball_clear(&sum);
}

/* delta of one step at level epsilon is the mass of the edge. */
TEST(shifted_laplace_edge_is_the_delta_of_the_vectors)
{
    CLAIM("shifted-laplace.exact");
    json_t *rows = vectors_load("flexible-accuracy", "delta_of_eps_q"), *row;
    size_t i;
    sc_ball value;
    sc_ball_init(&value);
    CHECK(json_array_size(rows) >= 91);
    json_array_foreach(rows, i, row)
    {
        sc_law law;
        const json_int_t q = json_integer_value(json_object_get(row, "q"));
        const char *printed = json_string_value(json_object_get(row, "delta_discrete"));
        exact_law(&sc_shifted_laplace_law, json_string_value(json_object_get(row, "eps")),
                  q, &law);
        sc_law_pmf(&law, 0, EXACT_BITS, &value);
        CHECK_PRINTED(&value, printed);
        sc_law_pmf(&law, -q, EXACT_BITS, &value);
        CHECK_PRINTED(&value, printed);
        sc_ball_log(&value, &value, EXACT_BITS);
        CHECK_PRINTED(&value,
                      json_string_value(json_object_get(row, "ln_delta_discrete")));
        sc_law_clear(&law);
    }
    sc_ball_clear(&value);
}

/* The sampler. */

typedef struct shifted {
    sc_fraction scale;
    sc_int128 q;
} shifted;

static scrim_status draw(const void *sampler, sc_bits *bits, sc_int128 *out,
                         scrim_error *error)
{
    const shifted *s = sampler;
    return sc_shifted_laplace_reference(bits, &s->scale, s->q, out, error);
}

/* Ranges longer and shorter than a scale, odd and even. */
TEST(shifted_laplace_takes_the_same_bits_in_words_and_in_integers)
{
    static const struct {
        const char *scale;
        int64_t q;
    } list[] = {{"1/3", 1},
                {"1/3", 2},
                {"1", 7},
                {"10", 2},
                {"10", 9},
                {"22/7", 100},
                {"1000", 100},
                {"1000000", 3000001},
                {"1125899906842623", 1125899906842624},
                {"1125899906842623/7", 300}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        shifted words, integers;
        exact_fraction(list[i].scale, &words.scale);
        words.q = list[i].q;
        integers = words;
        integers.scale.is_small = false;
        CHECK(words.scale.is_small);
        transcript_check_twins(check_seed() + i, 300, draw, &words, draw, &integers);
        sc_fraction_clear(&words.scale);
    }
}

/* The sampler of spec/flexible-accuracy.md 5.6 as it is written there, in the words of
 * this test: the same draws from the same bits. */
static scrim_status draw_literally(const void *sampler, sc_bits *bits, sc_int128 *out,
                                   scrim_error *error)
{
    const shifted *sh = sampler;
    const uint64_t t = sh->scale.n64, s = sh->scale.d64, m = (uint64_t)sh->q / 2;
    const uint64_t length = s * (m + 1);
    for (;;) {
        uint64_t i, side = 0;
        for (;;) {
            uint64_t u = 0, v = 0;
            bool more = false;
            scrim_status status = sc_uniform_64(bits, length < t ? m + 1 : t, &u, error);
            if (status == SCRIM_OK)
                status =
                    sc_bernoulli_exp01_64(bits, length < t ? u * s : u, t, &more, error);
            if (status != SCRIM_OK)
                return status;
            if (!more)
                continue;
            if (length < t) {
                i = u;
                break;
            }
            while (u + t * v < length && more) {
                status = sc_bernoulli_exp01_64(bits, 1, 1, &more, error);
                if (status != SCRIM_OK)
                    return status;
                v += more;
            }
            if (u + t * v < length) {
                i = (u + t * v) / s;
                break;
            }
        }
        scrim_status status = sc_uniform_64(bits, 2, &side, error);
        if (status != SCRIM_OK)
            return status;
        if (sh->q % 2 == 0 && side == 1 && i == 0)
            continue;
        *out = side == 0 ? (sc_int128)i - (sc_int128)m
                         : -(sc_int128)m - (sh->q % 2) - (sc_int128)i;
        return SCRIM_OK;
    }
}

TEST(shifted_laplace_is_the_sampler_of_the_specification)
{
    CLAIM("shifted-laplace.exact");
    static const struct {
        const char *scale;
        int64_t q;
    } list[] = {{"2", 4},    {"2", 5}, {"1", 1},   {"1", 2},   {"10", 6},
                {"1/2", 10}, {"3", 9}, {"7/3", 3}, {"100", 7}, {"5/4", 1000}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        shifted sampler;
        exact_fraction(list[i].scale, &sampler.scale);
        sampler.q = list[i].q;
        transcript_check_twins(check_seed() + i, 1000, draw, &sampler, draw_literally,
                               &sampler);
        sc_fraction_clear(&sampler.scale);
    }
}
