#include "ledger/ledger.h"

#include "base/memory.h"
#include "ledger/run_record.h"
#include "model/option_struct.h"
#include "random/private_pages.h"

#include <pthread.h>
#include <string.h>

/* Relations. */

/* A group of two: what an add-remove claim is worth when a unit is replaced. */
static scrim_status pair_of_units(const sc_exact_cost *cost, sc_exact_cost *out,
                                  scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, two);
    SC_OWN(sc_ball, factor, part);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_mul(&out->epsilon, &cost->epsilon, &two);
    sc_ratio_mul(&out->rho, &cost->rho, &two);
    sc_ratio_mul(&out->rho, &out->rho, &two);
    sc_ratio_set_int64(&out->delta, 0);
    if (sc_ratio_sign(&cost->delta) > 0) {
        /* delta (1 + exp(epsilon)) */
        sc_ball_set_ratio(&factor, &cost->epsilon, 256);
        sc_ball_exp(&factor, &factor, 256);
        sc_ball_add_int64(&factor, &factor, 1, 256);
        sc_ball_set_ratio(&part, &cost->delta, 256);
        sc_ball_mul(&factor, &factor, &part, 256);
        sc_ball_set_int64(&part, 1);
        if (!sc_ball_is_less(&factor, &part) ||
            !sc_cost_round_up_ball(&factor, &out->delta))
            status = sc_fail(error, SCRIM_E_POLICY,
                             "no guarantee once a unit is replaced; declare the "
                             "measurement for replace");
    }
    return status;
}

scrim_status sc_ledger_convert(const sc_exact_cost *cost, scrim_neighbours into,
                               sc_exact_cost *out, scrim_error *error)
{
    out->neighbours = into;
    out->has_epsilon = cost->has_epsilon;
    out->has_rho = sc_cost_is_line(cost);
    if (cost->neighbours == into ||
        (cost->neighbours == SCRIM_LOCAL && into == SCRIM_REPLACE)) {
        sc_ratio_set(&out->epsilon, &cost->epsilon);
        sc_ratio_set(&out->delta, &cost->delta);
        sc_ratio_set(&out->rho, &cost->rho);
        return SCRIM_OK;
    }
    if (cost->neighbours == SCRIM_ADD_REMOVE && into == SCRIM_REPLACE)
        return pair_of_units(cost, out, error);
    return sc_fail(error, SCRIM_E_POLICY,
                   "a claim for '%s' does not hold in a ledger for '%s'; state it for "
                   "the ledger's neighbours",
                   scrim_neighbours_name(cost->neighbours), scrim_neighbours_name(into));
}

scrim_status sc_ledger_charged(const scrim_ledger *ledger, const sc_exact_cost *cost,
                               scrim_cost *out, scrim_error *error)
{
    SC_BALL_SCOPE(scope);
    sc_exact_cost here;
    sc_cost_init(&here);
    const scrim_status status = sc_ledger_convert(cost, ledger->neighbours, &here, error);
    if (status == SCRIM_OK)
        sc_cost_format(&here, out);
    sc_cost_clear(&here);
    return status;
}

/* The ledger in memory. */

typedef struct line {
    scrim_entry entry;
    char *measurement, *answer;
    sc_run_record run; /* of an open one */
} line;

/* A text that was shown and lives on. */
typedef struct kept_text {
    struct kept_text *next;
    char *text;
} kept_text;

typedef struct memory_ledger {
    scrim_ledger ledger;
    sc_process_mark here;
    pthread_mutex_t lock;
    sc_exact_cost budget, spent;
    line *lines;
    size_t count, capacity;
    kept_text *shown;
} memory_ledger;

static memory_ledger *of(scrim_ledger *ledger)
{
    return (memory_ledger *)ledger;
}

static char *copy_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = sc_allocate(bytes, 1);
    if (copy != NULL)
        memcpy(copy, text, bytes);
    return copy;
}

