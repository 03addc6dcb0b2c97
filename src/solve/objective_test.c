#include "body_scene.h"
#include "check.h"
#include "faults.h"
#include "solids.h"
#include "solve/objective.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct scene {
    sc_body *body;
    sc_solid *solid;
} scene;

static bool scene_open(scene *s)
{
    *s = (scene){scene_square(), NULL};
    return s->body != NULL &&
           CHECK_STATUS(sc_solid_new(s->body, &s->solid, NULL), SCRIM_OK);
}

static void scene_close(scene *s)
{
    sc_solid_free(s->solid);
    sc_body_free(s->body);
}

static const struct {
    const char *text;
    double value; /* at x = 4, y = -1 */
    int degree;
} good[] = {
    {"3", 3, 1},
    {"x", 4, 1},
    {" x + 2*y - 1 ", 1, 1},
    {"-x", -4, 1},
    {"--x / 2", 2, 1},
    {"2 - -1e1*y", -8, 1},
    {"(x-3)^2 + (y-1)^2", 5, 2},
    {"x*x + y*y", 17, 2},
    {"max(x, y) - x", 0, 0},
    {"abs(y) + 3 * abs(x - 4.5)", 2.5, 0},
    {"norm(x - 1, y + 5)", 5, 0},
    {"exp(y + 1)", 1, 0},
    {"-log(x - 3)", 0, 0},
    {"-sqrt(x)", -2, 0},
    {"-min(x, y, 2*y)", 2, 0},
    {"\"x\"^4", 256, 0},
    {"exp((x-4)^2)", 1, 0},
    {"max(1, 2) * (x - max(3, 4))^2", 0, 2},
};

TEST(objective_has_its_value_and_gradient)
{
    CLAIM("objective.gradient");
    scene s;
    if (scene_open(&s))
        for (size_t i = 0; i < COUNT(good); i++) {
            sc_objective *objective = NULL;
            double v[2], near[2], gradient[2], other[2];
            if (!CHECK_STATUS(sc_objective_parse(s.body, good[i].text, &objective, NULL),
                              SCRIM_OK)) {
                CHECK_FAIL("%s", good[i].text);
                continue;
            }
            const sc_convex_function f = sc_objective_function(objective, s.solid);
            sc_solid_place(s.solid, (const double[]){4, -1}, v);
            CHECK(fabs(f.value(f.context, v, gradient) - good[i].value) < 1e-12);
            CHECK_INT(f.degree, good[i].degree);
            for (size_t j = 0; j < 2; j++) { /* off the corners of abs and max */
                sc_solid_place(s.solid, (const double[]){3.9, -1.2}, v);
                memcpy(near, v, sizeof near);
                (void)f.value(f.context, v, gradient);
                near[j] += 1e-6;
                const double up = f.value(f.context, near, other);
                near[j] -= 2e-6;
                const double slope = (up - f.value(f.context, near, other)) / 2e-6;
                CHECK(fabs(slope - gradient[j]) <= 1e-4 * (1 + fabs(slope)));
            }
            sc_objective_free(objective);
        }
    scene_close(&s);
}

TEST(objective_refuses_other_texts)
{
    CLAIM("objective.convex");
    static const struct {
        const char *text;
        scrim_status status;
    } bad[] = {
        {"", SCRIM_E_SYNTAX},
        {"x +", SCRIM_E_SYNTAX},
        {"x y", SCRIM_E_SYNTAX},
        {"(x", SCRIM_E_SYNTAX},
        {"x)", SCRIM_E_SYNTAX},
        {"abs(x, y)", SCRIM_E_SYNTAX},
        {"max(x", SCRIM_E_SYNTAX},
        {"1..2", SCRIM_E_SYNTAX},
        {"1e999999", SCRIM_E_SYNTAX},
        {"z", SCRIM_E_PARAM},
        {"\"x", SCRIM_E_PARAM},
        {"sin(x)", SCRIM_E_PARAM},
        {"x / y", SCRIM_E_PARAM},
        {"x / 0", SCRIM_E_PARAM},
        {"x^0.5", SCRIM_E_PARAM},
        {"x^y", SCRIM_E_PARAM},
        {"-abs(x)", SCRIM_E_PARAM},
        {"min(x, y)", SCRIM_E_PARAM},
        {"sqrt(x)", SCRIM_E_PARAM},
        {"log(x)", SCRIM_E_PARAM},
        {"x^3", SCRIM_E_PARAM},
        {"abs(x) * abs(y)", SCRIM_E_PARAM},
        {"exp(-exp(x))", SCRIM_E_PARAM},
        {"x*x*x", SCRIM_E_PARAM},
        {"norm(x^2)", SCRIM_E_PARAM},
        {"(x^2)^2", SCRIM_E_PARAM},
        {"max(x^2, -y^2)", SCRIM_E_PARAM},
    };
    scene s;
    if (scene_open(&s))
        for (size_t i = 0; i < COUNT(bad); i++) {
            sc_objective *objective = NULL;
            if (!CHECK_STATUS(sc_objective_parse(s.body, bad[i].text, &objective, NULL),
                              bad[i].status))
                CHECK_FAIL("%s", bad[i].text);
            sc_objective_free(objective);
        }
    static char deep[4200];
    sc_objective *objective = NULL;
    memset(deep, '(', 200);
    CHECK_STATUS(sc_objective_parse(s.body, deep, &objective, NULL), SCRIM_E_LIMIT);
    for (size_t i = 0; i < 4000; i++)
        deep[i] = i % 2 == 0 ? 'x' : '+';
    CHECK_STATUS(sc_objective_parse(s.body, deep, &objective, NULL), SCRIM_E_LIMIT);
    memset(deep, ' ', sizeof deep - 1);
    CHECK_STATUS(sc_objective_parse(s.body, deep, &objective, NULL), SCRIM_E_LIMIT);
    scene_close(&s);
}

/* Every accepted objective is convex: the middle of two points is not above the mean of the ends. */
TEST(objective_is_convex)
{
    CLAIM("objective.convex");
    scene s;
    uint64_t state = 3;
    if (scene_open(&s))
        for (size_t i = 0; i < COUNT(good); i++) {
            sc_objective *objective = NULL;
            REQUIRE_OK(sc_objective_parse(s.body, good[i].text, &objective, NULL));
            const sc_convex_function f = sc_objective_function(objective, s.solid);
            for (unsigned turn = 0; turn < 200; turn++) {
                double a[2], b[2], middle[2], gradient[2];
                for (size_t j = 0; j < 2; j++) {
                    a[j] = 0.5 * solids_uniform(&state) - 0.1;
                    b[j] = 0.5 * solids_uniform(&state) - 0.1;
                    middle[j] = (a[j] + b[j]) / 2;
                }
                const double ends =
                    (f.value(f.context, a, gradient) + f.value(f.context, b, gradient)) /
                    2;
                CHECK(!(f.value(f.context, middle, gradient) > ends + 1e-9 * fabs(ends)));
            }
            sc_objective_free(objective);
        }
    scene_close(&s);
}
