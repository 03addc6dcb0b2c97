#include "check.h"
#include "solids.h"
#include "solve/linear_program.h"

#include <math.h>
#include <stdint.h>

/* The proof of an optimum: the point is in the body, c is the sum of multipliers times rows, all at least 0, and each
 * of those rows is active. */
static void check_proof(const sc_half_spaces *spaces, const double *c,
                        const sc_linear_program *program)
{
    const size_t d = spaces->dimension;
    const double *x = sc_linear_program_point(program);
    const double *multipliers = sc_linear_program_multipliers(program);
    const size_t *active = sc_linear_program_active(program);
    double rest[SOLIDS_DIMENSIONS];
    for (size_t i = 0; i < spaces->count; i++)
        CHECK(sc_dot(spaces->a + i * d, x, d) <= spaces->b[i] + 1e-9);
    for (size_t j = 0; j < d; j++)
        rest[j] = c[j];
    for (size_t r = 0; r < d; r++) {
        const double *row = spaces->a + active[r] * d;
        CHECK(multipliers[r] >= -1e-9);
        CHECK(fabs(sc_dot(row, x, d) - spaces->b[active[r]]) <= 1e-9);
        sc_add_times(rest, -multipliers[r], row, d);
    }
    CHECK(sc_norm(rest, d) <= 1e-9);
}

static void check_random(size_t d, size_t rows, size_t functions, uint64_t seed)
{
    sc_half_spaces spaces;
    double c[SOLIDS_DIMENSIONS] = {0};
    uint64_t state = seed;
    sc_linear_end end;
    sc_linear_program *program = sc_linear_program_new(d, rows);
    REQUIRE(program != NULL);
    solids_random(d, rows, seed, &spaces);
    sc_linear_program_start(program, &spaces, c);
    for (size_t i = 0; i < functions; i++) {
        for (size_t j = 0; j < d; j++)
            c[j] = solids_normal(&state);
        if (CHECK_STATUS(sc_linear_program_solve(program, c, &end, NULL), SCRIM_OK) &&
            CHECK_INT(end, SC_LINEAR_OPTIMAL))
            check_proof(&spaces, c, program);
    }
    sc_linear_program_free(program);
    solids_clear(&spaces);
}

TEST(linear_program_proves_its_optimum)
{
    CLAIM("linear-program.optimal");
    static const size_t sizes[][2] = {{1, 2},  {2, 9},   {3, 20},
                                      {5, 40}, {10, 80}, {20, 160}};
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (uint64_t seed = 1; seed <= check_count(20, 1000) / 10; seed++)
            check_random(sizes[i][0], sizes[i][1], 20, seed);
}

/* Each face five times, and functions that many vertices attain: steps of length 0. */
TEST(linear_program_ends_at_degenerate_vertices)
{
    CLAIM("linear-program.optimal");
    enum { d = 6, rows = 5 * 2 * d + 2 * d * (d - 1) };
    static double a[rows * d], b[rows];
    size_t count = 0;
    double c[d] = {0};
    sc_linear_end end;
    for (size_t copy = 0; copy < 5; copy++)
        for (size_t j = 0; j < 2 * (size_t)d; j++, count++) {
            a[count * d + j / 2] = j % 2 == 0 ? 1 : -1;
            b[count] = 1;
        }
    for (size_t i = 0; i < d; i++) /* through the corners: x_i + x_j <= 2 */
        for (size_t j = 0; j < d; j++)
            if (i != j) {
                for (int sign = -1; sign <= 1; sign += 2, count++) {
                    a[count * d + i] = sqrt(0.5);
                    a[count * d + j] = sign * sqrt(0.5);
                    b[count] = 2 * sqrt(0.5);
                }
            }
    const sc_half_spaces spaces = {d, count, a, b};
    sc_linear_program *program = sc_linear_program_new(d, count);
    REQUIRE(program != NULL);
    sc_linear_program_start(program, &spaces, c);
    for (unsigned mask = 1; mask < 1 << d; mask++) {
        for (size_t j = 0; j < d; j++)
            c[j] = mask >> j & 1 ? 1 : 0;
        if (CHECK_STATUS(sc_linear_program_solve(program, c, &end, NULL), SCRIM_OK))
            check_proof(&spaces, c, program);
    }
    sc_linear_program_free(program);
}

TEST(linear_program_finds_open_directions)
{
    static const double a[] = {-1, 0, 0, -1, 0, 1}, b[] = {0, 0, 1};
    static const double inside[2] = {0.5, 0.5}, right[2] = {1, 0}, left[2] = {-1, 0};
    const sc_half_spaces strip = {2, 3, a, b}, line = {2, 1, a, b};
    sc_linear_end end;
    sc_linear_program *program = sc_linear_program_new(2, 3);
    REQUIRE(program != NULL);
    sc_linear_program_start(program, &strip, inside);
    CHECK_STATUS(sc_linear_program_solve(program, right, &end, NULL), SCRIM_OK);
    CHECK_INT(end, SC_LINEAR_UNBOUNDED);
    sc_linear_program_start(program, &strip, inside);
    CHECK_STATUS(sc_linear_program_solve(program, left, &end, NULL), SCRIM_OK);
    CHECK_INT(end, SC_LINEAR_OPTIMAL);
    sc_linear_program_start(program, &line, inside);
    CHECK_STATUS(sc_linear_program_solve(program, left, &end, NULL), SCRIM_OK);
    CHECK_INT(end, SC_LINEAR_UNBOUNDED);
    sc_linear_program_free(program);
}
