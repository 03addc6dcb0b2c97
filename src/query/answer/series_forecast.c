/* The cost of a series: of releases still to be made, and of all planned ones. Public: no
 * data are opened, and nothing is spent. */
#include "base/memory.h"
#include "base/number/decimal.h"
#include "composition/accountant/composition.h"
#include "model/measurement.h"
#include "query/answer/series.h"

/* The account. */

typedef struct asking {
    const scrim_series *series;
    const scrim_plan *plan;
    scrim_series_forecast *out;
} asking;

/* The cost of one release: for a window the sum of its prices, otherwise as for a query. */
static scrim_status price(const asking *a, const sc_book *book, const sc_filter *filter,
                          uint64_t analyst, sc_ratio *amount, sc_ratio *delta,
                          scrim_error *error)
{
    size_t count = 0;
    bool is_joint = false;
    const sc_exact_cost *costs = sc_bundle_costs(a->plan->bundle, &count);
    if (a->series->entry.is_parallel)
        return sc_filter_price_all(filter, costs, count, amount, delta, error);
    SC_OWN(sc_ratio, left);
    sc_book_left_delta(book, a->plan->dataset.number, analyst, &left);
    return sc_filter_price_jointly(
        filter, &(sc_filter_parts){costs, count, sc_bundle_joint(a->plan->bundle)}, &left,
        amount, delta, &is_joint, error);
}

/* How many times a charge fits into what is left. */
static uint64_t fitting(const sc_ratio *charge, const sc_ratio *left)
{
    uint64_t count = UINT64_MAX;
    if (sc_ratio_sign(charge) == 0)
        return count;
    SC_OWN(sc_ratio, times);
    SC_OWN(sc_integer, whole);
    sc_ratio_div(&times, left, charge);
    if (sc_ratio_compare_int64(&times, INT64_MAX) < 0) {
        sc_ratio_floor(&times, &whole);
        (void)sc_integer_get_uint64(&whole, &count);
    }
    return count;
}

static void multiply(const sc_ratio *x, uint64_t times, sc_ratio *out)
{
    SC_OWN(sc_ratio, factor);
    sc_ratio_set_int128(&factor, (sc_int128)times);
    sc_ratio_mul(out, x, &factor);
}

typedef struct sums {
    sc_ratio amount, delta;      /* of one release by itself, */
    sc_ratio added, added_delta; /* and what the first one to come adds */
    sc_ratio total, total_delta; /* of all that are to come */
    sc_ratio left, left_delta;
} sums;

static void init_sums(sums *s)
{
    sc_ratio *const all[] = {&s->amount, &s->delta,       &s->added, &s->added_delta,
                             &s->total,  &s->total_delta, &s->left,  &s->left_delta};
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sc_ratio_init(all[i]);
}

static void clear_sums(sums *s)
{
    sc_ratio *const all[] = {&s->amount, &s->delta,       &s->added, &s->added_delta,
                             &s->total,  &s->total_delta, &s->left,  &s->left_delta};
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        sc_ratio_clear(all[i]);
}

static uint64_t remaining(const scrim_series *s)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->entry.releases; i++)
        count += s->steps == NULL || s->steps[i].release == 0;
    return count;
}

/* Releases are made in their order: only the next one can wait for its answer. */
static uint64_t pending(const scrim_series *s)
{
    const uint64_t next = sc_series_next(s);
    return next == 0 || s->steps == NULL ? 0 : s->steps[next - 1].pending;
}

/* The windows of one version are paid for by the first; other releases each, but for the one that
 * is charged and waits for its answer. */
static void add_up(const asking *a, const sc_series_account *account, sums *s)
{
    const bool is_parallel = a->series->entry.is_parallel;
    sc_ratio_set(&s->added, &s->amount);
    sc_ratio_set(&s->added_delta, &s->delta);
    if (is_parallel && account != NULL)
        sc_series_account_price(account, a->series->entry.version, &s->added,
                                &s->added_delta);
    const uint64_t unpaid = a->out->remaining - (a->out->pending > 0);
    const uint64_t times = is_parallel && unpaid > 0 ? 1 : unpaid;
    multiply(&s->added, times, &s->total);
    multiply(&s->added_delta, times, &s->total_delta);
}

static void put_sums(const asking *a, const sums *s)
{
    scrim_series_forecast *out = a->out;
    const uint64_t by_amount = fitting(&s->added, &s->left);
    const uint64_t by_delta = fitting(&s->added_delta, &s->left_delta);
    sc_book_format_upper(&s->amount, out->amount);
    sc_book_format_upper(&s->delta, out->delta);
    sc_book_format_upper(&s->total, out->total);
    sc_book_format_upper(&s->total_delta, out->total_delta);
    sc_book_format_lower(&s->left, out->left);
    sc_book_format_lower(&s->left_delta, out->left_delta);
    out->fits = sc_ratio_compare(&s->total, &s->left) <= 0 &&
                sc_ratio_compare(&s->total_delta, &s->left_delta) <= 0;
    out->most = by_amount < by_delta ? by_amount : by_delta;
    if (a->series->entry.is_parallel && out->most > 0)
        out->most = UINT64_MAX;
}

