/* Random histories by several analysts: the vault in its file, the vault in memory, and a plain
 * model that counts in whole numbers must agree at every step. */
#include "check.h"
#include "scene.h"
#include "store_memory.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <string.h>

#define POPULATIONS 4
#define DATASETS 6
#define ANALYSTS 4
#define EVERYBODY ANALYSTS
#define EPSILONS 200 /* thousandths, from 1 on */
#define DELTAS 3     /* of a question: none, 1e-7 and 2e-7 */

/* An amount is counted in units of 10^-8, a delta in units of 10^-9. Below 0: no limit. */
typedef struct limit {
    int64_t amount, delta;
} limit;

typedef struct model_dataset {
    bool is_there;
    int population;
    limit most;
    int64_t least;
} model_dataset;

typedef struct model {
    limit spent[POPULATIONS], spent_by[POPULATIONS][ANALYSTS];
    limit total[POPULATIONS], shares[POPULATIONS][ANALYSTS + 1];
    model_dataset datasets[DATASETS];
    uint64_t charges, refusals;
} model;

static const struct {
    const char *accounting, *budget;
    limit total; /* an amount of 0: known to the filter alone */
} populations[POPULATIONS] = {
    {"sum", "epsilon=1", {100000000, 0}},
    {"sum", "epsilon=5,delta=0.00002", {500000000, 20000}},
    {"sum", "epsilon=1000,delta=0.001", {100000000000, 1000000}},
    {"concentrated", "epsilon=2,delta=0.0001", {0, 50000}},
};

/* Users that every system has, so that shares of their own can be given them by name. */
static const char *const analysts[ANALYSTS] = {"root", "daemon", "bin", "sys"};
static sc_identity identities[ANALYSTS];
static scrim_measurement *questions[EPSILONS + 1][DELTAS];
static uint64_t dice;

static int roll(int sides)
{
    uint64_t z = dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ (z >> 31)) % (uint64_t)sides);
}

static bool is_concentrated(int population)
{
    return strcmp(populations[population].accounting, "concentrated") == 0;
}

/* The amount of n thousandths of epsilon: themselves, or epsilon^2/2 of rho. */
static int64_t amount_of(int population, int64_t n)
{
    return is_concentrated(population) ? n * n * 50 : n * 100000;
}

static bool is_above(int64_t spent, int64_t more, int64_t most)
{
    return most >= 0 && spent + more > most;
}

static bool passes(const limit *spent, limit charge, const limit *most)
{
    return is_above(spent->amount, charge.amount, most->amount) ||
           is_above(spent->delta, charge.delta, most->delta);
}

static scrim_status model_spend(model *m, int dataset, int analyst, int epsilon,
                                int delta)
{
    const model_dataset *d = &m->datasets[dataset];
    const int p = d->population;
    const limit charge = {amount_of(p, epsilon), (int64_t)100 * delta}, none = {0, 0};
    if (!d->is_there)
        return SCRIM_E_PARAM;
    const limit *share = &m->shares[p][analyst];
    if (share->amount < 0 && share->delta < 0)
        share = &m->shares[p][EVERYBODY];
    scrim_status status = SCRIM_OK;
    if (passes(&none, charge, &d->most) || charge.amount < d->least)
        status = SCRIM_E_POLICY;
    else if (passes(&m->spent[p], charge, &m->total[p]) ||
             passes(&m->spent_by[p][analyst], charge, share))
        status = SCRIM_E_BUDGET;
    if (status != SCRIM_OK) {
        m->refusals++;
        return status;
    }
    m->spent[p].amount += charge.amount;
    m->spent[p].delta += charge.delta;
    m->spent_by[p][analyst].amount += charge.amount;
    m->spent_by[p][analyst].delta += charge.delta;
    m->charges++;
    return SCRIM_OK;
}

/* Questions are parsed when they are first asked, and kept. */
static const scrim_measurement *question_of(int epsilon, int delta)
{
    char line[160];
    scrim_measurement **kept = &questions[epsilon][delta];
    snprintf(line, sizeof line,
             delta == 0 ? "laplace sensitivity=1 epsilon=%d/1000 neighbours=add-remove"
                        : "truncated-laplace sensitivity=1 epsilon=%d/1000 delta=%de-7 "
                          "neighbours=add-remove",
             epsilon, delta);
    if (*kept == NULL)
        CHECK_STATUS(scrim_measurement_parse(line, kept, NULL), SCRIM_OK);
    return *kept;
}

/* One release by an analyst on one of the vaults, which can be had again as it was. */
static void spend(scrim_vault *vault, int dataset, int analyst, int epsilon, int delta,
                  scrim_status want)
{
    char name[16];
    scrim_error error = {.message = ""};
    uint64_t entry = 0;
    snprintf(name, sizeof name, "d%d", dataset);
    sc_vault_use_identity(vault, identities[analyst].user, identities[analyst].name);
    const scrim_status status =
        scene_release(vault, name, question_of(epsilon, delta), &entry, &error);
    if (status != want)
        CHECK_FAIL("d%d, u%d, %d, %d: %d, not %d: %s", dataset, analyst, epsilon, delta,
                   (int)status, (int)want, error.message);
    scrim_vault_release release;
    if (status != SCRIM_OK || entry % 8 != 0)
        return;
    REQUIRE_OK(scrim_vault_replay(vault, entry, &release, &error));
    CHECK_STR(release.analyst, identities[analyst].name);
    CHECK_STR(release.dataset, name);
    CHECK(release.state == SCRIM_ENTRY_RELEASED && release.answer != NULL);
    scrim_vault_release_clear(&release);
}

