/* The charges of several questions in one population, against the exact loss of all their draws together (call_losses.h).
 *
 * One pair of neighbouring tables is asked several random questions, whose draws are recorded. The same questions are charged
 * one after the other in one vault: what its budget says was spent, what it says all charges come to as they stand, and what
 * each accountant proves of the list of charges, as the page of all releases takes it, are never below what all draws lose. */
#include "base/number/ball_double.h"
#include "call_losses.h"
#include "charge_world.h"
#include "check.h"
#include "query/plan/plan.h"
#include "replay_pair.h"
#include "row_oracle.h"
#include "scrim/composition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SLACK 1e-7
#define STEPS 300
#define QUESTIONS 4

typedef struct history {
    charge_world worlds[QUESTIONS]; /* of one policy and one pair of tables */
    size_t count;
    call_losses losses;
    char parts[4000]; /* of a composition */
} history;

static double number_of(const char *text)
{
    SC_OWN(sc_ratio, x);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &x, NULL), SCRIM_OK);
    return sc_ball_near(&x);
}

static bool holds(const history *h, const char *what, double truth, double charge)
{
    const bool is_held = truth <= charge * (1 + SLACK) + 1e-15;
    if (!CHECK(is_held)) {
        charge_world_describe(&h->worlds[0], what, truth, charge);
        CHECK_FAIL("%s", h->parts);
    }
    return is_held;
}

static bool holds_pair(const history *h, const char *what, double epsilon, double delta)
{
    if (delta == 0)
        return holds(h, what, call_losses_largest(&h->losses), epsilon);
    return epsilon == 0 || call_losses_largest(&h->losses) <= epsilon ||
           holds(h, what, call_losses_delta(&h->losses, epsilon, delta, STEPS), delta);
}

/* Asks questions of the tables of the first world until there are enough that can be planned. */
static bool record_all(history *h, call_lines *lines, uint64_t pair, uint64_t *seed)
{
    bool goes_on = true;
    const size_t wanted = 2 + row_random(seed, QUESTIONS - 1);
    charge_world_policy(&h->worlds[0], seed);
    charge_world_fill(&h->worlds[0], pair, seed);
    for (size_t tried = 0; goes_on && h->count < wanted && tried < 20; tried++) {
        charge_world *w = &h->worlds[h->count];
        replay_pair run;
        scrim_plan *plan = NULL;
        *w = h->worlds[0];
        charge_world_ask(w, true, seed);
        /* Options point to texts of their world. */
        w->base.options.epsilon = w->epsilon;
        w->base.options.delta = w->base.options.delta == NULL ? NULL : w->delta;
        if (!replay_plan(&w->base, 1, &plan))
            continue;
        goes_on = replay_pair_run(&run, &w->base, plan, 16 * tried + 1) &&
                  CHECK_STATUS(run.here.status, SCRIM_OK) &&
                  CHECK_STATUS(run.there.status, SCRIM_OK) &&
                  call_losses_add(lines, run.first, run.second, &h->losses);
        replay_pair_free(&run);
        scrim_plan_free(plan);
        h->count++;
    }
    return goes_on;
}

/* Charges all of them in one vault. */
static bool charge_all(const history *h, scrim_vault *vault)
{
    bool goes_on = true;
    for (size_t i = 0; goes_on && i < h->count; i++) {
        scrim_plan *plan = NULL;
        scrim_result *result = NULL;
        goes_on =
            CHECK_STATUS(replay_plan_in(vault, &h->worlds[i].base, 1, &plan), SCRIM_OK) &&
            CHECK_STATUS(scrim_query_run(vault, plan, &result, NULL), SCRIM_OK);
        scrim_result_free(result);
        scrim_plan_free(plan);
    }
    return goes_on;
}

