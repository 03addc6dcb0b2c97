#include "audit/audit_report.h"

#include "audit/worst_pair.h"
#include "base/memory.h"
#include "base/number/ball_memory.h"
#include "model/option_struct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINTS_USUAL 41
#define POINTS_MOST 4096

/* The orders at which the Renyi divergence is looked at, unless others are asked for; order 1 is that of Kullback and
 * Leibler, which rho bounds as well. */
#define ORDERS_USUAL "1,101/100,2,5,32"
#define ORDERS_MOST 64
#define ORDER_LARGEST (1 << 20)

const char *scrim_audit_verdict_name(scrim_audit_verdict verdict)
{
    static const char *const names[] = {"unset", "holds", "violated", "undecided",
                                        "watched"};
    const size_t index = (size_t)verdict;
    return index < sizeof names / sizeof *names ? names[index] : names[0];
}

/* Which epsilons. */

static scrim_status read_options(const scrim_audit_options *given,
                                 scrim_audit_options *options, scrim_error *error)
{
    scrim_status status = sc_option_struct_copy(
        given, offsetof(scrim_audit_options, points), options, sizeof *options, error);
    if (status != SCRIM_OK)
        return status;
    if ((options->epsilons == NULL) != (options->epsilon_count == 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "epsilons",
                           "give epsilons and epsilon_count together, or neither");
    if (options->epsilons != NULL && options->points != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "points",
                           "give epsilons or points, not both");
    if (options->epsilon_count > POINTS_MOST || options->points > POINTS_MOST)
        return sc_fail(error, SCRIM_E_LIMIT, "a curve has at most %d points",
                       POINTS_MOST);
    if (options->points == 1)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "points",
                           "a curve has at least 2 points");
    return SCRIM_OK;
}

/* Rounds up to a multiple of 2^-places. */
static void round_up(sc_ratio *x, unsigned places)
{
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, above, below);
    sc_ratio_set_int64(&scaled, (int64_t)1 << places);
    sc_ratio_mul(&scaled, &scaled, x);
    sc_ratio_ceil(&scaled, &above);
    sc_integer_set_int128(&below, (sc_int128)1 << places);
    sc_ratio_set_fraction(x, &above, &below);
}

/* A step of the curve must fit SCRIM_NUMBER_BYTES as text. */
static bool is_short(const sc_ratio *x)
{
    return sc_ratio_format(x, NULL, 0) <= SCRIM_NUMBER_BYTES / 2;
}

/* The middle of the drawn curve: the charged epsilon, else the epsilon at delta 2^-20. */
static void central_epsilon(const scrim_measurement *m, sc_ratio *out)
{
    SC_OWN(sc_ratio, delta);
    sc_ratio_set_int64(&delta, 1 << 20);
    sc_ratio_set_int64(out, 1);
    sc_ratio_div(&delta, out, &delta);
    if (m->cost.has_epsilon)
        sc_ratio_set(out, &m->cost.epsilon);
    else if (sc_curve_epsilon_upper(&m->cost.curve, &delta, out))
        round_up(out, 3);
    if (!is_short(out))
        round_up(out, 60);
    if (sc_ratio_sign(out) == 0)
        sc_ratio_set_int64(out, 1);
}

/* points epsilons from 0 to 5/4 of the central one. */
static void even_points(const scrim_measurement *m, sc_check *checks, size_t points)
{
    SC_OWN(sc_ratio, step, at, last);
    central_epsilon(m, &step);
    sc_ratio_set_int64(&at, 5);
    sc_ratio_mul(&step, &step, &at);
    sc_ratio_set_int64(&last, 4 * (int64_t)(points - 1));
    sc_ratio_div(&step, &step, &last);
    for (size_t i = 0; i < points; i++) {
        sc_ratio_set_int64(&at, (int64_t)i);
        sc_ratio_mul(&at, &at, &step);
        sc_check_init(&checks[i], SC_CHECK_DELTA, &at);
    }
}

static int compare_epsilons(const void *a, const void *b)
{
    return sc_ratio_compare(&((const sc_check *)a)->argument,
                            &((const sc_check *)b)->argument);
}

