#include "synth/model/allocation.h"

#include <stdbool.h>

/* What is divided, and how. */
typedef struct shares {
    const double *weights;
    double total; /* 0: all cells alike */
    double rows;
    size_t count;
} shares;

static double weight_of(const shares *s, size_t i)
{
    if (!(s->total > 0))
        return 1;
    return s->weights[i] > 0 ? s->weights[i] : 0;
}

/* With the error of each addition carried along: the sum is good to its last places for any number of cells. */
static double sum_of(const double *weights, size_t count)
{
    double sum = 0, lost = 0;
    for (size_t i = 0; i < count; i++) {
        const double weight = weights[i] > 0 ? weights[i] : 0;
        const double next = sum + weight;
        lost += sum >= weight ? (sum - next) + weight : (weight - next) + sum;
        sum = next;
    }
    return sum + lost;
}

static double share_of(const shares *s, size_t i)
{
    const double total = s->total > 0 ? s->total : (double)s->count;
    return weight_of(s, i) / total * s->rows;
}

/* Gives what rounding has left over to the last cells that have a fraction and no point. */
static void give_rest(const shares *s, uint64_t rest, uint64_t *out)
{
    for (size_t i = s->count; i-- > 0 && rest > 0;) {
        const double share = share_of(s, i);
        if (share > (double)(uint64_t)share && out[i] == (uint64_t)share) {
            out[i]++;
            rest--;
        }
    }
}

void sc_allocate_rows(const double *weights, size_t count, uint64_t rows, double u,
                      uint64_t *out)
{
    const shares s = {weights, sum_of(weights, count), (double)rows, count};
    uint64_t rest = rows;
    for (size_t i = 0; i < count; i++) {
        const uint64_t whole = (uint64_t)share_of(&s, i);
        out[i] = whole < rest ? whole : rest;
        rest -= out[i];
    }
    double gap = u; /* to the next point */
    for (size_t i = 0; i < count && rest > 0; i++) {
        const double share = share_of(&s, i);
        const double fraction = share - (double)(uint64_t)share;
        const bool has_point = fraction > gap;
        gap += (has_point ? 1 : 0) - fraction;
        out[i] += has_point ? 1 : 0;
        rest -= has_point ? 1 : 0;
    }
    give_rest(&s, rest, out);
}
