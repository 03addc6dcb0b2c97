#include "audit/size_dependent.h"

#include "balls.h"
#include "continuous_stlap.h"
#include "sampling/law.h"

#define CLASSES 12
#define COUNT_BITS 4 /* of a key; bars are fewer than 2^COUNT_BITS + 1 */
#define BASE 512     /* the first bar's elements */

static int64_t floor_of(const sc_ratio *x)
{
    sc_integer whole;
    sc_int128 value = 0;
    sc_integer_init(&whole);
    sc_ratio_floor(x, &whole);
    (void)sc_integer_get_int128(&whole, &value);
    sc_integer_clear(&whole);
    return (int64_t)value;
}

/* floor(x / divisor + 1/2). */
static int64_t nearest(const sc_ratio *x, int64_t divisor)
{
    sc_ratio y, z;
    sc_ratio_init(&y);
    sc_ratio_init(&z);
    sc_ratio_set_int64(&z, 2 * divisor);
    sc_ratio_add(&y, x, x);
    sc_ratio_set_int64(&z, divisor);
    sc_ratio_add(&y, &y, &z);
    sc_ratio_set_int64(&z, 2 * divisor);
    sc_ratio_div(&y, &y, &z);
    const int64_t result = floor_of(&y);
    sc_ratio_clear(&z);
    sc_ratio_clear(&y);
    return result;
}

/* q of `elements` elements. */
static void q_of(const size_dependent *s, uint64_t elements, sc_ratio *q)
{
    sc_ratio_init(q);
    sc_ratio_set_int64(q, (int64_t)elements);
    sc_ratio_mul(q, q, &s->tau);
    if (s->is_floor)
        sc_ratio_set_int64(q, floor_of(q));
}

/* P(a bar loses `lost` elements). */
static void mass_of(const size_dependent *s, const sc_ratio *q, int64_t lost, long bits,
                    sc_ball *out)
{
    if (!s->is_floor) {
        continuous_stlap_rounded(&s->epsilon, q, (uint64_t)lost, bits, out);
        return;
    }
    sc_ratio epsilon;
    sc_law law;
    sc_ratio_init(&epsilon);
    (void)sc_ball_round_up(&s->epsilon, 200, &epsilon); /* exact: it is a rational */
    sc_law_init(&law, &sc_shifted_laplace_law, &epsilon, floor_of(q));
    sc_law_pmf(&law, -lost, bits, out);
    sc_law_clear(&law);
    sc_ratio_clear(&epsilon);
}

/* Classes of losses: what lies between centre and ends is one; centres and ends are single. */
typedef struct classes {
    int64_t first[CLASSES + 1]; /* a class begins here; the last entry ends them */
    size_t count;
} classes;

static bool add_class(classes *c, int64_t first)
{
    if (c->count > 0 && c->first[c->count - 1] >= first)
        return true;
    if (c->count == CLASSES)
        return false;
    c->first[c->count++] = first;
    return true;
}

static bool find_classes(const size_dependent *s, classes *c)
{
    sc_ratio small, large;
    bool fits = true;
    *c = (classes){.count = 0};
    q_of(s, s->elements, &small);
    q_of(s, s->elements + 1, &large);
    fits &= add_class(c, 0);
    for (int64_t k = nearest(&small, 2) - s->is_floor; k <= nearest(&large, 2) + 1; k++)
        fits &= add_class(c, k);
    for (int64_t k = nearest(&small, 1); k <= nearest(&large, 1); k++)
        fits &= add_class(c, k);
    c->first[c->count] = nearest(&large, 1) + 1;
    sc_ratio_clear(&large);
    sc_ratio_clear(&small);
    return fits;
}

/* All ways in which the bars that do not change fall into classes from one on. */
typedef struct listing {
    const sc_ball *mass; /* of each class, and of the first bar's losses */
    const sc_ball *own;
    int64_t losses, value; /* of the first bar */
    size_t classes;
    long bits;
    sc_outcomes *out;
    bool fits;
} listing;

static void list_own(listing *l, int64_t key, const sc_ball *rest)
{
    sc_ball mass;
    sc_ball_init(&mass);
    for (int64_t lost = 0; l->fits && lost < l->losses; lost++) {
        const int64_t whole = key << 12 | (l->value - lost);
        sc_ball_mul(&mass, rest, &l->own[lost], l->bits);
        if (sc_ball_is_positive(&mass))
            l->fits = sc_outcomes_add(l->out, &whole, &mass, NULL) == SCRIM_OK;
    }
    sc_ball_clear(&mass);
}

