/* The public interface to a plan: what it is, what it costs and what is left. */
#include "base/memory.h"
#include "data/table/source_seal.h"
#include "data/value/unit_word.h"
#include "ledger/allowance.h"
#include "ledger/bundle.h"
#include "model/guess.h"
#include "query/plan/plan_model.h"
#include "vault/booked_view.h"
#include "vault/policy.h"
#include "vault/vault_view.h"

/* The budget. */

typedef struct asking {
    const scrim_plan *plan;
    scrim_plan_facts *out;
} asking;

/* Is it enough, and what is left then. */
static void set_after(const sc_ratio *amount, const sc_ratio *delta, sc_ratio *left,
                      sc_ratio *left_delta, scrim_plan_facts *out)
{
    if (sc_ratio_compare(amount, left) > 0 || sc_ratio_compare(delta, left_delta) > 0)
        return;
    sc_ratio_sub(left, left, amount);
    sc_ratio_sub(left_delta, left_delta, delta);
    sc_book_format_lower(left, out->after);
    sc_book_format_lower(left_delta, out->after_delta);
}

static scrim_status read_budget(scrim_vault *v, void *context, scrim_error *error)
{
    const asking *a = context;
    scrim_plan_facts *out = a->out;
    uint64_t number = 0;
    size_t count;
    bool is_joint = false;
    SC_OWN(sc_ratio, amount, delta, left, left_delta);
    SC_TRY(sc_vault_want_dataset(v, a->plan->dataset.name, &number, error));
    const uint64_t population = sc_book_dataset(&v->book, number)->population;
    const sc_filter *filter = &sc_book_population(&v->book, population)->filter;
    const uint64_t analyst =
        sc_book_charged_analyst(&v->book, v->identity.user, sc_text_of(v->identity.name));
    sc_book_left_delta(&v->book, number, analyst, &left_delta);
    const sc_exact_cost *costs = sc_plan_costs(a->plan, &count);
    const scrim_status status = sc_filter_price_jointly(
        filter, &(sc_filter_parts){costs, count, sc_plan_joint(a->plan)}, &left_delta,
        &amount, &delta, &is_joint, error);
    out->is_joint = is_joint;
    if (status != SCRIM_OK)
        return status;
    out->account_unit = sc_filter_unit(filter->rule);
    sc_book_left(&v->book, population, analyst, &left, &left_delta);
    sc_book_format_upper(&amount, out->amount);
    sc_book_format_upper(&delta, out->amount_delta);
    sc_book_format_lower(&left, out->left);
    sc_book_format_lower(&left_delta, out->left_delta);
    sc_book_set_remainder(&v->book, population, analyst, &out->remainder);
    set_after(&amount, &delta, &left, &left_delta, out);
    return SCRIM_OK;
}

/* The known parts of a charge: a question that finds its bounds has a total alone. */
static scrim_status charged_parts(const scrim_plan *plan, char **out, scrim_error *error)
{
    return plan->allowance == NULL ? sc_declared_parts(plan->bundle, out, error)
                                   : sc_allowance_parts(plan->allowance, out, error);
}

/* A charge for these parts of this question that has no answer yet. A closed version takes no question. */
static scrim_status find_pending(scrim_vault *v, void *context, scrim_error *error)
{
    const asking *a = context;
    uint64_t number = 0;
    char *parts = NULL;
    sc_pending pending;
    scrim_status status = sc_vault_want_dataset(v, a->plan->dataset.name, &number, error);
    if (status == SCRIM_OK && sc_book_dataset(&v->book, number)->is_closed)
        status = sc_source_fail_changed(error);
    if (status == SCRIM_OK)
        status = charged_parts(a->plan, &parts, error);
    if (status == SCRIM_OK)
        status = sc_vault_pending_of(
            v, number, sc_book_dataset(&v->book, number)->version,
            sc_text_of(a->plan->line), sc_text_of(parts), &pending, error);
    if (status == SCRIM_OK)
        status = v->store->functions->find_pending(v->store, &pending, &a->out->repeats,
                                                   error);
    a->out->is_pending = a->out->repeats != 0;
    if (status == SCRIM_OK && a->out->is_pending)
        status = sc_vault_count_charges(v, a->out->repeats, &a->out->repeats, error);
    sc_wipe(&pending, sizeof pending);
    sc_free(parts);
    return status;
}

/* Groups to which no guarantee have an empty cost. */
static scrim_status set_group(const scrim_plan *plan, uint64_t units, scrim_cost *out,
                              scrim_error *error)
{
    const scrim_status status = sc_cost_group(sc_plan_total(plan), units, out, error);
    if (status != SCRIM_E_PARAM)
        return status;
    *out = (scrim_cost){.neighbours = plan->neighbours};
    return SCRIM_OK;
}

static scrim_status set_quantum(const scrim_plan *plan, scrim_plan_facts *out,
                                scrim_error *error)
{
    sc_policy policy;
    sc_policy_init(&policy);
    const scrim_status status =
        sc_policy_parse(sc_text_of(plan->dataset.policy), &policy, error);
    if (status == SCRIM_OK && policy.has_quantum)
        sc_book_format_upper(&policy.quantum, out->quantum);
    sc_policy_clear(&policy);
    return status;
}

