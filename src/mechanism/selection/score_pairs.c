#include "mechanism/selection/score_pairs.h"

#define HEIGHTS 7 /* -3 .. 3 */

/* How many candidates the audit looks at: candidates=N, or the usual number, or one more than
 * are chosen. */
static size_t score_pairs_candidates(const scrim_measurement *m)
{
    const size_t rounds = sc_scores_of(m)->rounds;
    const int64_t usual = SC_SCORE_PAIRS_CANDIDATES;
    return (size_t)sc_measurement_integer(
        m, "candidates", (int64_t)rounds < usual ? usual : (int64_t)rounds + 1);
}

/* The parts that move together: the first, the last, and those between. */
static size_t parts(const scrim_measurement *m)
{
    const size_t candidates = score_pairs_candidates(m);
    return candidates < 3 ? candidates : 3;
}

size_t sc_score_pairs_count(const scrim_measurement *m)
{
    const size_t moves = sc_scores_of(m)->is_monotone ? 2 : 3;
    return sc_size_power(HEIGHTS, parts(m) - 1) * sc_size_power(moves, parts(m));
}

void sc_score_pairs_at(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const sc_scores *s = sc_scores_of(m);
    const sc_grid *grid = &m->domain.grid;
    const size_t candidates = score_pairs_candidates(m);
    const size_t moves = s->is_monotone ? 2 : 3, lowest = s->is_monotone ? 0 : 1;
    int height[3] = {0}, move[3] = {0}; /* of the first, the last, the others */
    for (size_t i = 0; i < parts(m); i++) {
        move[i] = (int)(index % moves) - (int)lowest;
        index /= moves;
    }
    for (size_t i = 0; i + 1 < parts(m); i++) {
        height[i] = (int)(index % HEIGHTS) - HEIGHTS / 2;
        index /= HEIGHTS;
    }
    const sc_int128 middle = ((sc_int128)grid->low + grid->high) / 2, d = s->steps;
    out->x_count = out->y_count = candidates;
    for (size_t i = 0; i < candidates; i++) {
        const size_t part = i == 0 ? 0 : i + 1 == candidates ? 1 : 2;
        const sc_int128 x = middle + height[part] * d, y = x + move[part] * d;
        out->x[i] = sc_grid_clamp(grid, x);
        out->y[i] = sc_grid_clamp(grid, y);
    }
}
