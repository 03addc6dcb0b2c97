#include "mechanism/histogram/bucket_histogram.h"

#include "base/memory.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/noise/additive.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "scrim/histogram.h"

/* The neighbouring tables on which the audit looks at a histogram in buckets: rows of one bucket
 * and group more of them; under replace rows that leave one bucket for another. The laws of buckets
 * that do not change say nothing.
 *
 * The mass that is reached at epsilon, with P(Z > -group) = d:
 *
 *     add-remove              d, which is claimed: the empty bucket is the worst already
 *     replace, two buckets    1 - (1 - d)^2, which is claimed, by q + 1 rows: of them q + 1 - group
 *                             stay in the bucket that gets the others, whose lowest answers go, and
 *                             the bucket that they leave is empty then. A table of a pair has room
 *                             for 64 values; where q + 1 rows are more, d is reached, one side of
 *                             the two
 *     replace, one bucket     d: rows can only become such as are left out (-1), so that there is one
 *                             side, and no pair has more than the half of what is claimed, about
 */

typedef struct bucket_family {
    const sc_buckets *buckets;
    uint64_t q, group;
    bool is_replace;
} bucket_family;

/* Under replace, rows that stay: small numbers, and one of each bucket that makes it the worst. */
#define SMALL 4
#define STAYS (SMALL + 1)

static size_t width_of(const bucket_family *f)
{
    return f->buckets->dimensions + (f->buckets->is_labelled ? 1 : 0);
}

/* Rows that a table of a pair may have. */
static size_t room(const bucket_family *f)
{
    return SC_PAIR_VALUES / width_of(f);
}

static size_t least(size_t a, uint64_t b)
{
    return b < a ? (size_t)b : a;
}

static bool has_two(const bucket_family *f)
{
    return f->is_replace && f->buckets->count > 1;
}

/* Rows that stay in the bucket that gets some, and then in the one that loses them: the first, of
 * q + 1 - group, gives away its lowest answers; of half of q, the second has no ratio that the end
 * at 0 hides. */
static size_t stay(const bucket_family *f, size_t index, bool is_other, size_t spare)
{
    if (index < SMALL)
        return least(spare, index);
    return least(spare, is_other ? (f->q + 1) / 2 : f->q + 1 - f->group);
}

/* 0 where a unit's rows do not fit a pair. */
static size_t count_pairs(const bucket_family *f)
{
    if (f->group > room(f))
        return 0;
    if (has_two(f))
        return (size_t)STAYS * STAYS;
    return least(room(f) - (size_t)f->group, 2 * f->q + 2) + 1;
}

typedef enum where { FIRST, OTHER, NOWHERE } where;

/* Rows in the first bucket, in another one, or such as are left out. */
static void put_rows(const bucket_family *f, size_t rows, where at, int64_t *out,
                     size_t *count)
{
    const sc_buckets *b = f->buckets;
    for (size_t row = 0; row < rows; row++) {
        for (size_t i = 0; i < width_of(f); i++)
            out[*count + i] = at == NOWHERE ? -1 : 0;
        if (at == OTHER)
            out[*count + b->dimensions - (b->is_labelled ? 0 : 1)] = 1;
        *count += width_of(f);
    }
}

static void put_pair(const bucket_family *f, size_t index, sc_pair *out)
{
    const size_t group = (size_t)f->group;
    out->x_count = out->y_count = 0;
    if (!has_two(f)) {
        put_rows(f, index, FIRST, out->x, &out->x_count);
        put_rows(f, f->is_replace ? group : 0, NOWHERE, out->x, &out->x_count);
        put_rows(f, index + group, FIRST, out->y, &out->y_count);
        return;
    }
    const size_t spare = room(f) - group;
    const size_t a = stay(f, index % STAYS, false, spare),
                 b = stay(f, index / STAYS, true, spare - a);
    put_rows(f, a, FIRST, out->x, &out->x_count);
    put_rows(f, b + group, OTHER, out->x, &out->x_count);
    put_rows(f, a + group, FIRST, out->y, &out->y_count);
    put_rows(f, b, OTHER, out->y, &out->y_count);
}

static const char *const samplers[] = {"exact", "table", NULL};
static const char *const modes[] = {"sparse", "dense", NULL};
static const char *const norms[] = {"1", "2", "max", NULL};
static const char *const rules[] = {"clamp", "discard", NULL};
static const char *const yes[] = {"yes", NULL};

