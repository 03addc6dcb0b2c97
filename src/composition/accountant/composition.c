/* The doubles here are views of balls, rounded outwards; nothing is computed with them. */
#include "composition/accountant/composition.h"

#include "base/memory.h"
#include "base/number/ball_memory.h"
#include "base/number/decimal.h"
#include "base/work_limit.h"
#include "composition/accountant/accountants.h"
#include "model/option_struct.h"

#include <string.h>

struct scrim_composition {
    sc_bag bag;
};

/* Parts. */

/* From a text, or from costs where it is NULL. */
static scrim_status make(const char *text, const sc_composed_cost *costs, size_t count,
                         scrim_composition **out, scrim_error *error)
{
    scrim_composition *composition = sc_allocate(1, sizeof *composition);
    if (composition == NULL)
        return sc_no_memory(error, "parts");
    SC_BALL_SCOPE(scope);
    sc_bag_init(&composition->bag);
    scrim_status status =
        text == NULL ? SCRIM_OK : sc_bag_parse(text, &composition->bag, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        status = sc_bag_add_cost(&composition->bag, costs[i].cost, costs[i].count, error);
    if (status == SCRIM_OK)
        *out = composition;
    else
        scrim_composition_free(composition);
    return status;
}

scrim_status scrim_composition_parse(const char *text, scrim_composition **out,
                                     scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    return text == NULL ? sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "part",
                                      "parts are missing")
                        : make(text, NULL, 0, out, error);
}

scrim_status scrim_composition_group(const scrim_composition *composition, uint64_t units,
                                     scrim_composition **out, scrim_error *error)
{
    SC_REQUIRE(error, "composition out", composition, out);
    if (units < 1 || units > 1 << 20)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "group",
                           "a group must have from 1 to 1048576 units");
    scrim_composition *group = sc_allocate(1, sizeof *group);
    if (group == NULL)
        return sc_no_memory(error, "parts");
    SC_BALL_SCOPE(scope);
    sc_bag_init(&group->bag);
    const scrim_status status =
        sc_bag_group(&composition->bag, units, &group->bag, error);
    if (status == SCRIM_OK)
        *out = group;
    else
        scrim_composition_free(group);
    return status;
}

scrim_status sc_composition_of(const sc_composed_cost *costs, size_t count,
                               scrim_composition **out, scrim_error *error)
{
    return make(NULL, costs, count, out, error);
}

void scrim_composition_free(scrim_composition *composition)
{
    if (composition == NULL)
        return;
    sc_bag_clear(&composition->bag);
    sc_free(composition);
}

size_t scrim_composition_parts(const scrim_composition *composition)
{
    return composition->bag.count;
}

scrim_status scrim_composition_part_at(const scrim_composition *composition, size_t index,
                                       scrim_composition_part *out, scrim_error *error)
{
    SC_REQUIRE(error, "composition out", composition, out);
    if (index >= composition->bag.count)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                           "there is no part %zu", index);
    const sc_part *part = &composition->bag.parts[index];
    out->text = part->text;
    out->count = part->count;
    out->rate[0] = '\0';
    if (part->is_sampled)
        sc_cost_put_upper(&part->rate, out->rate);
    sc_cost_format(&part->cost, &out->cost);
    return SCRIM_OK;
}

static uint64_t releases_of(const sc_bag *bag)
{
    uint64_t sum = 0; /* at most 2^12 parts of 2^40 */
    for (size_t i = 0; i < bag->count; i++)
        sum += bag->parts[i].count;
    return sum;
}

uint64_t scrim_composition_releases(const scrim_composition *composition)
{
    return releases_of(&composition->bag);
}

scrim_neighbours scrim_composition_neighbours(const scrim_composition *composition)
{
    return composition->bag.neighbours;
}

/* Accountants. */

static void describe(const sc_accountant *accountant, scrim_accountant_entry *out)
{
    *out = (scrim_accountant_entry){accountant->name, accountant->summary,
                                    accountant->reference, accountant->is_adaptive};
}

