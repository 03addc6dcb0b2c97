#include "check.h"
#include "exact.h"
#include "faults.h"
#include "mechanism/histogram/separator.h"
#include "random/bits_tape.h"
#include "sampling/uniform.h"

#include <string.h>

/* Labelled points of one or two whole coordinates in steps of 1, in buckets of several steps. */
#define POINTS 10
#define CELLS 6

typedef struct scene {
    size_t dimensions, count;
    int64_t steps; /* of a cell */
    uint64_t q;
    int64_t raw[2][POINTS * 2]; /* of -1, and of +1 */
    size_t raw_count[2];
    sc_buckets buckets;
    uint64_t x[2 * CELLS * CELLS];
    sc_bars bars;
} scene;

static uint64_t below(sc_tape *tape, uint64_t n)
{
    uint64_t value = 0;
    CHECK_STATUS(sc_uniform_64(sc_tape_bits_of(tape), n, &value, NULL), SCRIM_OK);
    return value;
}

static void make_buckets(scene *s, sc_bucket_norm norm)
{
    sc_ratio upper, beta, two;
    sc_ratio_init(&upper);
    sc_ratio_init(&beta);
    sc_ratio_init(&two);
    sc_ratio_set_int64(&upper, CELLS * s->steps);
    /* The sum of two halves of a cell; for the root of their squares, just enough. */
    sc_ratio_set_int64(&beta, s->steps * (int64_t)s->dimensions);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&beta, &beta, &two);
    if (norm == SC_BUCKET_NORM_L2 && s->dimensions == 2) {
        sc_ratio_clear(&two);
        exact_ratio("0.70711", &two); /* above the root of 1/2 */
        sc_ratio_set_int64(&beta, s->steps);
        sc_ratio_mul(&beta, &beta, &two);
    }
    const sc_buckets_question question = {.upper = &upper,
                                          .beta = &beta,
                                          .dimensions = s->dimensions,
                                          .norm = norm,
                                          .is_labelled = true};
    if (!CHECK_STATUS(sc_buckets_init(&s->buckets, &question, NULL), SCRIM_OK) ||
        !CHECK_INT(s->buckets.per_axis, CELLS))
        abort();
    sc_ratio_clear(&two);
    sc_ratio_clear(&beta);
    sc_ratio_clear(&upper);
}

static uint64_t place_of(const scene *s, const int64_t *point, bool has_plus)
{
    uint64_t indices[2] = {0};
    for (size_t i = 0; i < 2 && i < s->dimensions; i++)
        indices[i] = (uint64_t)(point[i] / s->steps);
    return sc_buckets_place(&s->buckets, indices, has_plus);
}

static void make_scene(sc_tape *tape, scene *s)
{
    sc_bar shown[2 * CELLS * CELLS];
    memset(s, 0, sizeof *s);
    s->dimensions = 1 + below(tape, 2);
    s->steps = 1 + (int64_t)below(tape, 5);
    s->q = below(tape, 3);
    make_buckets(s, (sc_bucket_norm)below(tape, 2));
    const uint64_t size = CELLS * (uint64_t)s->steps, cut = below(tape, size + 1);
    const bool is_parted = below(tape, 3) > 0;
    for (size_t i = below(tape, (uint64_t)2 * POINTS); i > 0; i--) {
        int64_t point[2] = {(int64_t)below(tape, size), (int64_t)below(tape, size)};
        bool has_plus = below(tape, 2) == 0;
        if (is_parted)
            has_plus = (uint64_t)point[0] >= cut;
        if (s->raw_count[has_plus] == POINTS)
            continue;
        for (size_t axis = 0; axis < 2 && axis < s->dimensions; axis++)
            s->raw[has_plus][s->raw_count[has_plus] * s->dimensions + axis] = point[axis];
        s->raw_count[has_plus]++;
        s->x[place_of(s, point, has_plus)]++;
    }
    for (size_t i = 0; i < s->buckets.count; i++) {
        const uint64_t out = below(tape, 2) == 0 ? s->q : below(tape, s->q + 1);
        shown[i] = (sc_bar){i, s->x[i] > out ? s->x[i] - out : 0};
    }
    const sc_bars_facts facts = {.buckets = &s->buckets, .q = s->q};
    if (!CHECK_STATUS(sc_bars_init(&s->bars, &facts, shown, s->buckets.count, NULL),
                      SCRIM_OK))
        abort();
}

