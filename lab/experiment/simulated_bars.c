#include "lab/experiment/simulated_bars.h"

#include <math.h>
#include <string.h>

int64_t lab_bars_total(const lab_bars *x)
{
    int64_t total = 0;
    for (size_t i = 1; i <= x->count; i++)
        total += x->at[i];
    return total;
}

int64_t lab_bars_highest(const lab_bars *x)
{
    int64_t most = 0;
    for (size_t i = 1; i <= x->count; i++)
        most = x->at[i] > most ? x->at[i] : most;
    return most;
}

size_t lab_bars_value(const lab_bar_statistic *f, const lab_bars *x)
{
    size_t best = 1;
    if (!f->is_mode) {
        size_t v = x->count;
        while (v > 0 && x->at[v] < f->k)
            v--;
        return v;
    }
    for (size_t i = 2; i <= x->count; i++)
        if (x->at[i] > x->at[best])
            best = i;
    return best;
}

size_t lab_bars_answer(const lab_bar_statistic *f, const lab_bars *released)
{
    const size_t value = lab_bars_value(f, released);
    return value > 0 && released->at[value] > 0 ? value : 0;
}

/* The six experiments. */

#define PI 3.14159265358979323846

#define SIXTH "130 x 120, 200 x 5, 185 x 85, 190 x 10, 130 x 80 (height x width)"

static const lab_experiment_kind kinds[] = {
    {1,
     "max",
     {false, 1},
     100,
     "10000 Cauchy draws about 45, bars 91 to 100 empty",
     true},
    {2, "max", {false, 1}, 100, "50 bars of 1000, 50 bars of 1", false},
    {3, "max_500", {false, 500}, 100, "10000 Cauchy draws about 45", true},
    {4, "max_500", {false, 500}, 100, "50 bars of 540, 50 bars of 490", false},
    {5, "mode", {true, 1}, 30, "30 Poisson bars about 250", true},
    {6, "mode", {true, 1}, 300, SIXTH, false},
};
static const lab_experiment_kind noisy_sixth = {
    6, "mode", {true, 1}, 300, "Poisson bars about " SIXTH, true};

const lab_experiment_kind *lab_experiment_kind_of(unsigned number, bool is_noisy)
{
    if (number < 1 || number > LAB_EXPERIMENTS)
        return NULL;
    return number == 6 && is_noisy ? &noisy_sixth : &kinds[number - 1];
}

/* A Poisson number by inversion, for means of at most 500. */
static int64_t draw_poisson(lab_random *random, double mean)
{
    const double u = lab_random_real(random);
    /* Beyond ten deviations the masses no longer change the sum. */
    const int64_t end = (int64_t)(mean + 10 * sqrt(mean)) + 20;
    double mass = exp(-mean), sum = mass;
    int64_t k = 0;
    while (u > sum && k < end) {
        k++;
        mass *= mean / (double)k;
        sum += mass;
    }
    return k;
}

/* 10000 draws of 45 + 4 tan(pi (u - 1/2)), rounded half up; draws outside of the bars are dropped. */
static void make_cauchy(size_t last, lab_random *random, lab_bars *out)
{
    for (int i = 0; i < 10000; i++) {
        const double place =
            floor(45 + 4 * tan(PI * (lab_random_real(random) - 0.5)) + 0.5);
        if (place >= 1 && place <= (double)last)
            out->at[(size_t)place]++;
    }
}

/* Adds `width` bars of one height behind the others. */
static void add_block(lab_bars *out, size_t width, int64_t height)
{
    for (size_t i = 0; i < width; i++)
        out->at[++out->count] = height;
}