/* Data numbers beyond these are read as lying beyond all of them (data_number.h). */
#define NUMBER_MAX "1e300"
#define NUMBER_BITS 512

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-31", "1000",
                     "a rational above 0, from 4.7e-10 to 1000"),
    SC_RULE_COUNT("q", "2147483647",
                  "how many elements a bucket may lose, an integer from 1 to 2147483647"),
    SC_PARAMETER_DELTA,
    {.name = "alpha",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .limit_high = "1",
     .domain = "the fraction of the elements that may be lost, above 0 and at most 1"},
    SC_RULE_COUNT("elements", "2^62",
                  "how many elements there are, which is public, an integer from 1 to "
                  "4.6e18"),
    {.name = "lower",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .limit_low = "-" NUMBER_MAX,
     .limit_high = NUMBER_MAX,
     .domain = "a number below upper; 0 unless given"},
    {.name = "upper",
     .kind = SC_PARAMETER_RATIONAL,
     .limit_low = "-" NUMBER_MAX,
     .limit_high = NUMBER_MAX,
     .domain = "a number above lower"},
    SC_RULE_POSITIVE("beta", "1e-300", NUMBER_MAX,
                     "how far a number may be from the centre of its bucket, above 0"),
    SC_RULE_COUNT("dimensions", "64",
                  "how many numbers a row has, an integer from 1 to 64"),
    SC_RULE_WORD("norm", norms, "1, 2 or max"),
    SC_RULE_WORD("labelled", yes, "yes"),
    SC_RULE_WORD("outside", rules, "clamp or discard"),
    SC_RULE_COUNT("group", "2^20",
                  "how many rows one unit may own, an integer from 1 to 1048576"),
    SC_RULE_WORD("sampler", samplers, "exact or table"),
    SC_RULE_WORD("mode", modes, "sparse or dense"),
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct state {
    sc_buckets buckets;
    bool has_buckets;
    bool is_dense, is_discarding;
    scrim_measurement *bars; /* the stlap of the counts */
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

bool sc_is_bucket_histogram(const scrim_measurement *m)
{
    return m->mechanism == &sc_bucket_histogram;
}

const sc_buckets *sc_bucket_histogram_buckets(const scrim_measurement *m)
{
    return &state_of(m)->buckets;
}

uint64_t sc_bucket_histogram_q(const scrim_measurement *m)
{
    return sc_stlap_q(state_of(m)->bars);
}

/* Making one. */

static scrim_status make_buckets(const scrim_measurement *m, state *s, scrim_error *error)
{
    static const sc_bucket_norm kinds[] = {SC_BUCKET_NORM_L1, SC_BUCKET_NORM_L2,
                                           SC_BUCKET_NORM_MAX};
    static const char *const numbers[] = {"lower", "upper", "beta"};
    const sc_buckets_question question = {
        .lower = sc_measurement_get(m, "lower"),
        .upper = sc_measurement_get(m, "upper"),
        .beta = sc_measurement_get(m, "beta"),
        .dimensions = (size_t)sc_measurement_integer(m, "dimensions", 1),
        .norm = kinds[sc_parameters_word(&m->parameters, "norm", 1)],
        .is_labelled = sc_measurement_get(m, "labelled") != NULL};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const sc_ratio *number = sc_measurement_get(m, numbers[i]);
        if (number != NULL && sc_ratio_bits(number) > NUMBER_BITS)
            return sc_fail(error, SCRIM_E_LIMIT,
                           "%s: it has at most %d bits in its numerator and denominator",
                           numbers[i], NUMBER_BITS);
    }
    scrim_status status = sc_buckets_init(&s->buckets, &question, error);
    s->has_buckets = status == SCRIM_OK;
    return status;
}

/* floor(alpha elements / buckets): so much of each bucket is alpha of all elements. */
static scrim_status find_share(const scrim_measurement *m, const state *s, sc_ratio *out,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, buckets);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int128(&buckets, (sc_int128)s->buckets.count);
    sc_ratio_mul(out, sc_measurement_get(m, "alpha"), sc_measurement_get(m, "elements"));
    sc_ratio_div(out, out, &buckets);
    sc_ratio_floor(out, &whole);
    sc_ratio_set_integer(out, &whole);
    if (sc_ratio_sign(out) == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
                           "that alpha leaves less than one element to lose in each of "
                           "%llu buckets; choose a larger alpha or a larger beta",
                           (unsigned long long)s->buckets.count);
    if (sc_ratio_compare_int64(out, (int64_t)SC_BARS_Q_MAX) > 0) /* loses less */
        sc_ratio_set_int64(out, (int64_t)SC_BARS_Q_MAX);
    return SCRIM_OK;
}