static bool finds_only_totals(const scrim_plan *plan)
{
    return plan->range_count > 0 && plan->statements[0].ladder == 0;
}

static void set_guess(const scrim_plan *plan, scrim_plan_facts *out)
{
    SC_OWN(sc_ratio, guess);
    sc_guess_upper(sc_plan_total(plan), &guess);
    sc_cost_put_upper(&guess, out->guess);
}

scrim_status scrim_plan_describe(scrim_vault *vault, const scrim_plan *plan,
                                 scrim_plan_facts *out, scrim_error *error)
{
    SC_REQUIRE(error, "plan out", plan, out);
    const sc_plan_shown *shown = plan->shown;
    scrim_plan_facts facts = {
        .dataset = plan->dataset.name,
        .version = plan->dataset.version,
        .question = plan->question,
        .unit = shown->unit,
        .unit_word = sc_unit_word(plan->schema->unit, false),
        .unit_words = sc_unit_word(plan->schema->unit, true),
        .neighbours = plan->neighbours,
        .epsilon = shown->epsilon,
        .delta = shown->delta,
        .confidence = shown->confidence,
        .expect = shown->expect,
        .guesses = shown->guesses,
        .cost = sc_plan_cost(plan),
        .statements = plan->statement_count,
        .bounds_share = shown->auto_share,
        .found_totals = shown->found_totals,
        .unfound_total = shown->unfound_total,
        .bounds_total = finds_only_totals(plan) ? 0 : plan->statements[0].bounds.total};
    asking a = {plan, &facts};
    scrim_error ignored;
    set_guess(plan, &facts);
    scrim_status status = set_group(plan, 2, &facts.of_two, &ignored);
    if (status == SCRIM_OK)
        status = set_group(plan, 4, &facts.of_four, &ignored);
    if (status != SCRIM_OK)
        return sc_fail_again(error, status, &ignored, "%s", ignored.message);
    status = set_quantum(plan, &facts, error);
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, read_budget, &a, error);
    if (status == SCRIM_OK && plan->is_once)
        status = scrim_vault_find(vault, plan->dataset.name, plan->line, &facts.repeats,
                                  error);
    if (status == SCRIM_OK && plan->is_once && facts.repeats == 0)
        status = sc_vault_read(vault, find_pending, &a, error);
    bool is_booked = false;
    if (status == SCRIM_OK && facts.repeats != 0)
        status = sc_vault_view_costs(vault, facts.repeats, &is_booked, error);
    facts.is_booked = is_booked;
    if (status == SCRIM_OK)
        *out = facts;
    return status;
}

/* Its parts. */

static scrim_status past_last(scrim_error *error, const char *what)
{
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "index",
                       "the plan has no such %s", what);
}

scrim_status scrim_plan_statement_at(const scrim_plan *plan, size_t statement,
                                     scrim_plan_statement *out, scrim_error *error)
{
    SC_REQUIRE(error, "plan out", plan, out);
    if (statement >= plan->statement_count)
        return past_last(error, "statement");
    *out = plan->shown->statements[statement];
    return SCRIM_OK;
}

scrim_status scrim_plan_output_at(const scrim_plan *plan, size_t statement, size_t output,
                                  scrim_plan_output *out, scrim_error *error)
{
    SC_REQUIRE(error, "plan out", plan, out);
    if (statement >= plan->statement_count ||
        output >= plan->shown->statements[statement].outputs)
        return past_last(error, "output");
    *out = plan->shown->outputs[statement][output];
    return SCRIM_OK;
}

scrim_status scrim_plan_part_at(const scrim_plan *plan, size_t statement, size_t part,
                                scrim_plan_part *out, scrim_error *error)
{
    SC_REQUIRE(error, "plan out", plan, out);
    if (statement >= plan->statement_count ||
        part >= plan->shown->statements[statement].parts)
        return past_last(error, "part");
    *out = plan->shown->parts[statement][part];
    return SCRIM_OK;
}

scrim_status scrim_plan_other_at(const scrim_plan *plan, size_t statement, size_t other,
                                 scrim_plan_other *out, scrim_error *error)
{
    SC_REQUIRE(error, "plan out", plan, out);
    if (statement >= plan->statement_count ||
        other >= plan->shown->statements[statement].others)
        return past_last(error, "other plan");
    *out = plan->shown->others[statement][other];
    return SCRIM_OK;
}

scrim_status scrim_plan_choice_at(const scrim_plan *plan, size_t statement, size_t choice,
                                  scrim_plan_choice *out, scrim_error *error)
{
    SC_REQUIRE(error, "plan out", plan, out);
    if (statement >= plan->statement_count ||
        choice >= plan->statements[statement].choice_count)
        return past_last(error, "choice");
    const sc_key_choice *c = &plan->statements[statement].choices[choice];
    *out = (scrim_plan_choice){
        .measurement = scrim_measurement_text(c->measurement),
        .half = c->half,
        .most = c->most,
        .is_chosen = c->is_chosen,
        .shows_units = c->shows,
        .units = c->units == NULL ? "" : scrim_measurement_text(c->units),
        .reason = c->reason};
    sc_cost_format(&c->measurement->cost, &out->cost);
    if (c->units != NULL)
        sc_cost_format(&c->units->cost, &out->units_cost);
    return SCRIM_OK;
}
