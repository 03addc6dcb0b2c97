#include "experiment/value_stability.h"

#include <math.h>

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

int64_t sc_stability_radius(const sc_height_statistic *f, const sc_heights *x)
{
    const size_t v = sc_heights_value(f, x);
    int64_t radius = SC_STABLE_FOR_EVER;
    if (f->is_mode) {
        for (size_t i = 1; i <= x->bars; i++)
            if (i != v)
                radius = min(radius, x->at[v] - x->at[i] - (i < v ? 1 : 0));
        return radius;
    }
    if (v > 0)
        radius = x->at[v] - f->k;
    for (size_t i = v + 1; i <= x->bars; i++)
        radius = min(radius, f->k - 1 - x->at[i]);
    return radius;
}

/* From u down to w < u: whatever stands above w but u is brought below k, w up to k, and u to the
 * edge. */
static void jump_max(int64_t k, const sc_heights *x, int64_t *costs)
{
    int64_t above[SC_HEIGHTS_MAX + 1]; /* sum over i > w of max(0, x(i) - k + 1) */
    above[x->bars] = 0;
    for (size_t w = x->bars; w > 0; w--)
        above[w - 1] = above[w] + max(0, x->at[w] - k + 1);
    for (size_t u = 1; u <= x->bars; u++)
        for (size_t w = 0; w < u; w++) {
            const int64_t lift = w > 0 ? max(0, k - x->at[w]) : 0;
            const int64_t edge = min(distance(x->at[u], k), distance(x->at[u], k - 1));
            const int64_t cost = above[w] - max(0, x->at[u] - k + 1) + lift + edge;
            costs[u - w] = min(costs[u - w], cost);
        }
}

/* For the mode the cost at a height L is a sum of convex functions of L: |x(a) - L|, |x(b) - L|
 * (one of them perhaps a step aside) and max(0, key(i) + 1 - L) over the other bars, where key(i)
 * is x(i) before a pivot and x(i) - 1 behind it. From the higher of the two on it rises by 2 a
 * step, less one for every other bar that is still cut; below, it does not rise at all. So the
 * least is where no more than two of the others are cut: one above their third key, or at the higher
 * of the two. The first three keys but the pivot's will do, which a scan a pivot finds: where the
 * other of the two is among them, it is itself as high as the third of the rest. */
#define KEYS 3
#define NO_KEY INT64_MIN

typedef struct key_list {
    int64_t key[KEYS]; /* the highest, in descending order */
    size_t bar[KEYS];
} key_list;

static void find_keys(const sc_heights *x, size_t pivot, key_list *out)
{
    for (size_t j = 0; j < KEYS; j++) {
        out->key[j] = NO_KEY;
        out->bar[j] = 0;
    }
    for (size_t i = 1; i <= x->bars; i++) {
        const int64_t key = x->at[i] - (i > pivot ? 1 : 0);
        size_t j = KEYS;
        if (i == pivot)
            continue;
        for (; j > 0 && key > out->key[j - 1]; j--)
            if (j < KEYS) {
                out->key[j] = out->key[j - 1];
                out->bar[j] = out->bar[j - 1];
            }
        if (j < KEYS) {
            out->key[j] = key;
            out->bar[j] = i;
        }
    }
}

/* The least over L >= floor of |first - L| + |second - L| and what the keys cost, without the bar
 * other. */
static int64_t least_cost(const key_list *keys, size_t other, int64_t first,
                          int64_t second, int64_t floor)
{
    int64_t top[KEYS] = {NO_KEY, NO_KEY, NO_KEY}, cost = 0;
    for (size_t j = 0, n = 0; j < KEYS; j++)
        if (keys->bar[j] != other)
            top[n++] = keys->key[j];
    int64_t level = max(max(first, second), floor);
    if (top[2] != NO_KEY)
        level = max(level, top[2] + 1);
    for (size_t n = 0; n < 2; n++)
        if (top[n] != NO_KEY)
            cost += max(0, top[n] + 1 - level);
    return cost + distance(first, level) + distance(second, level);
}

static void jump_mode(const sc_heights *x, int64_t *costs)
{
    for (size_t pivot = 1; pivot <= x->bars; pivot++) {
        key_list keys;
        find_keys(x, pivot, &keys);
        /* The pivot is the later bar, b, and leads by one. */
        for (size_t a = 1; a < pivot; a++)
            costs[pivot - a] = min(costs[pivot - a],
                                   least_cost(&keys, a, x->at[a] + 1, x->at[pivot], 1));
        /* The pivot is the earlier bar, a, and b is level with it. */
        for (size_t b = pivot + 1; b <= x->bars; b++)
            costs[b - pivot] =
                min(costs[b - pivot],
                    least_cost(&keys, b, x->at[pivot], x->at[b], pivot == 1 ? 0 : 1));
    }
}

void sc_jump_costs(const sc_height_statistic *f, const sc_heights *x,
                   int64_t costs[SC_HEIGHTS_MAX + 1])
{
    for (size_t d = 0; d <= SC_HEIGHTS_MAX; d++)
        costs[d] = SC_STABLE_FOR_EVER;
    if (f->is_mode)
        jump_mode(x, costs);
    else
        jump_max(f->k, x, costs);
}

double sc_smooth_sensitivity(const int64_t costs[SC_HEIGHTS_MAX + 1], size_t bars,
                             double decay)
{
    double most = 0;
    for (size_t d = 1; d <= bars; d++)
        if (costs[d] != SC_STABLE_FOR_EVER)
            most = fmax(most, (double)d * exp(-decay * (double)costs[d]));
    return most;
}