/* Those that were asked for, sorted. checks has been zeroed; done counts those that are made. */
static scrim_status given_points(const scrim_audit_options *options, sc_check *checks,
                                 size_t *done, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, epsilon);
    for (size_t i = 0; status == SCRIM_OK && i < options->epsilon_count; i++) {
        if (options->epsilons[i] == NULL)
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilons",
                                 "epsilon %zu is missing", i + 1);
        else
            status = sc_ratio_parse(sc_text_of(options->epsilons[i]), &epsilon, error);
        if (status == SCRIM_OK && sc_ratio_sign(&epsilon) < 0)
            status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilons",
                                 "epsilon must be at least 0");
        if (status == SCRIM_OK &&
            sc_ratio_format(&epsilon, NULL, 0) >= SCRIM_NUMBER_BYTES)
            status =
                sc_fail(error, SCRIM_E_LIMIT, "an epsilon may have at most %d characters",
                        SCRIM_NUMBER_BYTES - 1);
        if (status == SCRIM_OK) {
            sc_check_init(&checks[i], SC_CHECK_DELTA, &epsilon);
            ++*done;
        }
    }
    if (status == SCRIM_OK)
        qsort(checks, options->epsilon_count, sizeof *checks, compare_epsilons);
    return status;
}

static scrim_status read_order(sc_text text, sc_ratio *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (sc_ratio_parse(text, out, NULL) == SCRIM_OK &&
        sc_ratio_compare_int64(out, 1) >= 0 &&
        sc_ratio_compare_int64(out, ORDER_LARGEST) <= 0 &&
        sc_ratio_format(out, NULL, 0) < SCRIM_NUMBER_BYTES)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "orders",
                       "an order must be a rational from 1 to %d, not '%s'",
                       ORDER_LARGEST, sc_text_quote(text, quote));
}

/* Orders in the order in which they are given. */
static scrim_status order_checks(const char *orders, scrim_audit_report *r,
                                 scrim_error *error)
{
    const char *at = orders;
    while (at != NULL) {
        const char *comma = strchr(at, ',');
        const size_t bytes = comma == NULL ? strlen(at) : (size_t)(comma - at);
        if (r->orders == ORDERS_MOST)
            return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "orders",
                               "an audit has at most %d orders", ORDERS_MOST);
        sc_check *order = &r->checks[r->count++];
        r->orders++;
        sc_check_init(order, SC_CHECK_RENYI, NULL);
        SC_TRY(read_order(sc_text_trim((sc_text){at, bytes}), &order->argument, error));
        at = comma == NULL ? NULL : comma + 1;
    }
    return SCRIM_OK;
}

/* The loss, the orders and the pair that is charged, behind the points. */
static scrim_status fixed_checks(const scrim_measurement *m, const char *orders,
                                 scrim_audit_report *r, scrim_error *error)
{
    sc_check *loss = &r->checks[r->count++];
    sc_check_init(loss, SC_CHECK_LOSS, NULL);
    if (m->cost.has_epsilon && sc_ratio_sign(&m->cost.delta) == 0) {
        loss->is_charged = true;
        sc_ratio_set(&loss->claimed, &m->cost.epsilon);
    }
    SC_TRY(order_checks(orders, r, error));
    if (m->cost.has_epsilon) {
        sc_check *charged = &r->checks[r->count++];
        sc_check_init(charged, SC_CHECK_DELTA, &m->cost.epsilon);
        charged->is_charged = true;
        sc_ratio_set(&charged->claimed, &m->cost.delta);
        r->has_charged = true;
    }
    return SCRIM_OK;
}

static scrim_status make_checks(const scrim_measurement *m,
                                const scrim_audit_options *options, scrim_audit_report *r,
                                scrim_error *error)
{
    const size_t points = options->epsilons != NULL ? options->epsilon_count
                          : options->points != 0    ? options->points
                                                    : POINTS_USUAL;
    const size_t most = points + 1 + ORDERS_MOST + 1;
    r->checks = sc_allocate(most, sizeof *r->checks);
    r->pairs = sc_allocate(most, sizeof *r->pairs);
    if (r->checks == NULL || r->pairs == NULL)
        return sc_no_memory(error, "an audit");
    r->points = points;
    if (options->epsilons != NULL) {
        scrim_status status = given_points(options, r->checks, &r->count, error);
        if (status != SCRIM_OK)
            return status;
    } else {
        even_points(m, r->checks, points);
        r->count = points;
    }
    return fixed_checks(m, options->orders == NULL ? ORDERS_USUAL : options->orders, r,
                        error);
}

