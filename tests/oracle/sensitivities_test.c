#include "distance/distortion.h"
#include "exact.h"
#include "mass_lists.h"
#include "sensitivities.h"

/* All histograms over 0..3 with at most two in a place and at most three in all. */
#define PLACES 4
#define MOST 60

typedef struct family {
    sc_masses list[MOST];
    size_t count;
    size_t image[MOST];
    bool is_drop; /* a distortion by drop, in sixths; else by move */
} family;

static int64_t apart(const void *context, int64_t a, int64_t b)
{
    const family *f = context;
    sc_ratio out, six;
    sc_integer whole;
    bool is_infinite = false;
    int64_t value = SC_GROUND_NONE;
    sc_int128 wide = 0;
    sc_ratio_init(&out);
    sc_integer_init(&whole);
    exact_ratio("6", &six);
    if (f->is_drop)
        sc_distortion_drop(&f->list[a], &f->list[b], &out, &is_infinite);
    else
        CHECK_STATUS(
            sc_distortion_move(&f->list[a], &f->list[b], NULL, &out, &is_infinite, NULL),
            SCRIM_OK);
    if (f->is_drop)
        sc_ratio_mul(&out, &out, &six);
    sc_ratio_floor(&out, &whole);
    if (!is_infinite && sc_integer_get_int128(&whole, &wide))
        value = (int64_t)wide;
    sc_ratio_clear(&six);
    sc_integer_clear(&whole);
    sc_ratio_clear(&out);
    return value;
}

static void list_family(family *out)
{
    out->count = 0;
    for (unsigned code = 1; code < 81; code++) {
        sc_masses x;
        unsigned rest = code;
        sc_masses_init(&x);
        for (int64_t place = 0; place < PLACES; place++, rest /= 3)
            CHECK_STATUS(sc_masses_add(&x, place, rest % 3, NULL), SCRIM_OK);
        if (x.total <= 3)
            out->list[out->count++] = x;
        else
            sc_masses_clear(&x);
    }
}

static void clear_family(family *f)
{
    for (size_t i = 0; i < f->count; i++)
        sc_masses_clear(&f->list[i]);
}

static size_t largest(const sc_masses *x)
{
    return (size_t)x->list[x->count - 1].place;
}

static size_t range(const sc_masses *x)
{
    return largest(x) - (size_t)x->list[0].place;
}

static size_t mode(const sc_masses *x)
{
    size_t best = 0;
    for (size_t i = 1; i < x->count; i++)
        if (x->list[i].mass > x->list[best].mass)
            best = i;
    return (size_t)x->list[best].place;
}

/* Among histograms of equal size: maximum at most b, range 2 b, mode whatever it likes. */
TEST(sensitivities_of_statistics_in_the_metric)
{
    family f = {.count = 0};
    list_family(&f);
    const sc_ground move = {.between = apart, .context = &f};
    const finite_map map = {f.count, PLACES, f.image, &move, &ground_line};
    for (int64_t b = 0; b < PLACES; b++) {
        for (size_t i = 0; i < f.count; i++)
            f.image[i] = largest(&f.list[i]);
        CHECK_INT(metric_sensitivity(&map, b).value, b);
        for (size_t i = 0; i < f.count; i++)
            f.image[i] = range(&f.list[i]);
        CHECK_INT(metric_sensitivity(&map, b).value,
                  2 * b < PLACES - 1 ? 2 * b : PLACES - 1);
        for (size_t i = 0; i < f.count; i++)
            f.image[i] = mode(&f.list[i]);
        CHECK_INT(metric_sensitivity(&map, b).value, b == 0 ? 0 : PLACES - 1);
    }
    clear_family(&f);
}

/* The identity: a distortion of the output is one of the input. A function that forgets where it
 * came from needs more, and one that misses an output has no distortion at all. */
