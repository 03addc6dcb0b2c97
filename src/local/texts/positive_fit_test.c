#include "check.h"
#include "local/texts/positive_fit.h"
#include "text_scene.h"

#include <math.h>
#include <string.h>

#define UNKNOWNS 12
#define ROWS 30

typedef struct fit_case {
    double gram[UNKNOWNS * UNKNOWNS], right[UNKNOWNS];
    double values[UNKNOWNS], inverse[UNKNOWNS * UNKNOWNS];
} fit_case;

/* The normal equations of a random matrix, whose last column is the sum of the first two where it is
 * asked for. */
static void make_case(fit_case *c, bool is_dependent, uint64_t *seed)
{
    double rows[ROWS][UNKNOWNS + 1];
    memset(c, 0, sizeof *c);
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t i = 0; i <= UNKNOWNS; i++)
            rows[r][i] = scene_uniform(seed) - (i == UNKNOWNS ? 0.2 : 0.5);
        if (is_dependent)
            rows[r][UNKNOWNS - 1] = rows[r][0] + rows[r][1];
        for (size_t i = 0; i < UNKNOWNS; i++) {
            c->right[i] += rows[r][i] * rows[r][UNKNOWNS];
            for (size_t j = 0; j < UNKNOWNS; j++)
                c->gram[i * UNKNOWNS + j] += rows[r][i] * rows[r][j];
        }
    }
    for (size_t i = 0; i < UNKNOWNS; i++)
        c->values[i] = scene_uniform(seed) < 0.5 ? 0 : scene_uniform(seed);
}

static double gradient_at(const fit_case *c, size_t i)
{
    double sum = c->right[i];
    for (size_t j = 0; j < UNKNOWNS; j++)
        sum -= c->gram[i * UNKNOWNS + j] * c->values[j];
    return sum;
}

TEST(positive_fit_has_no_way_down)
{
    CLAIM("positive-fit.optimal");
    uint64_t seed = check_seed();
    size_t positive = 0, cases = 0;
    for (; cases < 200; cases++) {
        fit_case c;
        make_case(&c, cases % 4 == 0, &seed);
        REQUIRE_OK(sc_positive_fit(c.gram, c.right, UNKNOWNS, c.values, c.inverse, NULL));
        for (size_t i = 0; i < UNKNOWNS; i++) {
            positive += c.values[i] > 0;
            CHECK(c.values[i] >= 0);
            CHECK(c.values[i] > 0 ? fabs(gradient_at(&c, i)) < 1e-9
                                  : gradient_at(&c, i) < 1e-9);
        }
    }
    CHECK(positive > 2 * cases && positive < (UNKNOWNS - 2) * cases);
}

/* The inverse times the matrix is the identity on the positive unknowns. */
TEST(positive_fit_inverts_what_is_positive)
{
    uint64_t seed = check_seed();
    fit_case c;
    make_case(&c, false, &seed);
    REQUIRE_OK(sc_positive_fit(c.gram, c.right, UNKNOWNS, c.values, c.inverse, NULL));
    for (size_t i = 0; i < UNKNOWNS; i++)
        for (size_t j = 0; j < UNKNOWNS; j++) {
            double sum = 0;
            for (size_t l = 0; l < UNKNOWNS; l++)
                sum += c.inverse[i * UNKNOWNS + l] * c.gram[l * UNKNOWNS + j];
            if (c.values[i] > 0 && c.values[j] > 0)
                CHECK(fabs(sum - (i == j)) < 1e-10);
            else if (!(c.values[i] > 0))
                CHECK(c.inverse[i * UNKNOWNS + j] == 0);
        }
}

TEST(cholesky_finds_the_row_that_depends)
{
    double matrix[] = {4, 0, 0, 2, 5, 0, 6, 7, 13};
    CHECK_INT(sc_cholesky(matrix, 3), 2);
    double whole[] = {4, 0, 0, 2, 5, 0, 6, 7, 14};
    CHECK_INT(sc_cholesky(whole, 3), 3);
    CHECK_NEAR(whole[8], 1, 1e-12);
}
