#include "base/memory.h"
#include "check.h"
#include "faults.h"
#include "local/texts/local_joint.h"
#include "local_device.h"
#include "scrim/local_joint.h"
#include "text_scene.h"

#include <math.h>
#include <string.h>

#define DEVICES 4000
#define ROWS 3
#define COLUMNS 2
#define CELLS (ROWS * COLUMNS)

/* How many hold each pair of values: far from independent. */
static const uint64_t held[CELLS] = {1500, 300, 200, 1000, 600, 400};

typedef struct joint_scene {
    scrim_local_config configs[2];
    scrim_local_variable variables[2];
    uint8_t reports[DEVICES * 16];
    double counts[CELLS], errors[CELLS];
    unsigned passes;
} joint_scene;

static const uint8_t texts[] = {'a', 'b', 'c'};

static void make_scene(joint_scene *scene, const char *first, const char *second)
{
    const char *const words[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        scene->configs[i] = device_config(words[i]);
        scene->variables[i] = (scrim_local_variable){
            &scene->configs[i], scene->configs[i].hashes > 0 ? texts : NULL,
            i == 0 ? ROWS : COLUMNS};
    }
}

static size_t send(const scrim_local_config *config, uint64_t value,
                   const scrim_local_source *source, uint8_t *out)
{
    CHECK_INT(config->text > 0
                  ? scrim_local_encode_text(config, &texts[value], source, out)
                  : scrim_local_encode(config, value, source, out),
              SCRIM_LOCAL_OK);
    return scrim_local_report_bytes(config);
}

static bool collect(joint_scene *scene, uint64_t *seed)
{
    const scrim_local_source source = device_seeded(seed);
    uint8_t *at = scene->reports;
    for (size_t c = 0; c < (size_t)CELLS; c++)
        for (uint64_t i = 0; i < held[c]; i++) {
            at += send(&scene->configs[0], c / COLUMNS, &source, at);
            at += send(&scene->configs[1], c % COLUMNS, &source, at);
        }
    return CHECK(scrim_local_joint_decode(scene->variables, scene->reports, DEVICES,
                                          scene->counts, scene->errors, &scene->passes,
                                          NULL) == SCRIM_OK);
}

static void check_cover(const char *first, const char *second, uint64_t runs)
{
    joint_scene scene;
    uint64_t seed = check_seed(), covered = 0;
    double sum = 0;
    make_scene(&scene, first, second);
    for (uint64_t run = 0; run < runs && collect(&scene, &seed); run++)
        for (size_t c = 0; c < (size_t)CELLS; c++) {
            const double z = (scene.counts[c] - (double)held[c]) / scene.errors[c];
            covered += fabs(z) < 1.959963984540054;
            sum += z;
        }
    const double n = (double)(runs * (size_t)CELLS), share = (double)covered / n;
    if (!(fabs(share - 0.95) < 0.02 + 4 * sqrt(0.05 * 0.95 / n)))
        CHECK_FAIL("%s and %s: %g of %g covered", first, second, share, n);
    CHECK(fabs(sum / n) < 0.1 + 4 / sqrt(n));
}

/* Each kind of report with another. */
SLOW_TEST(local_joint_intervals_cover)
{
    CLAIM("local-joint.cover");
    const uint64_t runs = check_count_whole(20, 500);
    check_cover("randomised-response values=3 a=9 b=1",
                "randomised-response values=2 a=5 b=1", runs);
    check_cover("optimised-unary values=3 a=3865470567 b=429496729",
                "symmetric-unary values=2 a=3 b=1", runs);
    check_cover("rappor values=0 text=1 bits=16 hashes=2 cohorts=4 f=429496729 "
                "p=429496729 q=3865470566 epoch=1",
                "subset-selection values=2 a=5 b=1 chosen=1", runs);
    check_cover("rappor values=3 text=0 bits=3 hashes=0 cohorts=1 f=429496729 p=0 q=0 "
                "epoch=0",
                "rappor values=2 text=0 bits=1 hashes=0 cohorts=1 f=429496729 "
                "p=429496729 q=3865470566 epoch=1",
                runs);
}