static void policy_text(const model_dataset *d, char text[256])
{
    const int p = d->population;
    snprintf(
        text, 256,
        "unit=row\npopulation=p%d\nneighbours=add-remove\nbudget=%s\naccounting=%s\n", p,
        populations[p].budget, populations[p].accounting);
    if (d->most.amount >= 0)
        snprintf(text + strlen(text), 96, "cap=%s=%lld/100000000,least=%lld/100000000",
                 is_concentrated(p) ? "rho" : "epsilon", (long long)d->most.amount,
                 (long long)d->least);
    if (d->most.amount >= 0 && d->most.delta >= 0)
        snprintf(text + strlen(text), 32, ",delta=%llde-9", (long long)d->most.delta);
}

/* A cap, or none. */
static void redraw(model_dataset *d)
{
    d->most = (limit){-1, -1};
    d->least = 0;
    if (roll(2) == 0)
        return;
    d->most.amount = amount_of(d->population, 1 + roll(60));
    d->most.delta = roll(2) == 0 ? -1 : 100;
    d->least = amount_of(d->population, roll(5));
}

static void change(model *m, scrim_vault *const vaults[2], int dataset)
{
    model_dataset *d = &m->datasets[dataset];
    char name[16], text[256];
    const int what = roll(4);
    snprintf(name, sizeof name, "d%d", dataset);
    if (what == 0 && d->is_there) {
        for (int i = 0; i < 2; i++)
            CHECK_STATUS(scrim_vault_remove_dataset(vaults[i], name, NULL), SCRIM_OK);
        d->is_there = false;
        return;
    }
    const bool is_new = !d->is_there;
    if (is_new)
        *d = (model_dataset){.is_there = true, .population = roll(POPULATIONS)};
    redraw(d);
    policy_text(d, text);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(is_new      ? scrim_vault_add_dataset(vaults[i], name, text, NULL)
                     : what == 1 ? scrim_vault_update_dataset(vaults[i], name, text, NULL)
                                 : scrim_vault_set_dataset(vaults[i], name, text, NULL),
                     SCRIM_OK);
}

static void share(model *m, scrim_vault *const vaults[2])
{
    const int p = roll(POPULATIONS), who = roll(ANALYSTS + 1);
    const limit some = {roll(3) == 0 ? -1 : (int64_t)roll(1000) * 100000,
                        roll(3) == 0 ? roll(20000) : -1};
    char name[16], amount[32], delta[32];
    snprintf(name, sizeof name, "p%d", p);
    snprintf(amount, sizeof amount, "%lld/100000000", (long long)some.amount);
    snprintf(delta, sizeof delta, "%llde-9", (long long)some.delta);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(scrim_vault_share(vaults[i], name,
                                       who == EVERYBODY ? NULL : analysts[who],
                                       some.amount < 0 ? NULL : amount,
                                       some.delta < 0 ? NULL : delta, NULL),
                     SCRIM_OK);
    m->shares[p][who] = some;
}

/* text is total less `spent` units of 1/scale. */
static void check_left(const char *text, const char *total, int64_t spent, int64_t scale)
{
    char less[48];
    sc_ratio left, part;
    sc_ratio_init(&left);
    sc_ratio_init(&part);
    snprintf(less, sizeof less, "%lld/%lld", (long long)spent, (long long)scale);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(total), &left, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(less), &part, NULL), SCRIM_OK);
    sc_ratio_sub(&left, &left, &part);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(text), &part, NULL), SCRIM_OK);
    if (sc_ratio_compare(&left, &part) != 0)
        CHECK_FAIL("%s is left of %s, of which %s is spent", text, total, less);
    sc_ratio_clear(&part);
    sc_ratio_clear(&left);
}

static void check_budgets(const model *m, scrim_vault *vault)
{
    for (size_t i = 0; i < POPULATIONS; i++) {
        scrim_budget budget;
        REQUIRE_OK(scrim_vault_budget(vault, i, NULL, &budget, NULL));
        const int p = budget.population[1] - '0';
        check_left(budget.left, budget.total, m->spent[p].amount, 100000000);
        check_left(budget.left_delta, budget.total_delta, m->spent[p].delta, 1000000000);
        check_left("0", budget.spent, m->spent[p].amount, 100000000);
        check_left("0", budget.spent_delta, m->spent[p].delta, 1000000000);
    }
    uint64_t refusals = 0;
    CHECK_STATUS(scrim_vault_refusals(vault, &refusals, NULL), SCRIM_OK);
    CHECK_INT(refusals, m->refusals);
}

