#include "synth/rounds/aim_schedule.h"

scrim_status sc_aim_schedule_start(sc_aim_schedule *s, uint64_t rounds,
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, count, measuring, selecting);
    sc_ratio_set_int128(&count, (sc_int128)rounds);
    sc_ratio_mul(&selecting, s->total, s->share);
    sc_ratio_sub(&measuring, s->total, &selecting);
    sc_ratio_div(&measuring, &measuring, &count);
    s->is_last = false;
    scrim_status status =
        sc_round_variance(&measuring, sc_round_square(s->unit), &s->variance, error);
    if (status == SCRIM_OK)
        status = sc_round_rate(&selecting, rounds, s->most_move, &s->rate, error);
    s->rate /= s->most_move;
    return status;
}

static void set_cost(const sc_aim_schedule *s, sc_ratio *out)
{
    SC_OWN(sc_ratio, selecting);
    sc_round_measure_cost(sc_round_square(s->unit), s->variance, out);
    sc_round_select_cost(s->most_move, s->rate, &selecting);
    sc_ratio_add(out, out, &selecting);
}

/* Spends what is left. */
static scrim_status set_last(sc_aim_schedule *s, const sc_ratio *left, scrim_error *error)
{
    SC_OWN(sc_ratio, part, rest);
    sc_ratio_mul(&part, left, s->share);
    scrim_status status = sc_round_rate(&part, 1, s->most_move, &s->rate, error);
    s->rate /= s->most_move;
    sc_round_select_cost(s->most_move, s->rate, &part);
    sc_ratio_sub(&rest, left, &part);
    if (status == SCRIM_OK)
        status = sc_round_variance(&rest, sc_round_square(s->unit), &s->variance, error);
    s->is_last = true;
    return status;
}

scrim_status sc_aim_schedule_next(sc_aim_schedule *s, const sc_ratio *used,
                                  sc_ratio *cost, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, left, twice);
    sc_ratio_sub(&left, s->total, used);
    set_cost(s, cost);
    sc_ratio_add(&twice, cost, cost);
    if (sc_ratio_compare(&left, &twice) < 0) {
        status = set_last(s, &left, error);
        set_cost(s, cost);
    }
    return status;
}

void sc_aim_schedule_anneal(sc_aim_schedule *s)
{
    s->variance = (s->variance + 3) / 4;
    s->rate *= 2;
}