void lab_experiment_make(const lab_experiment_kind *kind, lab_random *random,
                         lab_bars *out)
{
    memset(out, 0, sizeof *out);
    switch (kind->number) {
    case 1:
        make_cauchy(90, random, out);
        break;
    case 2:
        add_block(out, 50, 1000);
        add_block(out, 50, 1);
        break;
    case 3:
        make_cauchy(100, random, out);
        break;
    case 4:
        add_block(out, 50, 540);
        add_block(out, 50, 490);
        break;
    case 5:
        add_block(out, 30, 250);
        break;
    default:
        add_block(out, 120, 130);
        add_block(out, 5, 200);
        add_block(out, 85, 185);
        add_block(out, 10, 190);
        add_block(out, 80, 130);
    }
    out->count = kind->bars;
    if (kind->is_drawn && kind->number >= 5)
        for (size_t i = 1; i <= out->count; i++)
            out->at[i] = draw_poisson(random, (double)out->at[i]);
}

/* Flexible errors. */

int64_t lab_flexible_allowance(const lab_bars *x)
{
    return 5 * lab_bars_total(x) / 1000;
}

/* v is the value if all higher bars are brought below k. */
static void reach_max(int64_t k, const lab_bars *x, int64_t allowance, bool *reach)
{
    int64_t cost = 0;
    for (size_t v = x->count; v > 0; v--) {
        const int64_t above = x->at[v] - k + 1;
        reach[v] = above > 0 && cost <= allowance;
        cost += above > 0 ? above : 0;
    }
    reach[0] = cost <= allowance;
}

/* v is the mode if each bar before it is brought below x(v), and each bar after it to at most x(v). */
static void reach_mode(const lab_bars *x, int64_t allowance, bool *reach)
{
    for (size_t v = 1; v <= x->count; v++) {
        int64_t cost = 0;
        for (size_t i = 1; i <= x->count; i++) {
            const int64_t above = x->at[i] - x->at[v] + (i < v ? 1 : 0);
            cost += i != v && above > 0 ? above : 0;
        }
        reach[v] = cost <= allowance && (v == 1 || x->at[v] >= 1);
    }
}

void lab_flexible_reach(const lab_bar_statistic *f, const lab_bars *x, int64_t allowance,
                        bool reach[LAB_BARS_MAX + 1])
{
    memset(reach, 0, (LAB_BARS_MAX + 1) * sizeof *reach);
    if (f->is_mode)
        reach_mode(x, allowance, reach);
    else
        reach_max(f->k, x, allowance, reach);
}

void lab_flexible_errors(const lab_bar_statistic *f, const lab_bars *x, int64_t allowance,
                         uint32_t errors[LAB_BARS_MAX + 1])
{
    bool reach[LAB_BARS_MAX + 1];
    uint32_t far =
        LAB_BARS_MAX + 1; /* larger than any distance; at least one value is in reach */
    lab_flexible_reach(f, x, allowance, reach);
    for (size_t y = 0; y <= x->count; y++) {
        far = reach[y] ? 0 : far + 1;
        errors[y] = far;
    }
    far = LAB_BARS_MAX + 1;
    for (size_t y = x->count + 1; y-- > 0;) {
        far = reach[y] ? 0 : far + 1;
        errors[y] = far < errors[y] ? far : errors[y];
    }
}

/* Stability. */

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

int64_t lab_stability_radius(const lab_bar_statistic *f, const lab_bars *x)
{
    const size_t v = lab_bars_value(f, x);
    int64_t radius = LAB_ALWAYS_STABLE;
    if (f->is_mode) {
        for (size_t i = 1; i <= x->count; i++)
            if (i != v)
                radius = min(radius, x->at[v] - x->at[i] - (i < v ? 1 : 0));
        return radius;
    }
    if (v > 0)
        radius = x->at[v] - f->k;
    for (size_t i = v + 1; i <= x->count; i++)
        radius = min(radius, f->k - 1 - x->at[i]);
    return radius;
}

/* A jump from u down to w < u: bring all bars above w, except u, below k; w up to k; and u to k or
 * k - 1, so that one element decides. */