/* A stlap with the parameters that it shares with this one. */
static scrim_status make_bars(const scrim_measurement *m, state *s, scrim_error *error)
{
    SC_OWN(sc_ratio, share);
    const bool has_alpha = sc_measurement_get(m, "alpha") != NULL;
    if (has_alpha)
        SC_TRY(find_share(m, s, &share, error));
    const sc_argument list[] = {
        {.name = "epsilon", .values = sc_measurement_get(m, "epsilon")},
        {.name = "q", .values = has_alpha ? &share : sc_measurement_get(m, "q")},
        {.name = "delta", .values = sc_measurement_get(m, "delta")},
        {.name = "group", .values = sc_measurement_get(m, "group")},
        {.name = "sampler",
         .word = samplers[sc_parameters_word(&m->parameters, "sampler", 0)]},
        {.name = "neighbours",
         .word = scrim_neighbours_name(sc_measurement_neighbours(m))}};
    return sc_measurement_of(&sc_stlap, list, sizeof list / sizeof *list, &s->bars,
                             error);
}

/* Indices of buckets; -1 is a row that is left out. The number of rows is public under replace if
 * each unit has one. */
static scrim_status set_domain(scrim_measurement *m, const state *s, scrim_error *error)
{
    SC_OWN(sc_ratio, low, high);
    sc_ratio_set_int64(&low, -1);
    /* A label is 0 or 1; one bucket still leaves two ends. */
    const uint64_t last = s->buckets.per_axis - 1;
    sc_ratio_set_int64(&high, (int64_t)(last < 1 ? 1 : last));
    scrim_status status = sc_domain_set_grid(&m->domain, NULL, &low, &high, error);
    m->domain.grid.missing = -1;
    m->domain.count_min = 0;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const ends[] = {"q", "delta", "alpha", NULL};
    scrim_status status = sc_measurement_one_of(m, ends, error);
    if (status == SCRIM_OK && (sc_measurement_get(m, "alpha") == NULL) !=
                                  (sc_measurement_get(m, "elements") == NULL))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "elements",
                             "alpha is a fraction of the elements; give both or neither");
    if (status != SCRIM_OK)
        return status;
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    s->is_dense = sc_parameters_word(&m->parameters, "mode", 0) == 1;
    s->is_discarding = sc_parameters_word(&m->parameters, "outside", 0) == 1;
    status = make_buckets(m, s, error);
    if (status == SCRIM_OK && s->is_dense && s->buckets.count > SC_BUCKET_HISTOGRAM_DENSE)
        status =
            sc_fail(error, SCRIM_E_LIMIT,
                    "mode: dense is for at most 16777216 buckets; a larger beta takes "
                    "fewer");
    if (status == SCRIM_OK)
        status = make_bars(m, s, error);
    if (status == SCRIM_OK)
        status = set_domain(m, s, error);
    return status;
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    if (s->has_buckets)
        sc_buckets_clear(&s->buckets);
    scrim_measurement_free(s->bars);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set(out, &state_of(m)->bars->cost);
    return SCRIM_OK;
}

static const char excludes[] =
    "clamping to the range, and rows left out by rule (alpha counts elements; their "
    "share is private, as is the size)";

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_bars_facts facts = {.buckets = &state_of(m)->buckets,
                                 .q = sc_bucket_histogram_q(m)};
    sc_flexible_claim triple;
    sc_ratio q;
    sc_bars nothing;
    (void)beta, (void)count;
    scrim_status status = sc_bars_init(&nothing, &facts, NULL, 0, error);
    if (status != SCRIM_OK)
        return status;
    sc_flexible_init(&triple);
    sc_bars_flexible(&nothing, &triple);
    sc_flexible_certificate(&triple, excludes, out);
    sc_ratio_init(&q); /* what a bar may have lost */
    sc_ratio_set_int128(&q, (sc_int128)facts.q);
    sc_certificate_add_radius(out, &q);
    sc_ratio_clear(&q);
    sc_flexible_clear(&triple);
    sc_bars_clear(&nothing);
    return SCRIM_OK;
}

/* Rows. */

static size_t row_width(const scrim_measurement *m)
{
    const sc_buckets *b = &state_of(m)->buckets;
    return b->dimensions + (b->is_labelled ? 1 : 0);
}

