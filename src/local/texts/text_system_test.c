#include "check.h"
#include "local/texts/text_system.h"
#include "text_scene.h"
#include "vectors.h"

#include <math.h>
#include <string.h>

static double number(const json_t *row, const char *name)
{
    const char *text = vectors_text(row, name);
    return text == NULL ? (double)vectors_number(row, name) : strtod(text, NULL);
}

TEST(signal_counts_are_those_of_the_vectors)
{
    const json_t *rows = vectors_load("local-and-accounting", "rappor_debias"), *row;
    size_t i;
    json_array_foreach(rows, i, row)
    {
        const double reports = number(row, "N");
        const sc_signal_chances chances = sc_signal_chances_of(
            number(row, "f"), number(row, "p_if_0"), number(row, "q_if_1"));
        const double estimate =
            sc_signal_estimate(&chances, number(row, "count"), reports);
        CHECK(fabs(estimate - number(row, "estimate")) < 1e-8);
        CHECK_NEAR(sqrt(sc_signal_variance(&chances, estimate, reports)),
                   number(row, "std_error"), 1e-12);
    }
    CHECK_INT(i, 3);
}

#define COHORTS 12
#define BITS 16
#define COLUMNS 40
#define HASHES 2
#define PLACES (COHORTS * (BITS + 1))

typedef struct system_scene {
    sc_text_design design;
    sc_text_system system;
    uint64_t reports[COHORTS], ones[COHORTS * BITS];
    size_t same[COLUMNS];
    sc_signal_chances chances;
} system_scene;

/* Two columns are alike; a cohort without reports has other bits there. */
static bool make_scene(system_scene *scene)
{
    uint64_t seed = check_seed(), held[COLUMNS];
    memset(scene, 0, sizeof *scene);
    scene->chances = sc_signal_chances_of(0.5, 0.25, 0.75);
    for (size_t s = 0; s < COLUMNS; s++)
        held[s] = s < 8 ? 40000 / (s + 1) : 0;
    bool is_made = sc_text_design_init(&scene->design, COHORTS, BITS, COLUMNS, HASHES,
                                       NULL) == SCRIM_OK;
    if (!is_made)
        return CHECK(is_made);
    scene_design(&scene->design, &seed);
    for (size_t c = 0; c < COHORTS; c++) {
        uint16_t *places = scene->design.places + c * COLUMNS * HASHES;
        memcpy(places + (size_t)20 * HASHES, places + (size_t)3 * HASHES,
               HASHES * sizeof *places);
    }
    scene_counts(&scene->design, held, &scene->chances, scene->reports, scene->ones,
                 &seed);
    is_made =
        sc_text_design_same(&scene->design, scene->reports, scene->same, NULL) ==
            SCRIM_OK &&
        sc_text_system_init(&scene->system, &scene->design, scene->same, &scene->chances,
                            scene->reports, scene->ones, NULL) == SCRIM_OK;
    return CHECK(is_made);
}

static void clear_scene(system_scene *scene)
{
    sc_text_system_clear(&scene->system);
    sc_text_design_clear(&scene->design);
}

TEST(text_design_sums_go_over_the_places)
{
    uint64_t seed = check_seed();
    for (size_t hashes = 1; hashes <= 3; hashes++) {
        sc_text_design design;
        uint32_t places[COHORTS * 3];
        double of[PLACES] = {0}, sums[COLUMNS];
        REQUIRE_OK(sc_text_design_init(&design, COHORTS, BITS, COLUMNS, hashes, NULL));
        scene_design(&design, &seed);
        for (size_t at = 0; at < (size_t)PLACES; at++)
            of[at] = at % (BITS + 1) == BITS ? 0 : floor(1000 * scene_uniform(&seed));
        sc_text_design_sums(&design, of, sums);
        for (size_t s = 0; s < COLUMNS; s++) {
            double sum = 0;
            sc_text_design_column(&design, s, places);
            for (size_t i = 0; i < COHORTS * hashes; i++)
                sum += of[places[i]];
            CHECK(sums[s] == sum);
            CHECK(sc_text_places_sum(of, places, COHORTS * hashes) == sum);
        }
        sc_text_design_clear(&design);
    }
}

/* Bits that meet count once, and are in order. */
TEST(text_design_keeps_sets)
{
    sc_text_design design;
    REQUIRE_OK(sc_text_design_init(&design, 1, 9, 1, 4, NULL));
    sc_text_design_set(&design, 0, 0, (const uint32_t[]){7, 2, 7, 0});
    const uint16_t want[] = {0, 2, 7, 9};
    CHECK_BYTES(design.places, want, sizeof want);
    sc_text_design_clear(&design);
    CHECK_STATUS(sc_text_design_init(&design, 1, 65536, 1, 4, NULL), SCRIM_E_LIMIT);
}

