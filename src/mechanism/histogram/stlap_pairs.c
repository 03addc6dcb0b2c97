#include "mechanism/histogram/stlap_pairs.h"

/* All laws of one bar have so many outcomes together, about; and at least so many sizes are looked
 * at. */
#define OUTCOMES 32768
#define SIZES_MIN 12
#define SIZES_MAX 512
#define SIZE_MAX_ONE 16384
/* The same for two bars. */
#define SIZE_MAX_TWO 40
#define SIZES_TWO 6
/* Outcomes of the pair that attains both ends, at most. */
#define OUTCOMES_BOTH 65536

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* How the pairs are counted. */
typedef struct plan {
    uint64_t group;
    uint64_t far;       /* sizes of one bar are from 0 to this */
    uint64_t sizes;     /* so many of them */
    uint64_t far_two;   /* of two bars */
    uint64_t sizes_two; /* of each: all combinations */
    bool is_replace;
    bool has_both; /* and the pair below */
    uint64_t low;  /* of it */
} plan;

static plan plan_of(sc_stlap_sizes s)
{
    plan p = {.group = s.group, .is_replace = s.is_replace};
    const uint64_t all = 2 * s.q + 2;
    p.far = least(all, SIZE_MAX_ONE);
    const uint64_t most = OUTCOMES / (least(s.q, p.far) + 1);
    p.sizes = most < SIZES_MIN ? SIZES_MIN : least(most, SIZES_MAX);
    p.sizes = least(p.sizes, p.far + 1);
    p.far_two = least(all, SIZE_MAX_TWO);
    p.sizes_two = least(SIZES_TWO, p.far_two + 1);
    p.low = s.q + 1 - p.group;
    p.has_both =
        p.is_replace && (s.q + 2) * (p.group + 1) <= OUTCOMES_BOTH && p.group <= s.q;
    if (p.is_replace)
        p.sizes = 0;
    else if (p.group == 1)
        p.sizes_two = 0;
    return p;
}

/* Evenly, from 0 to far. */
static int64_t size_at(uint64_t index, uint64_t sizes, uint64_t far)
{
    return (int64_t)(sizes == 1 ? 0 : index * far / (sizes - 1));
}

size_t sc_stlap_pair_count(sc_stlap_sizes sizes)
{
    const plan p = plan_of(sizes);
    return (size_t)(p.sizes + p.sizes_two * p.sizes_two) + (p.has_both ? 1 : 0);
}

/* A bar that gets a unit has its lowest answers, of the mass P(Z > -group) by symmetry, without it
 * alone; one that had nothing but the unit is shown with it alone. Together they are both ends. */
static void put_both(const plan *p, sc_pair *out)
{
    out->x_count = out->y_count = 2;
    out->x[0] = (int64_t)p->low;
    out->y[0] = (int64_t)(p->low + p->group);
    out->x[1] = (int64_t)p->group;
    out->y[1] = 0;
}

void sc_stlap_pair(sc_stlap_sizes sizes, size_t index, sc_pair *out)
{
    const plan p = plan_of(sizes);
    if (index < p.sizes) {
        out->x_count = out->y_count = 1;
        out->x[0] = size_at(index, p.sizes, p.far);
        out->y[0] = out->x[0] + (int64_t)p.group;
        return;
    }
    const uint64_t two = index - p.sizes;
    if (two >= p.sizes_two * p.sizes_two) {
        put_both(&p, out);
        return;
    }
    const int64_t a = size_at(two % p.sizes_two, p.sizes_two, p.far_two),
                  b = size_at(two / p.sizes_two, p.sizes_two, p.far_two),
                  group = (int64_t)p.group, part = group / 2;
    out->x_count = out->y_count = 2;
    out->x[0] = a;
    out->y[0] = a + (p.is_replace ? group : part);
    out->x[1] = p.is_replace ? b + group : b;
    out->y[1] = p.is_replace ? b : b + group - part;
}
