#include "balls.h"
#include "check.h"
#include "composition/accountant/accountants.h"
#include "exact.h"

#include <string.h>

TEST(accountants_are_found_by_name)
{
    size_t count = 0;
    for (; sc_accountant_at(count) != NULL; count++) {
        const sc_accountant *a = sc_accountant_at(count);
        CHECK(sc_accountant_find(a->name) == a);
        CHECK(a->summary[0] != '\0' && a->reference[0] != '\0');
        CHECK(strstr(a->reference, "spec/") == NULL); /* not in the tree */
        CHECK(a->epsilon != NULL && a->delta != NULL);
    }
    CHECK(count >= 1);
    CHECK(sc_accountant_find("") == NULL);
    CHECK(sc_accountant_find("none") == NULL);
}

static void open_bag(const char *text, sc_bag *out)
{
    scrim_error error = {.message = ""};
    sc_bag_init(out);
    if (!CHECK_STATUS(sc_bag_parse(text, out, &error), SCRIM_OK))
        CHECK_STR(error.message, "");
}

/* No accountant that is asked proves a smaller upper bound, or a larger lower one, and one of them
 * proves what is returned. */
SLOW_TEST(joint_bound_is_that_of_some_accountant)
{
    CLAIM("joint-bound.sound");
    static const char *const texts[] = {"laplace scale=10 x50", "gaussian sigma=20 x30",
                                        "exponential epsilon=1/10 x20",
                                        "laplace scale=10 x5; gaussian sigma=9 x7"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        sc_bag bag;
        sc_ratio delta;
        sc_joint_bound bound;
        bool is_found = false;
        exact_ratio("1e-6", &delta);
        sc_joint_bound_init(&bound);
        open_bag(texts[i], &bag);
        REQUIRE_OK(sc_joint_bound_epsilon(&bag, &delta, SC_JOINT_QUICK, &bound, NULL));
        CHECK(bound.bounds.has_upper);
        for (size_t j = 0; sc_accountant_at(j) != NULL; j++) {
            sc_enclosure found;
            const char *remark = NULL;
            if (strstr(sc_accountant_at(j)->name, "loss") != NULL)
                continue;
            sc_enclosure_init(&found);
            REQUIRE_OK(sc_accountant_at(j)->epsilon(&bag, &delta, &found, &remark, NULL));
            if (found.has_upper)
                CHECK(!sc_ball_is_less(&found.upper, &bound.bounds.upper));
            if (found.has_lower)
                CHECK(!sc_ball_is_less(&bound.bounds.lower, &found.lower));
            is_found = is_found || (found.has_upper &&
                                    ball_overlaps(&found.upper, &bound.bounds.upper) &&
                                    strcmp(bound.source, sc_accountant_at(j)->name) == 0);
            sc_enclosure_clear(&found);
        }
        CHECK(is_found);
        sc_bag_clear(&bag);
        sc_joint_bound_clear(&bound);
        sc_ratio_clear(&delta);
    }
}

/* One release: its own curve, exactly. */
TEST(joint_bound_of_one_release_is_its_curve)
{
    CLAIM("joint-bound.sound");
    static const char *const texts[] = {"laplace scale=3", "gaussian sigma=2",
                                        "partition-selection epsilon=1 delta=1e-6"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        sc_bag bag;
        sc_ratio epsilon;
        sc_joint_bound bound;
        sc_ball own;
        exact_ratio("1/4", &epsilon);
        sc_joint_bound_init(&bound);
        sc_ball_init(&own);
        open_bag(texts[i], &bag);
        REQUIRE_OK(sc_joint_bound_delta(&bag, &epsilon, SC_JOINT_QUICK, &bound, NULL));
        sc_curve_delta_upper(&bag.parts[0].cost.curve, &epsilon, EXACT_BITS, &own);
        CHECK(bound.bounds.has_upper);
        CHECK(ball_overlaps(&own, &bound.bounds.upper));
        CHECK_STR(bound.source, "curve");
        sc_bag_clear(&bag);
        sc_ball_clear(&own);
        sc_joint_bound_clear(&bound);
        sc_ratio_clear(&epsilon);
    }
}
