#include "base/number/ball.h"
#include "base/number/decimal.h"
#include "distance/distortion.h"
#include "distance/places.h"
#include "model/option_struct.h"

#include <string.h>

#define DIGITS 15

typedef enum kind {
    TV,
    L1,
    L2,
    WASSERSTEIN,
    HAUSDORFF,
    DROP,
    MOVE,
    DROP_MOVE,
    W2,
    KINDS
} kind;

static const scrim_distance_kind kinds[] = {
    [TV] = {"tv", "total variation of the two laws"},
    [L1] = {"l1", "sum of the differences of the counts"},
    [L2] = {"l2", "root of the sum of the squared differences of the counts"},
    [WASSERSTEIN] = {"wasserstein",
                     "the furthest that mass must move, but for a mass of the loss"},
    [HAUSDORFF] = {"hausdorff", "of the two sets of places"},
    [DROP] = {"drop", "the share of the elements that is missing"},
    [MOVE] = {"move", "the furthest that an element moves"},
    [DROP_MOVE] = {"drop-move", "the share that is missing, and eta times the move"},
    [W2] = {"w2", "root of the least mean of the squares of how far mass moves"},
};

const scrim_distance_kind *scrim_distance_kind_at(size_t index)
{
    return index < KINDS ? &kinds[index] : NULL;
}

static scrim_status find_kind(const char *name, kind *out, scrim_error *error)
{
    const char *names[KINDS];
    char quote[SC_TEXT_QUOTE_BYTES];
    if (name == NULL)
        name = "";
    for (size_t i = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = (kind)i;
            return SCRIM_OK;
        }
    }
    const char *nearest = sc_text_nearest(sc_text_of(name), names, KINDS);
    sc_text_quote(sc_text_of(name), quote);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "distance",
                           "unknown distance '%s'; did you mean '%s'?", quote, nearest);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "distance",
                       "unknown distance '%s'; use tv, l1, l2, wasserstein, w2, "
                       "hausdorff, drop, move or "
                       "drop-move",
                       quote);
}

/* An option that is a number of at least 0; fallback if it is not given. */
static scrim_status read_option(const char *name, const char *text, const char *fallback,
                                sc_ratio *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    const sc_text given = sc_text_of(text == NULL ? fallback : text);
    const scrim_status status = sc_ratio_parse(given, out, error);
    if (status == SCRIM_E_LIMIT)
        return status;
    if (status != SCRIM_OK || sc_ratio_sign(out) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                                 "'%s' is not a number of at least 0",
                                 sc_text_quote(given, quote));
    return SCRIM_OK;
}

typedef struct question {
    kind kind;
    sc_ratio loss, eta;
    bool is_average;
} question;

static scrim_status read_question(question *q, const char *name,
                                  const scrim_distance_options *options,
                                  scrim_error *error)
{
    scrim_status status = find_kind(name, &q->kind, error);
    if (status != SCRIM_OK)
        return status;
    if (q->kind != WASSERSTEIN && (options->loss != NULL || options->is_average))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "loss",
                           "%s takes neither loss nor average; only wasserstein does",
                           name);
    if (options->is_average && options->dimensions > 1 && options->norm != NULL &&
        strcmp(options->norm, "2") == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "norm",
                           "norm 2 has no average here; use norm 1 or max");
    if (q->kind == W2 && (options->steps != NULL ||
                          (options->norm != NULL && strcmp(options->norm, "2") != 0)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "norm",
                           "w2 takes neither a metric nor another norm than 2");
    if ((q->kind == TV || q->kind == DROP || q->kind == L1 || q->kind == L2) &&
        options->norm != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "norm",
                           "%s takes no norm; it compares only whether places are equal",
                           name);
    if (q->kind != DROP_MOVE && options->eta != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "eta",
                           "%s has no eta; only drop-move has one", name);
    status = read_option("loss", options->loss, "0", &q->loss, error);
    if (status == SCRIM_OK && sc_ratio_compare_int64(&q->loss, 1) > 0)
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "loss",
                                   "give a number from 0 to 1");
    if (status == SCRIM_OK)
        status = read_option("eta", options->eta, "1", &q->eta, error);
    q->is_average = options->is_average != 0;
    return status;
}

