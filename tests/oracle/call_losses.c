#include "call_losses.h"

#include "base/number/ball_double.h"
#include "check.h"
#include "exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEVER ((double)-INFINITY)

/* Factors. */

static call_factor *add_factor(call_losses *all, size_t outcomes)
{
    if (all->count == all->capacity) {
        all->capacity = 2 * all->capacity + 16;
        all->factors = realloc(all->factors, all->capacity * sizeof *all->factors);
        if (all->factors == NULL)
            abort();
    }
    call_factor *f = &all->factors[all->count++];
    *f = (call_factor){.p = malloc((outcomes + 1) * sizeof *f->p),
                       .q = malloc((outcomes + 1) * sizeof *f->q),
                       .is_bounded = true};
    if (f->p == NULL || f->q == NULL)
        abort();
    return f;
}

static void put_outcome(call_factor *f, double log_p, double log_q)
{
    f->p[f->count] = log_p;
    f->q[f->count++] = log_q;
    f->is_bounded = f->is_bounded && isfinite(log_p) && isfinite(log_q);
}

void call_losses_clear(call_losses *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->factors[i].p);
        free(all->factors[i].q);
    }
    free(all->factors);
    *all = (call_losses){.factors = NULL};
}

/* Discrete Laplace noise against a shift s > 0. With r = exp(-1/scale) outcomes up to 0 have one loss, those from s on
 * another, and of each between them the probability is (1 - r)/(1 + r) r^distance. */
static void add_laplace(call_losses *all, double scale, size_t shift)
{
    call_factor *f = add_factor(all, shift + 1);
    const double end = -log1p(exp(-1 / scale)), far = (double)shift / scale,
                 middle = log(-expm1(-1 / scale)) + end;
    put_outcome(f, end, end - far);
    put_outcome(f, end - far, end);
    for (size_t k = 1; k < shift; k++)
        put_outcome(f, middle - (double)k / scale, middle - (double)(shift - k) / scale);
}

/* Standard deviations on either side; their tails are below 10^-40. Renyi divergences look at outcomes up to order times the
 * shift away. */
#define DEVIATIONS 14
/* With more noise than this a draw is left out: its list would be long, and leaving it out is a bound from below. */
#define VARIANCE_MOST 1e7
#define ORDER_MOST 64

static void add_gaussian(call_losses *all, double variance, size_t shift)
{
    if (variance > VARIANCE_MOST)
        return;
    const double deviation = sqrt(variance), s = (double)shift;
    const int64_t reach = (int64_t)ceil(DEVIATIONS * deviation + ORDER_MOST * s) + 1;
    call_factor *f = add_factor(all, (size_t)(2 * reach + 1));
    double mass = 0;
    for (int64_t k = (int64_t)-ceil(DEVIATIONS * deviation);
         k <= (int64_t)ceil(DEVIATIONS * deviation); k++)
        mass += exp(-(double)k * (double)k / (2 * variance));
    const double norm = -log(mass);
    for (int64_t k = -reach; k <= reach; k++) {
        const double x = (double)k, y = x - s;
        put_outcome(f, norm - x * x / (2 * variance), norm - y * y / (2 * variance));
    }
}

/* Laws. */

#define LAW_BITS 128
/* Outcomes below this probability are the tails that one of two lists may leave out. */
#define LEAST_MASS 1e-18

static double log_mass(const sc_outcomes *law, size_t at)
{
    const double mass = sc_ball_lower(&law->mass[at]);
    return mass > 0 ? log(mass) : NEVER;
}

static void merge_laws(call_losses *all, const sc_outcomes *a, const sc_outcomes *b)
{
    call_factor *f = add_factor(all, a->count + b->count);
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const int order = i == a->count ? 1
                          : j == b->count
                              ? -1
                              : sc_outcomes_compare(a->keys + i * a->width,
                                                    b->keys + j * b->width, a->width);
        const double p = order <= 0 ? log_mass(a, i) : NEVER,
                     q = order >= 0 ? log_mass(b, j) : NEVER;
        i += order <= 0;
        j += order >= 0;
        if ((isfinite(p) && isfinite(q)) || p > log(LEAST_MASS) || q > log(LEAST_MASS))
            put_outcome(f, p, q);
    }
}

static scrim_status list_law(const scrim_measurement *m, const int64_t *values,
                             size_t count, sc_outcomes *out)
{
    const sc_private_input input = {.values = values, .count = count};
    sc_outcomes_init(out,
                     m->mechanism->width == NULL ? 1 : m->mechanism->width(m, count));
    if (!CHECK(m->mechanism->law != NULL))
        return SCRIM_E_INTERNAL;
    SC_TRY(m->mechanism->law(m, &input, LAW_BITS, out, NULL));
    return sc_outcomes_sort(out, LAW_BITS, NULL);
}

