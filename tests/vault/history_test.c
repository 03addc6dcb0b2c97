/* Random histories by several analysts: the vault in its file, the vault in memory, and a plain
 * model that counts in thousandths must agree at every step. */
#include "check.h"
#include "scene.h"
#include "vault/store_memory.h"
#include "vault/vault.h"

#include <stdio.h>
#include <string.h>

#define POPULATIONS 3
#define DATASETS 6
#define ANALYSTS 4

typedef struct model_dataset {
    bool is_there;
    int population, version;
    int most, least; /* thousandths; 0: none */
} model_dataset;

/* Thousandths of epsilon. A share of -1 is none. */
typedef struct model {
    int total[POPULATIONS], spent[POPULATIONS];
    int by_analyst[POPULATIONS][ANALYSTS];
    int share_of_all[POPULATIONS];
    model_dataset datasets[DATASETS];
    uint64_t charges, refusals;
} model;

static uint64_t dice;

static int roll(int sides)
{
    uint64_t z = dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (int)((z ^ (z >> 31)) % (uint64_t)sides);
}

static scrim_status model_spend(model *m, int dataset, int analyst, int amount)
{
    const model_dataset *d = &m->datasets[dataset];
    const int p = d->population;
    if (!d->is_there)
        return SCRIM_E_PARAM;
    scrim_status status = SCRIM_OK;
    if ((d->most > 0 && amount > d->most) || amount < d->least)
        status = SCRIM_E_POLICY;
    else if (m->spent[p] + amount > m->total[p] ||
             (m->share_of_all[p] >= 0 &&
              m->by_analyst[p][analyst] + amount > m->share_of_all[p]))
        status = SCRIM_E_BUDGET;
    if (status != SCRIM_OK) {
        m->refusals++;
        return status;
    }
    m->spent[p] += amount;
    m->by_analyst[p][analyst] += amount;
    m->charges++;
    return SCRIM_OK;
}

/* One release by an analyst on one of the vaults. */
static scrim_status spend(scrim_vault *vault, int dataset, int analyst, int amount,
                          scrim_error *error)
{
    char name[16], line[128], who[16];
    const int64_t people = 5;
    scrim_measurement *m = NULL;
    scrim_ledger *ledger = NULL;
    scrim_answer *answer = NULL;
    snprintf(who, sizeof who, "u%d", analyst);
    sc_vault_use_identity(vault, 5000 + (uint64_t)analyst, who);
    snprintf(name, sizeof name, "d%d", dataset);
    snprintf(line, sizeof line,
             "laplace sensitivity=1 epsilon=%d/1000 neighbours=add-remove", amount);
    scrim_status status = scrim_measurement_parse(line, &m, error);
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, name, &ledger, error);
    if (status == SCRIM_OK)
        status = scrim_release(ledger, m, &(scrim_input){.integers = &people, .count = 1},
                               &answer, error);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
    return status;
}

static void policy_text(const model *m, const model_dataset *d, char text[256])
{
    snprintf(text, 256, "population=p%d\nneighbours=add-remove\nbudget=epsilon=%d/1000\n",
             d->population, m->total[d->population]);
    if (d->most > 0)
        snprintf(text + strlen(text), 64, "cap=epsilon=%d/1000,least=%d/1000\n", d->most,
                 d->least);
}

/* A policy for the dataset: somewhere, with a cap or without. */
static void redraw(model_dataset *d)
{
    d->most = roll(2) == 0 ? 0 : 1 + roll(60);
    d->least = d->most == 0 ? 0 : roll(5);
}

static scrim_status change(model *m, scrim_vault *const vaults[2], int dataset)
{
    model_dataset *d = &m->datasets[dataset];
    char name[16], text[256];
    scrim_status status[2];
    const int what = roll(4);
    snprintf(name, sizeof name, "d%d", dataset);
    scrim_status want = SCRIM_OK;
    model_dataset next = *d;
    if (what == 0 && d->is_there) {
        next.is_there = false;
        for (int i = 0; i < 2; i++)
            status[i] = scrim_vault_remove_dataset(vaults[i], name, NULL);
    } else if (!d->is_there) {
        next = (model_dataset){.is_there = true, .population = roll(POPULATIONS)};
        redraw(&next);
        policy_text(m, &next, text);
        for (int i = 0; i < 2; i++)
            status[i] = scrim_vault_add_dataset(vaults[i], name, text, NULL);
    } else {
        redraw(&next);
        policy_text(m, &next, text);
        for (int i = 0; i < 2; i++)
            status[i] = what == 1
                            ? scrim_vault_update_dataset(vaults[i], name, text, NULL)
                            : scrim_vault_set_dataset(vaults[i], name, text, NULL);
    }
    CHECK_STATUS(status[0], want);
    CHECK_STATUS(status[1], want);
    *d = next;
    return SCRIM_OK;
}