static bool compares_counts(kind k)
{
    return k == L1 || k == L2;
}

/* Refuses inputs for which the kind of distance is not defined. */
static scrim_status check_sides(const question *q, const sc_places *places,
                                scrim_error *error)
{
    const bool counts = q->kind == DROP || q->kind == MOVE || q->kind == DROP_MOVE;
    if (counts && places->is_fraction)
        return sc_fail(error, SCRIM_E_INPUT, "%s: %s counts elements: give whole numbers",
                       places->fraction_at, kinds[q->kind].name);
    if (compares_counts(q->kind))
        return SCRIM_OK;
    if (!counts && (places->a.total == 0 || places->b.total == 0))
        return sc_fail(error, SCRIM_E_INPUT,
                       "%s is not defined for an empty side; give at least one place in "
                       "each",
                       kinds[q->kind].name);
    if (places->is_fraction && places->a.total != places->b.total)
        return sc_fail(error, SCRIM_E_INPUT,
                       "masses that are not whole are probabilities, and both sides must "
                       "add up to the same");
    return SCRIM_OK;
}

static void set_span(const sc_distance *span, sc_ratio *out, bool *is_infinite)
{
    *is_infinite = span->is_infinite;
    sc_ratio_set_int128(out, span->value);
}

static scrim_status wasserstein(const question *q, const sc_places *places, sc_ratio *out,
                                bool *is_infinite, scrim_error *error)
{
    sc_transport t;
    sc_distance span = {.value = 0};
    scrim_status status =
        sc_transport_init_laws(&t, &places->a, &places->b, &q->loss, error);
    if (status != SCRIM_OK)
        return status;
    if (q->is_average || q->kind == W2) {
        status = sc_wasserstein_mean(&t, places->ground, out, is_infinite, error);
    } else {
        status = sc_wasserstein_radius(&t, places->ground, &span, error);
        set_span(&span, out, is_infinite);
    }
    sc_transport_clear(&t);
    return status;
}

/* The distance in steps of the grid if it is a length (is_length), in their squares for norm 2; else a plain number. */
static scrim_status compute(const question *q, const sc_places *places, sc_ratio *out,
                            bool *is_infinite, scrim_error *error)
{
    const sc_masses *a = &places->a, *b = &places->b;
    sc_distance span = {.value = 0};
    scrim_status status = SCRIM_OK;
    *is_infinite = false;
    switch (q->kind) {
    case TV:
        return sc_total_variation(a, b, out, error);
    case WASSERSTEIN:
    case W2:
        return wasserstein(q, places, out, is_infinite, error);
    case HAUSDORFF:
        status = sc_hausdorff(a, b, places->ground, &span, error);
        set_span(&span, out, is_infinite);
        return status;
    case L1:
    case L2:
        sc_counts_apart(a, b, q->kind == L2, out);
        return SCRIM_OK;
    case DROP:
        sc_distortion_drop(a, b, out, is_infinite);
        return SCRIM_OK;
    case MOVE:
        return sc_distortion_move(a, b, places->ground, out, is_infinite, error);
    case DROP_MOVE:
        return sc_distortion_drop_move(a, b, places->ground, &q->eta, &places->step, out,
                                       is_infinite, error);
    case KINDS:
        break;
    }
    return sc_fail(error, SCRIM_E_INTERNAL, "a distance has no kind");
}

static bool is_length(kind k)
{
    return k == WASSERSTEIN || k == W2 || k == HAUSDORFF || k == MOVE;
}

/* A distance, exactly: rest + sqrt(square), where either may be 0. */
typedef struct distance {
    sc_ratio rest, square;
} distance;

static void square_of(const sc_ratio *x, sc_ratio *out)
{
    sc_ratio_mul(out, x, x);
}

/* The largest integer whose square is at most x. */
static uint64_t whole_root(uint64_t x)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit > 0; bit >>= 1)
        if ((root + bit) * (root + bit) <= x)
            root += bit;
    return root;
}

