#include "check.h"
#include "scrim.h"
#include "vectors.h"

#include <stdio.h>
#include <string.h>

#define FILE_NAME "robust-release"
#define STEPS 64

static scrim_status steps_of(const scrim_law_list *laws, size_t count,
                             const scrim_law_pair *pairs, size_t pair_count,
                             const char *theta, scrim_theta_step *out, size_t *found)
{
    return scrim_theta_steps(laws, count, pairs, pair_count, theta, out, STEPS, found,
                             NULL);
}

static size_t read_law(const json_t *law, scrim_place *out)
{
    const json_t *row;
    size_t i;
    json_array_foreach(law, i, row)
    {
        out[i].place = json_string_value(json_array_get(row, 0));
        out[i].mass = json_string_value(json_array_get(row, 1));
    }
    return json_array_size(law);
}

TEST(theta_steps_are_as_printed)
{
    CLAIM("wasserstein-line.steps");
    const json_t *all = vectors_load(FILE_NAME, "theta_sensitivity"), *row;
    const json_t *laws = json_object_get(all, "laws");
    scrim_place f[4], g[4];
    scrim_theta_step steps[STEPS];
    size_t count = 0, i;
    const scrim_law_list list[2] = {{f, read_law(json_object_get(laws, "f"), f)},
                                    {g, read_law(json_object_get(laws, "g"), g)}};
    const scrim_law_pair pair = {0, 1};
    REQUIRE_OK(steps_of(list, 2, &pair, 1, NULL, steps, &count));
    REQUIRE(count == 3);
    json_array_foreach(json_object_get(all, "steps"), i, row)
    {
        const char *theta = json_string_value(json_array_get(row, 0));
        scrim_theta_step one;
        size_t ones = 0;
        REQUIRE_OK(steps_of(list, 2, &pair, 1, theta, &one, &ones));
        CHECK_INT(ones, 1);
        CHECK_STR(one.sensitivity, json_string_value(json_array_get(row, 1)));
        CHECK_STR(one.theta, steps[i].theta);
        CHECK_STR(one.sensitivity, steps[i].sensitivity);
    }
    CHECK_STR(steps[2].theta, "1");
    CHECK_STR(steps[2].sensitivity, "0");
}

/* Laws of small whole masses: at each step, just below it and between two of them, the distance is
 * the one that the lossy Wasserstein distance of each pair has there. */
SLOW_TEST(theta_steps_are_the_lossy_distances)
{
    CLAIM("wasserstein-line.steps");
    enum { LAWS = 4, PLACES = 5, TOTAL = 12 };
    uint64_t seed = check_seed() | 1;
    for (uint64_t turn = 0; turn < check_count(40, 2000); turn++) {
        char text[LAWS][PLACES][2][16];
        scrim_place places[LAWS][PLACES];
        scrim_law_list list[LAWS];
        for (size_t i = 0; i < LAWS; i++) {
            unsigned left = TOTAL;
            for (size_t k = 0; k < PLACES; k++) {
                seed = seed * 6364136223846793005U + 1442695040888963407U;
                const unsigned mass =
                    k == PLACES - 1 ? left : (unsigned)(seed >> 33) % (left + 1);
                left -= mass;
                snprintf(text[i][k][0], 16, "%u/2", (unsigned)(seed >> 40) % 40);
                snprintf(text[i][k][1], 16, "%u", mass);
                places[i][k] = (scrim_place){text[i][k][0], text[i][k][1]};
            }
            list[i] = (scrim_law_list){places[i], PLACES};
        }
        static const scrim_law_pair pairs[] = {{0, 1}, {1, 2}, {3, 0}};
        scrim_theta_step steps[STEPS];
        size_t count = 0;
        REQUIRE_OK(steps_of(list, LAWS, pairs, COUNT(pairs), NULL, steps, &count));
        CHECK_STR(steps[0].theta, "0");
        CHECK_STR(steps[count - 1].sensitivity, "0");
        size_t at = 0;
        for (unsigned n = 0; n <= 2 * TOTAL; n++) {
            char theta[16];
            scrim_distance want;
            scrim_theta_step one;
            size_t ones = 0;
            snprintf(theta, sizeof theta, "%u/%u", n, 2U * TOTAL);
            REQUIRE_OK(scrim_theta_sensitivity(list, LAWS, pairs, COUNT(pairs), theta,
                                               &want, NULL));
            REQUIRE_OK(steps_of(list, LAWS, pairs, COUNT(pairs), theta, &one, &ones));
            CHECK_STR(one.sensitivity, want.exact);
            while (at < count && strcmp(steps[at].sensitivity, want.exact) != 0)
                at++;
            REQUIRE(at < count);
            /* The pair that is named has that distance. */
            REQUIRE_OK(scrim_theta_sensitivity(list, LAWS, &pairs[one.pair], 1, theta,
                                               &want, NULL));
            CHECK_STR(one.sensitivity, want.exact);
        }
        CHECK_INT(at, count - 1);
    }
}

TEST(theta_steps_refuse)
{
    const scrim_place a[] = {{"0", "1"}}, half[] = {{"1", "1/2"}};
    const scrim_law_list list[] = {{a, 1}, {half, 1}, {a, 0}};
    const scrim_law_pair good = {0, 0}, uneven = {0, 1}, empty = {0, 2}, far = {0, 3};
    scrim_theta_step steps[STEPS];
    size_t count = 7;
    CHECK_STATUS(steps_of(list, 3, &good, 1, "2", steps, &count), SCRIM_E_PARAM);
    CHECK_STATUS(steps_of(list, 3, &good, 1, "-1", steps, &count), SCRIM_E_PARAM);
    CHECK_STATUS(steps_of(list, 3, &good, 1, "x", steps, &count), SCRIM_E_PARAM);
    CHECK_STATUS(steps_of(list, 3, &uneven, 1, NULL, steps, &count), SCRIM_E_INPUT);
    CHECK_STATUS(steps_of(list, 3, &empty, 1, NULL, steps, &count), SCRIM_E_PARAM);
    CHECK_STATUS(steps_of(list, 3, &far, 1, NULL, steps, &count), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_theta_steps(list, 3, &good, 1, NULL, steps, 0, &count, NULL),
                 SCRIM_E_LIMIT);
    CHECK_INT(count, 7);
    REQUIRE_OK(steps_of(list, 3, &good, 1, NULL, steps, &count));
    CHECK_INT(count, 1);
    REQUIRE_OK(steps_of(list, 3, &good, 0, NULL, steps, &count));
    CHECK_INT(count, 0);
}
