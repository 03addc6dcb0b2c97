/* A88: what is shown of a vault with very many populations takes as long as there are of them, and
 * not as long as their square. */
#include "check.h"
#include "cli/vault/budget_writer.h"
#include "scene.h"
#include "vault/vault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One population with its dataset and a charge. */
static scrim_status enter_one(scrim_vault *v, unsigned number, scrim_error *error)
{
    char text[200];
    sc_event event;
    sc_event_init(&event);
    snprintf(text, sizeof text, "population p%u add-remove sum 1 0.000001 1", number);
    scrim_status status = sc_event_parse(sc_text_of(text), &event, error);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    snprintf(text, sizeof text, "dataset p%u %u\nunit=row\nneighbours=add-remove", number,
             (unsigned)v->book.population_count);
    if (status == SCRIM_OK)
        status = sc_event_parse(sc_text_of(text), &event, error);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    snprintf(text, sizeof text, "charge %u 1 1 0.1 0\nq",
             (unsigned)v->book.dataset_count);
    if (status == SCRIM_OK)
        status = sc_event_parse(sc_text_of(text), &event, error);
    if (status == SCRIM_OK)
        status = sc_vault_append(v, &event, error);
    sc_event_clear(&event);
    return status;
}

static scrim_status enter_many(scrim_vault *v, void *context, scrim_error *error)
{
    const unsigned count = *(const unsigned *)context;
    uint64_t analyst = 0;
    scrim_status status = sc_vault_want_analyst(v, &v->identity, &analyst, error);
    for (unsigned i = 0; status == SCRIM_OK && i < count; i++)
        status = enter_one(v, i, error);
    return status;
}

/* The time of this process, in seconds. */
static double spent_time(void)
{
    struct timespec now;
    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void check_time(const char *what, double since, double limit)
{
    const double took = spent_time() - since;
    if (getenv("SCRIM_TIMES") != NULL)
        printf("# %s: %.3f s\n", what, took);
    if (took > limit)
        CHECK_FAIL("%s took %.2f s, not %.2f s", what, took, limit);
}

static size_t list_datasets(scrim_vault *vault)
{
    size_t count = 0;
    scrim_dataset dataset;
    char *policy = NULL;
    while (scrim_vault_dataset(vault, count, &dataset, NULL) == SCRIM_OK) {
        CHECK_STATUS(scrim_vault_policy(vault, dataset.name, &policy, NULL), SCRIM_OK);
        scrim_vault_text_free(policy);
        count++;
    }
    return count;
}

TEST(A88_many_populations_take_linear_time)
{
    unsigned count = (unsigned)check_count(2000, 10000);
    /* Before, of 2,000: 3 s. Sanitizers and watchers are slower. */
    const double limit = check_is_long() ? 1.0 : 0.5;
    scene s;
    sc_budget_rows rows;
    scrim_vault_state state;
    scrim_budget budget;
    char name[32];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(sc_vault_write(vault, enter_many, &count, NULL));
    scrim_vault_close(vault);
    double start = spent_time();
    vault = scene_open(&s);
    REQUIRE(vault != NULL);
    check_time("open", start, limit);
    start = spent_time();
    REQUIRE_OK(sc_budget_rows_get(vault, NULL, &rows, NULL));
    check_time("budget", start, limit);
    CHECK_INT(rows.group_count, count + 1);
    CHECK_INT(rows.dataset_count, count + 1);
    CHECK_STR(rows.groups[count].budget.spent, "0.1");
    CHECK_INT(rows.groups[count].forecast.window, 1);
    CHECK_INT(rows.groups[count].standing.charges, 1);
    sc_budget_rows_clear(&rows);
    start = spent_time();
    CHECK_INT(list_datasets(vault), count + 1);
    check_time("list", start, limit);
    snprintf(name, sizeof name, "p%u", count - 1);
    REQUIRE_OK(scrim_vault_budget_of(vault, name, NULL, &budget, NULL));
    CHECK_STR(budget.population, name);
    start = spent_time();
    REQUIRE_OK(scrim_vault_verify(vault, &state, NULL));
    check_time("verify", start, limit);
    scrim_vault_close(vault);
    scene_end(&s);
}