/* A law of too many outcomes is left out, which is a bound from below. */
static bool add_laws(call_losses *all, const scrim_measurement *m, const int64_t *x,
                     size_t x_count, const int64_t *y, size_t y_count)
{
    sc_outcomes a, b;
    SC_BALL_SCOPE(scope);
    const scrim_status first = list_law(m, x, x_count, &a),
                       second = list_law(m, y, y_count, &b);
    const bool is_long = first == SCRIM_E_LIMIT || second == SCRIM_E_LIMIT,
               is_listed = !is_long && CHECK_STATUS(first, SCRIM_OK) &&
                           CHECK_STATUS(second, SCRIM_OK) && CHECK_INT(a.width, b.width);
    if (is_listed)
        merge_laws(all, &a, &b);
    sc_outcomes_clear(&b);
    sc_outcomes_clear(&a);
    return is_listed || is_long;
}

/* Calls. */

/* NULL, with a failed check, for a line that names no measurement. */
static const scrim_measurement *read_line(call_lines *lines, const char *line)
{
    size_t i = 0;
    if (lines->count == CALL_LINES)
        call_lines_clear(lines);
    while (i < lines->count &&
           strcmp(scrim_measurement_text(lines->measurements[i]), line) != 0)
        i++;
    if (i == lines->count) {
        if (!CHECK_STATUS(scrim_measurement_parse(line, &lines->measurements[i], NULL),
                          SCRIM_OK))
            return NULL;
        lines->count++;
    }
    return lines->measurements[i];
}

void call_lines_clear(call_lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        scrim_measurement_free(lines->measurements[i]);
    lines->count = 0;
}

/* A number that one draw has on two inputs. */
static bool add_number(call_losses *all, const scrim_measurement *m, sc_int128 x,
                       sc_int128 y)
{
    if (x == y)
        return true;
    const size_t shift = (size_t)(x > y ? x - y : y - x);
    const sc_law *noise =
        m->mechanism->noise == NULL || m->domain.has_ends ? NULL : m->mechanism->noise(m);
    if (noise != NULL && noise->functions == &sc_discrete_laplace_law)
        add_laplace(all, sc_ball_near(&noise->shape), shift);
    else if (noise != NULL && noise->functions == &sc_discrete_gaussian_law)
        add_gaussian(all, sc_ball_near(&noise->shape), shift);
    else
        return add_laws(all, m, &(int64_t){(int64_t)x}, 1, &(int64_t){(int64_t)y}, 1);
    return true;
}

static bool add_rows(call_losses *all, const scrim_measurement *m,
                     const sc_recorder_call *a, const sc_recorder_call *b)
{
    int64_t *x = calloc(a->count + 1, sizeof *x), *y = calloc(b->count + 1, sizeof *y);
    if (x == NULL || y == NULL)
        abort();
    for (size_t i = 0; i < a->count; i++)
        x[i] = (int64_t)a->input[i];
    for (size_t i = 0; i < b->count; i++)
        y[i] = (int64_t)b->input[i];
    const bool are_same = a->count == b->count && memcmp(x, y, a->count * sizeof *x) == 0;
    const bool is_added = are_same || add_laws(all, m, x, a->count, y, b->count);
    free(y);
    free(x);
    return is_added;
}

static bool add_call(call_losses *all, call_lines *lines, const sc_recorder_call *a,
                     const sc_recorder_call *b)
{
    const scrim_measurement *m =
        CHECK_STR(b->line, a->line) ? read_line(lines, a->line) : NULL;
    bool is_added = m != NULL;
    if (is_added && a->claim == SC_RECORDER_ROWS)
        return add_rows(all, m, a, b);
    for (size_t i = 0; is_added && i < a->count; i++) {
        const size_t place = a->keys == NULL ? i : sc_recorder_place(b, a->keys, i);
        is_added =
            add_number(all, m, a->input[i], place < b->count ? b->input[place] : 0);
    }
    /* Groups that only the second run has. */
    for (size_t i = 0; is_added && b->keys != NULL && i < b->count; i++)
        if (sc_recorder_place(a, b->keys, i) == a->count)
            is_added = add_number(all, m, 0, b->input[i]);
    return is_added;
}

bool call_losses_add(call_lines *lines, const sc_recorder *first,
                     const sc_recorder *second, call_losses *out)
{
    bool is_done = CHECK_INT(sc_recorder_count(second), sc_recorder_count(first));
    for (size_t i = 0; is_done && i < sc_recorder_count(first); i++)
        is_done =
            add_call(out, lines, sc_recorder_at(first, i), sc_recorder_at(second, i));
    return is_done;
}

/* Answers. */

static double largest(const call_factor *f, bool is_back)
{
    double most = 0;
    for (size_t i = 0; i < f->count; i++) {
        const double p = is_back ? f->q[i] : f->p[i], q = is_back ? f->p[i] : f->q[i];
        if (isfinite(p) && p - q > most)
            most = p - q;
    }
    return most;
}

double call_losses_largest(const call_losses *all)
{
    double sums[2] = {0, 0};
    for (size_t i = 0; i < all->count; i++)
        for (int way = 0; way < 2; way++)
            sums[way] += largest(&all->factors[i], way);
    return fmax(sums[0], sums[1]);
}

bool call_losses_are_bounded(const call_losses *all)
{
    bool are = true;
    for (size_t i = 0; i < all->count; i++)
        are &= all->factors[i].is_bounded;
    return are;
}