/* The list of charges, as src/cli/release/all_joint.c writes it. */
static void list_charges(history *h, scrim_vault *vault, const char *unit)
{
    size_t used = 0;
    h->parts[0] = '\0';
    for (size_t i = 1; i <= h->count; i++) {
        scrim_vault_release release;
        if (!CHECK_STATUS(scrim_vault_replay(vault, i, &release, NULL), SCRIM_OK))
            return;
        used += (size_t)snprintf(h->parts + used, sizeof h->parts - used, "%s%s=%s",
                                 used == 0 ? "" : "; ", unit, release.amount);
        if (strcmp(release.delta, "0") != 0)
            used += (size_t)snprintf(h->parts + used, sizeof h->parts - used,
                                     strcmp(unit, "rho") == 0 ? "; epsilon=0 delta=%s"
                                                              : " delta=%s",
                                     release.delta);
        scrim_vault_release_clear(&release);
    }
}

/* Every accountant's upper bound. */
static bool accountants_hold(history *h)
{
    static const char *const deltas[] = {"1e-2", "1e-4"};
    bool is_held = true;
    for (size_t i = 0; is_held && i < COUNT(deltas); i++) {
        scrim_composition *composition = NULL;
        scrim_bounds bounds;
        if (!CHECK_STATUS(scrim_composition_parse(h->parts, &composition, NULL),
                          SCRIM_OK))
            return false;
        const scrim_status status =
            scrim_composition_epsilon(composition, deltas[i], NULL, &bounds, NULL);
        scrim_composition_free(composition);
        if (!CHECK_STATUS(status, SCRIM_OK))
            return false;
        for (size_t k = 0; is_held && k < bounds.count; k++)
            if (bounds.rows[k].bounds.has_upper)
                is_held =
                    holds_pair(h, bounds.rows[k].accountant.name,
                               bounds.rows[k].bounds.upper_view, number_of(deltas[i]));
        scrim_bounds_clear(&bounds);
    }
    return is_held;
}

static bool budget_holds(history *h, scrim_vault *vault)
{
    scrim_budget budget;
    scrim_standing standing;
    if (!CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_OK) ||
        !CHECK_STATUS(scrim_vault_standing(vault, 0, &standing, NULL), SCRIM_OK) ||
        !CHECK_INT(budget.charges, h->count))
        return false;
    const double spent = number_of(budget.spent);
    const char *policy = h->worlds[0].base.policy,
               *order = strstr(policy, "accounting=renyi=");
    const bool is_sum = strstr(policy, "accounting=sum") != NULL;
    bool is_held =
        is_sum ? holds_pair(h, "sum", spent, number_of(budget.spent_delta))
        : order != NULL
            ? holds(h, "divergence",
                    call_losses_renyi(&h->losses,
                                      strtod(order + strlen("accounting=renyi="), NULL)),
                    spent)
            : holds(h, "rho", call_losses_rho(&h->losses), spent);
    if (standing.epsilon[0] != '\0')
        is_held &= holds_pair(h, "standing", number_of(standing.epsilon),
                              number_of(standing.delta));
    if (order == NULL) {
        list_charges(h, vault, is_sum ? "epsilon" : "rho");
        is_held &= accountants_hold(h);
    }
    return is_held;
}

SLOW_TEST(no_sum_of_charges_is_below_what_all_draws_lose)
{
    CLAIM("filter.price");
    CLAIM("filter.budget");
    CLAIM("charge_log.promise");
    static history h;
    call_lines lines = {.count = 0};
    replay_world path;
    bool goes_on = replay_path(&path);
    const uint64_t histories = check_count_whole(4, 500);
    for (uint64_t i = 0, made = 0; goes_on && made < histories; i++) {
        uint64_t seed = (check_seed() << 32) + i * 7000003;
        scrim_vault *vault = NULL;
        h.count = 0;
        memcpy(h.worlds[0].base.path, path.path, sizeof path.path);
        goes_on = record_all(&h, &lines, i % 9, &seed);
        if (goes_on && h.count > 1) {
            made++;
            goes_on =
                CHECK(replay_world_write(&h.worlds[0].base, &h.worlds[0].base.here));
            vault = goes_on ? replay_vault(&h.worlds[0].base) : NULL;
            goes_on = vault != NULL && charge_all(&h, vault) && budget_holds(&h, vault);
        }
        scrim_vault_close(vault);
        call_losses_clear(&h.losses);
        goes_on = goes_on && CHECK(i < 20 + 4 * histories);
    }
    call_lines_clear(&lines);
    replay_path_remove(&path);
}
