/* Whatever text is taken as a function has a value, and none makes it run without end. */
#include "body_scene.h"
#include "corpus.h"
#include "solve/objective.h"

#include <string.h>

FUZZ(objective)
{
    char text[SC_OBJECTIVE_BYTES + 1];
    const size_t length = count < sizeof text - 1 ? count : sizeof text - 1;
    sc_body *body = scene_square();
    sc_solid *solid = NULL;
    sc_objective *objective = NULL;
    memcpy(text, bytes, length);
    text[length] = '\0';
    if (body != NULL && CHECK_STATUS(sc_solid_new(body, &solid, NULL), SCRIM_OK) &&
        sc_objective_parse(body, text, &objective, NULL) == SCRIM_OK) {
        double gradient[2];
        const sc_convex_function f = sc_objective_function(objective, solid);
        (void)f.value(f.context, solid->centre, gradient);
        CHECK(f.degree >= 0 && f.degree <= 2);
    }
    sc_objective_free(objective);
    sc_solid_free(solid);
    sc_body_free(body);
}