static void clear_scene(scene *s)
{
    sc_bars_clear(&s->bars);
    sc_buckets_clear(&s->buckets);
}

/* a + e >= b for roots a, b of given squares and e >= 0: where r = b^2 - a^2 - e^2 is above 0,
 * 4 e^2 a^2 >= r^2. */
static bool is_root_near(const sc_ratio *a_squared, const sc_ratio *e,
                         const sc_ratio *b_squared)
{
    sc_ratio r, part, four;
    sc_ratio_init(&r);
    sc_ratio_init(&part);
    sc_ratio_init(&four);
    sc_ratio_sub(&r, b_squared, a_squared);
    sc_ratio_mul(&part, e, e);
    sc_ratio_sub(&r, &r, &part);
    bool is_near = sc_ratio_sign(&r) <= 0;
    sc_ratio_set_int64(&four, 4);
    sc_ratio_mul(&part, &part, &four);
    sc_ratio_mul(&part, &part, a_squared);
    sc_ratio_mul(&r, &r, &r);
    is_near = is_near || sc_ratio_compare(&part, &r) >= 0;
    sc_ratio_clear(&four);
    sc_ratio_clear(&part);
    sc_ratio_clear(&r);
    return is_near;
}

/* sign (<normal, z> - offset) >= far |normal|, far above 0. */
static bool is_on_side(const sc_exact_separator *p, const int64_t *z, int sign,
                       const sc_ratio *far)
{
    sc_ratio at, norm, part;
    sc_ratio_init(&at);
    sc_ratio_init(&norm);
    sc_ratio_init(&part);
    for (size_t i = 0; i < p->dimensions; i++) {
        sc_ratio_set_int64(&part, z[i]);
        sc_ratio_mul(&part, &part, &p->normal[i]);
        sc_ratio_add(&at, &at, &part);
        sc_ratio_mul(&part, &p->normal[i], &p->normal[i]);
        sc_ratio_add(&norm, &norm, &part);
    }
    sc_ratio_sub(&at, &at, &p->offset);
    bool is_right = sign * sc_ratio_sign(&at) > 0;
    sc_ratio_mul(&at, &at, &at);
    sc_ratio_mul(&norm, &norm, far);
    sc_ratio_mul(&norm, &norm, far);
    is_right = is_right && sc_ratio_compare(&at, &norm) >= 0;
    sc_ratio_clear(&part);
    sc_ratio_clear(&norm);
    sc_ratio_clear(&at);
    return is_right;
}

/* All elements but those at places that are not shown, of which there are not more than is said. */
static bool is_kept_right(const scene *s, const sc_exact_separator *p)
{
    size_t beyond = 0;
    for (int has_plus = 0; has_plus < 2; has_plus++)
        for (size_t i = 0; i < s->raw_count[has_plus]; i++) {
            const int64_t *z = &s->raw[has_plus][i * s->dimensions];
            if (sc_bars_at(&s->bars, place_of(s, z, has_plus)) == 0)
                beyond++;
            else if (sc_ratio_sign(&p->kept_lower) > 0 &&
                     !is_on_side(p, z, has_plus ? 1 : -1, &p->kept_lower))
                return false;
        }
    return beyond <= p->beyond_most && p->beyond_most <= p->dropped_most;
}

/* The margin of the data themselves, squared: a quarter of their hulls' distance. */
static bool is_margin_right(const scene *s, const sc_exact_separator *p)
{
    const sc_point_set minus = {s->raw[0], s->raw_count[0]};
    const sc_point_set plus = {s->raw[1], s->raw_count[1]};
    sc_hull_distance near;
    sc_ratio four, nothing;
    if (minus.count == 0 || plus.count == 0)
        return p->outcome == SC_SEPARATOR_EMPTY;
    if (p->outcome == SC_SEPARATOR_EMPTY)
        return true;
    if (!CHECK_STATUS(sc_hull_distance_init(&near, &plus, &minus, s->dimensions, NULL),
                      SCRIM_OK))
        return false;
    sc_ratio_init(&nothing);
    sc_ratio_init(&four);
    sc_ratio_set_int64(&four, 4);
    sc_ratio_div(&near.squared, &near.squared, &four);
    bool is_right = sc_ratio_sign(&near.squared) == 0;
    if (p->outcome == SC_SEPARATOR_PLANE)
        is_right = is_right ||
                   is_root_near(&p->margin_squared, &s->buckets.error, &near.squared);
    else /* then no margin above beta */
        is_right = is_root_near(&nothing, &p->margin_most, &near.squared);
    sc_ratio_clear(&four);
    sc_ratio_clear(&nothing);
    sc_hull_distance_clear(&near);
    return is_right;
}