static sc_check *loss_of(const scrim_audit_report *r)
{
    return &r->checks[r->points];
}

static sc_check *order_of(const scrim_audit_report *r, size_t index)
{
    return &r->checks[r->points + 1 + index];
}

static sc_check *charged_of(const scrim_audit_report *r)
{
    return r->has_charged ? &r->checks[r->count - 1] : NULL;
}

/* How it is told. */

static void format_pair(const scrim_measurement *m, const sc_check *check,
                        sc_text_sink *sink)
{
    sc_pair pair = {.x_count = 0};
    sc_search_pair(m, check->pair, &pair);
    sc_pair_put(sink, &pair, check->direction);
}

/* Texts are written twice: to be measured, and to be kept. */
static char *text_new(size_t length)
{
    return sc_allocate(length + 1, 1);
}

static scrim_status tell_pairs(const scrim_measurement *m, scrim_audit_report *r,
                               scrim_error *error)
{
    for (size_t i = 0; i < r->count; i++) {
        sc_text_sink sink;
        sc_text_sink_init(&sink, NULL, 0);
        format_pair(m, &r->checks[i], &sink);
        r->pairs[i] = text_new(sink.length);
        if (r->pairs[i] == NULL)
            return sc_no_memory(error, "an audit");
        sc_text_sink_init(&sink, r->pairs[i], sink.length + 1);
        format_pair(m, &r->checks[i], &sink);
    }
    return SCRIM_OK;
}

static void put_lower(sc_text_sink *sink, const sc_check *check)
{
    char digits[64];
    if (check->most.is_infinite) {
        sc_text_put(sink, sc_text_of(" is infinite"));
        return;
    }
    sc_ball_format(&check->most.lower, 7, digits, sizeof digits);
    sc_text_put(sink, sc_text_of(" reaches "));
    sc_text_put(sink, sc_text_of(digits));
}

static void put_ratio(sc_text_sink *sink, const sc_ratio *value)
{
    char digits[64];
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, value, 128);
    sc_ball_format(&ball, 7, digits, sizeof digits);
    sc_text_put(sink, sc_text_of(digits));
}

static void put_claim(const scrim_measurement *m, const sc_check *check,
                      sc_text_sink *sink)
{
    if (check->is_charged) {
        put_ratio(sink, &check->claimed);
        return;
    }
    char digits[64];
    SC_OWN(sc_ball, claim);
    sc_check_claim(m, check, 128, &claim);
    sc_ball_format(&claim, 7, digits, sizeof digits);
    sc_text_put(sink, sc_text_of(sc_ball_is_finite(&claim) ? digits : "nothing"));
}

static void put_name(const sc_check *check, sc_text_sink *sink)
{
    if (check->kind == SC_CHECK_LOSS) {
        sc_text_put(sink, sc_text_of("the privacy loss"));
        return;
    }
    sc_text_put(sink, sc_text_of(check->kind == SC_CHECK_DELTA
                                     ? "delta at epsilon "
                                     : "the Renyi divergence of order "));
    put_ratio(sink, &check->argument);
}

static void format_summary(const scrim_measurement *m, const scrim_audit_report *r,
                           sc_text_sink *sink)
{
    const sc_check *check = &r->checks[r->worst];
    put_name(check, sink);
    put_lower(sink, check);
    sc_text_put(sink,
                sc_text_of(r->verdict == SCRIM_AUDIT_VIOLATED ? ", more than the claimed "
                                                              : "; claimed is "));
    put_claim(m, check, sink);
    if (r->verdict == SCRIM_AUDIT_UNDECIDED)
        sc_text_put(sink, sc_text_of(", and neither is proved"));
    sc_text_put(sink, sc_text_of(", on "));
    sc_text_put(sink, sc_text_of(r->pairs[r->worst]));
}