int scrim_accountant_at(size_t index, scrim_accountant_entry *out)
{
    const sc_accountant *accountant = sc_accountant_at(index);
    if (accountant == NULL)
        return 0;
    describe(accountant, out);
    return 1;
}

static size_t accountant_count(void)
{
    size_t count = 0;
    while (sc_accountant_at(count) != NULL)
        count++;
    return count;
}

/* The request. */

/* For each accountant, and for all of them together (base/work_limit.h): about one second, and less than two. An
 * accountant that needs more has no bound. One slow accountant leaves work for the others. */
#define ACCOUNTANT_WORK UINT64_C(1000000000)
#define COMPOSITION_WORK UINT64_C(1600000000)

typedef struct request {
    bool for_epsilon;
    sc_ratio at;                 /* the delta, or the epsilon */
    const sc_accountant *single; /* NULL: all */
    bool is_quick;               /* without those that are slow */
    bool is_limited;             /* to COMPOSITION_WORK */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    uint64_t done, total; /* accountants */
} request;

#define NAMES 32

static scrim_status find_accountant(const char *name, const sc_accountant **out,
                                    scrim_error *error)
{
    const char *names[NAMES];
    char quote[SC_TEXT_QUOTE_BYTES], all[200];
    size_t count = 0;
    sc_text_sink sink;
    *out = sc_accountant_find(name);
    if (*out != NULL)
        return SCRIM_OK;
    sc_text_sink_init(&sink, all, sizeof all);
    for (; count < NAMES && sc_accountant_at(count) != NULL; count++) {
        names[count] = sc_accountant_at(count)->name;
        sc_text_put(&sink, sc_text_of(count == 0 ? "" : ", "));
        sc_text_put(&sink, sc_text_of(names[count]));
    }
    const char *nearest = sc_text_nearest(sc_text_of(name), names, count);
    sc_text_quote(sc_text_of(name), quote);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "accountant",
                           "unknown accountant '%s'; did you mean '%s'?", quote, nearest);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "accountant",
                       "unknown accountant '%s'; use %s", quote, all);
}

static scrim_status read_options(const scrim_composition_options *options,
                                 request *wanted, scrim_error *error)
{
    scrim_composition_options own;
    scrim_status status =
        sc_option_struct_copy(options, sizeof options->size, &own, sizeof own, error);
    if (status != SCRIM_OK)
        return status;
    wanted->progress = own.progress;
    wanted->context = own.context;
    return own.accountant == NULL
               ? SCRIM_OK
               : find_accountant(own.accountant, &wanted->single, error);
}

