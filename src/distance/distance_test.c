#include "check.h"
#include "faults.h"
#include "scrim.h"
#include "vectors.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Places out of "place:mass place:mass"; texts lie in the buffer. */
typedef struct places {
    char text[512];
    scrim_place list[16];
    size_t count;
} places;

static void split(const char *text, places *out)
{
    char *rest = NULL;
    out->count = 0;
    snprintf(out->text, sizeof out->text, "%s", text);
    for (char *word = strtok_r(out->text, " ", &rest); word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        char *colon = strchr(word, ':');
        if (colon != NULL)
            *colon = '\0';
        out->list[out->count++] =
            (scrim_place){.place = word, .mass = colon == NULL ? NULL : colon + 1};
    }
}

/* The exact text, or the name of the status. */
static const char *distance(const char *kind, const char *a, const char *b,
                            const scrim_distance_options *options)
{
    static scrim_distance found;
    static char refused[32];
    scrim_error error = {.status = SCRIM_OK};
    places x, y;
    split(a, &x);
    split(b, &y);
    scrim_status status = scrim_distance_between(kind, x.list, x.count, y.list, y.count,
                                                 options, &found, &error);
    if (status == SCRIM_OK)
        return found.exact;
    CHECK_INT(error.status, status);
    CHECK(error.message[0] != '\0');
    snprintf(refused, sizeof refused, "status %d", (int)status);
    return refused;
}

#define WITH(...) SCRIM_OPTIONS(scrim_distance_options, __VA_ARGS__)

TEST(distance_of_every_kind_from_text)
{
    CHECK_STR(distance("tv", "0 7:2", "1:2 7", NULL), "2/3");
    CHECK_STR(distance("wasserstein", "0 7:2", "1:2 7", NULL), "6");
    CHECK_STR(distance("wasserstein", "0 7:2", "1:2 7", WITH(.loss = "1/3")), "1");
    CHECK_STR(distance("wasserstein", "0 7:2", "1:2 7", WITH(.is_average = 1)), "7/3");
    CHECK_STR(distance("hausdorff", "0 5 10", "0 10", NULL), "5");
    CHECK_STR(distance("drop", "1:3 5:2", "1:2 5:2", NULL), "0.2");
    CHECK_STR(distance("drop", "1:3 5:2", "1:4", NULL), "inf");
    CHECK_STR(distance("move", "1:3 5:2", "1:4 5", NULL), "4");
    CHECK_STR(distance("drop-move", "2 3", "1 5", WITH(.eta = "3/2")), "3");
    CHECK_STR(distance("drop-move", "2 3", "1 5", NULL), "2");
}

/* Counts are compared, not distributions: a person more is a distance of 1, and an empty side has a distance. */
TEST(distance_of_counts)
{
    CLAIM("counts.apart");
    CHECK_STR(distance("l1", "1:3 5:2 9", "1:1 7:2", NULL), "7");
    CHECK_STR(distance("l2", "1:3 5:2 9", "1:1 7:2", NULL), "sqrt(13)");
    CHECK_STR(distance("l2", "1:3 5:4", "2:0", NULL), "5");
    CHECK_STR(distance("l1", "3", "3:2", NULL), "1");
    CHECK_STR(distance("l1", "1:1/2 2:1/2", "1:1/3 2:2/3", NULL), "1/3");
    CHECK_STR(distance("l2", "1:1/2 2:1/2", "1:1/3 2:2/3", NULL), "sqrt(1/18)");
    CHECK_STR(distance("l1", "1:1", "1:1", WITH(.norm = "2")), "status 20");
    CHECK_STR(distance("l2", "1:4611686018427387904", "2", NULL),
              "sqrt(21267647932558653966460912964485513217)");
}