/* A sum of fractions gets longer with each new denominator; beyond SC_RATIO_BITS it is rounded up
 * to TOTAL_PLACES binary places. */
#define TOTAL_PLACES 2048

/* Does spent + charge exceed the budget? total is left as the sum. */
static bool exceeds(const sc_ratio *spent, const sc_ratio *charge, const sc_ratio *budget,
                    sc_ratio *total)
{
    sc_ratio_add_up(total, spent, charge, SC_RATIO_BITS, TOTAL_PLACES);
    return sc_ratio_compare(total, budget) > 0;
}

static scrim_status fail_budget(const char *what, const sc_ratio *charge,
                                const sc_ratio *spent, const sc_ratio *budget,
                                scrim_error *error)
{
    char asked[SCRIM_NUMBER_BYTES], left[SCRIM_NUMBER_BYTES];
    char asked_words[SCRIM_NUMBER_BYTES], left_words[SCRIM_NUMBER_BYTES];
    SC_OWN(sc_ratio, rest);
    sc_ratio_sub(&rest, budget, spent);
    sc_cost_put_upper(charge, asked);
    sc_cost_put_lower(&rest, left);
    memcpy(asked_words, asked, sizeof asked);
    memcpy(left_words, left, sizeof left);
    sc_cost_say(asked_words, true);
    sc_cost_say(left_words, false);
    const scrim_status status =
        sc_fail_for(error, SCRIM_E_BUDGET, SCRIM_REASON_BUDGET, what,
                    "insufficient budget: %s %s requested, %s left; nothing was charged",
                    what, asked_words, left_words);
    sc_error_set_amounts(error, asked, left);
    return status;
}

/* The charge in what the ledger counts. Of something concentrated rho is all there is; what has
 * only (epsilon, delta) counts as epsilon^2/2 and delta (spec/local-and-accounting.md 9). */
static scrim_status count_charge(const memory_ledger *l, sc_exact_cost *charge,
                                 scrim_error *error)
{
    const bool by_rho = l->budget.has_rho;
    if (by_rho ? !charge->has_rho && !charge->has_epsilon : !charge->has_epsilon)
        return sc_fail(error, SCRIM_E_POLICY,
                       by_rho ? "this ledger counts rho, and the measurement has no rho"
                              : "this ledger counts epsilon, and the measurement has "
                                "only a curve; give it epsilon and delta");
    if (by_rho && charge->has_rho) {
        sc_ratio_set_int64(&charge->delta, 0);
    } else if (by_rho) {
        SC_OWN(sc_ratio, two);
        sc_ratio_set_int64(&two, 2);
        sc_ratio_mul(&charge->rho, &charge->epsilon, &charge->epsilon);
        sc_ratio_div(&charge->rho, &charge->rho, &two);
        sc_cost_round_up(&charge->rho, &charge->rho);
    }
    charge->has_rho = by_rho;
    charge->has_epsilon = !by_rho;
    return SCRIM_OK;
}

/* Adds the counted charge to what is spent, when all of it fits. */
static scrim_status admit(memory_ledger *l, const sc_exact_cost *charge,
                          scrim_error *error)
{
    const bool by_rho = l->budget.has_rho;
    sc_exact_cost total;
    scrim_status status = SCRIM_OK;
    sc_cost_init(&total);
    if (by_rho && exceeds(&l->spent.rho, &charge->rho, &l->budget.rho, &total.rho))
        status = fail_budget("rho", &charge->rho, &l->spent.rho, &l->budget.rho, error);
    else if (!by_rho && exceeds(&l->spent.epsilon, &charge->epsilon, &l->budget.epsilon,
                                &total.epsilon))
        status = fail_budget("epsilon", &charge->epsilon, &l->spent.epsilon,
                             &l->budget.epsilon, error);
    else if (exceeds(&l->spent.delta, &charge->delta, &l->budget.delta, &total.delta))
        status = fail_budget("delta", &charge->delta, &l->spent.delta, &l->budget.delta,
                             error);
    if (status == SCRIM_OK) {
        sc_ratio_set(&l->spent.epsilon, &total.epsilon);
        sc_ratio_set(&l->spent.rho, &total.rho);
        sc_ratio_set(&l->spent.delta, &total.delta);
    }
    sc_cost_clear(&total);
    return status;
}

