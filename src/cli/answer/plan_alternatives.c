#include "cli/answer/plan_alternatives.h"

#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Epsilons of releases that are tried, from the largest down. */
#define TRIED 8
/* An error is better if it is at most this part of the other. */
#define BETTER 0.9
#define COLUMNS 3

/* An earlier answer. */

/* The cost in the words of a charge; "": it was charged without delta. */
typedef struct price {
    char epsilon[64], delta[64];
} price;

typedef struct price_list {
    uint64_t version;
    double above; /* epsilon */
    price list[TRIED];
    size_t count;
} price_list;

static bool take_word(const char *text, const char *name, char out[64])
{
    const char *at = strstr(text, name), *end = strstr(text, " : ");
    if (at == NULL || (end != NULL && at > end))
        return false;
    at += strlen(name);
    const size_t bytes = strcspn(at, " ");
    if (bytes == 0 || bytes >= 64)
        return false;
    memcpy(out, at, bytes);
    out[bytes] = '\0';
    return true;
}

/* Keeps the list in falling order, each once. */
static void add_price(price_list *prices, const price *new)
{
    size_t at = 0;
    const double epsilon = sc_number_view(new->epsilon);
    while (at < prices->count && sc_number_view(prices->list[at].epsilon) > epsilon)
        at++;
    for (size_t i = at; i < prices->count; i++)
        if (strcmp(prices->list[i].epsilon, new->epsilon) == 0 &&
            strcmp(prices->list[i].delta, new->delta) == 0)
            return;
    if (at == TRIED)
        return;
    prices->count += prices->count < TRIED;
    memmove(&prices->list[at + 1], &prices->list[at],
            (prices->count - at - 1) * sizeof *new);
    prices->list[at] = *new;
}

static scrim_status visit(void *context, const scrim_vault_release *charge)
{
    price_list *prices = context;
    price found = {.epsilon = ""};
    if (charge->version != prices->version || charge->measurement == NULL ||
        strncmp(charge->measurement, "query ", 6) != 0 ||
        !take_word(charge->measurement, " epsilon=", found.epsilon) ||
        !take_word(charge->measurement, " delta=", found.delta) ||
        sc_number_view(found.epsilon) <= prices->above)
        return SCRIM_OK;
    add_price(prices, &found);
    return SCRIM_OK;
}

/* The error of the only number of a plan; "" of several. */
static const char *only_error(const scrim_plan *plan)
{
    scrim_plan_output column;
    const char *found = "";
    size_t numbers = 0;
    for (size_t i = 0; scrim_plan_output_at(plan, 0, i, &column, NULL) == SCRIM_OK; i++)
        if (!column.is_key && ++numbers > 0)
            found = column.error;
    return numbers == 1 ? found : "";
}

static bool say_earlier(const sc_query_request *request, const scrim_plan *plan,
                        const price *at, bool has_delta, sc_alternative_surface surface,
                        char out[SC_ALTERNATIVE_BYTES])
{
    scrim_plan_facts facts;
    char error[80] = "", delta[80] = "";
    if (scrim_plan_describe(request->vault, plan, &facts, NULL) != SCRIM_OK ||
        facts.repeats == 0 || facts.is_pending || facts.is_booked)
        return false;
    if (facts.statements == 1 && only_error(plan)[0] != '\0')
        snprintf(error, sizeof error, " (± %.60s)", only_error(plan));
    if (!has_delta && strcmp(at->delta, "0") != 0)
        snprintf(delta, sizeof delta, " --delta %s", at->delta);
    snprintf(out, SC_ALTERNATIVE_BYTES,
             "release %" PRIu64 " answers this with epsilon %s%s: free%s %s%s",
             facts.repeats, at->epsilon, error,
             surface == SC_ALTERNATIVE_PROMPT ? ": type" : " with --epsilon", at->epsilon,
             surface == SC_ALTERNATIVE_PROMPT ? "" : delta);
    return true;
}

void sc_plan_earlier_words(const sc_query_request *request, const sc_options *options,
                           sc_alternative_surface surface, char out[SC_ALTERNATIVE_BYTES])
{
    scrim_plan_facts facts = {.epsilon = "0"};
    scrim_dataset dataset;
    price_list prices = {.count = 0};
    const bool has_delta = sc_options_has(options, SCRIM_OPTION_DELTA);
    out[0] = '\0';
    if (request->plan != NULL &&
        (scrim_plan_describe(request->vault, request->plan, &facts, NULL) != SCRIM_OK ||
         facts.repeats != 0))
        return;
    if (sc_dataset_find(request->vault, request->dataset, &dataset, NULL) != SCRIM_OK)
        return;
    prices.version = dataset.version;
    prices.above = sc_number_view(facts.epsilon);
    if (scrim_vault_history(request->vault, request->dataset, 0, visit, &prices, NULL) !=
        SCRIM_OK)
        return;
    for (size_t i = 0; i < prices.count && out[0] == '\0'; i++) {
        const price *at = &prices.list[i];
        const sc_other_request other = {
            .epsilon = at->epsilon,
            .delta = has_delta || strcmp(at->delta, "0") == 0 ? NULL : at->delta};
        scrim_plan *plan = NULL;
        if (sc_query_request_other(request, options, &other, &plan) == SCRIM_OK)
            (void)say_earlier(request, plan, at, has_delta, surface, out);
        scrim_plan_free(plan);
    }
}

