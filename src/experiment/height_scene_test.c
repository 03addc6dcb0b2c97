#include "check.h"
#include "experiment/flexible_error.h"
#include "experiment/height_scene.h"
#include "experiment/value_stability.h"

TEST(scene_knows_its_data)
{
    const sc_height_statistic max = {false, 1};
    sc_heights x = {.bars = 5, .at = {0, 900, 0, 200, 4, 0}};
    sc_scene scene;
    sc_scene_init(&scene, &max, &x);
    CHECK_INT(scene.value, 4);
    CHECK_INT(scene.shown_count, 3);
    CHECK_INT(scene.shown[0], 1);
    CHECK_INT(scene.shown[1], 3);
    CHECK_INT(scene.shown[2], 4);
    CHECK_INT(scene.allowance, 5);
    CHECK_INT(scene.radius, sc_stability_radius(&max, &x));
    CHECK_INT(scene.radius, 0);
    CHECK_INT(scene.jump_costs[1], 0);
    CHECK_INT(sc_scene_raw_error(&scene, 5), 1);
    CHECK_INT(sc_scene_raw_error(&scene, 1), 3);
    CHECK_INT(scene.flexible_errors[5], 1);
    CHECK_INT(scene.flexible_errors[3], 0); /* four elements may go */
    CHECK_INT(scene.flexible_errors[1], 2);
}