/* Writes a number that a ledger counts. */
typedef void put_number(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES]);

static void format_counted(const sc_exact_cost *counted, put_number *put, scrim_cost *out)
{
    memset(out, 0, sizeof *out);
    out->neighbours = counted->neighbours;
    if (counted->has_epsilon)
        put(&counted->epsilon, out->epsilon);
    if (counted->has_rho)
        put(&counted->rho, out->rho);
    put(&counted->delta, out->delta);
}

/* The costs in the ledger's relation and in what it counts, added up. */
static scrim_status count_all(const memory_ledger *l, const sc_exact_cost *costs,
                              size_t count, sc_exact_cost *all, scrim_error *error)
{
    sc_exact_cost one;
    scrim_status status = SCRIM_OK;
    sc_cost_init(&one);
    all->neighbours = l->budget.neighbours;
    all->has_rho = l->budget.has_rho;
    all->has_epsilon = l->budget.has_epsilon;
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = sc_ledger_convert(&costs[i], l->budget.neighbours, &one, error);
        if (status == SCRIM_OK)
            status = count_charge(l, &one, error);
        if (status != SCRIM_OK)
            break;
        sc_ratio_add(&all->epsilon, &all->epsilon, &one.epsilon);
        sc_ratio_add(&all->rho, &all->rho, &one.rho);
        sc_ratio_add(&all->delta, &all->delta, &one.delta);
        sc_cost_round_up(&all->epsilon, &all->epsilon);
        sc_cost_round_up(&all->rho, &all->rho);
        sc_cost_round_up(&all->delta, &all->delta);
    }
    sc_cost_clear(&one);
    return status;
}

/* Takes what the costs come to jointly, where this ledger counts that and it is less. */
static void take_joint(const memory_ledger *l, const sc_exact_cost *joint,
                       sc_exact_cost *all)
{
    if (joint == NULL || !all->has_epsilon || joint->neighbours != all->neighbours ||
        sc_ratio_compare(&joint->epsilon, &all->epsilon) >= 0)
        return;
    SC_OWN(sc_ratio, left);
    sc_ratio_sub(&left, &l->budget.delta, &l->spent.delta);
    if (sc_ratio_compare(&joint->delta, &left) <= 0) {
        sc_ratio_set(&all->epsilon, &joint->epsilon);
        sc_ratio_set(&all->delta, &joint->delta);
    }
}

static scrim_status write_charge(memory_ledger *l, char *text, const sc_charge *asked,
                                 uint64_t *id, scrim_error *error)
{
    sc_exact_cost charge;
    sc_cost_init(&charge);
    scrim_status status = count_all(l, asked->costs, asked->count, &charge, error);
    take_joint(l, asked->joint, &charge);
    if (status == SCRIM_OK)
        status = sc_make_room(&l->lines, l->count, &l->capacity, sizeof *l->lines)
                     ? SCRIM_OK
                     : sc_no_memory(error, "the ledger");
    if (status == SCRIM_OK)
        status = admit(l, &charge, error);
    if (status == SCRIM_OK) {
        line *added = &l->lines[l->count++];
        *added = (line){.measurement = text};
        added->entry.id = *id = l->count;
        added->entry.state = SCRIM_ENTRY_CHARGED;
        format_counted(&charge, sc_cost_put_upper, &added->entry.cost);
    }
    sc_cost_clear(&charge);
    return status;
}

/* Before the lock: another thread may have held it when the process was copied. */
static scrim_status check_process(const memory_ledger *l, scrim_error *error)
{
    if (sc_process_mark_is_here(&l->here))
        return SCRIM_OK;
    return sc_fail(error, SCRIM_E_STATE,
                   "this ledger was made in another process, and a copy would spend its "
                   "budget again; make a ledger here, or use a vault");
}

