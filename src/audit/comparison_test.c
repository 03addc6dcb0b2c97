#include "audit/divergence.h"
#include "balls.h"
#include "check.h"
#include "exact.h"
#include "faults.h"
#include "finite_law.h"

static const char *const p_masses[] = {"0.4", "0.1", "0.1", "0.25", "0.1", "0.05", NULL};
static const char *const q_masses[] = {"0.2", "0.2", "0.05", "0.25", "0", NULL, "0.3"};
enum { OUTCOMES = sizeof p_masses / sizeof *p_masses };

static bool compare(const char *const *p, const char *const *q, sc_comparison **out)
{
    sc_outcomes left, right;
    finite_law(&left, p, OUTCOMES);
    finite_law(&right, q, OUTCOMES);
    bool made =
        CHECK_STATUS(sc_comparison_new(&left, &right, EXACT_BITS, out, NULL), SCRIM_OK);
    sc_outcomes_clear(&left);
    sc_outcomes_clear(&right);
    return made;
}

/* Losses ln 2, ln 2, 0, -ln 2, in either direction; what only one law has is absent. */
TEST(comparison_sorts_by_loss_and_sums)
{
    CLAIM("comparison.order");
    sc_comparison *c = NULL;
    REQUIRE(compare(p_masses, q_masses, &c));
    CHECK_INT((int64_t)c->shared_count, 4);
    CHECK_INT((int64_t)c->vague_count, 0);
    sc_side forth = sc_side_of(c, SC_FORTH), back = sc_side_of(c, SC_BACK);
    const char *const p_sums[] = {"0", "0.4", "0.5", "0.75", "0.85"};
    const char *const q_sums[] = {"0", "0.2", "0.25", "0.5", "0.7"};
    const char *const back_sums[] = {"0", "0.2", "0.45", "0.65", "0.7"};
    for (size_t i = 0; i <= 4; i++) {
        if (i == 1)
            continue; /* either of two equal losses may come first */
        CHECK_PRINTED(sc_side_p_sum(&forth, i), p_sums[i]);
        CHECK_PRINTED(sc_side_q_sum(&forth, i), q_sums[i]);
        if (i != 3)
            CHECK_PRINTED(sc_side_p_sum(&back, i), back_sums[i]);
    }
    CHECK_PRINTED(&c->p_unshared.absent, "0.15");
    CHECK_PRINTED(&c->q_unshared.absent, "0.3");
    CHECK(!sc_side_is_partial(&forth) && !sc_side_is_partial(&back));
    for (size_t i = 1; i < 4; i++) {
        CHECK(sc_side_loss_view(&forth, i - 1) >= sc_side_loss_view(&forth, i));
        CHECK(sc_side_loss_view(&back, i - 1) >= sc_side_loss_view(&back, i));
    }
    CHECK_INT((int64_t)sc_side_above(&forth, 0.5), 2);
    CHECK_INT((int64_t)sc_side_above(&back, 0.5), 1);
    CHECK_INT((int64_t)sc_side_above(&back, -10), 4);
    sc_comparison_free(c);
}

/* With a rest, what the other law does not list is hidden there; what it lists as 0 is not. */
TEST(comparison_keeps_hidden_from_absent)
{
    CLAIM("comparison.order");
    sc_outcomes p, q;
    sc_comparison *c = NULL;
    finite_law(&p, p_masses, OUTCOMES);
    finite_law(&q, q_masses, OUTCOMES);
    finite_law_hide(&q, 0);
    REQUIRE_OK(sc_comparison_new(&p, &q, EXACT_BITS, &c, NULL));
    CHECK_PRINTED(&c->p_unshared.hidden, "0.45"); /* outcomes 0 and 5 */
    CHECK_PRINTED(&c->p_unshared.absent, "0.1");  /* outcome 4, listed as 0 */
    CHECK_PRINTED(&c->q_unshared.absent, "0.3");
    sc_side forth = sc_side_of(c, SC_FORTH), back = sc_side_of(c, SC_BACK);
    CHECK(sc_side_is_partial(&forth) && sc_side_is_partial(&back));
    CHECK(c->q_unshared.has_rest && !c->p_unshared.has_rest);
    sc_comparison_free(c);
    sc_outcomes_clear(&p);
    sc_outcomes_clear(&q);
}

/* A mass that may be 0 or may not has no loss to sort by. */
TEST(comparison_sets_vague_masses_apart)
{
    sc_outcomes p, q;
    sc_comparison *c = NULL;
    sc_ball radius;
    sc_ball_init(&radius);
    finite_law(&p, p_masses, OUTCOMES);
    finite_law(&q, q_masses, OUTCOMES);
    REQUIRE(ball_set_text(&radius, "0.2001", 64));
    sc_ball_widen(&q.mass[1], &radius);
    REQUIRE_OK(sc_comparison_new(&p, &q, EXACT_BITS, &c, NULL));
    CHECK_INT((int64_t)c->shared_count, 3);
    CHECK_INT((int64_t)c->vague_count, 1);
    sc_side forth = sc_side_of(c, SC_FORTH);
    CHECK(sc_side_is_partial(&forth));
    sc_comparison_free(c);
    sc_outcomes_clear(&p);
    sc_outcomes_clear(&q);
    sc_ball_clear(&radius);
}

TEST(comparison_refuses_keys_of_two_widths)
{
    sc_outcomes p, q;
    sc_comparison *c = NULL;
    sc_outcomes_init(&p, 1);
    sc_outcomes_init(&q, 2);
    CHECK_STATUS(sc_comparison_new(&p, &q, 64, &c, NULL), SCRIM_E_INTERNAL);
    CHECK(c == NULL);
    sc_outcomes_clear(&p);
    sc_outcomes_clear(&q);
}

TEST(comparison_survives_without_memory)
{
    sc_outcomes p, q;
    finite_law(&p, p_masses, OUTCOMES);
    finite_law(&q, q_masses, OUTCOMES);
    scrim_status status = SCRIM_E_MEMORY;
    uint64_t failures = 0;
    FAULT_LOOP(fault)
    {
        sc_comparison *c = NULL;
        status = sc_comparison_new(&p, &q, 64, &c, NULL);
        if (fault_hit()) {
            CHECK_STATUS(status, SCRIM_E_MEMORY);
            CHECK(c == NULL);
            failures++;
        }
        sc_comparison_free(c);
    }
    CHECK_STATUS(status, SCRIM_OK);
    CHECK(failures >= 5);
    sc_outcomes_clear(&p);
    sc_outcomes_clear(&q);
}