/* The budget of amounts in whole units: what is charged are whole units as well. */
static int64_t total_of(scrim_vault *vault, size_t population)
{
    scrim_budget budget;
    sc_ratio total, scale;
    sc_integer whole;
    sc_int128 units = 0;
    sc_ratio_init(&total);
    sc_ratio_init(&scale);
    sc_integer_init(&whole);
    CHECK_STATUS(scrim_vault_budget(vault, population, NULL, &budget, NULL), SCRIM_OK);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(budget.total), &total, NULL), SCRIM_OK);
    sc_ratio_set_int64(&scale, 100000000);
    sc_ratio_mul(&total, &total, &scale);
    sc_ratio_floor(&total, &whole);
    CHECK(sc_integer_get_int128(&whole, &units));
    sc_integer_clear(&whole);
    sc_ratio_clear(&scale);
    sc_ratio_clear(&total);
    return (int64_t)units;
}

static void begin_model(model *m, scrim_vault *const vaults[2])
{
    *m = (model){.charges = 0};
    for (int p = 0; p < POPULATIONS; p++) {
        char name[16], text[256];
        m->datasets[p] =
            (model_dataset){.is_there = true, .population = p, .most = {-1, -1}};
        for (int a = 0; a <= ANALYSTS; a++)
            m->shares[p][a] = (limit){-1, -1};
        snprintf(name, sizeof name, "d%d", p);
        policy_text(&m->datasets[p], text);
        for (int i = 0; i < 2; i++)
            CHECK_STATUS(scrim_vault_add_dataset(vaults[i], name, text, NULL), SCRIM_OK);
        m->total[p] = populations[p].total;
        if (m->total[p].amount == 0)
            m->total[p].amount = total_of(vaults[0], (size_t)p);
    }
}

static void step(model *m, const scene *s, scrim_vault *vaults[2])
{
    const int what = roll(20);
    if (what == 0) {
        change(m, vaults, roll(DATASETS));
    } else if (what == 1) {
        share(m, vaults);
    } else if (what == 2) { /* opened again */
        scrim_vault_close(vaults[0]);
        vaults[0] = scene_open(s);
    } else {
        const int dataset = roll(DATASETS), analyst = roll(ANALYSTS);
        const int delta = roll(4) == 0 ? 1 + roll(DELTAS - 1) : 0;
        const int epsilon = 1 + roll(delta > 0 || roll(4) > 0 ? 20 : EPSILONS);
        const scrim_status want = model_spend(m, dataset, analyst, epsilon, delta);
        for (int i = 0; i < 2; i++)
            spend(vaults[i], dataset, analyst, epsilon, delta, want);
    }
}

/* A history of that many steps, from the first entry on. */
static void run_history(uint64_t steps)
{
    scene s;
    model m;
    sc_store *store = NULL;
    scrim_vault *vaults[2] = {NULL, NULL};
    scrim_vault_state states[2];
    if (!scene_begin(&s))
        return;
    REQUIRE_OK(scrim_vault_init(s.path, NULL, NULL));
    vaults[0] = scene_open(&s);
    REQUIRE(vaults[0] != NULL);
    REQUIRE_OK(store_memory_new(&store, NULL));
    REQUIRE_OK(sc_vault_new(store, 0, &vaults[1], NULL));
    REQUIRE_OK(sc_vault_begin(vaults[1], NULL, NULL, NULL, NULL));
    begin_model(&m, vaults);
    for (uint64_t n = steps; n > 0 && vaults[0] != NULL; n--) {
        step(&m, &s, vaults);
        if (n % 50 == 0)
            for (int i = 0; i < 2; i++)
                check_budgets(&m, vaults[i]);
    }
    for (int i = 0; i < 2; i++) {
        check_budgets(&m, vaults[i]);
        CHECK_STATUS(scrim_vault_verify(vaults[i], &states[i], NULL), SCRIM_OK);
        CHECK_INT(states[i].charges, m.charges);
        CHECK_INT(states[i].releases, m.charges);
        scrim_vault_close(vaults[i]);
    }
    CHECK_INT(states[0].entries, states[1].entries);
    CHECK(m.charges > steps / 10 && m.refusals > steps / 100);
    CHECK(scene_verifies(&s, &states[0])); /* with SQLite's own check of the file */
    scene_end(&s);
}

/* 10^5 steps in the long tier, in twenty histories. */
SLOW_TEST(vault_histories_agree_with_a_plain_model)
{
    CLAIM("vault.charged");
    CLAIM("book.exact");
    dice = check_seed();
    for (int i = 0; i < ANALYSTS; i++)
        if (sc_identity_of_name(analysts[i], &identities[i], NULL) != SCRIM_OK)
            SKIP("this system does not have the usual users");
    for (uint64_t histories = check_count(1, 20); histories > 0; histories--)
        run_history(check_count_whole(1000, 5000));
    for (int i = 0; i <= EPSILONS; i++)
        for (int k = 0; k < DELTAS; k++)
            scrim_measurement_free(questions[i][k]);
}