static scrim_status memory_charge(scrim_ledger *ledger, const sc_charge *charge,
                                  uint64_t *id, scrim_error *error)
{
    memory_ledger *l = of(ledger);
    scrim_status status = check_process(l, error);
    if (status != SCRIM_OK)
        return status;
    char *text = copy_text(charge->line);
    if (text == NULL)
        return sc_no_memory(error, "the ledger");
    SC_BALL_SCOPE(scope);
    pthread_mutex_lock(&l->lock);
    status = write_charge(l, text, charge, id, error);
    pthread_mutex_unlock(&l->lock);
    if (status != SCRIM_OK)
        sc_free(text);
    return status;
}

static scrim_status memory_record(scrim_ledger *ledger, uint64_t id, const char *answer,
                                  scrim_error *error)
{
    memory_ledger *l = of(ledger);
    scrim_status status = check_process(l, error);
    if (status != SCRIM_OK)
        return status;
    char *text = copy_text(answer);
    if (text == NULL)
        return sc_no_memory(error, "the ledger");
    pthread_mutex_lock(&l->lock);
    if (id < 1 || id > l->count || l->lines[id - 1].answer != NULL) {
        status = sc_fail(error, SCRIM_E_INTERNAL, "a release has no charge");
    } else {
        l->lines[id - 1].answer = text;
        l->lines[id - 1].entry.state = SCRIM_ENTRY_RELEASED;
    }
    pthread_mutex_unlock(&l->lock);
    if (status != SCRIM_OK)
        sc_free(text);
    return status;
}

static scrim_status memory_record_piece(scrim_ledger *ledger, uint64_t id,
                                        uint64_t number, const char *piece,
                                        scrim_error *error)
{
    memory_ledger *l = of(ledger);
    sc_run_piece read;
    scrim_status status = check_process(l, error);
    if (status != SCRIM_OK)
        return status;
    pthread_mutex_lock(&l->lock);
    sc_run_record *run = id < 1 || id > l->count ? NULL : &l->lines[id - 1].run;
    if (run == NULL || l->lines[id - 1].answer != NULL || number != run->asked + 1 ||
        !sc_run_piece_read(sc_text_of(piece), &read))
        status = sc_fail(error, SCRIM_E_INTERNAL, "an answer has no charge");
    else if (!sc_run_record_reserve(run))
        status = sc_no_memory(error, "the ledger");
    if (status == SCRIM_OK) {
        sc_run_record_add(run, &read);
        l->lines[id - 1].entry.state = SCRIM_ENTRY_RELEASED;
    }
    pthread_mutex_unlock(&l->lock);
    return status;
}

scrim_status sc_ledger_refuse_run(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_POLICY,
                   "this ledger cannot charge an open run, because it adds concentrated "
                   "charges to parts with a delta; release the queries in one "
                   "piece");
}

/* The budget does not change: no lock is needed. */
static scrim_status memory_admit_run(scrim_ledger *ledger, scrim_error *error)
{
    const sc_exact_cost *budget = &of(ledger)->budget;
    if (budget->has_rho && sc_ratio_sign(&budget->delta) > 0)
        return sc_ledger_refuse_run(error);
    return check_process(of(ledger), error);
}

static void memory_free(scrim_ledger *ledger)
{
    memory_ledger *l = of(ledger);
    for (size_t i = 0; i < l->count; i++) {
        sc_free(l->lines[i].measurement);
        sc_free(l->lines[i].answer);
        sc_run_record_clear(&l->lines[i].run);
    }
    while (l->shown != NULL) {
        kept_text *next = l->shown->next;
        sc_free(l->shown->text);
        sc_free(l->shown);
        l->shown = next;
    }
    sc_free(l->lines);
    sc_cost_clear(&l->budget);
    sc_cost_clear(&l->spent);
    pthread_mutex_destroy(&l->lock);
    sc_process_mark_clear(&l->here);
    sc_free(l);
}