static scrim_status read_account(scrim_vault *v, void *context, scrim_error *error)
{
    const asking *a = context;
    const sc_dataset_entry *d =
        sc_book_dataset(&v->book, a->series->entry.dataset_number);
    if (d == NULL)
        return sc_fail(error, SCRIM_E_LEDGER, "the dataset is no longer in the vault");
    const sc_filter *filter = &sc_book_population(&v->book, d->population)->filter;
    const uint64_t analyst =
        sc_book_charged_analyst(&v->book, v->identity.user, sc_text_of(v->identity.name));
    sums s;
    init_sums(&s);
    a->out->unit = sc_filter_unit(filter->rule);
    a->out->remaining = remaining(a->series);
    a->out->pending = pending(a->series);
    scrim_status status = price(a, &v->book, filter, analyst, &s.amount, &s.delta, error);
    if (status == SCRIM_OK) {
        sc_book_left(&v->book, d->population, analyst, &s.left, &s.left_delta);
        add_up(a, sc_book_series(&v->book, a->series->entry.number), &s);
        put_sums(a, &s);
        sc_book_set_remainder(&v->book, d->population, analyst, &a->out->remainder);
    }
    clear_sums(&s);
    return status;
}

/* All releases together. */

/* As many as a composition's bound has. */
#define DIGITS 6

/* The draws of all releases that one unit can change. */
static scrim_status compose_parts(const scrim_plan *plan, uint64_t releases,
                                  scrim_composition **out, scrim_error *error)
{
    const size_t count = sc_bundle_count(plan->bundle);
    sc_composed_cost *costs = sc_allocate(count, sizeof *costs);
    if (costs == NULL)
        return sc_no_memory(error, "a forecast");
    for (size_t i = 0; i < count; i++)
        costs[i] =
            (sc_composed_cost){.cost = &sc_bundle_measurement(plan->bundle, i)->cost,
                               .count = releases * sc_bundle_copies(plan->bundle, i)};
    const scrim_status status = sc_composition_of(costs, count, out, error);
    sc_free(costs);
    return status;
}

/* Where keys are selected, quick accountants alone: distributions of losses take seconds. The sum holds too,
 * and is the smaller bound now and then, since accountants round up. */
static scrim_status bound(const scrim_plan *plan, uint64_t releases, const sc_ratio *sum,
                          const sc_ratio *delta, scrim_series_forecast *out,
                          scrim_error *error)
{
    scrim_composition *all = NULL;
    bool is_infinite = false;
    SC_OWN(sc_ratio, joint);
    scrim_status status = compose_parts(plan, releases, &all, error);
    if (status == SCRIM_OK)
        status = sc_composition_epsilon_upper(
            all, delta, plan->statements[0].keys_kind == SC_PLAN_DISCOVERED, &joint,
            &is_infinite, error);
    if (status == SCRIM_OK && !is_infinite) {
        if (sc_ratio_compare(sum, &joint) < 0)
            sc_book_format_upper(sum, out->joint);
        else
            sc_decimal_upper(&joint, DIGITS, out->joint);
    }
    scrim_composition_free(all);
    return status;
}

/* Bounds that no accountant gives stay empty. */
static scrim_status compose(const asking *a, scrim_error *error)
{
    const scrim_series *s = a->series;
    const uint64_t releases = s->entry.is_parallel ? 1 : s->entry.releases;
    SC_OWN(sc_ratio, sum, delta);
    multiply(&a->plan->options.epsilon, releases, &sum);
    sc_book_format_upper(&sum, a->out->basic);
    multiply(&a->plan->options.delta, releases, &delta);
    if (sc_ratio_compare_int64(&delta, 1) >= 0)
        return SCRIM_OK;
    sc_book_format_upper(&delta, a->out->at_delta);
    const scrim_status status = bound(a->plan, releases, &sum, &delta, a->out, error);
    return status == SCRIM_E_MEMORY || status == SCRIM_E_INTERNAL ? status : SCRIM_OK;
}

scrim_status sc_series_forecast(scrim_vault *vault, const scrim_series *series,
                                bool with_joint, scrim_series_forecast *out,
                                scrim_error *error)
{
    scrim_series_forecast forecast = {.unit = ""};
    const uint64_t next = sc_series_next(series);
    asking a = {.series = series, .out = &forecast};
    scrim_plan *plan = NULL;
    scrim_status status =
        sc_series_plan(vault, series, next == 0 ? series->entry.releases : next, NULL,
                       NULL, &plan, error);
    a.plan = plan;
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, read_account, &a, error);
    if (status == SCRIM_OK && with_joint)
        status = compose(&a, error);
    if (status == SCRIM_OK)
        *out = forecast;
    scrim_plan_free(plan);
    return status;
}

scrim_status scrim_series_forecast_of(scrim_vault *vault, const scrim_series *series,
                                      scrim_series_forecast *out, scrim_error *error)
{
    SC_REQUIRE(error, "vault series out", vault, series, out);
    return sc_series_forecast(vault, series, true, out, error);
}