static void jump_max(int64_t k, const lab_bars *x, int64_t *costs)
{
    int64_t above[LAB_BARS_MAX + 1]; /* sum over i > w of max(0, x(i) - k + 1) */
    above[x->count] = 0;
    for (size_t w = x->count; w > 0; w--)
        above[w - 1] = above[w] + max(0, x->at[w] - k + 1);
    for (size_t u = 1; u <= x->count; u++)
        for (size_t w = 0; w < u; w++) {
            const int64_t lift = w > 0 ? max(0, k - x->at[w]) : 0;
            const int64_t edge = min(distance(x->at[u], k), distance(x->at[u], k - 1));
            const int64_t cost = above[w] - max(0, x->at[u] - k + 1) + lift + edge;
            costs[u - w] = min(costs[u - w], cost);
        }
}

/* For the mode, bars a and b are brought to one height L and all others below it. The cost is a sum of
 * convex functions of L: |x(a) - L|, |x(b) - L| (one of them shifted by 1) and max(0, key(i) + 1 - L)
 * for each other bar, with key(i) = x(i) before the pivot and x(i) - 1 behind it. Above the higher of
 * a and b the cost rises by 2 per step, minus 1 for each other bar that is still cut; below it, the
 * cost does not rise. So the minimum is where at most two others are cut: at one above the third
 * largest key, or at the higher of a and b. The three largest keys without the pivot's are enough: if
 * the other of a and b is among them, it is itself as high as the third of the rest. */
#define KEYS 3
#define NO_KEY INT64_MIN

typedef struct key_list {
    int64_t key[KEYS]; /* the largest ones, descending */
    size_t bar[KEYS];
} key_list;

static void find_keys(const lab_bars *x, size_t pivot, key_list *out)
{
    for (size_t j = 0; j < KEYS; j++) {
        out->key[j] = NO_KEY;
        out->bar[j] = 0;
    }
    for (size_t i = 1; i <= x->count; i++) {
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

/* The minimum over L >= floor of |first - L| + |second - L| plus the cost of the keys, except that of
 * the bar `other`. */
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

static void jump_mode(const lab_bars *x, int64_t *costs)
{
    for (size_t pivot = 1; pivot <= x->count; pivot++) {
        key_list keys;
        find_keys(x, pivot, &keys);
        /* The pivot is the later bar b, which must be higher by one. */
        for (size_t a = 1; a < pivot; a++)
            costs[pivot - a] = min(costs[pivot - a],
                                   least_cost(&keys, a, x->at[a] + 1, x->at[pivot], 1));
        /* The pivot is the earlier bar a, which wins a tie. */
        for (size_t b = pivot + 1; b <= x->count; b++)
            costs[b - pivot] =
                min(costs[b - pivot],
                    least_cost(&keys, b, x->at[pivot], x->at[b], pivot == 1 ? 0 : 1));
    }
}

void lab_jump_costs(const lab_bar_statistic *f, const lab_bars *x,
                    int64_t costs[LAB_BARS_MAX + 1])
{
    for (size_t d = 0; d <= LAB_BARS_MAX; d++)
        costs[d] = LAB_ALWAYS_STABLE;
    if (f->is_mode)
        jump_mode(x, costs);
    else
        jump_max(f->k, x, costs);
}

double lab_smooth_sensitivity(const int64_t costs[LAB_BARS_MAX + 1], size_t bars,
                              double decay)
{
    double most = 0;
    for (size_t d = 1; d <= bars; d++)
        if (costs[d] != LAB_ALWAYS_STABLE)
            most = fmax(most, (double)d * exp(-decay * (double)costs[d]));
    return most;
}

void lab_scene_init(lab_scene *out, const lab_bar_statistic *f, const lab_bars *x)
{
    out->f = f;
    out->x = x;
    out->value = lab_bars_value(f, x);
    out->shown_count = 0;
    for (size_t i = 1; i <= x->count; i++)
        if (x->at[i] > 0)
            out->shown[out->shown_count++] = i;
    out->radius = lab_stability_radius(f, x);
    lab_jump_costs(f, x, out->jump_costs);
    out->allowance = lab_flexible_allowance(x);
    lab_flexible_errors(f, x, out->allowance, out->flexible_errors);
}

uint32_t lab_scene_raw_error(const lab_scene *scene, size_t answer)
{
    return (uint32_t)(answer < scene->value ? scene->value - answer
                                            : answer - scene->value);
}
