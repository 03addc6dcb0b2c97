#include "check.h"
#include "cli/vault/dataset_find.h"
#include "plans.h"

TEST(dataset_is_found_by_its_name)
{
    plan_scene scene;
    scrim_dataset dataset;
    scrim_error error;
    if (!plan_begin(&scene, ""))
        return;
    CHECK_STATUS(sc_dataset_find(scene.vault, "adult", &dataset, &error), SCRIM_OK);
    CHECK_STR(dataset.name, "adult");
    CHECK_STATUS(sc_dataset_find(scene.vault, "adlut", &dataset, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown dataset 'adlut'; did you mean 'adult'?");
    CHECK_STATUS(sc_dataset_find(scene.vault, "people", &dataset, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown dataset 'people'; 'scrim dataset list' lists them");
    plan_end(&scene);
}