TEST(text_design_finds_columns_that_are_alike)
{
    system_scene scene;
    if (make_scene(&scene))
        for (size_t s = 0; s < COLUMNS; s++)
            CHECK_INT(scene.same[s], s == 20 ? 3 : s);
    /* in a cohort without reports they may differ */
    scene.design.places[(size_t)20 * HASHES] ^= 1;
    REQUIRE_OK(sc_text_design_same(&scene.design, scene.reports, scene.same, NULL));
    CHECK_INT(scene.same[20], 20);
    scene.reports[0] = 0;
    REQUIRE_OK(sc_text_design_same(&scene.design, scene.reports, scene.same, NULL));
    CHECK_INT(scene.same[20], 3);
    clear_scene(&scene);
}

/* The gradient from the definition, on the cohorts that are not held back; entry is 1 at the places of
 * the column, or of all. */
static double gradient_of(const system_scene *scene, const sc_text_descent *descent,
                          const uint32_t *places, size_t count)
{
    double fitted[PLACES], sum = 0;
    uint32_t column[COHORTS * HASHES];
    for (size_t at = 0; at < (size_t)PLACES; at++)
        fitted[at] = scene->system.share[at / (BITS + 1)] * descent->others;
    for (size_t s = 0; s < COLUMNS; s++) {
        sc_text_design_column(&scene->design, s, column);
        for (size_t i = 0; i < (size_t)COHORTS * HASHES; i++)
            fitted[column[i]] +=
                scene->system.share[column[i] / (BITS + 1)] * descent->values[s];
    }
    for (size_t i = 0; i < count; i++) {
        const size_t at = places[i], cohort = at / (BITS + 1);
        if (cohort % descent->folds != descent->fold)
            sum += scene->system.share[cohort] * scene->system.weight[at] *
                   (scene->system.target[at] - fitted[at]);
    }
    return sum;
}

static void check_minimum(const system_scene *scene, const sc_text_descent *descent,
                          double penalty)
{
    uint32_t places[PLACES];
    double norm = 0;
    for (size_t s = 0; s < COLUMNS; s++) {
        sc_text_design_column(&scene->design, s, places);
        const double slack = 0.1 * sqrt(descent->norms[s]);
        const double gradient =
            gradient_of(scene, descent, places, (size_t)COHORTS * HASHES) - penalty;
        CHECK(descent->values[s] >= 0);
        CHECK(s == 20 ? descent->values[s] == 0 : gradient < slack);
        if (descent->values[s] > 0)
            CHECK(gradient > -slack);
    }
    for (uint32_t at = 0; at < PLACES; at++) {
        places[at] = at;
        norm += descent->mass[at];
    }
    CHECK(fabs(gradient_of(scene, descent, places, (size_t)PLACES)) < 0.1 * sqrt(norm));
}

/* Down a path of penalties: no value can move and lower the penalised error, for all cohorts and with
 * some held back. */
TEST(text_descent_has_no_way_down)
{
    system_scene scene;
    if (make_scene(&scene))
        for (size_t fold = 0; fold <= 3; fold += 3) {
            sc_text_descent descent;
            REQUIRE_OK(sc_text_descent_init(&descent, &scene.system, fold, 3, NULL));
            const double largest = sc_text_descent_largest(&descent);
            check_minimum(&scene, &descent, largest);
            for (double part = 1; part > 0.001; part /= 3) {
                REQUIRE_OK(sc_text_descent_fit(&descent, part * largest, NULL));
                check_minimum(&scene, &descent, part * largest);
            }
            CHECK(descent.values[0] > 0);
            sc_text_descent_clear(&descent);
        }
    clear_scene(&scene);
}

/* The error of what is held back, from the definition. */
TEST(text_descent_measures_what_it_did_not_see)
{
    system_scene scene;
    double room[PLACES];
    if (make_scene(&scene)) {
        sc_text_descent descent;
        REQUIRE_OK(sc_text_descent_init(&descent, &scene.system, 1, 4, NULL));
        REQUIRE_OK(
            sc_text_descent_fit(&descent, sc_text_descent_largest(&descent) / 50, NULL));
        double sum = 0;
        for (size_t c = 1; c < COHORTS; c += 4)
            for (size_t j = 0; j < BITS; j++) {
                double fitted = descent.others;
                for (size_t s = 0; s < COLUMNS; s++) {
                    const uint16_t *places =
                        scene.design.places + (c * COLUMNS + s) * HASHES;
                    if (places[0] == j || places[1] == j)
                        fitted += descent.values[s];
                }
                const size_t at = c * (BITS + 1) + j;
                const double off =
                    scene.system.target[at] - scene.system.share[c] * fitted;
                sum += scene.system.weight[at] * off * off;
            }
        CHECK_NEAR(sc_text_descent_error(&descent, room), sum / (3 * BITS), 1e-9);
        sc_text_descent_clear(&descent);
    }
    clear_scene(&scene);
}
