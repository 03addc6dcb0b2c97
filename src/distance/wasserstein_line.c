#include "distance/wasserstein_line.h"

/* Can need be matched over distances of at most b? It ends as soon as that is certain. */
static bool is_enough(const sc_transport *t, int64_t b, sc_uint128 need)
{
    const sc_mass *p = t->p->list, *const p_end = p + t->p->count;
    const sc_mass *q = t->q->list, *const q_end = q + t->q->count;
    sc_uint128 p_left = (sc_uint128)p->mass * t->p_unit;
    sc_uint128 q_left = (sc_uint128)q->mass * t->q_unit;
    /* What of p may still be passed over. */
    sc_uint128 spare = t->total - need, matched = 0;
    while (matched < need) {
        if (q->place < p->place - b) {
            if (++q == q_end)
                return false;
            q_left = (sc_uint128)q->mass * t->q_unit;
        } else if (q->place > p->place + b) {
            if (p_left > spare || ++p == p_end)
                return false;
            spare -= p_left;
            p_left = (sc_uint128)p->mass * t->p_unit;
        } else {
            const sc_uint128 both = p_left < q_left ? p_left : q_left;
            matched += both;
            p_left -= both;
            q_left -= both;
            if (p_left == 0) {
                if (++p == p_end)
                    return matched >= need;
                p_left = (sc_uint128)p->mass * t->p_unit;
            }
            if (q_left == 0) {
                if (++q == q_end)
                    return matched >= need;
                q_left = (sc_uint128)q->mass * t->q_unit;
            }
        }
    }
    return true;
}

sc_uint128 sc_line_matched(const sc_transport *t, int64_t b)
{
    sc_uint128 matched = 0, p_used = 0, q_used = 0;
    for (size_t i = 0, j = 0; i < t->p->count && j < t->q->count;) {
        const sc_mass *p = &t->p->list[i], *q = &t->q->list[j];
        const sc_uint128 p_left = (sc_uint128)p->mass * t->p_unit - p_used,
                         q_left = (sc_uint128)q->mass * t->q_unit - q_used;
        const bool is_q_behind =
            q->place<p->place - b, is_p_behind = q->place> p->place + b;
        const sc_uint128 both = is_q_behind || is_p_behind ? 0
                                : p_left < q_left          ? p_left
                                                           : q_left;
        matched += both;
        p_used += both;
        q_used += both;
        if (is_p_behind || (!is_q_behind && both == p_left)) {
            i++;
            p_used = 0;
        }
        if (is_q_behind || (!is_p_behind && both == q_left)) {
            j++;
            q_used = 0;
        }
    }
    return matched;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a > b ? a - b : b - a;
}

/* No two places are further apart. */
static int64_t reach(const sc_transport *t)
{
    const sc_mass *p = t->p->list, *q = t->q->list;
    const int64_t up = distance(p[0].place, q[t->q->count - 1].place);
    const int64_t down = distance(p[t->p->count - 1].place, q[0].place);
    return up > down ? up : down;
}

uint64_t sc_line_radius(const sc_transport *transport)
{
    const sc_uint128 need = sc_transport_need(transport);
    if (need == 0 || is_enough(transport, 0, need))
        return 0;
    int64_t low = 0, high = reach(transport);
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (is_enough(transport, middle, need))
            high = middle;
        else
            low = middle;
    }
    return (uint64_t)high;
}
