#include "distance/wasserstein_line.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Can a mass of `need` be matched over distances of at most b? Early exit as soon as the answer is certain. */
static bool is_enough(const sc_transport *t, int64_t b, sc_uint128 need)
{
    const sc_mass *p = t->p->list, *const p_end = p + t->p->count;
    const sc_mass *q = t->q->list, *const q_end = q + t->q->count;
    sc_uint128 p_left = (sc_uint128)p->mass * t->p_unit;
    sc_uint128 q_left = (sc_uint128)q->mass * t->q_unit;
    /* The mass of p that may still be passed over. */
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

/* A break of the convex cost of the flow over a gap, and how much the slope rises there. */
typedef struct corner {
    sc_int128
        at; /* its place, less the mass that came in since: the same for all prices */
    sc_int128 rise;
    uint32_t gap; /* the one before this place */
} corner;

/* The places of both sides from left to right, and what one search needs. */
typedef struct walk {
    size_t count;
    int64_t *place;
    sc_int128 *sum;  /* the mass of p less that of q, up to and including this place */
    corner *corners; /* one for each gap, and one before the first place; by rank */
    uint32_t *order; /* the rank of the corner of each gap */
    uint32_t *left;  /* heaps of ranks: the smallest first, */
    uint32_t *right; /* the largest first */
    size_t left_count, right_count;
    sc_int128 *low, *high; /* the ends of the cut before each place */
} walk;

static void clear(walk *w)
{
    sc_free(w->high);
    sc_free(w->low);
    sc_free(w->right);
    sc_free(w->left);
    sc_free(w->order);
    sc_free(w->corners);
    sc_free(w->sum);
    sc_free(w->place);
}

static scrim_status reserve(walk *w, const sc_transport *t, scrim_error *error)
{
    const size_t room = t->p->count + t->q->count;
    memset(w, 0, sizeof *w);
    if (room >= INT32_MAX)
        return sc_fail(error, SCRIM_E_LIMIT, "there are more than 2147483648 places");
    w->place = sc_allocate(room, sizeof *w->place);
    w->sum = sc_allocate(room, sizeof *w->sum);
    w->corners = sc_allocate(room, sizeof *w->corners);
    w->order = sc_allocate(room, sizeof *w->order);
    w->left = sc_allocate(room, sizeof *w->left);
    w->right = sc_allocate(room, sizeof *w->right);
    w->low = sc_allocate(room, sizeof *w->low);
    w->high = sc_allocate(room, sizeof *w->high);
    if (w->place != NULL && w->sum != NULL && w->corners != NULL && w->order != NULL &&
        w->left != NULL && w->right != NULL && w->low != NULL && w->high != NULL)
        return SCRIM_OK;
    clear(w);
    return sc_no_memory(error, "a walk along the line");
}

static void merge(walk *w, const sc_transport *t)
{
    size_t i = 0, j = 0;
    sc_int128 sum = 0;
    while (i < t->p->count || j < t->q->count) {
        const bool has_p = i < t->p->count, has_q = j < t->q->count;
        const int64_t place =
            !has_q || (has_p && t->p->list[i].place < t->q->list[j].place)
                ? t->p->list[i].place
                : t->q->list[j].place;
        if (has_p && t->p->list[i].place == place)
            sum += (sc_int128)t->p->list[i++].mass * t->p_unit;
        if (has_q && t->q->list[j].place == place)
            sum -= (sc_int128)t->q->list[j++].mass * t->q_unit;
        w->place[w->count] = place;
        w->sum[w->count++] = sum;
    }
}

static int by_corner(const void *a, const void *b)
{
    const corner *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* The corner of the gap before place i stands at no flow, after sum[i - 1] came in: where it stands
 * less what came in is the same for every price, and so is the order. */
static void rank_corners(walk *w)
{
    for (size_t i = 0; i < w->count; i++) {
        w->corners[i].at = i == 0 ? 0 : -w->sum[i - 1];
        w->corners[i].gap = (uint32_t)i;
    }
    qsort(w->corners, w->count, sizeof *w->corners, by_corner);
    for (size_t rank = 0; rank < w->count; rank++)
        w->order[w->corners[rank].gap] = (uint32_t)rank;
}

/* Heaps of ranks; sign turns the smallest first into the largest first. */
static bool is_before(uint32_t a, uint32_t b, bool is_left)
{
    return is_left ? a < b : a > b;
}

static void heap_put(uint32_t *heap, size_t *count, uint32_t rank, bool is_left)
{
    size_t at = (*count)++;
    while (at > 0 && is_before(rank, heap[(at - 1) / 2], is_left)) {
        heap[at] = heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    heap[at] = rank;
}

static void heap_drop(uint32_t *heap, size_t *count, bool is_left)
{
    const uint32_t last = heap[--*count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < *count && is_before(heap[child + 1], heap[child], is_left))
            child++;
        if (child >= *count || !is_before(heap[child], last, is_left))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
}

/* Takes so much of the rise off one end; returns where the last of it stood. Both heaps hold all
 * corners, those that are used up too. */
static sc_int128 cut(walk *w, sc_int128 rise, bool is_left)
{
    uint32_t *heap = is_left ? w->left : w->right;
    size_t *count = is_left ? &w->left_count : &w->right_count;
    for (;;) {
        corner *end = &w->corners[heap[0]];
        if (end->rise >= rise) {
            end->rise -= rise;
            return end->at;
        }
        rise -= end->rise;
        end->rise = 0;
        heap_drop(heap, count, is_left);
    }
}

static void put_corner(walk *w, size_t gap, sc_int128 rise)
{
    const uint32_t rank = w->order[gap];
    w->corners[rank].rise = rise;
    heap_put(w->left, &w->left_count, rank, true);
    heap_put(w->right, &w->right_count, rank, false);
}

/* The ends of the cut before each place, at this price of a lost pair. All prices are doubled, so
 * that half of it is whole: slopes are cut to -price and price. */
static void find_cuts(walk *w, sc_int128 price)
{
    w->left_count = w->right_count = 0;
    put_corner(w, 0, 2 * price);
    w->low[0] = w->high[0] = 0;
    for (size_t i = 1; i < w->count; i++) {
        const sc_int128 gap = (sc_int128)w->place[i] - w->place[i - 1];
        put_corner(w, i, 4 * gap);
        w->low[i] = cut(w, 2 * gap, true) + w->sum[i - 1];
        w->high[i] = cut(w, 2 * gap, false) + w->sum[i - 1];
    }
}

/* cost += |flow| gap */
static void add_flow(sc_integer *cost, sc_int128 flow, sc_int128 gap)
{
    SC_OWN(sc_integer, distance, mass);
    sc_integer_set_int128(&distance, gap);
    sc_integer_set_int128(&mass, flow < 0 ? -flow : flow);
    sc_integer_mul(&mass, &mass, &distance);
    sc_integer_add(cost, cost, &mass);
}

/* No mass is dropped: the surplus of p over q to the left of a gap crosses that gap. */
static void lossless(const walk *w, sc_ratio *out)
{
    SC_OWN(sc_integer, cost);
    for (size_t i = 1; i < w->count; i++)
        add_flow(&cost, w->sum[i - 1], (sc_int128)w->place[i] - w->place[i - 1]);
    sc_ratio_set_integer(out, &cost);
}

/* Distance times mass, and the pairs that are lost, of a cheapest flow at this price. */
static void cheapest(walk *w, sc_int128 price, sc_integer *cost, sc_uint128 *lost)
{
    sc_int128 flow = 0;
    sc_uint128 twice = 0;
    sc_integer_set_int128(cost, 0);
    find_cuts(w, price);
    for (size_t i = w->count; i-- > 0;) {
        const sc_int128 came = w->sum[i] - (i == 0 ? 0 : w->sum[i - 1]);
        sc_int128 before = flow - came;
        before =
            before < w->low[i] ? w->low[i] : (before > w->high[i] ? w->high[i] : before);
        const sc_int128 vanished = flow - came - before;
        twice += (sc_uint128)(vanished < 0 ? -vanished : vanished);
        flow = before;
        if (i > 0 && flow != 0)
            add_flow(cost, flow, (sc_int128)w->place[i] - w->place[i - 1]);
    }
    *lost = twice / 2;
}

/* cost + price (lost - loss). */
static void value(const sc_integer *cost, sc_int128 price, sc_uint128 lost,
                  const sc_ratio *loss, sc_ratio *out)
{
    SC_OWN(sc_ratio, term);
    SC_OWN(sc_integer, whole);
    sc_integer_set_uint128(&whole, lost);
    sc_ratio_set_integer(out, &whole);
    sc_ratio_sub(out, out, loss);
    sc_integer_set_int128(&whole, price);
    sc_ratio_set_integer(&term, &whole);
    sc_ratio_mul(out, out, &term);
    sc_ratio_set_integer(&term, cost);
    sc_ratio_add(out, out, &term);
}

/* The largest value over all prices. Where more is lost than may be, it still grows; the value is
 * a line between two whole prices, so that its ends are enough. */
static void largest(walk *w, sc_uint128 allowed, const sc_ratio *loss, sc_ratio *out)
{
    /* Beyond the whole length no pair is worth losing; at 0 nothing costs anything. */
    sc_int128 low = 0, high = (sc_int128)w->place[w->count - 1] - w->place[0] + 1;
    sc_uint128 lost = 0;
    SC_OWN(sc_ratio, other);
    SC_OWN(sc_integer, cost);
    sc_ratio_set_int64(out, 0);
    while (high - low > 1) {
        const sc_int128 middle = low + (high - low) / 2;
        cheapest(w, middle, &cost, &lost);
        if (lost > allowed)
            low = middle;
        else
            high = middle;
    }
    if (low > 0) {
        cheapest(w, low, &cost, &lost);
        value(&cost, low, lost, loss, out);
    }
    cheapest(w, high, &cost, &lost);
    value(&cost, high, lost, loss, &other);
    if (sc_ratio_compare(&other, out) > 0)
        sc_ratio_set(out, &other);
}

/* The pairs that may be lost, as a number and rounded down. */
static void set_loss(const sc_transport *t, sc_ratio *loss, sc_uint128 *allowed)
{
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ratio, need);
    sc_integer_set_uint128(&whole, t->whole);
    sc_ratio_set_integer(&need, &whole);
    sc_ratio_add(&need, &need, &t->part);
    sc_integer_set_uint128(&whole, t->total);
    sc_ratio_set_integer(loss, &whole);
    sc_ratio_sub(loss, loss, &need);
    *allowed = t->total - sc_transport_need(t);
}

scrim_status sc_line_mean(const sc_transport *transport, sc_ratio *out,
                          scrim_error *error)
{
    walk w;
    sc_uint128 allowed = 0;
    scrim_status status = reserve(&w, transport, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_ratio, loss, total);
    SC_OWN(sc_integer, whole);
    merge(&w, transport);
    set_loss(transport, &loss, &allowed);
    if (sc_ratio_sign(&loss) == 0) {
        lossless(&w, out);
    } else {
        rank_corners(&w);
        largest(&w, allowed, &loss, out);
    }
    sc_integer_set_uint128(&whole, transport->total);
    sc_ratio_set_integer(&total, &whole);
    sc_ratio_div(out, out, &total);
    clear(&w);
    return SCRIM_OK;
}
