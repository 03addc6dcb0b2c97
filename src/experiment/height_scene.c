#include "experiment/height_scene.h"

#include "experiment/flexible_error.h"
#include "experiment/value_stability.h"

void sc_scene_init(sc_scene *out, const sc_height_statistic *f, const sc_heights *x)
{
    out->f = f;
    out->x = x;
    out->value = sc_heights_value(f, x);
    out->shown_count = 0;
    for (size_t i = 1; i <= x->bars; i++)
        if (x->at[i] > 0)
            out->shown[out->shown_count++] = i;
    out->radius = sc_stability_radius(f, x);
    sc_jump_costs(f, x, out->jump_costs);
    out->allowance = sc_flexible_allowance(x);
    sc_flexible_errors(f, x, out->allowance, out->flexible_errors);
}

uint32_t sc_scene_raw_error(const sc_scene *scene, size_t answer)
{
    return (uint32_t)(answer < scene->value ? scene->value - answer
                                            : answer - scene->value);
}
