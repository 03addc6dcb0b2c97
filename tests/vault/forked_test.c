/* A78: a child made by fork or clone has a copy of every handle. No handle may spend, answer or
 * read a budget there; what does not change may be used. Each function of the public headers that
 * takes a ledger, a run or a vault is called. */
#include "check.h"
#include "scene.h"
#include "vault/vault.h"
#include "wiping.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define LAPLACE "laplace sensitivity=1 epsilon=1/2 neighbours=add-remove"
#define SPARSE                                                                           \
    "above-threshold sensitivity=1 epsilon=1/4 threshold=10 neighbours=add-remove"

/* One child by each way; what it returns is its exit status, 0 when all is refused. */
typedef int in_child(void *context);

static void fork_and_ask(in_child *ask, void *context)
{
    for (int way = 0; way < 2; way++) {
        pid_t child = way == 0 ? fork() : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        int status = -1;
        if (child == 0)
            _exit(ask(context));
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_INT(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 0);
    }
}

/* A ledger in memory. */

typedef struct memory_scene {
    scrim_ledger *ledger;
    scrim_measurement *count, *sparse;
    scrim_answer *answer;
    scrim_run *run;
} memory_scene;

static scrim_status release_one(const memory_scene *s, scrim_answer **out)
{
    const int64_t people = 7;
    return scrim_release(s->ledger, s->count,
                         &(scrim_input){.integers = &people, .count = 1}, out, NULL);
}

static int use_memory_ledger(void *context)
{
    const memory_scene *s = context;
    scrim_answer *answer = NULL;
    scrim_run *run = NULL;
    scrim_run_answer shown;
    scrim_cost cost;
    scrim_entry entry;
    if (release_one(s, &answer) != SCRIM_E_STATE || answer != NULL)
        return 1;
    if (scrim_run_open(s->ledger, s->sparse, &run, NULL) != SCRIM_E_STATE || run != NULL)
        return 2;
    if (scrim_run_ask(s->run, 0, &shown, NULL) != SCRIM_E_STATE)
        return 3;
    if (scrim_ledger_spent(s->ledger, &cost, NULL) != SCRIM_E_STATE ||
        scrim_ledger_left(s->ledger, &cost, NULL) != SCRIM_E_STATE ||
        scrim_ledger_entry(s->ledger, 0, &entry, NULL) != SCRIM_E_STATE ||
        scrim_ledger_count(s->ledger) != 0)
        return 4;
    /* Objects that do not change may be used: a measurement, and an answer that was given. */
    if (scrim_measurement_cost(s->count, &cost, NULL) != SCRIM_OK ||
        scrim_answer_count(s->answer) != 1)
        return 5;
    scrim_run_close(s->run);
    scrim_ledger_free(s->ledger);
    return 0;
}

TEST(A78_a_ledger_in_memory_is_not_inherited)
{
    CLAIM("ledger.fork");
    memory_scene s = {.ledger = NULL};
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    REQUIRE_OK(
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                       .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1"),
                         &s.ledger, NULL));
    REQUIRE_OK(scrim_measurement_parse(LAPLACE, &s.count, NULL));
    REQUIRE_OK(scrim_measurement_parse(SPARSE, &s.sparse, NULL));
    REQUIRE_OK(release_one(&s, &s.answer));
    REQUIRE_OK(scrim_run_open(s.ledger, s.sparse, &s.run, NULL));
    fork_and_ask(use_memory_ledger, &s);
    /* The parent goes on. */
    scrim_run_answer shown;
    CHECK_STATUS(scrim_run_ask(s.run, 0, &shown, NULL), SCRIM_OK);
    scrim_run_close(s.run);
    CHECK_INT((int)scrim_ledger_count(s.ledger), 2);
    scrim_answer_free(s.answer);
    scrim_measurement_free(s.count);
    scrim_measurement_free(s.sparse);
    scrim_ledger_free(s.ledger);
}