/* log of the sum of p^order q^(1 - order). */
static double log_moment(const call_factor *f, double order, bool is_back)
{
    double most = NEVER, sum = 0;
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < f->count; i++) {
            const double p = is_back ? f->q[i] : f->p[i], q = is_back ? f->p[i] : f->q[i],
                         term = order * p + (1 - order) * q;
            if (turn == 0)
                most = fmax(most, term);
            else
                sum += exp(term - most);
        }
    return most + log(sum);
}

double call_losses_renyi(const call_losses *all, double order)
{
    double sums[2] = {0, 0};
    for (size_t i = 0; i < all->count; i++)
        for (int way = 0; all->factors[i].is_bounded && way < 2; way++)
            sums[way] += log_moment(&all->factors[i], order, way);
    return fmax(sums[0], sums[1]) / (order - 1);
}

double call_losses_rho(const call_losses *all)
{
    static const double orders[] = {1.001, 1.1, 1.3, 1.6, 2, 3, 5, 9, 17, 33};
    double most = 0;
    for (size_t i = 0; i < COUNT(orders); i++)
        most = fmax(most, call_losses_renyi(all, orders[i]) / orders[i]);
    return most;
}

/* Delta: masses of finite losses, by losses rounded down to the grid from -size to size; those above are counted at the
 * end, those below are dropped. */

typedef struct loss_grid {
    double step;
    long size, low, high;      /* masses are from low to high */
    double *mass, *next, *one; /* 2 size + 1 */
    double finite;             /* the probability of no infinite loss */
} loss_grid;

static void add_loss(const loss_grid *g, double *masses, long at, double mass)
{
    if (at >= -g->size)
        masses[(at > g->size ? g->size : at) + g->size] += mass;
}

static void set_factor(loss_grid *g, const call_factor *f, bool is_back)
{
    double infinite = 0;
    memset(g->one, 0, (size_t)(2 * g->size + 1) * sizeof *g->one);
    for (size_t i = 0; i < f->count; i++) {
        const double p = is_back ? f->q[i] : f->p[i], q = is_back ? f->p[i] : f->q[i];
        if (!isfinite(p))
            continue;
        if (!isfinite(q))
            infinite += exp(p);
        else if (fabs(p - q) < 1e6)
            add_loss(g, g->one, (long)floor((p - q) / g->step * (1 - 1e-12)), exp(p));
    }
    g->finite *= 1 - infinite;
}

static void take_factor(loss_grid *g, const call_factor *f, bool is_back)
{
    const long last = 2 * g->size, low = g->low, high = g->high;
    set_factor(g, f, is_back);
    memset(g->next, 0, (size_t)(last + 1) * sizeof *g->next);
    g->low = last;
    g->high = 0;
    for (long j = 0; j <= last; j++) {
        const long shift = j - g->size, from = low + shift < 0 ? -shift : low;
        if (g->one[j] < LEAST_MASS || from > high)
            continue;
        for (long i = from; i <= high; i++)
            g->next[i + shift < last ? i + shift : last] += g->mass[i] * g->one[j];
        g->low = from + shift < g->low ? from + shift : g->low;
        g->high = high + shift > g->high ? high + shift : g->high;
    }
    g->high = g->high < last ? g->high : last;
    double *swap = g->mass;
    g->mass = g->next;
    g->next = swap;
}

static double delta_one_way(const call_losses *all, double epsilon, unsigned steps,
                            bool is_back)
{
    loss_grid g = {.step = epsilon / steps, .size = 2 * (long)steps, .finite = 1};
    const size_t places = (size_t)(2 * g.size + 1);
    g.mass = calloc(3 * places, sizeof *g.mass);
    if (g.mass == NULL)
        abort();
    double *memory = g.mass, delta = 0;
    g.next = g.mass + places;
    g.one = g.next + places;
    g.mass[g.size] = 1;
    g.low = g.high = g.size;
    for (size_t i = 0; i < all->count; i++)
        take_factor(&g, &all->factors[i], is_back);
    for (long at = steps + 1; at <= g.size; at++)
        delta += g.mass[at + g.size] * -expm1(epsilon - (double)at * g.step);
    delta += 1 - g.finite;
    free(memory);
    return delta;
}

/* Is delta at epsilon at most this by a divergence (Canonne, Kamath and Steinke), so that no grid is needed? */
static bool is_far_below(const call_losses *all, double epsilon, double most)
{
    static const double orders[] = {1.5, 2, 4, 8, 16, 32, 64};
    if (!call_losses_are_bounded(all))
        return false;
    for (size_t i = 0; i < COUNT(orders); i++) {
        const double a = orders[i];
        if ((a - 1) * (call_losses_renyi(all, a) - epsilon + log1p(-1 / a)) - log(a) <
            log(most))
            return true;
    }
    return false;
}

double call_losses_delta(const call_losses *all, double epsilon, double most,
                         unsigned steps)
{
    if (is_far_below(all, epsilon, most))
        return 0;
    return fmax(delta_one_way(all, epsilon, steps, false),
                delta_one_way(all, epsilon, steps, true));
}