static scrim_status read_at(const char *text, bool for_epsilon, sc_ratio *out,
                            scrim_error *error)
{
    const char *name = for_epsilon ? "delta" : "epsilon";
    scrim_error reason;
    if (text == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, name,
                           "%s is missing", name);
    scrim_status status = sc_ratio_parse(sc_text_of(text), out, &reason);
    if (status != SCRIM_OK)
        return sc_fail_for(error, status, SCRIM_REASON_SYNTAX, name, "%s: %s", name,
                           reason.message);
    if (sc_ratio_sign(out) < 0 || (for_epsilon && sc_ratio_compare_int64(out, 1) >= 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                           for_epsilon ? "delta must be at least 0 and less than 1"
                                       : "epsilon must be at least 0");
    return SCRIM_OK;
}

static void count_one(request *wanted)
{
    wanted->done++;
    if (wanted->progress != NULL)
        wanted->progress(wanted->context, wanted->done, wanted->total);
}

/* Showing numbers. */

#define DIGITS 20
#define DIGITS_SHORT 6
/* Finer than that, 20 digits would have more bits below the line than a number may have. */
#define PLACES (SC_RATIO_BITS - 96)

/* Rounded outwards: up for an upper bound, down for a lower one. */
static void put(const sc_ratio *x, bool is_upper, unsigned digits, char *text,
                size_t bytes)
{
    char decimal[SC_DECIMAL_BYTES];
    sc_text_sink sink;
    if (is_upper)
        sc_decimal_upper(x, digits, decimal);
    else
        sc_decimal_lower(x, digits, decimal);
    sc_text_sink_init(&sink, text, bytes);
    sc_text_put(&sink, sc_text_of(decimal));
}

/* The outer end of x, and never below 0. False: x is not finite. */
static bool outer_end(const sc_ball *x, bool is_upper, sc_ratio *end)
{
    const bool is_there =
        is_upper ? sc_ball_round_up(x, PLACES, end) : sc_ball_round_down(x, PLACES, end);
    if (is_there && sc_ratio_sign(end) < 0)
        sc_ratio_set_int64(end, 0);
    return is_there;
}

/* False where there is no end, and nothing is written. */
static bool show_end(const sc_ball *x, bool is_upper, char text[SCRIM_NUMBER_BYTES],
                     char text_short[SCRIM_SHORT_BYTES], double *view)
{
    SC_OWN(sc_ratio, end);
    const bool is_there = outer_end(x, is_upper, &end);
    if (is_there) {
        put(&end, is_upper, DIGITS, text, SCRIM_NUMBER_BYTES);
        put(&end, is_upper, DIGITS_SHORT, text_short, SCRIM_SHORT_BYTES);
        *view = is_upper ? sc_ball_upper(x) : sc_ball_lower(x);
        if (*view < 0)
            *view = 0;
    }
    return is_there;
}

static void show(const sc_enclosure *found, scrim_bound_pair *out)
{
    *out = (scrim_bound_pair){.upper_view = __builtin_inf()};
    out->has_upper = found->has_upper && show_end(&found->upper, true, out->upper,
                                                  out->upper_short, &out->upper_view);
    out->has_lower = found->has_lower && show_end(&found->lower, false, out->lower,
                                                  out->lower_short, &out->lower_view);
}

/* Epsilon and delta are from 0 on: that much is always proved. */
static void show_best(const sc_best *best, scrim_bound_pair *out)
{
    show(&best->bounds, out);
    if (!out->has_lower) {
        out->has_lower = 1;
        memcpy(out->lower, "0", 2);
        memcpy(out->lower_short, "0", 2);
    }
}

/* Asking. */

/* One accountant. A bag that is too large for it gets a remark and does not fail. */
static scrim_status ask(const sc_accountant *accountant, const sc_bag *bag,
                        const request *wanted, sc_enclosure *found,
                        char remark[SCRIM_MESSAGE_BYTES], scrim_error *error)
{
    const char *said = NULL;
    scrim_error reason = {.status = SCRIM_OK};
    sc_work_limit limit;
    const uint64_t refusals = sc_reserve_refusals();
    sc_work_limit_enter(&limit, wanted->is_limited ? ACCOUNTANT_WORK : UINT64_MAX);
    scrim_status status =
        wanted->for_epsilon ? accountant->epsilon(bag, &wanted->at, found, &said, &reason)
                            : accountant->delta(bag, &wanted->at, found, &said, &reason);
    sc_work_limit_leave(&limit);
    status = sc_ball_memory_check(refusals, status, &reason);
    if (status == SCRIM_E_LIMIT) {
        found->has_lower = found->has_upper = false;
        said = reason.message;
    } else if (status != SCRIM_OK) {
        return sc_fail_again(error, status, &reason, "%s: %s", accountant->name,
                             reason.message);
    }
    sc_text_sink sink;
    sc_text_sink_init(&sink, remark, SCRIM_MESSAGE_BYTES);
    sc_text_put(&sink, sc_text_of(said));
    return SCRIM_OK;
}

/* A lower bound above an upper one would mean that one of the two is wrong. */
static scrim_status check_order(const sc_best *best, scrim_error *error)
{
    const sc_enclosure *bounds = &best->bounds;
    if (!bounds->has_lower || !bounds->has_upper ||
        !sc_ball_is_less(&bounds->upper, &bounds->lower))
        return SCRIM_OK;
    return sc_fail(
        error, SCRIM_E_INTERNAL,
        "the lower bound of %s exceeds the upper bound of %s; please report it",
        best->lower_by->name, best->upper_by->name);
}

static void show_question(const sc_ratio *at, scrim_bounds *out)
{
    SC_OWN(sc_ball, ball);
    sc_ball_set_ratio(&ball, at, 64);
    put(at, true, DIGITS, out->at, sizeof out->at);
    out->at_view = sc_ball_upper(&ball);
}

/* Each accountant's bounds, into rows where there are any, and the best of them. */
static scrim_status ask_all(const sc_bag *bag, request *wanted, scrim_bound_row *rows,
                            sc_best *best, scrim_error *error)
{
    char remark[SCRIM_MESSAGE_BYTES];
    scrim_status status = SCRIM_OK;
    size_t row = 0;
    const sc_accountant *accountant;
    for (size_t i = 0; status == SCRIM_OK && (accountant = sc_accountant_at(i)) != NULL;
         i++) {
        if ((wanted->single != NULL && accountant != wanted->single) ||
            (wanted->is_quick && accountant->is_slow))
            continue;
        SC_OWN(sc_enclosure, found);
        status = ask(accountant, bag, wanted, &found, remark, error);
        if (status == SCRIM_OK) {
            sc_best_take(best, accountant, &found);
            if (rows != NULL) {
                describe(accountant, &rows[row].accountant);
                show(&found, &rows[row].bounds);
                memcpy(rows[row++].remark, remark, sizeof remark);
            }
            if (rows != NULL)
                count_one(wanted);
        }
    }
    return status == SCRIM_OK ? check_order(best, error) : status;
}

static scrim_status fill(const sc_bag *bag, request *wanted, scrim_bounds *out,
                         scrim_error *error)
{
    scrim_bounds found = {.count = wanted->single != NULL ? 1 : accountant_count()};
    found.rows = sc_allocate(found.count, sizeof *found.rows);
    if (found.rows == NULL)
        return sc_no_memory(error, "bounds");
    SC_OWN(sc_best, best);
    scrim_status status = ask_all(bag, wanted, found.rows, &best, error);
    if (status == SCRIM_OK) {
        show_question(&wanted->at, &found);
        show_best(&best, &found.best);
        for (size_t i = 0; i < found.count; i++)
            found.rows[i].is_best =
                best.upper_by != NULL &&
                strcmp(found.rows[i].accountant.name, best.upper_by->name) == 0;
        found.is_adaptive = best.upper_by != NULL && best.upper_by->is_adaptive;
        *out = found;
    } else {
        sc_free(found.rows);
    }
    return status;
}

static scrim_status answer(const scrim_composition *composition, const char *at,
                           bool for_epsilon, const scrim_composition_options *options,
                           scrim_bounds *out, scrim_error *error)
{
    request wanted = {.for_epsilon = for_epsilon, .is_limited = true};
    sc_ratio_init(&wanted.at);
    scrim_status status = read_options(options, &wanted, error);
    if (status == SCRIM_OK)
        status = read_at(at, for_epsilon, &wanted.at, error);
    if (status == SCRIM_OK) {
        sc_ball_scope scope;
        sc_work_limit limit;
        wanted.total = wanted.single != NULL ? 1 : accountant_count();
        sc_work_limit_enter(&limit, COMPOSITION_WORK);
        sc_ball_enter(&scope);
        status = fill(&composition->bag, &wanted, out, error);
        sc_ball_leave(&scope);
        sc_work_limit_leave(&limit);
    }
    sc_ratio_clear(&wanted.at);
    return status;
}

scrim_status scrim_composition_epsilon(const scrim_composition *composition,
                                       const char *delta,
                                       const scrim_composition_options *options,
                                       scrim_bounds *out, scrim_error *error)
{
    SC_REQUIRE(error, "composition delta out", composition, delta, out);
    return answer(composition, delta, true, options, out, error);
}

scrim_status scrim_composition_delta(const scrim_composition *composition,
                                     const char *epsilon,
                                     const scrim_composition_options *options,
                                     scrim_bounds *out, scrim_error *error)
{
    SC_REQUIRE(error, "composition epsilon out", composition, epsilon, out);
    return answer(composition, epsilon, false, options, out, error);
}

void scrim_bounds_clear(scrim_bounds *bounds)
{
    if (bounds == NULL)
        return;
    sc_free(bounds->rows);
    *bounds = (scrim_bounds){0};
}

/* Curves. */

/* Are both bounds there, and within a hundredth of each other? */
static bool is_close(const sc_best *best)
{
    const sc_enclosure *bounds = &best->bounds;
    return bounds->has_lower && bounds->has_upper &&
           sc_ball_lower(&bounds->lower) >= 0.99 * sc_ball_upper(&bounds->upper);
}

/* The fast implementation alone, where it is accurate enough for a plot. */
static scrim_status ask_fast(const sc_bag *bag, request *wanted, sc_best *best,
                             scrim_error *error)
{
    request fast = *wanted;
    fast.single = sc_accountant_find("fast-loss");
    fast.progress = NULL;
    return fast.single == NULL || wanted->single != NULL || wanted->is_quick
               ? SCRIM_OK
               : ask_all(bag, &fast, NULL, best, error);
}

static scrim_status find_best(const sc_bag *bag, request *wanted, sc_best *out,
                              scrim_error *error)
{
    scrim_status status = ask_fast(bag, wanted, out, error);
    if (status == SCRIM_OK && !is_close(out))
        status = ask_all(bag, wanted, NULL, out, error);
    return status;
}

static scrim_status best_of(const sc_bag *bag, request *wanted, scrim_bound_pair *out,
                            scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_best, best);
    const scrim_status status = find_best(bag, wanted, &best, error);
    if (status == SCRIM_OK)
        show_best(&best, out);
    return status;
}