static void share(model *m, scrim_vault *const vaults[2])
{
    const int p = roll(POPULATIONS), amount = roll(3) == 0 ? -1 : roll(1000);
    char name[16], text[32];
    snprintf(name, sizeof name, "p%d", p);
    snprintf(text, sizeof text, "%d/1000", amount);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(scrim_vault_share(vaults[i], name, NULL, amount < 0 ? NULL : text,
                                       NULL, NULL),
                     SCRIM_OK);
    m->share_of_all[p] = amount;
}

static void check_budgets(const model *m, scrim_vault *vault)
{
    for (size_t i = 0; i < POPULATIONS; i++) {
        scrim_budget budget;
        char want[SCRIM_NUMBER_BYTES];
        sc_ratio left;
        REQUIRE_OK(scrim_vault_budget(vault, i, NULL, &budget, NULL));
        const int p = budget.population[1] - '0';
        snprintf(want, sizeof want, "%d/1000", m->total[p] - m->spent[p]);
        sc_ratio_init(&left);
        CHECK_STATUS(sc_ratio_parse(sc_text_of(want), &left, NULL), SCRIM_OK);
        sc_ratio_format(&left, want, sizeof want);
        CHECK_STR(budget.left, want);
        sc_ratio_clear(&left);
    }
    uint64_t refusals = 0;
    CHECK_STATUS(scrim_vault_refusals(vault, &refusals, NULL), SCRIM_OK);
    CHECK_INT(refusals, m->refusals);
}

static void begin_model(model *m, scrim_vault *const vaults[2])
{
    *m = (model){.total = {1000, 5000, 1000000}, .share_of_all = {-1, -1, -1}};
    for (int p = 0; p < POPULATIONS; p++) {
        char name[16], text[256];
        model_dataset *d = &m->datasets[p];
        *d = (model_dataset){.is_there = true, .population = p};
        snprintf(name, sizeof name, "d%d", p);
        policy_text(m, d, text);
        for (int i = 0; i < 2; i++)
            CHECK_STATUS(scrim_vault_add_dataset(vaults[i], name, text, NULL), SCRIM_OK);
    }
}

TEST(vault_histories_agree_with_a_plain_model)
{
    CLAIM("vault.charged");
    scene s;
    model m;
    sc_store *store = NULL;
    scrim_vault *vaults[2] = {NULL, NULL};
    scrim_vault_state states[2];
    dice = check_seed();
    if (!scene_begin(&s))
        return;
    REQUIRE_OK(scrim_vault_init(s.path, NULL, NULL));
    vaults[0] = scene_open(&s);
    REQUIRE(vaults[0] != NULL);
    REQUIRE_OK(sc_store_memory_new(&store, NULL));
    REQUIRE_OK(sc_vault_new(store, 0, &vaults[1], NULL));
    REQUIRE_OK(sc_vault_begin(vaults[1], NULL, 1, 2, NULL));
    begin_model(&m, vaults);
    for (uint64_t n = check_count(1000, 100000); n > 0; n--) {
        const int what = roll(20);
        if (what == 0) {
            (void)change(&m, vaults, roll(DATASETS));
        } else if (what == 1) {
            share(&m, vaults);
        } else if (what == 2) { /* opened again */
            scrim_vault_close(vaults[0]);
            vaults[0] = scene_open(&s);
            REQUIRE(vaults[0] != NULL);
        } else {
            const int dataset = roll(DATASETS), analyst = roll(ANALYSTS);
            const int amount = 1 + roll(roll(4) == 0 ? 200 : 20);
            scrim_error error = {.message = ""};
            const scrim_status want = model_spend(&m, dataset, analyst, amount);
            for (int i = 0; i < 2; i++)
                if (spend(vaults[i], dataset, analyst, amount, &error) != want)
                    CHECK_FAIL("d%d, u%d, %d: not %d: %s", dataset, analyst, amount,
                               (int)want, error.message);
        }
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
    CHECK(m.charges > 100 && m.refusals > 10);
    CHECK(scene_verifies(&s, &states[0]));
    scene_end(&s);
}