static int64_t place(const scrim_measurement *m, size_t index, const sc_ratio *value)
{
    const state *s = state_of(m);
    if (value == NULL)
        return -1;
    if (s->buckets.is_labelled && index % row_width(m) == s->buckets.dimensions)
        return sc_ratio_sign(value) > 0;
    if (s->is_discarding && !sc_buckets_is_inside(&s->buckets, value))
        return -1;
    return (int64_t)sc_buckets_index(&s->buckets, value);
}

/* The place of a row, or false when it is left out. Indices beyond an end are brought to it. */
static bool place_of_row(const state *s, const int64_t *row, uint64_t *out)
{
    const sc_buckets *b = &s->buckets;
    const int64_t last = (int64_t)b->per_axis - 1;
    uint64_t at[SC_BUCKETS_DIMENSIONS];
    for (size_t i = 0; i < b->dimensions; i++) {
        if (row[i] < 0 || (s->is_discarding && row[i] > last))
            return false;
        at[i] = (uint64_t)(row[i] > last ? last : row[i]);
    }
    if (b->is_labelled && row[b->dimensions] < 0)
        return false;
    *out = sc_buckets_place(b, at, b->is_labelled && row[b->dimensions] > 0);
    return true;
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    const uint64_t cells = state_of(m)->buckets.count;
    const size_t rows = count / row_width(m);
    const size_t bars = rows < cells ? rows : (size_t)cells;
    return 2 * bars;
}

/* Sorts the places of all rows, and counts those that are equal. */
static scrim_status tally_rows(const scrim_measurement *m, const sc_private_input *input,
                               sc_place_tally *t, scrim_error *error)
{
    const size_t width = row_width(m), rows = input->count / width;
    size_t kept = 0;
    const scrim_status status = sc_place_tally_init(t, rows, error);
    for (size_t i = 0; status == SCRIM_OK && i < rows; i++)
        kept += place_of_row(state_of(m), input->values + i * width, &t->places[kept]);
    sc_place_tally_count(t, kept);
    return status;
}

/* Drawing. */

static void emit(uint64_t at, int64_t shown, sc_draw *out)
{
    if (shown == 0)
        return;
    out->values[out->count] = (sc_int128)at;
    out->marks[out->count++] = SC_MARK_INDEX;
    out->values[out->count] = shown;
    out->marks[out->count++] = SC_MARK_VALUE;
}

static scrim_status draw_sparse(const state *s, sc_bits *bits, const sc_place_tally *t,
                                sc_draw *out, scrim_error *error)
{
    const sc_stlap_sampler *sampler = &sc_stlap_state_of(s->bars)->sampler;
    int64_t *shown = sc_allocate(t->count, sizeof *shown);
    if (shown == NULL)
        return sc_no_memory(error, "a histogram");
    scrim_status status =
        sc_stlap_sparse(bits, sampler, t->counts, t->count, shown, error);
    for (size_t i = 0; status == SCRIM_OK && i < t->count; i++)
        emit(t->places[i], shown[i], out);
    sc_free_wiped(shown, t->count * sizeof *shown);
    return status;
}

/* Noise for every bucket, before any count is read. */
static scrim_status draw_dense(const state *s, sc_bits *bits, const sc_place_tally *t,
                               sc_draw *out, scrim_error *error)
{
    const sc_stlap_sampler *sampler = &sc_stlap_state_of(s->bars)->sampler;
    const size_t cells = (size_t)s->buckets.count;
    int64_t *x = sc_allocate(cells, sizeof *x), *y = sc_allocate(cells, sizeof *y);
    scrim_status status = SCRIM_OK;
    if (x == NULL || y == NULL) {
        status = sc_no_memory(error, "a histogram");
        goto done;
    }
    for (size_t i = 0; i < t->count; i++)
        x[t->places[i]] = t->counts[i];
    status = sc_stlap_dense(bits, sampler, x, cells, y, error);
    for (size_t i = 0; status == SCRIM_OK && i < cells; i++)
        emit(i, y[i], out);
done:
    sc_free_wiped(x, cells * sizeof *x);
    sc_free_wiped(y, cells * sizeof *y);
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_place_tally t = {.places = NULL};
    out->count = 0;
    scrim_status status = tally_rows(m, input, &t, error);
    if (status == SCRIM_OK)
        status = (s->is_dense ? draw_dense : draw_sparse)(s, bits, &t, out, error);
    sc_place_tally_clear(&t);
    return status;
}

