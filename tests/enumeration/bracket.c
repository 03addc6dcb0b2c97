#include "bracket.h"

#include "balls.h"
#include "check.h"

#define BITS 192

/* mass <= P <= mass + undecided of what was accepted, which is between decided and
 * decided + undecided. */
static void hold(const sc_ball *mass, const sc_ball *decided, const sc_ball *undecided,
                 const sc_ball *exact, int64_t outcome, const char *name)
{
    sc_ball low, high, whole, gap;
    sc_ball_init(&low);
    sc_ball_init(&high);
    sc_ball_init(&whole);
    sc_ball_init(&gap);
    sc_ball_add(&whole, decided, undecided, BITS);
    sc_ball_div(&low, mass, &whole, BITS);
    sc_ball_add(&high, mass, undecided, BITS);
    sc_ball_div(&high, &high, decided, BITS);
    bool below = ball_overlaps(&low, exact) || sc_ball_is_less(&low, exact);
    bool above = ball_overlaps(&high, exact) || sc_ball_is_less(exact, &high);
    sc_ball_sub(&gap, &high, &low, BITS);
    sc_ball_set_int64(&whole, 1);
    sc_ball_mul_power2(&whole, &whole, -BRACKET_GAP);
    bool narrow = sc_ball_is_less(&gap, &whole);
    if (!CHECK(below && above && narrow)) {
        char l[64], h[64], e[64];
        sc_ball_format(&low, 20, l, sizeof l);
        sc_ball_format(&high, 20, h, sizeof h);
        sc_ball_format(exact, 20, e, sizeof e);
        CHECK_FAIL("%s: outcome %lld is enumerated as %s .. %s, the law says %s", name,
                   (long long)outcome, l, h, e);
    }
    sc_ball_clear(&low);
    sc_ball_clear(&high);
    sc_ball_clear(&whole);
    sc_ball_clear(&gap);
}

void bracket_law(const oracle_tree *tree, const sc_law *law, int64_t low, int64_t high,
                 const char *name)
{
    sc_ball mass, decided, undecided, exact;
    sc_ball_init(&mass);
    sc_ball_init(&decided);
    sc_ball_init(&undecided);
    sc_ball_init(&exact);
    oracle_decided(tree, &decided);
    oracle_undecided(tree, &undecided);
    for (int64_t k = low; k <= high; k++) {
        oracle_mass(tree, k, &mass);
        sc_law_pmf(law, k, BITS, &exact);
        hold(&mass, &decided, &undecided, &exact, k, name);
    }
    sc_ball_clear(&mass);
    sc_ball_clear(&decided);
    sc_ball_clear(&undecided);
    sc_ball_clear(&exact);
}

void bracket_probability(const oracle_tree *tree, int64_t outcome, const sc_ball *exact,
                         const char *name)
{
    sc_ball mass, decided, undecided;
    sc_ball_init(&mass);
    sc_ball_init(&decided);
    sc_ball_init(&undecided);
    oracle_decided(tree, &decided);
    oracle_undecided(tree, &undecided);
    oracle_mass(tree, outcome, &mass);
    hold(&mass, &decided, &undecided, exact, outcome, name);
    sc_ball_clear(&mass);
    sc_ball_clear(&decided);
    sc_ball_clear(&undecided);
}
