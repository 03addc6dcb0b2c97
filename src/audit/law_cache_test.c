#include "audit/law_cache.h"
#include "check.h"
#include "scrim.h"
#include "toy_mechanism.h"

static scrim_status get(sc_law_cache *cache, int64_t value, long bits,
                        const sc_outcomes **out, scrim_error *error)
{
    const sc_private_input input = {.values = &value, .count = 1};
    return sc_law_cache_get(cache, &input, bits, out, error);
}

/* A mechanism whose laws are counted as they are computed. */
static sc_mechanism counted;
static scrim_status (*counted_law)(const scrim_measurement *m,
                                   const sc_private_input *input, long bits,
                                   sc_outcomes *out, scrim_error *error);
static int computed;

static scrim_status count_law(const scrim_measurement *m, const sc_private_input *input,
                              long bits, sc_outcomes *out, scrim_error *error)
{
    computed++;
    return counted_law(m, input, bits, out, error);
}

static void count_laws_of(scrim_measurement *m)
{
    counted = *m->mechanism;
    counted_law = counted.law;
    counted.law = count_law;
    m->mechanism = &counted;
    computed = 0;
}

TEST(law_cache_computes_a_law_once)
{
    scrim_measurement *toy = toy_measurement("a=1/4 b=1/2");
    sc_law_cache *cache = NULL;
    const sc_outcomes *first, *second, *again;
    REQUIRE(toy != NULL);
    count_laws_of(toy);
    REQUIRE_OK(sc_law_cache_new(toy, &cache, NULL));
    REQUIRE_OK(get(cache, 0, 128, &first, NULL));
    REQUIRE_OK(get(cache, 1, 128, &second, NULL));
    CHECK_NEAR(sc_ball_upper(&first->mass[0]), 0.25, 0);
    CHECK_NEAR(sc_ball_upper(&second->mass[0]), 0.5, 0);
    CHECK(first->keys[0] == 0 && first->keys[1] == 1); /* sorted */
    REQUIRE_OK(get(cache, 0, 128, &again, NULL));
    CHECK(again == first);
    CHECK_INT(computed, 2);
    REQUIRE_OK(get(cache, 0, 256, &again, NULL)); /* another precision */
    CHECK_INT(computed, 3);
    CHECK_INT((int64_t)sc_law_cache_outcomes(cache), 2);
    sc_law_cache_free(cache);
    scrim_measurement_free(toy);
}

/* Laws that are each more than is kept, and still both of a pair are there. */
SLOW_TEST(law_cache_keeps_both_laws_of_a_pair)
{
    scrim_measurement *laplace = NULL;
    sc_law_cache *cache = NULL;
    REQUIRE_OK(scrim_measurement_parse_model("laplace scale=750", &laplace, NULL));
    count_laws_of(laplace);
    REQUIRE_OK(sc_law_cache_new(laplace, &cache, NULL));
    for (int64_t x = 0; x < 4; x++) {
        const sc_outcomes *p, *q;
        REQUIRE_OK(get(cache, x, 128, &p, NULL));
        REQUIRE_OK(get(cache, x + 1, 128, &q, NULL));
        CHECK(p != q && p->count > 1 << 16 && p->count == q->count);
        CHECK_INT(p->keys[0] + 1, q->keys[0]);
        CHECK(sc_ball_is_positive(&p->mass[p->count - 1]));
    }
    CHECK_INT(computed, 5);
    const sc_outcomes *law;
    REQUIRE_OK(get(cache, 0, 128, &law, NULL)); /* forgotten long ago */
    CHECK_INT(computed, 6);
    sc_law_cache_free(cache);
    scrim_measurement_free(laplace);
}

/* What is lost without a word would hide a violation. */
TEST(law_cache_refuses_a_law_that_loses_mass)
{
    scrim_measurement *honest = toy_measurement("a=1/4 b=1/2 rest=1e-9");
    scrim_measurement *lossy = toy_measurement("a=1/4 b=1/2 lost=1e-30");
    const sc_outcomes *law = NULL;
    sc_law_cache *cache = NULL;
    scrim_error error;
    REQUIRE(honest != NULL && lossy != NULL);
    REQUIRE_OK(sc_law_cache_new(honest, &cache, NULL));
    CHECK_STATUS(get(cache, 0, 128, &law, NULL), SCRIM_OK);
    sc_law_cache_free(cache);
    REQUIRE_OK(sc_law_cache_new(lossy, &cache, NULL));
    law = NULL;
    CHECK_STATUS(get(cache, 0, 128, &law, &error), SCRIM_E_INTERNAL);
    CHECK(law == NULL);
    sc_law_cache_free(cache);
    scrim_measurement_free(honest);
    scrim_measurement_free(lossy);
}