/* A budget for one answer, of which 64 children have a copy. */
SLOW_TEST(A78_children_gain_no_answer)
{
    CLAIM("ledger.fork");
    memory_scene s = {.ledger = NULL};
    int answers = 0;
    REQUIRE_OK(
        scrim_ledger_new(SCRIM_OPTIONS(scrim_ledger_options,
                                       .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1/2"),
                         &s.ledger, NULL));
    REQUIRE_OK(scrim_measurement_parse(LAPLACE, &s.count, NULL));
    for (int i = 0; i < 64; i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0)
            _exit(release_one(&s, &s.answer) == SCRIM_OK ? 1 : 0);
        CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
        answers += WEXITSTATUS(status);
    }
    CHECK_INT(answers, 0);
    CHECK_STATUS(release_one(&s, &s.answer), SCRIM_OK);
    scrim_answer_free(s.answer);
    scrim_measurement_free(s.count);
    scrim_ledger_free(s.ledger);
}

/* A vault, and all that is asked through it. */

typedef struct vault_scene {
    scrim_vault *vault;
    scrim_ledger *ledger;
    scrim_measurement *count, *sparse;
    scrim_run *run;
} vault_scene;

static scrim_status visit_charge(void *context, const scrim_vault_release *charge)
{
    (void)context, (void)charge;
    return SCRIM_OK;
}

static scrim_status visit_entry(void *context, uint64_t id, const char *bytes,
                                size_t count, const char *hash, const char *answer)
{
    (void)context, (void)id, (void)bytes, (void)count, (void)hash, (void)answer;
    return SCRIM_OK;
}

/* Functions that read or spend: each is refused. Nothing of their output is written. */
static int use_vault(const vault_scene *s)
{
    scrim_vault *v = s->vault;
    const int64_t people = 7;
    const scrim_input input = {.integers = &people, .count = 1};
    scrim_answer *answer = NULL;
    scrim_ledger *ledger = NULL;
    scrim_run *run = NULL;
    scrim_run_answer shown;
    scrim_dataset dataset;
    scrim_budget budget;
    scrim_forecast forecast;
    scrim_standing standing;
    scrim_vault_release release;
    scrim_vault_state state;
    scrim_inspection inspection;
    char *text = NULL, name[SCRIM_NAME_BYTES];
    uint64_t number = 0;
    const scrim_status got[] = {
        scrim_release(s->ledger, s->count, &input, &answer, NULL),
        scrim_run_open(s->ledger, s->sparse, &run, NULL),
        scrim_run_ask(s->run, 0, &shown, NULL),
        scrim_vault_ledger(v, "people", &ledger, NULL),
        scrim_vault_add_dataset(v, "more", "unit=row\nbudget=epsilon=1\n", NULL),
        scrim_vault_set_dataset(v, "people", "unit=row\nbudget=epsilon=1\n", NULL),
        scrim_vault_update_dataset(v, "people", NULL, NULL),
        scrim_vault_remove_dataset(v, "people", NULL),
        scrim_vault_dataset(v, 0, &dataset, NULL),
        scrim_vault_policy(v, "people", &text, NULL),
        scrim_vault_share(v, "people", NULL, "1", NULL, NULL),
        scrim_vault_budget(v, 0, NULL, &budget, NULL),
        scrim_vault_forecast(v, 0, 1, &forecast, NULL),
        scrim_vault_standing(v, 0, &standing, NULL),
        scrim_vault_refusals(v, &number, NULL),
        scrim_vault_analyst_at(v, 0, name, NULL),
        scrim_vault_replay(v, 1, &release, NULL),
        scrim_vault_history(v, NULL, 0, visit_charge, NULL, NULL),
        scrim_vault_find(v, "people", LAPLACE, &number, NULL),
        scrim_vault_visit(v, 0, visit_entry, NULL, NULL),
        scrim_vault_count(v, &number, NULL),
        scrim_vault_verify(v, &state, NULL),
        scrim_vault_inspect(v, "people",
                            SCRIM_OPTIONS(scrim_inspect_options, .workers = 1),
                            &inspection, NULL),
    };
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        if (got[i] != SCRIM_E_STATE)
            return (int)i + 1;
    return 0;
}