static scrim_status tell(const scrim_measurement *m, scrim_audit_report *r,
                         scrim_error *error)
{
    scrim_status status = tell_pairs(m, r, error);
    if (status != SCRIM_OK)
        return status;
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    format_summary(m, r, &sink);
    r->summary = text_new(sink.length);
    r->text = text_new(strlen(m->text));
    if (r->summary == NULL || r->text == NULL)
        return sc_no_memory(error, "an audit");
    sc_text_sink_init(&sink, r->summary, sink.length + 1);
    format_summary(m, r, &sink);
    sc_text_sink_init(&sink, r->text, strlen(m->text) + 1);
    sc_text_put(&sink, sc_text_of(m->text));
    sc_cost_format(&m->cost, &r->cost);
    return SCRIM_OK;
}

/* The verdict, and the check that says most: the loss before the charged pair before the
 * curve before the orders, among those with the worst verdict; where all hold, among those that
 * attain the claim. */

static size_t first_with(const scrim_audit_report *r, scrim_audit_verdict verdict)
{
    const size_t loss = r->points, charged = r->count - 1;
    size_t best = r->count;
    if (loss_of(r)->verdict == verdict)
        return loss;
    if (r->has_charged && charged_of(r)->verdict == verdict)
        return charged;
    double excess = -HUGE_VAL;
    for (size_t i = 0; i < r->points; i++) {
        const sc_check *check = &r->checks[i];
        const double over = sc_bounds_lower(&check->most) - check->claimed_upper;
        if (check->verdict == verdict && over > excess) {
            excess = over;
            best = i;
        }
    }
    for (size_t i = loss + 1; best == r->count && i < loss + 1 + r->orders; i++)
        if (r->checks[i].verdict == verdict)
            best = i;
    return best;
}

/* The check that attains the claim, in the same order; r->count when none does. */
static size_t first_tight(const scrim_audit_report *r)
{
    if (sc_check_is_tight(loss_of(r)))
        return r->points;
    if (r->has_charged && sc_check_is_tight(charged_of(r)))
        return r->count - 1;
    for (size_t i = 0; i < r->count; i++)
        if (sc_check_is_tight(&r->checks[i]))
            return i;
    return r->count;
}

static void decide(scrim_audit_report *r)
{
    static const scrim_audit_verdict order[] = {SCRIM_AUDIT_VIOLATED,
                                                SCRIM_AUDIT_UNDECIDED, SCRIM_AUDIT_HOLDS};
    r->worst = r->count;
    for (size_t i = 0; r->worst == r->count && i < sizeof order / sizeof *order; i++) {
        r->worst = first_with(r, order[i]);
        r->verdict = order[i];
    }
    if (r->worst == r->count) { /* all of it is watched, and nothing proved */
        r->worst = r->points;
        r->verdict = SCRIM_AUDIT_UNDECIDED;
    }
    const size_t tight = first_tight(r);
    r->is_tight = r->verdict == SCRIM_AUDIT_HOLDS && tight < r->count;
    if (r->is_tight)
        r->worst = tight;
}

/* The whole. */

static scrim_status audit(const scrim_measurement *m, const scrim_audit_options *options,
                          scrim_audit_report *r, scrim_error *error)
{
    scrim_status status = make_checks(m, options, r, error);
    if (status != SCRIM_OK)
        return status;
    sc_search search = {.checks = r->checks,
                        .count = r->count,
                        .progress = options->progress,
                        .context = options->context};
    status = sc_search_run(m, &search, error);
    if (status != SCRIM_OK)
        return status;
    r->pair_count = search.pairs;
    r->outcomes = search.outcomes;
    decide(r);
    return tell(m, r, error);
}

scrim_status scrim_audit(const scrim_measurement *measurement,
                         const scrim_audit_options *options, scrim_audit_report **out,
                         scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    scrim_audit_options known;
    if (measurement == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "measurement",
                           "there is no measurement to audit");
    scrim_status status = read_options(options, &known, error);
    if (status != SCRIM_OK)
        return status;
    scrim_audit_report *r = sc_allocate(1, sizeof *r);
    if (r == NULL)
        return sc_no_memory(error, "an audit");
    const uint64_t refusals = sc_reserve_refusals();
    SC_BALL_SCOPE(scope);
    status = audit(measurement, &known, r, error);
    status = sc_ball_memory_check(refusals, status, error);
    if (status == SCRIM_OK)
        *out = r;
    else
        scrim_audit_report_free(r);
    return status;
}