void sc_plan_earlier_advise(sc_query_request *request, const sc_options *options,
                            scrim_error *error)
{
    static const char refusal[] = "missing --epsilon";
    char words[SC_ALTERNATIVE_BYTES] = "";
    if (request->vault != NULL || request->query_count == 0 ||
        strncmp(error->message, refusal, sizeof refusal - 1) != 0 ||
        sc_vault_place_open(options, &request->vault, NULL) != SCRIM_OK)
        return;
    sc_plan_earlier_words(request, options, SC_ALTERNATIVE_OPTION, words);
    if (words[0] != '\0')
        sc_complaint_append(error, "; %s", words);
}

/* Half the bounds. */

/* "total ± 31600" of each column whose error is better. */
static void put_better(const scrim_plan *plan, const scrim_plan *other,
                       char out[SC_ALTERNATIVE_BYTES])
{
    scrim_plan_output before, after;
    size_t shown = 0, used = strlen(out);
    for (size_t i = 0;
         shown < COLUMNS && scrim_plan_output_at(plan, 0, i, &before, NULL) == SCRIM_OK &&
         scrim_plan_output_at(other, 0, i, &after, NULL) == SCRIM_OK;
         i++) {
        const double error = sc_number_view(after.error);
        if (before.is_key || before.error[0] == '\0' || after.error[0] == '\0' ||
            error > BETTER * sc_number_view(before.error))
            continue;
        const int more =
            snprintf(out + used, SC_ALTERNATIVE_BYTES - used, "%s%.80s ± %.40s",
                     shown++ == 0 ? ": " : ", ", after.name, after.error);
        used += more > 0 ? (size_t)more : 0;
    }
    if (shown == 0)
        out[0] = '\0';
    else
        snprintf(out + used, SC_ALTERNATIVE_BYTES - used, ", with more rows left out");
}

void sc_plan_half_words(const sc_query_request *request, const sc_options *options,
                        char out[SC_ALTERNATIVE_BYTES])
{
    scrim_plan_statement facts;
    scrim_plan_facts whole;
    scrim_plan *plan = NULL;
    char half[32];
    out[0] = '\0';
    if (request->query_count != 1 || sc_options_has(options, SCRIM_OPTION_BOUNDS) ||
        scrim_plan_describe(request->vault, request->plan, &whole, NULL) != SCRIM_OK ||
        scrim_plan_statement_at(request->plan, 0, &facts, NULL) != SCRIM_OK)
        return;
    const bool is_total = facts.max_total_rows > 1;
    const uint64_t rows = is_total ? facts.max_total_rows : facts.max_rows;
    if (rows < 2)
        return;
    snprintf(half, sizeof half, "%" PRIu64, rows / 2);
    const bool has_target = sc_options_has(options, SCRIM_OPTION_TARGET_ERROR);
    const sc_other_request other = {.epsilon = has_target ? whole.epsilon : NULL,
                                    .max_total_rows = is_total ? half : NULL,
                                    .max_rows = is_total ? NULL : half};
    if (sc_query_request_other(request, options, &other, &plan) == SCRIM_OK) {
        snprintf(out, SC_ALTERNATIVE_BYTES, "max-%s %s", is_total ? "total-rows" : "rows",
                 half);
        put_better(request->plan, plan, out);
    }
    scrim_plan_free(plan);
}

/* Prices. */

/* The error of the first number of a plan; "" without any. */
static void first_error(const scrim_plan *plan, char out[64])
{
    scrim_plan_output column;
    out[0] = '\0';
    for (size_t i = 0;
         out[0] == '\0' && scrim_plan_output_at(plan, 0, i, &column, NULL) == SCRIM_OK;
         i++)
        if (!column.is_key)
            snprintf(out, 64, "%.60s", column.error);
}

void sc_plan_prices_words(const sc_query_request *request, const sc_options *options,
                          char out[SC_ALTERNATIVE_BYTES])
{
    static const char *const epsilons[] = {"0.05", "0.1", "0.5"};
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof epsilons / sizeof *epsilons; i++) {
        const sc_other_request other = {.epsilon = epsilons[i]};
        scrim_plan *plan = NULL;
        char error[64] = "";
        if (sc_query_request_other(request, options, &other, &plan) == SCRIM_OK)
            first_error(plan, error);
        scrim_plan_free(plan);
        if (error[0] == '\0')
            continue;
        const int more = snprintf(out + used, SC_ALTERNATIVE_BYTES - used, "%s%s: ± %s",
                                  used == 0 ? "" : ", ", epsilons[i], error);
        used += more > 0 ? (size_t)more : 0;
    }
}
