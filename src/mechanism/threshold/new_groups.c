#include "mechanism/threshold/new_groups.h"

#include "mechanism/threshold/noisy_threshold.h"

#define BITS 256

uint64_t sc_new_groups_moved(const sc_new_groups *own)
{
    return own->groups > 0 ? own->groups * own->each : own->total;
}

/* a + Z >= T is 1 + Z >= T - a + 1. */
static void mass_of(const sc_law *noise, int64_t threshold, uint64_t groups,
                    uint64_t each, long bits, sc_ball *out)
{
    sc_noisy_threshold_mass(noise, threshold - (int64_t)each + 1, groups, bits, out);
}

void sc_new_groups_mass(const sc_new_groups *own, const sc_law *noise, int64_t threshold,
                        long bits, sc_ball *out)
{
    if (own->groups > 0) {
        mass_of(noise, threshold, own->groups, own->each, bits, out);
        return;
    }
    SC_OWN(sc_ball, many);
    mass_of(noise, threshold, 1, own->total, bits, out);
    mass_of(noise, threshold, own->total, 1, bits, &many);
    if (sc_ball_is_less(out, &many))
        sc_ball_set(out, &many);
    else if (!sc_ball_is_less_equal(&many, out))
        sc_ball_set_union(out, out, &many, bits);
}

typedef struct wish {
    const sc_new_groups *own;
    const sc_law *noise;
    sc_ball delta;
} wish;

static bool is_enough(const void *context, int64_t threshold)
{
    const wish *w = context;
    SC_OWN(sc_ball, mass);
    sc_new_groups_mass(w->own, w->noise, threshold, BITS, &mass);
    return sc_ball_is_less_equal(&mass, &w->delta);
}

int64_t sc_new_groups_threshold(const sc_new_groups *own, const sc_law *noise,
                                const sc_ratio *delta)
{
    wish w = {.own = own, .noise = noise};
    sc_ball_init(&w.delta);
    sc_ball_set_ratio(&w.delta, delta, BITS);
    const int64_t threshold = sc_noisy_threshold_search(is_enough, &w, 1);
    sc_ball_clear(&w.delta);
    return threshold;
}