TEST(sensitivities_of_distortion)
{
    family f = {.is_drop = true};
    list_family(&f);
    const sc_ground drop = {.between = apart, .context = &f};
    for (size_t i = 0; i < f.count; i++)
        f.image[i] = i;
    const finite_map same = {f.count, f.count, f.image, &drop, &drop};
    for (int64_t a = 0; a < 6; a++) {
        /* A share of three, two or one: no more than a, and reached where there is one. */
        const sc_distance found = distortion_sensitivity(&same, a);
        CHECK(!found.is_infinite);
        CHECK_INT(found.value, a < 2 ? 0 : a < 3 ? 2 : a < 4 ? 3 : 4);
    }
    /* The number of elements: to answer for one less of three, a third must be dropped. */
    for (size_t i = 0; i < f.count; i++)
        f.image[i] = (size_t)f.list[i].total;
    const finite_map total = {f.count, 4, f.image, &drop, &ground_line};
    CHECK_INT(distortion_sensitivity(&total, 0).value, 0);
    CHECK(!distortion_sensitivity(&total, 0).is_infinite);
    CHECK(distortion_sensitivity(&total, 1).is_infinite);
    clear_family(&f);
}

/* A mechanism that is off by one half of the time, for the identity on 0..5. */
TEST(sensitivities_of_error)
{
    sc_masses laws[6], x, x_prime;
    size_t image[6];
    sc_ratio none, half;
    sc_distance found;
    for (size_t i = 0; i < 6; i++) {
        image[i] = i;
        sc_masses_init(&laws[i]);
        CHECK_STATUS(sc_masses_add(&laws[i], (int64_t)i, 1, NULL), SCRIM_OK);
        CHECK_STATUS(sc_masses_add(&laws[i], i < 5 ? (int64_t)i + 1 : 5, 1, NULL),
                     SCRIM_OK);
        sc_masses_sort(&laws[i]);
    }
    exact_ratio("0", &none);
    exact_ratio("1/2", &half);
    const finite_map identity = {6, 6, image, &ground_line, &ground_line};
    mass_list("1:1", &x);
    mass_list("1:1", &x_prime);
    error_question q = {&identity, laws, &x, &x_prime, 0, &none};
    /* At (0, 0) it is the mechanism's own beta, and with a loss or a distortion less. */
    CHECK_STATUS(error_span(&q, &found, NULL), SCRIM_OK);
    CHECK_INT(found.value, 1);
    q.gamma2 = &half;
    CHECK_STATUS(error_span(&q, &found, NULL), SCRIM_OK);
    CHECK_INT(found.value, 0);
    q.gamma2 = &none;
    q.alpha2 = 1;
    CHECK_STATUS(error_span(&q, &found, NULL), SCRIM_OK);
    CHECK_INT(found.value, 0);
    sc_masses_clear(&x_prime);
    mass_list("4:1", &x_prime);
    CHECK_STATUS(error_span(&q, &found, NULL), SCRIM_OK);
    CHECK_INT(found.value, 2);
    q.alpha2 = 0;
    CHECK_STATUS(error_span(&q, &found, NULL), SCRIM_OK);
    CHECK_INT(found.value, 3);
    /* Random inputs: 0 or 3, against 0 or 3 with unlike masses. */
    sc_masses_clear(&x_prime);
    sc_masses_clear(&x);
    mass_list("0:1 3:1", &x);
    mass_list("0:3 3:1", &x_prime);
    CHECK_STATUS(error_span(&q, &found, NULL), SCRIM_OK);
    CHECK_INT(found.value, 3);
    sc_masses_clear(&laws[0]);
    mass_list("0:1 1:2", &laws[0]);
    CHECK_STATUS(error_span(&q, &found, NULL), SCRIM_E_PARAM);
    sc_masses_clear(&x_prime);
    sc_masses_clear(&x);
    sc_ratio_clear(&half);
    sc_ratio_clear(&none);
    for (size_t i = 0; i < 6; i++)
        sc_masses_clear(&laws[i]);
}