/* Numbers of any form have a common step; a length is told in their unit, a share is not. */
TEST(distance_counts_in_a_common_step)
{
    CHECK_STR(distance("wasserstein", "0.1", "1/3", NULL), "7/30");
    CHECK_STR(distance("wasserstein", "1e-3 2^-4", "0", WITH(.is_average = 1)),
              "0.03175");
    CHECK_STR(distance("hausdorff", "-1/7", "1/7", NULL), "2/7");
    CHECK_STR(distance("tv", "1/3:1/3 0.5:2/3", "0.5", NULL), "1/3");
    CHECK_STR(distance("drop-move", "0.5 0.25", "0.75", WITH(.eta = "4")), "1.5");
    CHECK_STR(distance("drop", "0.5 0.25", "0.5", NULL), "0.5");
    /* Spaces at the ends are no part of a number, and a mass of 0 counts as no mass. */
    CHECK_STR(distance("move", "5:1 6:0", "\t5:1", NULL), "0");
}

TEST(distance_of_points_and_of_names)
{
    static const scrim_step ring[] = {{"n", "e", "1/2"}, {"e", "s", "1/2"},
                                      {"s", "w", "1/2"}, {"w", "n", "1/2"},
                                      {"n", "s", "1"},   {"e", "w", "1"}};
    static const scrim_step slope[] = {{"a", "b", "1"}, {"b", "a", "5"}, {"c", "c", "0"}};
    CHECK_STR(distance("wasserstein", "0,0 1,1:3", "0,1:2 2,2:2", WITH(.dimensions = 2)),
              "2");
    CHECK_STR(distance("wasserstein", "0,0 1,1:3", "0,1:2 2,2:2",
                       WITH(.dimensions = 2, .norm = "max")),
              "1");
    CHECK_STR(distance("tv", "0,0 0,1 0,0", "0,0:3", WITH(.dimensions = 2)), "1/3");
    CHECK_STR(distance("drop", "0,0 0,1 0,0", "0,0:2", WITH(.dimensions = 2)), "1/3");
    CHECK_STR(distance("hausdorff", "0.5,0,0", "0,0.25,1", WITH(.dimensions = 3)),
              "1.75");
    CHECK_STR(distance("wasserstein", "n e", "s:2", WITH(.steps = ring, .step_count = 6)),
              "1");
    CHECK_STR(distance("wasserstein", "n e", "s:2",
                       WITH(.steps = ring, .step_count = 6, .is_average = 1)),
              "0.75");
    CHECK_STR(distance("move", "a", "b", WITH(.steps = slope, .step_count = 3)), "1");
    CHECK_STR(distance("move", "b", "a", WITH(.steps = slope, .step_count = 3)), "5");
    CHECK_STR(distance("move", "c", "a", WITH(.steps = slope, .step_count = 3)), "inf");
    CHECK_STR(distance("tv", "d", "a", WITH(.steps = slope, .step_count = 3)),
              "status 60");
}