/* No cell can gain at the result. */
TEST(joint_law_has_no_way_up)
{
    CLAIM("joint-law.peak");
    enum { PAIRS = 40 };
    uint64_t seed = check_seed(), weights[PAIRS];
    double u[PAIRS * ROWS], v[PAIRS * COLUMNS], law[CELLS], errors[CELLS], total = 0;
    unsigned passes = 0;
    sc_joint_pairs pairs = {ROWS, COLUMNS, PAIRS, u, v, weights, 0};
    for (size_t i = 0; i < (size_t)PAIRS * ROWS; i++)
        u[i] = 1 + 5 * scene_uniform(&seed);
    for (size_t i = 0; i < (size_t)PAIRS * COLUMNS; i++)
        v[i] = 1 + 5 * scene_uniform(&seed);
    for (size_t i = 0; i < PAIRS; i++) {
        weights[i] = 1 + i % 5;
        pairs.devices += (double)weights[i];
    }
    REQUIRE_OK(sc_joint_law_fit(&pairs, law, &passes, NULL));
    REQUIRE_OK(sc_joint_law_errors(&pairs, law, errors, NULL));
    for (size_t c = 0; c < (size_t)CELLS; c++) {
        double gradient = 0;
        for (size_t i = 0; i < PAIRS; i++) {
            double all = 0;
            for (size_t d = 0; d < (size_t)CELLS; d++)
                all += law[d] * u[i * ROWS + d / COLUMNS] * v[i * COLUMNS + d % COLUMNS];
            gradient += (double)weights[i] * u[i * ROWS + c / COLUMNS] *
                        v[i * COLUMNS + c % COLUMNS] / all;
        }
        total += law[c];
        CHECK(gradient < pairs.devices * 1.02);
        CHECK(law[c] < 0.01 || gradient > pairs.devices * 0.98);
    }
    CHECK_NEAR(total, 1, 1e-9);
    CHECK(passes > 1);
}

TEST(local_joint_refuses)
{
    joint_scene scene;
    make_scene(&scene, "randomised-response values=3 a=9 b=1",
               "randomised-response values=2 a=5 b=1");
    CHECK_STATUS(scrim_local_joint_decode(scene.variables, scene.reports, 0, scene.counts,
                                          scene.errors, &scene.passes, NULL),
                 SCRIM_E_STATE);
    scene.variables[0].values = 4;
    CHECK_STATUS(scrim_local_joint_decode(scene.variables, scene.reports, 1, scene.counts,
                                          scene.errors, &scene.passes, NULL),
                 SCRIM_E_PARAM);
    scene.configs[0] = device_config("hadamard values=3 a=9 b=1 blocks=1 order=4");
    CHECK_STATUS(scrim_local_joint_decode(scene.variables, scene.reports, 1, scene.counts,
                                          scene.errors, &scene.passes, NULL),
                 SCRIM_E_PARAM);
    scene.configs[0] = device_config("randomised-response values=600 a=9 b=1");
    scene.variables[0].values = 600;
    CHECK_STATUS(scrim_local_joint_decode(scene.variables, scene.reports, 1, scene.counts,
                                          scene.errors, &scene.passes, NULL),
                 SCRIM_E_LIMIT);
}

TEST(local_joint_survives_without_memory)
{
    joint_scene scene;
    uint64_t seed = 3;
    make_scene(&scene,
               "rappor values=0 text=1 bits=16 hashes=2 cohorts=4 f=429496729 "
               "p=429496729 q=3865470566 epoch=1",
               "randomised-response values=2 a=5 b=1");
    REQUIRE(collect(&scene, &seed));
    FAULT_LOOP(fault)
    {
        const scrim_status status =
            scrim_local_joint_decode(scene.variables, scene.reports, 300, scene.counts,
                                     scene.errors, &scene.passes, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
    }
}