void scrim_audit_report_free(scrim_audit_report *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->count; i++)
        sc_check_clear(&r->checks[i]);
    for (size_t i = 0; r->pairs != NULL && i < r->count; i++)
        sc_free(r->pairs[i]);
    sc_free(r->pairs);
    sc_free(r->checks);
    sc_free(r->summary);
    sc_free(r->text);
    sc_free(r);
}

/* The public questions. */

scrim_audit_verdict scrim_audit_report_verdict(const scrim_audit_report *r)
{
    return r->verdict;
}

scrim_status scrim_audit_check(const scrim_audit_report *r, scrim_error *error)
{
    SC_REQUIRE(error, "report", r);
    if (r->verdict == SCRIM_AUDIT_HOLDS)
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_CHECK, "%s: %s", r->text, r->summary);
}

int scrim_audit_report_is_tight(const scrim_audit_report *r)
{
    return r->is_tight;
}

const char *scrim_audit_report_summary(const scrim_audit_report *r)
{
    return r->summary;
}

const char *scrim_audit_report_text(const scrim_audit_report *r)
{
    return r->text;
}

void scrim_audit_report_cost(const scrim_audit_report *r, scrim_cost *out)
{
    *out = r->cost;
}

uint64_t scrim_audit_report_pairs(const scrim_audit_report *r)
{
    return r->pair_count;
}

uint64_t scrim_audit_report_outcomes(const scrim_audit_report *r)
{
    return r->outcomes;
}

const char *scrim_audit_report_worst_pair(const scrim_audit_report *r)
{
    return r->pairs[r->worst];
}

static void show_point(const scrim_audit_report *r, const sc_check *check,
                       scrim_audit_point *out)
{
    SC_OWN(sc_ball, view);
    sc_ball_set_ratio(&view, &check->argument, 64);
    *out = (scrim_audit_point){.epsilon_view = sc_ball_lower(&view),
                               .delta_lower = sc_bounds_lower(&check->most),
                               .delta_upper = check->upper,
                               .claimed_upper = check->claimed_upper,
                               .pair = r->pairs[check - r->checks],
                               .verdict = check->verdict};
    sc_ratio_format(&check->argument, out->epsilon, sizeof out->epsilon);
}

size_t scrim_audit_report_points(const scrim_audit_report *r)
{
    return r->points;
}

scrim_status scrim_audit_report_point(const scrim_audit_report *r, size_t index,
                                      scrim_audit_point *out, scrim_error *error)
{
    SC_REQUIRE(error, "report out", r, out);
    if (index >= r->points)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "point",
                           "the curve has %zu points", r->points);
    show_point(r, &r->checks[index], out);
    return SCRIM_OK;
}

scrim_status scrim_audit_report_charged(const scrim_audit_report *r,
                                        scrim_audit_point *out, scrim_error *error)
{
    SC_REQUIRE(error, "report out", r, out);
    if (!r->has_charged)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "epsilon",
                           "there is no epsilon guarantee, only a privacy curve");
    show_point(r, charged_of(r), out);
    return SCRIM_OK;
}

void scrim_audit_report_loss(const scrim_audit_report *r, scrim_audit_loss *out)
{
    const sc_check *check = loss_of(r);
    *out = (scrim_audit_loss){.loss_lower = sc_bounds_lower(&check->most),
                              .loss_upper = check->upper,
                              .claimed_upper = check->claimed_upper,
                              .unlisted_upper = check->unlisted_upper,
                              .pair = r->pairs[check - r->checks],
                              .verdict = check->verdict};
}

size_t scrim_audit_report_orders(const scrim_audit_report *r)
{
    return r->orders;
}

scrim_status scrim_audit_report_order(const scrim_audit_report *r, size_t index,
                                      scrim_audit_order *out, scrim_error *error)
{
    SC_REQUIRE(error, "report out", r, out);
    if (index >= r->orders)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "order",
                           "there are %zu orders", r->orders);
    const sc_check *check = order_of(r, index);
    *out = (scrim_audit_order){.renyi_lower = sc_bounds_lower(&check->most),
                               .renyi_upper = check->upper,
                               .claimed_upper = check->claimed_upper,
                               .pair = r->pairs[check - r->checks],
                               .verdict = check->verdict};
    sc_ratio_format(&check->argument, out->order, sizeof out->order);
    return SCRIM_OK;
}