/* margin_lower is the root, rounded down; and each centre shown is at least that far. */
static bool is_plane_right(const scene *s, const sc_exact_separator *p)
{
    sc_ratio square, step;
    bool is_right = p->outcome == SC_SEPARATOR_PLANE;
    sc_ratio_init(&square);
    exact_ratio("2^-64", &step);
    sc_ratio_mul(&square, &p->margin_lower, &p->margin_lower);
    is_right = is_right && sc_ratio_compare(&square, &p->margin_squared) <= 0;
    sc_ratio_add(&step, &step, &p->margin_lower);
    sc_ratio_mul(&square, &step, &step);
    is_right = is_right && sc_ratio_compare(&square, &p->margin_squared) > 0;
    for (size_t i = 0; i < s->bars.count; i++) {
        const uint64_t place = s->bars.bars[i].place;
        sc_ratio at, norm, part;
        sc_ratio_init(&at);
        sc_ratio_init(&norm);
        sc_ratio_init(&part);
        for (size_t axis = 0; axis < s->dimensions; axis++) {
            sc_buckets_centre(&s->buckets, sc_buckets_axis(&s->buckets, place, axis),
                              &part);
            sc_ratio_mul(&part, &part, &p->normal[axis]);
            sc_ratio_add(&at, &at, &part);
            sc_ratio_mul(&part, &p->normal[axis], &p->normal[axis]);
            sc_ratio_add(&norm, &norm, &part);
        }
        sc_ratio_sub(&at, &at, &p->offset);
        const bool has_plus = sc_buckets_has_plus(&s->buckets, place);
        is_right = is_right && sc_ratio_sign(&at) == (has_plus ? 1 : -1);
        sc_ratio_mul(&at, &at, &at);
        sc_ratio_mul(&norm, &norm, &p->margin_squared);
        is_right = is_right && sc_ratio_compare(&at, &norm) >= 0;
        sc_ratio_clear(&part);
        sc_ratio_clear(&norm);
        sc_ratio_clear(&at);
    }
    sc_ratio_clear(&step);
    sc_ratio_clear(&square);
    return is_right;
}

TEST(separators_say_what_is_true)
{
    CLAIM("separator.margin");
    CLAIM("separator.run");
    sc_tape *tape = NULL;
    const uint64_t count = check_count(1000, 1000000);
    size_t outcomes[4] = {0}, kept = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t i = 0; i < count; i++) {
        scene s;
        sc_exact_separator p;
        make_scene(tape, &s);
        REQUIRE_OK(sc_bars_separator(&s.bars, &p, NULL));
        outcomes[p.outcome]++;
        bool is_right = p.flexible.is_beta_unbounded &&
                        sc_flexible_check(&p.flexible, NULL) == SCRIM_OK &&
                        is_margin_right(&s, &p);
        if (p.outcome == SC_SEPARATOR_PLANE) {
            kept += sc_ratio_sign(&p.kept_lower) > 0;
            is_right = is_right && is_plane_right(&s, &p) && is_kept_right(&s, &p);
        }
        sc_separator_clear(&p);
        clear_scene(&s);
        if (!CHECK(is_right)) {
            CHECK_FAIL("case %llu", (unsigned long long)i);
            break;
        }
    }
    CHECK(outcomes[1] > count / 10 && outcomes[2] > count / 10 &&
          outcomes[3] > count / 20 && kept > count / 40);
    sc_tape_free(tape);
}

