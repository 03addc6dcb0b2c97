#include "mechanism/selection/exponential.h"
#include "mechanism/selection/scores.h"
#include "sampling/decay.h"

scrim_status sc_exponential_probabilities(const sc_scores *s, const int64_t *scores,
                                          size_t count, long bits, sc_ball *out,
                                          scrim_error *error)
{
    const int64_t best = sc_scores_best(scores, count);
    const long wide = bits + 64;
    (void)error;
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, total);
    sc_scores_scale(&s->rate, &scale);
    for (size_t i = 0; i < count; i++) {
        sc_decay(&scale, sc_scores_gap(best, scores[i]), wide, &out[i]);
        sc_ball_add(&total, &total, &out[i], wide);
    }
    for (size_t i = 0; i < count; i++)
        sc_ball_div(&out[i], &out[i], &total, bits);
    return SCRIM_OK;
}

/* (N - 1) w / (1 + (N - 1) w), w = exp(-rate gap). */
void sc_exponential_miss(const sc_scores *s, uint64_t gap, size_t count, long bits,
                         sc_ball *out)
{
    SC_OWN(sc_ratio, scale);
    SC_OWN(sc_ball, others);
    sc_scores_scale(&s->rate, &scale);
    sc_decay(&scale, gap, bits, out);
    sc_ball_set_int128(&others, (sc_int128)count - 1);
    sc_ball_mul(out, out, &others, bits);
    sc_ball_add_int64(&others, out, 1, bits);
    sc_ball_div(out, out, &others, bits);
}