static const sc_ledger_functions in_memory = {.charge = memory_charge,
                                              .record = memory_record,
                                              .record_piece = memory_record_piece,
                                              .admit_run = memory_admit_run,
                                              .free = memory_free};

/* A part of the budget: a rational of at most SC_COST_BITS, at least 0. */
static scrim_status read_budget(const char *name, const char *text, sc_ratio *out,
                                scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    scrim_status status = sc_ratio_parse(sc_text_of(text), out, NULL);
    if (status == SCRIM_E_LIMIT || (status == SCRIM_OK && !sc_cost_fits(out)))
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "the budget's %s has more than %d bits in its numerator or denominator", name,
            SC_COST_BITS);
    if (status != SCRIM_OK)
        return sc_fail_for(error, status, SCRIM_REASON_SYNTAX, name,
                           "the budget's %s: '%s' is not a number", name,
                           sc_text_quote(sc_text_of(text), quote));
    if (sc_ratio_sign(out) < 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                           "the budget's %s must be at least 0", name);
    return SCRIM_OK;
}

static scrim_status read_options(const scrim_ledger_options *options,
                                 sc_exact_cost *budget, scrim_error *error)
{
    scrim_ledger_options own;
    scrim_status status = sc_option_struct_copy(
        options, offsetof(scrim_ledger_options, epsilon), &own, sizeof own, error);
    if (status != SCRIM_OK)
        return status;
    if (own.neighbours < SCRIM_ADD_REMOVE || own.neighbours > SCRIM_LOCAL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
            "neighbours is not set; use SCRIM_ADD_REMOVE or SCRIM_REPLACE");
    if (own.epsilon == NULL && own.rho == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "give the budget as epsilon or as rho");
    if (own.epsilon != NULL && own.rho != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "epsilon",
                           "give the budget as epsilon or as rho, not both");
    budget->neighbours = own.neighbours;
    budget->has_epsilon = own.epsilon != NULL;
    budget->has_rho = own.rho != NULL;
    status = budget->has_epsilon
                 ? read_budget("epsilon", own.epsilon, &budget->epsilon, error)
                 : read_budget("rho", own.rho, &budget->rho, error);
    if (status == SCRIM_OK && own.delta != NULL)
        status = read_budget("delta", own.delta, &budget->delta, error);
    if (status == SCRIM_OK && sc_ratio_compare_int64(&budget->delta, 1) >= 0)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                             "the budget's delta must be below 1");
    return status;
}

scrim_status scrim_ledger_new(const scrim_ledger_options *options, scrim_ledger **out,
                              scrim_error *error)
{
    SC_REQUIRE(error, "out", out);
    memory_ledger *l = sc_allocate(1, sizeof *l);
    if (l == NULL)
        return sc_no_memory(error, "a ledger");
    l->ledger.functions = &in_memory;
    sc_cost_init(&l->budget);
    sc_cost_init(&l->spent);
    if (pthread_mutex_init(&l->lock, NULL) != 0) {
        sc_cost_clear(&l->budget);
        sc_cost_clear(&l->spent);
        sc_free(l);
        return sc_no_memory(error, "a lock");
    }
    scrim_status status = sc_process_mark_init(&l->here)
                              ? read_options(options, &l->budget, error)
                              : sc_no_memory(error, "a ledger");
    l->ledger.neighbours = l->spent.neighbours = l->budget.neighbours;
    l->spent.has_epsilon = l->budget.has_epsilon;
    l->spent.has_rho = l->budget.has_rho;
    if (status == SCRIM_OK)
        *out = &l->ledger;
    else
        memory_free(&l->ledger);
    return status;
}

void scrim_ledger_free(scrim_ledger *ledger)
{
    if (ledger != NULL)
        ledger->functions->free(ledger);
}