/* Cells of width 1 on one axis from 0 to 6. */
static void open_line(sc_buckets *b, sc_bucket_norm norm, size_t dimensions,
                      bool is_labelled)
{
    sc_ratio upper, beta;
    exact_ratio("6", &upper);
    exact_ratio("1/2", &beta);
    const sc_buckets_question question = {.upper = &upper,
                                          .beta = &beta,
                                          .dimensions = dimensions,
                                          .norm = norm,
                                          .is_labelled = is_labelled};
    if (!CHECK_STATUS(sc_buckets_init(b, &question, NULL), SCRIM_OK))
        abort();
    sc_ratio_clear(&beta);
    sc_ratio_clear(&upper);
}

TEST(separators_say_it_in_words)
{
    static const struct {
        sc_bar bars[3];
        size_t count;
        sc_separator_outcome outcome;
        const char *text;
    } cases[] = {
        {{{0, 3}, {1, 2}, {11, 9}},
         3,
         SC_SEPARATOR_PLANE,
         "the centres shown lie at least 2 from the plane, each on its side; all but at "
         "most 18 elements lie on their side too, at least 1.5 from it; data with a "
         "margin m have given one of at least m - 0.5, and nothing is said of the angle"},
        {{{1, 1}, {8, 1}},
         2,
         SC_SEPARATOR_PLANE,
         "the centres shown lie at least 0.5 from the plane, each on its side; data with "
         "a margin m have given one of at least m - 0.5, and nothing is said of the "
         "angle"},
        {{{1, 1}, {7, 1}},
         2,
         SC_SEPARATOR_NOT_SEPARABLE,
         "no plane parts all of the data by a margin above 0.5"}, /* one cell */
        {{{0, 1}, {2, 1}, {7, 1}},
         3,
         SC_SEPARATOR_NOT_SEPARABLE,
         "no plane parts all of the data by a margin above 0.5"},
        {{{0, 1}},
         1,
         SC_SEPARATOR_EMPTY,
         "no bucket of a label that is not shown holds more than 2 elements"},
        {{{0, 0}},
         0,
         SC_SEPARATOR_EMPTY,
         "no bucket of a label that is not shown holds more than 2 elements"},
    };
    sc_buckets b;
    open_line(&b, SC_BUCKET_NORM_MAX, 1, true);
    CHECK_INT(b.count, 12);
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_bars y;
        sc_exact_separator p;
        char text[1024];
        REQUIRE_OK(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b, .q = 2},
                                cases[i].bars, cases[i].count, NULL));
        REQUIRE_OK(sc_bars_separator(&y, &p, NULL));
        CHECK_INT(p.outcome, cases[i].outcome);
        sc_separator_statement(&p, &y, text, sizeof text);
        CHECK_STR(text, cases[i].text);
        if (i == 0) { /* nearest centres 1.5 and 5.5 */
            CHECK_INT(sc_ratio_compare_int64(&p.normal[0], 4), 0);
            CHECK_INT(sc_ratio_compare_int64(&p.offset, 14), 0);
        }
        sc_separator_clear(&p);
        sc_bars_clear(&y);
    }
    sc_buckets_clear(&b);
}

TEST(separators_want_labels_and_a_euclidean_error)
{
    sc_buckets b;
    sc_bars y;
    sc_exact_separator p;
    scrim_error error;
    open_line(&b, SC_BUCKET_NORM_L1, 1, false);
    REQUIRE_OK(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b}, NULL, 0, NULL));
    CHECK_STATUS(sc_bars_separator(&y, &p, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "labels") != NULL);
    sc_bars_clear(&y);
    sc_buckets_clear(&b);
    open_line(&b, SC_BUCKET_NORM_MAX, 2, true);
    REQUIRE_OK(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b}, NULL, 0, NULL));
    CHECK_STATUS(sc_bars_separator(&y, &p, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "norm") != NULL);
    sc_bars_clear(&y);
    sc_buckets_clear(&b);
    open_line(&b, SC_BUCKET_NORM_L2, 2, true);
    static const sc_bar two[] = {{0, 1}, {100, 1}};
    REQUIRE_OK(sc_bars_init(&y, &(sc_bars_facts){.buckets = &b}, two, 2, NULL));
    FAULT_LOOP(fault)
    {
        scrim_status status = sc_bars_separator(&y, &p, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        if (status == SCRIM_OK)
            sc_separator_clear(&p);
    }
    sc_bars_clear(&y);
    sc_buckets_clear(&b);
}
