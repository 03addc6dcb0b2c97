#include "choices.h"
#include "mechanism/selection/scores.h"

/* Every pair of the family is one of neighbours, inside the domain: `scores` scores, each with
 * `moves` moves. */
static void check_family(const char *line, size_t scores, size_t moves, size_t candidates)
{
    const size_t count = scores * moves;
    scrim_measurement *m = choices_model(line);
    if (m == NULL)
        return;
    const sc_scores *s = sc_scores_of(m);
    CHECK_INT(sc_score_pairs_count(m), count);
    for (size_t i = 0; i < count; i++) {
        sc_pair pair = {.x_count = 0};
        bool rises = false, falls = false;
        sc_score_pairs_at(m, i, &pair);
        CHECK_INT(pair.x_count, candidates);
        CHECK_INT(pair.y_count, candidates);
        for (size_t j = 0; j < candidates; j++) {
            const sc_int128 move = (sc_int128)pair.y[j] - pair.x[j];
            CHECK(move <= (sc_int128)s->steps && -move <= (sc_int128)s->steps);
            CHECK_INT(sc_domain_clamp(&m->domain, pair.x[j]), pair.x[j]);
            CHECK_INT(sc_domain_clamp(&m->domain, pair.y[j]), pair.y[j]);
            rises = rises || move > 0;
            falls = falls || move < 0;
        }
        CHECK(!s->is_monotone || !falls);
        CHECK(i != 0 || rises || falls || s->is_monotone);
    }
    scrim_measurement_free(m);
}

TEST(score_pairs_are_neighbours)
{
    check_family("permute-and-flip epsilon=1", 49, 27, 3);
    check_family("permute-and-flip epsilon=1 monotone=yes", 49, 8, 3);
    check_family("permute-and-flip epsilon=1 candidates=1", 1, 3, 1);
    check_family("permute-and-flip epsilon=1 candidates=2 sensitivity=7", 7, 9, 2);
    check_family("permute-and-flip epsilon=1 candidates=64 sensitivity=2^60", 49, 27, 64);
    check_family("exponential epsilon=1 lower=0 upper=2", 49, 27, 3);
    check_family("base2-exponential epsilon=3 lower=10 upper=20", 49, 27, 3);
    check_family("top-k k=5 epsilon=3", 49, 27, 6);
    check_family("top-k k=2 epsilon=3 candidates=2", 7, 9, 2);
}

/* With three candidates the family holds all scores of the box, up to a common shift, and all
 * corners of what one unit can do. */
TEST(score_pairs_hold_all_of_three)
{
    scrim_measurement *m = choices_model("permute-and-flip epsilon=1");
    enum { ALL = 7 * 7 * 27 };
    bool seen[7][7][27] = {{{false}}};
    size_t different = 0;
    REQUIRE(m != NULL);
    for (size_t i = 0; i < sc_score_pairs_count(m); i++) {
        sc_pair pair;
        sc_score_pairs_at(m, i, &pair);
        const int64_t a = pair.x[0] - pair.x[1] + 3, b = pair.x[2] - pair.x[1] + 3;
        int64_t move = 0;
        for (size_t j = 0; j < 3; j++)
            move = 3 * move + pair.y[j] - pair.x[j] + 1;
        REQUIRE(a >= 0 && a < 7 && b >= 0 && b < 7 && move >= 0 && move < 27);
        different += !seen[a][b][move];
        seen[a][b][move] = true;
    }
    CHECK_INT(different, ALL);
    scrim_measurement_free(m);
}