/* Only the ledger in memory is asked through this header; the vault has its own. */
static scrim_status memory_only(scrim_ledger *ledger, scrim_error *error)
{
    if (ledger->functions == &in_memory)
        return check_process(of(ledger), error);
    return sc_fail(error, SCRIM_E_STATE, "this ledger is asked through its vault");
}

scrim_status scrim_ledger_spent(scrim_ledger *ledger, scrim_cost *out, scrim_error *error)
{
    SC_REQUIRE(error, "ledger out", ledger, out);
    scrim_status status = memory_only(ledger, error);
    if (status != SCRIM_OK)
        return status;
    memory_ledger *l = of(ledger);
    pthread_mutex_lock(&l->lock);
    format_counted(&l->spent, sc_cost_put_upper, out);
    pthread_mutex_unlock(&l->lock);
    return SCRIM_OK;
}

scrim_status scrim_ledger_left(scrim_ledger *ledger, scrim_cost *out, scrim_error *error)
{
    SC_REQUIRE(error, "ledger out", ledger, out);
    scrim_status status = memory_only(ledger, error);
    if (status != SCRIM_OK)
        return status;
    memory_ledger *l = of(ledger);
    sc_exact_cost left;
    sc_cost_init(&left);
    pthread_mutex_lock(&l->lock);
    left.neighbours = l->budget.neighbours;
    left.has_epsilon = l->budget.has_epsilon;
    left.has_rho = l->budget.has_rho;
    sc_ratio_sub(&left.epsilon, &l->budget.epsilon, &l->spent.epsilon);
    sc_ratio_sub(&left.rho, &l->budget.rho, &l->spent.rho);
    sc_ratio_sub(&left.delta, &l->budget.delta, &l->spent.delta);
    pthread_mutex_unlock(&l->lock);
    format_counted(&left, sc_cost_put_lower, out);
    sc_cost_clear(&left);
    return SCRIM_OK;
}

size_t scrim_ledger_count(scrim_ledger *ledger)
{
    if (memory_only(ledger, NULL) != SCRIM_OK)
        return 0;
    memory_ledger *l = of(ledger);
    pthread_mutex_lock(&l->lock);
    size_t count = l->count;
    pthread_mutex_unlock(&l->lock);
    return count;
}

/* The answers of an open run so far, in a text that lives as long as the ledger. */
static scrim_status show_run(memory_ledger *l, const sc_run_record *run, const char **out,
                             scrim_error *error)
{
    kept_text *kept = sc_allocate(1, sizeof *kept);
    char *text = sc_run_record_line(run);
    if (kept == NULL || text == NULL) {
        sc_free(kept);
        sc_free(text);
        return sc_no_memory(error, "an entry");
    }
    *kept = (kept_text){l->shown, text};
    l->shown = kept;
    *out = text;
    return SCRIM_OK;
}

static scrim_status show_line(memory_ledger *l, const line *at, scrim_entry *out,
                              scrim_error *error)
{
    const char *answer = at->answer == NULL ? "" : at->answer;
    scrim_status status = SCRIM_OK;
    if (at->answer == NULL && at->run.asked > 0)
        status = show_run(l, &at->run, &answer, error);
    if (status != SCRIM_OK)
        return status;
    *out = at->entry;
    out->measurement = at->measurement;
    out->answer = answer;
    return SCRIM_OK;
}

scrim_status scrim_ledger_entry(scrim_ledger *ledger, size_t index, scrim_entry *out,
                                scrim_error *error)
{
    SC_REQUIRE(error, "ledger out", ledger, out);
    scrim_status status = memory_only(ledger, error);
    if (status != SCRIM_OK)
        return status;
    memory_ledger *l = of(ledger);
    pthread_mutex_lock(&l->lock);
    status = index < l->count ? show_line(l, &l->lines[index], out, error)
                              : sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN,
                                            "entry", "the ledger has no such entry");
    pthread_mutex_unlock(&l->lock);
    return status;
}