/* Adds sqrt(squares) * length to a distance: to the rest if the root is a whole number, else as the square. */
static void set_root(const sc_ratio *squares, const sc_ratio *length, distance *out)
{
    uint64_t count = 0;
    SC_OWN(sc_integer, whole);
    SC_OWN(sc_ratio, part);
    sc_ratio_floor(squares, &whole);
    const bool is_small = sc_ratio_is_integer(squares) &&
                          sc_integer_get_uint64(&whole, &count); /* at most 2^62 */
    const uint64_t root = whole_root(count);
    if (is_small && root * root == count) {
        sc_ratio_set_int128(&part, (sc_int128)root);
        sc_ratio_mul(&part, &part, length);
        sc_ratio_add(&out->rest, &out->rest, &part);
    } else {
        square_of(length, &part);
        sc_ratio_mul(&out->square, squares, &part);
    }
}

/* Drop-move in norm 2 is the missing share + eta sqrt(b) steps, where only b is computed exactly. eta = 0 gives the
 * missing share alone, and eta = 1 in squared steps gives their sum, so the difference is b. */
static scrim_status drop_move_root(const question *q, const sc_places *places,
                                   distance *out, bool *is_infinite, scrim_error *error)
{
    SC_OWN(sc_ratio, none, one, both, length);
    sc_ratio_set_int64(&one, 1);
    *is_infinite = false;
    scrim_status status =
        sc_distortion_drop_move(&places->a, &places->b, places->ground, &none, &one,
                                &out->rest, is_infinite, error);
    if (status == SCRIM_OK && !*is_infinite)
        status = sc_distortion_drop_move(&places->a, &places->b, places->ground, &one,
                                         &one, &both, is_infinite, error);
    if (status == SCRIM_OK && !*is_infinite) {
        sc_ratio_sub(&both, &both, &out->rest);
        sc_ratio_mul(&length, &places->step, &q->eta);
        set_root(&both, &length, out);
    }
    return status;
}

/* Converts from the common unit of the masses to counts: l1 directly; l2 as the root of a sum of squares. */
static void scale_counts(const question *q, const sc_places *places, distance *out)
{
    SC_OWN(sc_ratio, squares);
    if (q->kind == L1) {
        sc_ratio_mul(&out->rest, &out->rest, &places->unit);
        return;
    }
    sc_ratio_set(&squares, &out->rest);
    sc_ratio_set_int64(&out->rest, 0);
    set_root(&squares, &places->unit, out);
}

static scrim_status find(const question *q, const sc_places *places, distance *out,
                         bool *is_infinite, scrim_error *error)
{
    if (places->is_square && q->kind == DROP_MOVE)
        return drop_move_root(q, places, out, is_infinite, error);
    scrim_status status = compute(q, places, &out->rest, is_infinite, error);
    if (status == SCRIM_OK && compares_counts(q->kind)) {
        scale_counts(q, places, out);
        return SCRIM_OK;
    }
    if (status != SCRIM_OK || !is_length(q->kind))
        return status;
    if (places->is_square && !*is_infinite) {
        SC_OWN(sc_ratio, squares);
        sc_ratio_set(&squares, &out->rest);
        sc_ratio_set_int64(&out->rest, 0);
        set_root(&squares, &places->step, out);
    } else {
        sc_ratio_mul(&out->rest, &out->rest, &places->step);
    }
    return SCRIM_OK;
}

#define ROOT_BITS 256

/* The distance as a fraction, rounded up. False if the root is not finite. */
static bool upper(const distance *x, sc_ratio *out)
{
    sc_ratio_set(out, &x->rest);
    if (sc_ratio_sign(&x->square) == 0)
        return true;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, root, rest);
    sc_ball_set_ratio(&root, &x->square, ROOT_BITS);
    sc_ball_sqrt(&root, &root, ROOT_BITS);
    sc_ball_set_ratio(&rest, &x->rest, ROOT_BITS);
    sc_ball_add(&root, &root, &rest, ROOT_BITS);
    return sc_ball_round_up(&root, ROOT_BITS, out);
}

