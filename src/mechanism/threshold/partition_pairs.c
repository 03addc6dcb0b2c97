#include "mechanism/threshold/partition_pairs.h"

/* How the pairs are counted: forms of a pair for each of sizes. */
typedef struct plan {
    bool is_replace;
    size_t groups; /* that the unit enters */
    size_t forms;
    size_t certain; /* sizes 0 .. certain - 1 can grow */
    size_t sizes;   /* of which so many are looked at */
} plan;

static plan plan_of(sc_partition_sizes sizes)
{
    plan p = {.is_replace = sizes.is_replace, .certain = sizes.certain};
    const size_t parts = (size_t)sizes.parts;
    const size_t counts = parts < SC_PARTITION_COUNTS ? parts : SC_PARTITION_COUNTS;
    p.groups = p.is_replace ? counts / 2 : counts;
    p.forms =
        p.is_replace ? 4 : p.groups; /* new groups: 0 .. groups - 1; and see below */
    const size_t most = SC_PARTITION_PAIRS / p.forms;
    p.sizes = p.certain < most ? p.certain : most;
    return p;
}

/* Evenly, from 0 to certain - 1. */
static size_t size_at(const plan *p, size_t index)
{
    return p->sizes == 1 ? 0 : index * (p->certain - 1) / (p->sizes - 1);
}

size_t sc_partition_pair_count(sc_partition_sizes sizes)
{
    const plan p = plan_of(sizes);
    return p.forms * p.sizes;
}

static void replace_pair(const plan *p, size_t a, size_t form, sc_pair *out)
{
    const size_t last = p->certain - 1;
    const size_t b = form == 0 ? 0 : form == 1 ? a : form == 2 ? last - a : last;
    out->x_count = out->y_count = 2 * p->groups;
    for (size_t i = 0; i < p->groups; i++) {
        out->x[2 * i] = (int64_t)a + 1;
        out->y[2 * i] = (int64_t)a;
        out->x[2 * i + 1] = (int64_t)b;
        out->y[2 * i + 1] = (int64_t)b + 1;
    }
}

/* With n = 0 all groups are new, so that no form is needed for that. */
static void add_pair(const plan *p, size_t n, size_t new_groups, sc_pair *out)
{
    out->x_count = out->y_count = p->groups;
    for (size_t i = 0; i < p->groups; i++) {
        out->x[i] = i < new_groups ? 0 : (int64_t)n;
        out->y[i] = out->x[i] + 1;
    }
}

void sc_partition_pair(sc_partition_sizes sizes, size_t index, sc_pair *out)
{
    const plan p = plan_of(sizes);
    const size_t n = size_at(&p, index / p.forms), form = index % p.forms;
    if (p.is_replace)
        replace_pair(&p, n, form, out);
    else
        add_pair(&p, n, form, out);
}