scrim_status sc_composition_epsilon_upper(const scrim_composition *composition,
                                          const sc_ratio *delta, bool is_quick,
                                          sc_ratio *out, bool *is_infinite,
                                          scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_best, best);
    request wanted = {.for_epsilon = true, .is_quick = is_quick};
    sc_ratio_init(&wanted.at);
    sc_ratio_set(&wanted.at, delta);
    const scrim_status status = find_best(&composition->bag, &wanted, &best, error);
    if (status == SCRIM_OK) {
        *is_infinite =
            !best.bounds.has_upper || !outer_end(&best.bounds.upper, true, out);
        if (!*is_infinite)
            sc_decimal_round_up(out, DIGITS_SHORT, out);
    }
    sc_ratio_clear(&wanted.at);
    return status;
}

scrim_status scrim_composition_curve(const scrim_composition *composition,
                                     const char *const *deltas, size_t count,
                                     const scrim_composition_options *options,
                                     scrim_bound_pair *out, scrim_error *error)
{
    SC_REQUIRE(error, "composition out", composition, out);
    request wanted = {.for_epsilon = true};
    sc_ratio_init(&wanted.at);
    scrim_status status = read_options(options, &wanted, error);
    wanted.total = count;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = read_at(deltas[i], true, &wanted.at, error);
        if (status == SCRIM_OK)
            status = best_of(&composition->bag, &wanted, &out[i], error);
        count_one(&wanted);
    }
    sc_ratio_clear(&wanted.at);
    return status;
}

static scrim_status best_of_first(const sc_bag *bag, uint64_t releases, request *wanted,
                                  scrim_bound_pair *out, scrim_error *error)
{
    if (releases == 0 || releases > releases_of(bag))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "releases",
                           "the number of releases must be from 1 to that of all parts");
    SC_OWN(sc_bag, first);
    SC_TRY(sc_bag_first(bag, releases, &first, error));
    return best_of(&first, wanted, out, error);
}

scrim_status scrim_composition_growth(const scrim_composition *composition,
                                      const char *delta, const uint64_t *releases,
                                      size_t count,
                                      const scrim_composition_options *options,
                                      scrim_bound_pair *out, scrim_error *error)
{
    SC_REQUIRE(error, "composition out", composition, out);
    request wanted = {.for_epsilon = true};
    sc_ratio_init(&wanted.at);
    scrim_status status = read_options(options, &wanted, error);
    wanted.total = count;
    if (status == SCRIM_OK)
        status = read_at(delta, true, &wanted.at, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = best_of_first(&composition->bag, releases[i], &wanted, &out[i], error);
        count_one(&wanted);
    }
    sc_ratio_clear(&wanted.at);
    return status;
}