static int use_queries(const vault_scene *s)
{
    scrim_vault *v = s->vault;
    const char *const query = "SELECT COUNT(*)";
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    scrim_label *label = NULL;
    scrim_series *series = NULL;
    char name[SCRIM_NAME_BYTES];
    const scrim_status got[] = {
        scrim_plan_new(v, "people", &query, 1,
                       SCRIM_OPTIONS(scrim_query_options, .epsilon = "1/10"), &plan, NULL,
                       NULL),
        scrim_query_replay(v, 1, NULL, &result, NULL),
        scrim_label_new(v, 1, &label, NULL),
        scrim_series_new(v, "weekly", "people", query,
                         SCRIM_OPTIONS(scrim_series_options, .epsilon = "1/10"), &series,
                         NULL, NULL),
        scrim_series_read(v, "weekly", &series, NULL),
        scrim_series_name_at(v, 0, name, NULL),
        scrim_series_release(v, "weekly", 1, NULL, &result, NULL),
    };
    for (size_t i = 0; i < sizeof got / sizeof *got; i++)
        if (got[i] != SCRIM_E_STATE)
            return (int)i + 100;
    return 0;
}

static int use_vault_handles(void *context)
{
    const vault_scene *s = context;
    int wrong = use_vault(s);
    if (wrong == 0)
        wrong = use_queries(s);
    if (wrong == 0) {
        /* Facts that were read before, and what frees. */
        wrong = scrim_vault_analyst(s->vault) != NULL ? 0 : 120;
        scrim_run_close(s->run);
        scrim_ledger_free(s->ledger);
        scrim_vault_close(s->vault);
    }
    return wrong;
}

TEST(A78_a_vault_is_not_inherited)
{
    scene place;
    vault_scene s = {.vault = NULL};
    scrim_vault_state state;
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    if (!scene_begin_vault(&place, "epsilon=1", false))
        return;
    s.vault = scene_open(&place);
    REQUIRE(s.vault != NULL);
    REQUIRE_OK(scrim_vault_ledger(s.vault, "people", &s.ledger, NULL));
    REQUIRE_OK(scrim_measurement_parse(LAPLACE, &s.count, NULL));
    REQUIRE_OK(scrim_measurement_parse(SPARSE, &s.sparse, NULL));
    REQUIRE_OK(scrim_run_open(s.ledger, s.sparse, &s.run, NULL));
    fork_and_ask(use_vault_handles, &s);
    scrim_run_answer shown;
    CHECK_STATUS(scrim_run_ask(s.run, 0, &shown, NULL), SCRIM_OK);
    scrim_run_close(s.run);
    scrim_ledger_free(s.ledger);
    scrim_vault_close(s.vault);
    CHECK(scene_verifies(&place, &state));
    scrim_measurement_free(s.count);
    scrim_measurement_free(s.sparse);
    scene_end(&place);
}

/* The lock that another thread held when the process was forked is held in the child for ever. */
static int use_locked_vault(void *context)
{
    const vault_scene *s = context;
    (void)alarm(20);
    scrim_vault_tell_time(s->vault, 1);
    return use_vault(s);
}

TEST(A78_a_child_waits_for_no_lock)
{
    scene place;
    vault_scene s = {.vault = NULL};
    if (!wiping_works())
        SKIP("this kernel wipes no pages in a child, and opens no run");
    if (!scene_begin_vault(&place, "epsilon=1", false))
        return;
    s.vault = scene_open(&place);
    REQUIRE(s.vault != NULL);
    REQUIRE_OK(scrim_vault_ledger(s.vault, "people", &s.ledger, NULL));
    REQUIRE_OK(scrim_measurement_parse(LAPLACE, &s.count, NULL));
    REQUIRE_OK(scrim_measurement_parse(SPARSE, &s.sparse, NULL));
    REQUIRE_OK(scrim_run_open(s.ledger, s.sparse, &s.run, NULL));
    pthread_mutex_lock(&s.vault->lock);
    fork_and_ask(use_locked_vault, &s);
    pthread_mutex_unlock(&s.vault->lock);
    scrim_run_close(s.run);
    scrim_ledger_free(s.ledger);
    scrim_vault_close(s.vault);
    scrim_measurement_free(s.count);
    scrim_measurement_free(s.sparse);
    scene_end(&place);
}