static void list_classes(listing *l, size_t at, size_t bars, int64_t key,
                         const sc_ball *sofar)
{
    if (bars == 0 || at == l->classes) {
        if (bars == 0)
            list_own(l, key, sofar);
        return;
    }
    sc_ball mass;
    sc_ball_init(&mass);
    sc_ball_set(&mass, sofar);
    for (size_t count = 0; l->fits && count <= bars; count++) {
        /* sofar mass^count (bars over count) */
        if (count > 0) {
            sc_ball_mul(&mass, &mass, &l->mass[at], l->bits);
            sc_ball_mul_int64(&mass, &mass, (int64_t)(bars - count + 1), l->bits);
            sc_ball_div_int64(&mass, &mass, (int64_t)count, l->bits);
        }
        list_classes(l, at + 1, bars - count,
                     key | (int64_t)count << (COUNT_BITS * (int)at), &mass);
    }
    sc_ball_clear(&mass);
}

bool size_dependent_law(const size_dependent *s, bool is_larger, long bits,
                        sc_outcomes *out)
{
    classes c;
    sc_ratio q;
    sc_ball one, part, shares[CLASSES];
    if (!find_classes(s, &c))
        return false;
    const int64_t losses = c.first[c.count];
    sc_ball *own = sc_balls_new((size_t)losses);
    if (own == NULL)
        return false;
    q_of(s, s->elements + is_larger, &q);
    sc_ball_init(&one);
    sc_ball_init(&part);
    sc_ball_set_int64(&one, 1);
    for (int64_t lost = 0; lost < losses; lost++)
        mass_of(s, &q, lost, bits, &own[lost]);
    for (size_t i = 0; i < CLASSES; i++)
        sc_ball_init(&shares[i]);
    for (size_t i = 0; i < c.count; i++)
        for (int64_t k = c.first[i]; k < c.first[i + 1]; k++)
            sc_ball_add(&shares[i], &shares[i], &own[k], bits);
    listing l = {.mass = shares,
                 .own = own,
                 .losses = losses,
                 .value = BASE + is_larger,
                 .classes = c.count,
                 .bits = bits,
                 .out = out,
                 .fits = true};
    list_classes(&l, 0, s->bars - 1, 0, &one);
    for (size_t i = 0; i < CLASSES; i++)
        sc_ball_clear(&shares[i]);
    sc_ball_clear(&part);
    sc_ball_clear(&one);
    sc_ratio_clear(&q);
    sc_balls_free(own, (size_t)losses);
    return l.fits && sc_outcomes_sort(out, bits, NULL) == SCRIM_OK;
}

static void one_way(const sc_outcomes *p, const sc_outcomes *q, const sc_ball *odds,
                    long bits, sc_ball *out)
{
    sc_ball gap;
    sc_ball_init(&gap);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < p->count; i++) {
        outcomes_mass(q, &p->keys[i], &gap);
        sc_ball_mul(&gap, &gap, odds, bits);
        sc_ball_sub(&gap, &p->mass[i], &gap, bits);
        if (sc_ball_is_positive(&gap))
            sc_ball_add(out, out, &gap, bits);
    }
    sc_ball_clear(&gap);
}

void size_dependent_delta(const size_dependent *s, const sc_ball *epsilon, long bits,
                          sc_ball *out)
{
    sc_outcomes p, q;
    sc_ball odds, other;
    sc_outcomes_init(&p, 1);
    sc_outcomes_init(&q, 1);
    sc_ball_init(&odds);
    sc_ball_init(&other);
    sc_ball_exp(&odds, epsilon, bits);
    if (size_dependent_law(s, false, bits, &p) && size_dependent_law(s, true, bits, &q)) {
        one_way(&p, &q, &odds, bits, out);
        one_way(&q, &p, &odds, bits, &other);
        if (sc_ball_is_less(out, &other))
            sc_ball_set(out, &other);
    } else {
        sc_ball_set_infinite(out);
    }
    sc_ball_clear(&other);
    sc_ball_clear(&odds);
    sc_outcomes_clear(&q);
    sc_outcomes_clear(&p);
}
