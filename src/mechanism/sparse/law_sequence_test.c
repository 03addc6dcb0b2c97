#include "exact.h"
#include "faults.h"
#include "mechanism/sparse/sparse_law.h"

/* Every number of a sequence against the law asked for it alone. */
static void check_sequences(const sc_law_functions *functions, const char *shape)
{
    enum { COUNT = 300 };
    sc_law law;
    sc_ball alone, *pmf = sc_balls_new(COUNT), *tail = sc_balls_new(COUNT);
    const long bits = EXACT_BITS + SC_SEQUENCE_GUARD;
    sc_ball_init(&alone);
    exact_law(functions, shape, 0, &law);
    if (!CHECK(pmf != NULL && tail != NULL))
        return;
    sc_law_pmf_sequence(&law, COUNT, bits, pmf);
    CHECK(sc_law_tail_sequence(&law, COUNT, bits, tail));
    for (int k = 0; k < COUNT; k++) {
        sc_law_pmf(&law, k, bits, &alone);
        CHECK_SAME(&pmf[k], &alone, 240);
        sc_law_at_least(&law, k + 1, bits, &alone);
        CHECK_SAME(&tail[k], &alone, 240);
    }
    sc_balls_free(pmf, COUNT);
    sc_balls_free(tail, COUNT);
    sc_ball_clear(&alone);
    sc_law_clear(&law);
}

SLOW_TEST(law_sequence_is_the_law_number_by_number)
{
    check_sequences(&sc_discrete_laplace_law, "4");
    check_sequences(&sc_discrete_laplace_law, "1/3");
    check_sequences(&sc_discrete_gaussian_law, "16");
    check_sequences(&sc_discrete_gaussian_law, "1000/3");
    /* and of a law that has no recurrence here */
    check_sequences(&sc_geometric_law, "5");
}

TEST(law_sequence_of_one_number)
{
    sc_law law;
    sc_ball pmf, tail, alone;
    sc_ball_init(&pmf);
    sc_ball_init(&tail);
    sc_ball_init(&alone);
    exact_law(&sc_discrete_gaussian_law, "3", 0, &law);
    sc_law_pmf_sequence(&law, 1, EXACT_BITS, &pmf);
    CHECK(sc_law_tail_sequence(&law, 1, EXACT_BITS, &tail));
    sc_law_pmf(&law, 0, EXACT_BITS, &alone);
    CHECK_SAME(&pmf, &alone, 240);
    sc_law_at_least(&law, 1, EXACT_BITS, &alone);
    CHECK_SAME(&tail, &alone, 240);
    sc_law_clear(&law);
    sc_ball_clear(&alone);
    sc_ball_clear(&tail);
    sc_ball_clear(&pmf);
}

TEST(law_sequence_rest_joins_a_sum)
{
    sc_ball sum, rest, inside;
    sc_ball_init(&sum);
    sc_ball_init(&rest);
    sc_ball_init(&inside);
    sc_ball_set_int64(&sum, 3);
    sc_ball_set_int64(&rest, 2);
    sc_ball_add_rest(&sum, &rest, 64);
    for (int64_t x = 2; x <= 6; x++) {
        sc_ball_set_int64(&inside, x);
        CHECK_INT(sc_ball_contains(&sum, &inside), x >= 3 && x <= 5);
    }
    sc_ball_clear(&inside);
    sc_ball_clear(&rest);
    sc_ball_clear(&sum);
}