TEST(distance_refuses_what_it_cannot_read)
{
    CHECK_STR(distance("taxi", "0", "0", NULL), "status 20");
    CHECK_STR(distance(NULL, "0", "0", NULL), "status 20");
    CHECK_STR(distance("tv", "0", "0", WITH(.loss = "0.1")), "status 20");
    CHECK_STR(distance("drop", "0", "0", WITH(.is_average = 1)), "status 20");
    CHECK_STR(distance("move", "0", "0", WITH(.eta = "1")), "status 20");
    CHECK_STR(distance("wasserstein", "0", "0", WITH(.loss = "1.5")), "status 20");
    CHECK_STR(distance("wasserstein", "0", "0", WITH(.loss = "nan")), "status 20");
    CHECK_STR(distance("wasserstein", "0", "0", WITH(.loss = "-1")), "status 20");
    CHECK_STR(distance("drop-move", "0", "0", WITH(.eta = "-1")), "status 20");
    CHECK_STR(distance("hausdorff", "0", "0", WITH(.norm = "3")), "status 20");
    CHECK_STR(distance("tv", "0", "0", WITH(.norm = "1")), "status 20");
    CHECK_STR(distance("wasserstein", "0,0", "0,0",
                       WITH(.dimensions = 2, .norm = "2", .is_average = 1)),
              "status 20");
    CHECK_STR(distance("tv", "0", "0", WITH(.dimensions = 9)), "status 21");
    CHECK_STR(distance("tv", "0", "0", &(scrim_distance_options){.size = 0}),
              "status 20");
    CHECK_STR(distance("tv", "x", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0:x", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0:-1", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0,1", "0", NULL), "status 60");
    CHECK_STR(distance("tv", "0", "", NULL), "status 60");
    CHECK_STR(distance("tv", "0:1/2", "0", NULL), "status 60");
    CHECK_STR(distance("move", "0:1/2", "0:1/2", NULL), "status 60");
    CHECK_STR(distance("tv", "1e30", "0", NULL), "status 21");
    CHECK_STR(distance("tv", "0:4e18 1:4e18", "0", NULL), "status 21");
    CHECK_STR(distance("tv", "1e-30", "0", NULL), "status 21");
}

TEST(distance_kinds_are_listed)
{
    static const char *const names[] = {
        "tv", "l1", "l2", "wasserstein", "hausdorff", "drop", "move", "drop-move", "w2"};
    for (size_t i = 0; i < COUNT(names); i++) {
        REQUIRE(scrim_distance_kind_at(i) != NULL);
        CHECK_STR(scrim_distance_kind_at(i)->name, names[i]);
    }
    CHECK(scrim_distance_kind_at(COUNT(names)) == NULL);
}

TEST(distance_survives_every_missing_allocation)
{
    static const scrim_step steps[] = {{"a", "b", "1"}, {"b", "c", "5"}};
    places x, y;
    scrim_distance found;
    split("a b", &x);
    split("c b", &y);
    FAULT_LOOP(fault)
    {
        scrim_status status = scrim_distance_between(
            "wasserstein", x.list, x.count, y.list, y.count,
            WITH(.steps = steps, .step_count = 2, .is_average = 1), &found, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
    CHECK_STR(found.exact, "3");
    split("0,1 2,3", &x);
    split("5,1", &y);
    FAULT_LOOP(fault)
    {
        scrim_status status =
            scrim_distance_between("wasserstein", x.list, x.count, y.list, y.count,
                                   WITH(.dimensions = 2), &found, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
    CHECK_STR(found.exact, "5");
}

/* Squares of steps are compared: a root that is a fraction is told as one, any other as a root. */
TEST(distance_of_norm_2)
{
    static const struct {
        const char *kind, *a, *b, *loss, *eta, *exact, *decimal;
    } cases[] = {
        {"hausdorff", "0,0", "3,4", NULL, NULL, "5", "5"},
        {"hausdorff", "0,0", "0.3,0.4", NULL, NULL, "0.5", "0.5"},
        {"hausdorff", "0,0", "1,2", NULL, NULL, "sqrt(5)", "2.23606797749979"},
        {"hausdorff", "0,0", "1/2,1", NULL, NULL, "sqrt(1.25)", "1.1180339887499"},
        {"hausdorff", "0,0 5,5", "1,1 5,6", NULL, NULL, "sqrt(2)", "1.4142135623731"},
        {"wasserstein", "0,0 9,9", "1,1 9,10", NULL, NULL, "sqrt(2)", "1.4142135623731"},
        {"wasserstein", "0,0 9,9", "1,1 9,10", "1/2", NULL, "1", "1"},
        {"move", "0,0 1,0", "0,2 3,1", NULL, NULL, "sqrt(5)", "2.23606797749979"},
        {"drop-move", "0,0 1,0", "2,1", NULL, NULL, "0.5 + sqrt(2)", "1.9142135623731"},
        {"drop-move", "0,0 1,0", "2,1", NULL, "2", "0.5 + sqrt(8)", "3.3284271247462"},
        {"drop-move", "0,0 9,9", "3,4", NULL, "1/5", "1.5", "1.5"},
        {"drop-move", "0,0", "0,0 1,1", NULL, NULL, "inf", "inf"},
        {"move", "0,0", "0,0 1,1", NULL, NULL, "inf", "inf"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        places x, y;
        scrim_distance found;
        split(cases[i].a, &x);
        split(cases[i].b, &y);
        REQUIRE_OK(
            scrim_distance_between(cases[i].kind, x.list, x.count, y.list, y.count,
                                   WITH(.dimensions = 2, .norm = "2",
                                        .loss = cases[i].loss, .eta = cases[i].eta),
                                   &found, NULL));
        CHECK_STR(found.exact, cases[i].exact);
        CHECK_STR(found.decimal, cases[i].decimal);
    }
    /* On the line all norms are one, and far points have squares that fit. */
    CHECK_STR(distance("hausdorff", "0 5 10", "0 10", WITH(.norm = "2")), "5");
    CHECK_STR(distance("hausdorff", "-268435456,0", "268435456,0",
                       WITH(.dimensions = 2, .norm = "2")),
              "536870912");
    CHECK_STR(
        distance("hausdorff", "-268435457,0", "0,0", WITH(.dimensions = 2, .norm = "2")),
        "status 21");
}

/* The least mean square over all matchings of four points. */
static double least_square(int (*x)[2], int (*y)[2])
{
    double least = INFINITY;
    for (int m = 0; m < 256; m++) {
        const int to[4] = {m & 3, m >> 2 & 3, m >> 4 & 3, m >> 6 & 3};
        int sum = 0, seen = 0;
        for (int i = 0; i < 4; i++) {
            const int dx = x[i][0] - y[to[i]][0], dy = x[i][1] - y[to[i]][1];
            sum += dx * dx + dy * dy;
            seen |= 1 << to[i];
        }
        if (seen == 15)
            least = fmin(least, sum / 4.0);
    }
    return sqrt(least);
}

TEST(distance_w2_is_the_root_of_a_mean_square)
{
    CLAIM("wasserstein.mean");
    uint64_t state = check_seed() + 7;
    CHECK_STR(distance("w2", "0 7:2", "1:2 7", NULL), "sqrt(37/3)");
    CHECK_STR(distance("w2", "0.5 2:3", "1:4", WITH(.norm = "2")), "sqrt(0.8125)");
    CHECK_STR(distance("w2", "0:3 4", "0:4", NULL), "2");
    CHECK_STR(distance("w2", "0", "0", WITH(.norm = "1")), "status 20");
    CHECK_STR(distance("w2", "0", "0", WITH(.loss = "1/2")), "status 20");
    CHECK_STR(distance("w2", "0", "2147483647", NULL), "2147483647");
    CHECK_STR(distance("w2", "0", "2147483648", NULL), "status 21");
    for (int run = 0; run < 40; run++)
        for (int dimensions = 1; dimensions <= 2; dimensions++) {
            int at[8][2];
            char text[8][24];
            scrim_place list[8];
            scrim_distance found;
            for (int i = 0; i < 8; i++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                at[i][0] = (int)(state >> 40) % 20;
                at[i][1] = dimensions == 1 ? 0 : (int)(state >> 52) % 20;
                snprintf(text[i], sizeof text[i], dimensions == 1 ? "%d" : "%d,%d",
                         at[i][0], at[i][1]);
                list[i] = (scrim_place){.place = text[i]};
            }
            REQUIRE_OK(scrim_distance_between("w2", list, 4, list + 4, 4,
                                              WITH(.dimensions = (unsigned)dimensions),
                                              &found, NULL));
            CHECK_NEAR(strtod(found.decimal, NULL), least_square(at, at + 4), 1e-12);
        }
}

/* Norm 2 lies between norm max and norm 1, at most the root of the dimensions above the first; and
 * squares agree with a search over all matchings. */
TEST(distance_of_norm_2_against_all_matchings)
{
    uint64_t state = check_seed() + 1;
    for (uint64_t turn = 0; turn < check_count(200, 20000); turn++) {
        enum { POINTS = 4 };
        int at[2][POINTS][3];
        char text[2][256] = {"", ""}, want[64];
        for (size_t i = 0; i < (size_t)2 * POINTS * 3; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            at[i / 12][i / 3 % POINTS][i % 3] = (int)(state >> 33) % 7;
        }
        for (size_t i = 0; i < (size_t)2 * POINTS; i++) {
            const int *p = at[i / POINTS][i % POINTS];
            char *to = text[i / POINTS];
            snprintf(to + strlen(to), 256 - strlen(to), "%s%d,%d,%d", *to ? " " : "",
                     p[0], p[1], p[2]);
        }
        int least = INT_MAX;
        for (int order = 0; order < 256; order++) {
            const int to[] = {order & 3, order >> 2 & 3, order >> 4 & 3, order >> 6};
            int most = 0;
            if ((1 << to[0] | 1 << to[1] | 1 << to[2] | 1 << to[3]) != 15)
                continue;
            for (int i = 0; i < POINTS; i++) {
                int sum = 0;
                for (int d = 0; d < 3; d++)
                    sum +=
                        (at[0][i][d] - at[1][to[i]][d]) * (at[0][i][d] - at[1][to[i]][d]);
                most = sum > most ? sum : most;
            }
            least = most < least ? most : least;
        }
        int root = 0;
        while ((root + 1) * (root + 1) <= least)
            root++;
        if (root * root == least)
            snprintf(want, sizeof want, "%d", root);
        else
            snprintf(want, sizeof want, "sqrt(%d)", least);
        const scrim_distance_options *options = WITH(.dimensions = 3, .norm = "2");
        CHECK_STR(distance("move", text[0], text[1], options), want);
        CHECK_STR(distance("wasserstein", text[0], text[1], options), want);
    }
}

/* A message says which file and line, where these are known. */
TEST(distance_names_the_line)
{
    static const scrim_place good[] = {{"0", NULL}, {"1", NULL}},
                             word[] = {{"0", NULL}, {"x", NULL}}, below[] = {{"0", "-1"}},
                             half[] = {{"0", "1"}, {"1", "1/2"}};
    static const size_t lines[] = {3, 7};
    static const scrim_list_lines first = {"a.csv", lines}, plain = {"a.csv", NULL};
    static const struct {
        const char *kind;
        const scrim_place *a;
        size_t count;
        const scrim_list_lines *from;
        const char *message;
    } cases[] = {
        {"tv", word, 2, &first,
         "'a.csv', line 7: 'x' is not a number; write 1, 0.1 or 1/3"},
        {"tv", word, 2, &plain,
         "'a.csv', line 2: 'x' is not a number; write 1, 0.1 or 1/3"},
        {"tv", word, 2, NULL, "place 2: 'x' is not a number; write 1, 0.1 or 1/3"},
        {"tv", below, 1, &first, "'a.csv', line 3: a count must be at least 0"},
        {"move", half, 2, &first,
         "'a.csv', line 7: move counts elements: give whole numbers"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int side = 0; side < 2; side++) {
            scrim_distance found;
            scrim_error error;
            scrim_distance_options options = {.size = sizeof options};
            if (cases[i].from != NULL)
                *(side == 0 ? &options.a_lines : &options.b_lines) = *cases[i].from;
            CHECK_STATUS(scrim_distance_between(
                             cases[i].kind, side == 0 ? cases[i].a : good,
                             side == 0 ? cases[i].count : 2,
                             side == 1 ? cases[i].a : good,
                             side == 1 ? cases[i].count : 2, &options, &found, &error),
                         SCRIM_E_INPUT);
            CHECK_STR(error.message, cases[i].message);
        }
}