static size_t bar_label(const scrim_measurement *m, uint64_t at, char *text,
                        size_t capacity)
{
    const sc_buckets *b = &state_of(m)->buckets;
    sc_text_sink sink;
    char number[SC_RATIO_TEXT_BYTES];
    if (at >= b->count)
        return 0;
    sc_text_sink_init(&sink, text, capacity);
    SC_OWN(sc_ratio, centre);
    for (size_t i = 0; i < b->dimensions; i++) {
        sc_buckets_centre(b, sc_buckets_axis(b, at, i), &centre);
        sc_ratio_format(&centre, number, sizeof number);
        sc_text_put(&sink, sc_text_of(i > 0 ? ";" : ""));
        sc_text_put(&sink, sc_text_of(number));
    }
    if (b->is_labelled)
        sc_text_put(&sink, sc_text_of(sc_buckets_has_plus(b, at) ? ";+1" : ";-1"));
    return sink.length;
}

/* The law: of each bucket that is not empty its own, all together their product. */

static size_t law_width(const scrim_measurement *m, size_t count)
{
    (void)m, (void)count;
    return SC_PLACE_TALLY_WIDTH;
}

static scrim_status list_nothing(sc_outcomes *out, scrim_error *error)
{
    const sc_place_tally nothing = {.places = NULL};
    SC_OWN(sc_ball, one);
    const sc_outcomes certain = {.mass = &one};
    sc_ball_set_int64(&one, 1);
    return sc_place_tally_list(&nothing, &certain, 0, 0, out, error);
}

static scrim_status law_of_tally(const state *s, const sc_place_tally *t, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    const sc_outcomes_each each = {.values = t->counts,
                                   .count = t->count,
                                   .list = sc_stlap_bar_law,
                                   .context = &sc_stlap_state_of(s->bars)->sampler};
    sc_outcomes counts;
    if (t->count == 0)
        return list_nothing(out, error);
    sc_outcomes_init(&counts, t->count);
    scrim_status status = sc_outcomes_of_each(&each, bits + 64, &counts, error);
    for (size_t i = 0; status == SCRIM_OK && i < counts.count; i++)
        status = sc_place_tally_list(t, &counts, i, 0, out, error);
    sc_outcomes_clear(&counts);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    sc_place_tally t = {.places = NULL};
    scrim_status status = tally_rows(m, input, &t, error);
    if (status == SCRIM_OK && t.count > SC_PLACE_TALLY_LAW)
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "there are too many buckets to give the probability of each "
                         "answer");
    if (status == SCRIM_OK)
        status = law_of_tally(state_of(m), &t, bits, out, error);
    sc_place_tally_clear(&t);
    return status;
}

static bucket_family family_of(const scrim_measurement *m)
{
    const state *s = state_of(m);
    const sc_stlap_state *noise = sc_stlap_state_of(s->bars);
    return (bucket_family){.buckets = &s->buckets,
                           .q = noise->q,
                           .group = noise->group,
                           .is_replace = noise->sides == 2};
}

static size_t pair_count(const scrim_measurement *m)
{
    const bucket_family family = family_of(m);
    return count_pairs(&family);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const bucket_family family = family_of(m);
    put_pair(&family, index, out);
}

const sc_mechanism sc_bucket_histogram = {
    .entry =
        {.name = "bucket-histogram",
         .parameters = "epsilon=R q=N|delta=R|alpha=R upper=R beta=R [elements=N "
                       "lower=R dimensions=N "
                       "norm=1|2|max labelled=yes outside=clamp|discard group=N "
                       "sampler=exact|table mode=sparse|dense]",
         .input = "rows",
         .claim = "(epsilon, delta)-DP; nobody is invented, no bucket loses more "
                  "than q",
         .does = "Puts rows into buckets of equal width, lowers each count by up "
                 "to q, and shows the buckets that are left. MAX, MEDIAN, MODE "
                 "and others are computed from it.",
         .example = "epsilon=4 q=4 lower=0 upper=100 beta=25 neighbours=add-remove",
         .example_input = "10\n20\n70\n20\n30\n40\n15\n20\n30\n25\n",
         .reference =
             "Bansal, Chunduru, Data, Prabhakaran: Flexible Accuracy for Differential "
             "Privacy, 2022, Algorithms 2 and 3, corrected: errata 18 to 21"},
    SC_MECHANISM_PARAMETERS,
    .clamps_itself = true,
    .input_is_rows = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .bar_name = "centre",
    .bar_label = bar_label,
    .place = place,
    .row_width = row_width,
    .width = law_width,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
