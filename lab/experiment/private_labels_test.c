#include "check.h"
#include "lab/experiment/private_labels.h"

#include <math.h>
#include <stdlib.h>

#define VOTERS 9

/* All votes of nine models, and each vote that moves. */
TEST(private_labels_margin_by_all_votes)
{
    CLAIM("private-labels.margin");
    size_t pairs = 0, certain = 0;
    for (unsigned a = 0; a <= VOTERS; a++)
        for (unsigned b = 0; a + b <= VOTERS; b++) {
            const unsigned votes[LAB_LABEL_CLASSES] = {a, b, VOTERS - a - b};
            const lab_vote before = lab_vote_of(votes);
            for (unsigned move = 0; move < 9; move++) {
                unsigned then[LAB_LABEL_CLASSES] = {a, b, VOTERS - a - b};
                if (then[move / 3] == 0 || move / 3 == move % 3)
                    continue;
                then[move / 3]--;
                then[move % 3]++;
                const lab_vote after = lab_vote_of(then);
                CHECK(llabs(after.margin - before.margin) <= 1);
                CHECK(before.margin == 0 || after.winner == before.winner);
                certain += before.margin > 0;
                pairs++;
            }
        }
    CHECK(pairs > 200 && certain > 100);
}

/* The tail by adding up both distributions, far out. */
TEST(private_labels_threshold_is_the_least)
{
    CLAIM("private-labels.delta");
    const double a = 3, b = 8, p = exp(-1 / a), q = exp(-1 / b);
    double left = 0;
    const int64_t least = lab_label_threshold(50, a, b, 1e-5, &left);
    double sums[2] = {0, 0};
    for (int64_t x = -400; x <= 400; x++)
        for (int64_t y = -400; y <= 400; y++) {
            const double mass = (1 - p) / (1 + p) * pow(p, (double)llabs(x)) * (1 - q) /
                                (1 + q) * pow(q, (double)llabs(y));
            sums[0] += y - x >= least ? mass : 0;
            sums[1] += y - x >= least - 1 ? mass : 0;
        }
    CHECK_NEAR(left, 50 * sums[0], 1e-7);
    CHECK(50 * sums[0] <= 1e-5 && 50 * sums[1] > 1e-5);
}

TEST(private_labels_on_simulated_people)
{
    CLAIM("private-labels.delta");
    lab_labels found;
    REQUIRE_OK(lab_labels_run("people=3000 teachers=300 points=100 labels=20 epsilon=20",
                              2, &found, NULL));
    CHECK(found.ways[0].student > 0.7 && found.ways[1].student > 0.7);
    CHECK(found.ways[2].shown > 10 && found.ways[2].shown <= 20);
    /* 94 % of some 40 labels are right, and 84 % of people whose model is asked: fewer than 60 % of them
     * are less likely than 1e-9. */
    CHECK(found.ways[2].right > 0.6);
    CHECK(found.ways[2].delta > 0 && found.ways[2].delta <= 1e-6);
    CHECK_NEAR(found.ways[3].shown, 20, 1e-12);
    CHECK_STATUS(lab_labels_run("people=10 teachers=11", 1, &found, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_labels_run("points=10 labels=11", 1, &found, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(lab_labels_run("epsilon=0", 1, &found, NULL), SCRIM_E_PARAM);
}