static bool put_exact(const distance *x, char out[SCRIM_DISTANCE_BYTES])
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_text_sink sink;
    const bool has_root = sc_ratio_sign(&x->square) != 0,
               has_rest = !has_root || sc_ratio_sign(&x->rest) != 0;
    sc_text_sink_init(&sink, out, SCRIM_DISTANCE_BYTES);
    if (has_rest) {
        sc_ratio_format(&x->rest, text, sizeof text);
        sc_text_put(&sink, sc_text_of(text));
    }
    if (has_root) {
        sc_ratio_format(&x->square, text, sizeof text);
        sc_text_put(&sink, sc_text_of(has_rest ? " + sqrt(" : "sqrt("));
        sc_text_put(&sink, sc_text_of(text));
        sc_text_put(&sink, sc_text_of(")"));
    }
    return sink.length < SCRIM_DISTANCE_BYTES;
}

static scrim_status show(const distance *found, bool is_infinite, scrim_distance *out,
                         scrim_error *error)
{
    scrim_distance shown = {.is_infinite = is_infinite};
    if (is_infinite) {
        strcpy(shown.exact, "inf");
        strcpy(shown.decimal, "inf");
    } else {
        if (!put_exact(found, shown.exact))
            return sc_fail(error, SCRIM_E_LIMIT,
                           "the distance has more than %d characters; use fewer digits",
                           SCRIM_DISTANCE_BYTES - 1);
        SC_OWN(sc_ratio, decimal);
        const bool is_known = upper(found, &decimal);
        if (is_known)
            sc_decimal_upper(&decimal, DIGITS, shown.decimal);
        if (!is_known)
            return sc_fail(error, SCRIM_E_INTERNAL, "a root is not finite");
    }
    *out = shown;
    return SCRIM_OK;
}

static scrim_status answer(const question *q, const sc_places *places,
                           scrim_distance *out, scrim_error *error)
{
    distance found;
    bool is_infinite = false;
    sc_ratio_init(&found.rest);
    sc_ratio_init(&found.square);
    scrim_status status = check_sides(q, places, error);
    if (status == SCRIM_OK)
        status = find(q, places, &found, &is_infinite, error);
    if (status == SCRIM_OK)
        status = show(&found, is_infinite, out, error);
    sc_ratio_clear(&found.square);
    sc_ratio_clear(&found.rest);
    return status;
}

/* Lengths on the line become their squares; other places have those of norm 2. */

#define SQUARED_SPAN ((int64_t)1 << 31)

static int64_t square_between(const void *context, int64_t a, int64_t b)
{
    (void)context;
    return (a - b) * (a - b);
}

static int64_t first_of(const sc_masses *x)
{
    return x->list[0].place;
}

static int64_t last_of(const sc_masses *x)
{
    return x->list[x->count - 1].place;
}

static scrim_status square_line(sc_places *places, scrim_error *error)
{
    const sc_masses *a = &places->a, *b = &places->b;
    if (places->ground != NULL)
        return SCRIM_OK;
    if (a->count > 0 && b->count > 0 &&
        ((sc_int128)last_of(a) - first_of(b) >= SQUARED_SPAN ||
         (sc_int128)last_of(b) - first_of(a) >= SQUARED_SPAN))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "w2 takes places that are at most 2147483647 steps apart; round "
                       "them to fewer digits");
    places->general = (sc_ground){.between = square_between, .context = places};
    places->ground = &places->general;
    places->is_square = true;
    return SCRIM_OK;
}

scrim_status scrim_distance_between(const char *kind_name, const scrim_place *a,
                                    size_t a_count, const scrim_place *b, size_t b_count,
                                    const scrim_distance_options *options,
                                    scrim_distance *out, scrim_error *error)
{
    SC_REQUIRE(error, "kind out", kind_name, out);
    scrim_distance_options own;
    sc_places places;
    question q = {.is_average = false};
    scrim_status status =
        sc_option_struct_copy(options, sizeof own.size, &own, sizeof own, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_init(&q.loss);
    sc_ratio_init(&q.eta);
    status = read_question(&q, kind_name, &own, error);
    if (status == SCRIM_OK) {
        own.norm = q.kind == W2 ? "2" : own.norm;
        status = sc_places_read(&places, a, a_count, b, b_count, &own, error);
        if (status == SCRIM_OK && q.kind == W2)
            status = square_line(&places, error);
        if (status == SCRIM_OK)
            status = answer(&q, &places, out, error);
        sc_places_clear(&places);
    }
    sc_ratio_clear(&q.eta);
    sc_ratio_clear(&q.loss);
    return status;
}
