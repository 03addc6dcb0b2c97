/* The vault through its public header: what is promised when nothing goes wrong, and what is
 * refused. */
#include "check.h"
#include "ledger/ledger.h"
#include "scene.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(vault_charges_records_and_replays)
{
    CLAIM("vault.charged");
    scene s;
    scrim_error error;
    char left[SCRIM_NUMBER_BYTES];
    if (!scene_begin_vault(&s, "epsilon=1,delta=1e-6", false))
        return;
    struct stat file;
    CHECK(stat(s.path, &file) == 0 && (file.st_mode & 07777) == 0600);
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    uint64_t id = 0, again = 0;
    REQUIRE_OK(scene_spend(vault, "1/10", &id, &error));
    CHECK_STR(scene_left(vault, left), "0.9");
    scrim_vault_release release;
    REQUIRE_OK(scrim_vault_replay(vault, id, &release, &error));
    CHECK(release.state == SCRIM_ENTRY_RELEASED && release.id == id);
    CHECK(release.id == 1 && release.entry > 1);
    CHECK_STR(release.dataset, "people");
    CHECK_STR(release.analyst, scrim_vault_analyst(vault));
    CHECK_STR(release.amount, "0.1");
    CHECK_STR(release.unit, "epsilon");
    CHECK_STR(release.measurement,
              "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove");
    char answer[64];
    snprintf(answer, sizeof answer, "%s", release.answer);
    CHECK(answer[0] != '\0');
    /* The same question finds it; it is the same after the vault was closed. */
    REQUIRE_OK(scrim_vault_find(vault, "people", release.measurement, &again, &error));
    CHECK_INT(again, id);
    scrim_vault_release_clear(&release);
    REQUIRE_OK(scrim_vault_find(vault, "people", "laplace", &again, &error));
    CHECK_INT(again, 0);
    scrim_vault_close(vault);
    vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_replay(vault, id, &release, &error));
    CHECK_STR(release.answer, answer);
    scrim_vault_release_clear(&release);
    CHECK_STATUS(scrim_vault_replay(vault, 0, &release, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_replay(vault, 2, &release, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_replay(vault, 99, &release, &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_replay(vault, UINT64_MAX, &release, &error), SCRIM_E_PARAM);
    CHECK_STR(scene_left(vault, left), "0.9");
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    CHECK_INT(state.charges, 1);
    CHECK_INT(state.releases, 1);
    scene_end(&s);
}

TEST(vault_ten_tenths_and_no_more)
{
    CLAIM("vault.charged");
    scene s;
    scrim_error error;
    char left[SCRIM_NUMBER_BYTES];
    uint64_t refusals = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    for (int i = 0; i < 10; i++) {
        scrim_vault *vault = scene_open(&s); /* opened anew each time */
        REQUIRE(vault != NULL);
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_OK);
        scrim_vault_close(vault);
    }
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_BUDGET);
    CHECK(strstr(error.message, "0 left") != NULL);
    CHECK_STR(scene_left(vault, left), "0");
    CHECK_STATUS(scrim_vault_refusals(vault, &refusals, &error), SCRIM_OK);
    CHECK_INT(refusals, 1);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    CHECK_INT(state.charges, 10);
    scene_end(&s);
}

/* Two handles see each other's charges, each with its own book. */
TEST(vault_handles_read_on)
{
    scene s;
    scrim_error error;
    char left[SCRIM_NUMBER_BYTES];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *a = scene_open(&s), *b = scene_open(&s);
    REQUIRE(a != NULL && b != NULL);
    CHECK_STATUS(scene_spend(a, "0.5", NULL, &error), SCRIM_OK);
    CHECK_STR(scene_left(b, left), "0.5");
    CHECK_STATUS(scene_spend(b, "0.4", NULL, &error), SCRIM_OK);
    CHECK_STATUS(scene_spend(a, "0.2", NULL, &error), SCRIM_E_BUDGET);
    CHECK_STATUS(scene_spend(a, "0.1", NULL, &error), SCRIM_OK);
    CHECK_STATUS(scrim_vault_update_dataset(b, "people", "unit=row", &error), SCRIM_OK);
    scrim_dataset dataset;
    CHECK_STATUS(scrim_vault_dataset(a, 0, &dataset, &error), SCRIM_OK);
    CHECK_INT(dataset.version, 2);
    CHECK_STATUS(scrim_vault_dataset(a, 1, &dataset, &error), SCRIM_E_PARAM);
    scrim_vault_close(a);
    scrim_vault_close(b);
    scene_end(&s);
}

/* Repeated on the same version a release is free; on another it is a release of its own. */
TEST(vault_finds_answers_of_this_version_only)
{
    CLAIM("vault.charged");
    static const char line[] = "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove";
    scene s;
    scrim_error error;
    uint64_t first = 0, second = 0, found = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scene_spend(vault, "0.1", &first, &error));
    REQUIRE_OK(scrim_vault_find(vault, "people", line, &found, &error));
    CHECK_INT(found, first);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "people", "unit=row", &error));
    REQUIRE_OK(scrim_vault_find(vault, "people", line, &found, &error));
    CHECK_INT(found, 0);
    REQUIRE_OK(scene_spend(vault, "0.1", &second, &error));
    REQUIRE_OK(scrim_vault_find(vault, "people", line, &found, &error));
    CHECK_INT(found, second);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* An answer belongs to a charge, which has one. */
TEST(vault_records_what_was_charged_once)
{
    CLAIM("vault.charged");
    scene s;
    scrim_error error = {.message = ""};
    scrim_ledger *ledger = NULL;
    scrim_vault_state before, after;
    uint64_t id = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_ledger(vault, "people", &ledger, &error));
    REQUIRE_OK(scene_spend(vault, "0.1", &id, &error));
    REQUIRE_OK(scrim_vault_verify(vault, &before, &error));
    const uint64_t others[] = {1, id - 1, id, id + 1, id + 9};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(ledger->functions->record(ledger, others[i], "42", &error) != SCRIM_OK);
    REQUIRE_OK(scrim_vault_verify(vault, &after, &error));
    CHECK_STR(after.head, before.head);
    scrim_ledger_free(ledger);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* A ledger of a version that has passed charges nothing. */
TEST(vault_ledger_keeps_its_version)
{
    scene s;
    scrim_error error;
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_answer *answer = NULL;
    const int64_t people = 1;
    char left[SCRIM_NUMBER_BYTES];
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove", &m, &error));
    REQUIRE_OK(scrim_vault_ledger(vault, "people", &ledger, &error));
    REQUIRE_OK(scrim_vault_set_dataset(vault, "people", "unit=row\nmax-rows=2", &error));
    CHECK_STATUS(scrim_release(ledger, m, &(scrim_input){.integers = &people, .count = 1},
                               &answer, &error),
                 SCRIM_E_POLICY);
    CHECK_STR(scene_left(vault, left), "1");
    char *policy = NULL;
    REQUIRE_OK(scrim_vault_policy(vault, "people", &policy, &error));
    CHECK_STR(policy, "unit=row\nmax-rows=2\nneighbours=add-remove\n");
    scrim_vault_text_free(policy);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
    scrim_vault_close(vault);
    scene_end(&s);
}

TEST(vault_policy_is_checked)
{
    static const struct {
        const char *name, *policy;
        scrim_status status;
    } adds[] = {
        {"people", "unit=row", SCRIM_E_PARAM}, /* taken */
        {"other", "unit=row", SCRIM_E_PARAM},  /* no budget */
        {"other", "unit=row\nbudget=epsilon=1", SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=delta=1e-6\nneighbours=replace", SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1,epsilon=1\nneighbours=replace",
         SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nbudget=epsilon=1\nneighbours=replace",
         SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=0\nneighbours=replace", SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=one\nneighbours=replace", SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nneighbours=near", SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nneighbours=replace\naccounting=magic",
         SCRIM_E_PARAM},
        {"other",
         "unit=row\nbudget=epsilon=1\nneighbours=replace\naccounting=concentrated",
         SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nneighbours=replace\ncap=rho=1",
         SCRIM_E_PARAM},
        {"a/b", "unit=row\nbudget=epsilon=1\nneighbours=replace", SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nneighbours=add-remove\nunti=row",
         SCRIM_E_PARAM},
        {"other", "budget=epsilon=1\nneighbours=add-remove", SCRIM_E_PARAM}, /* no unit */
        {"other",
         "unit=row\nbudget=epsilon=1\nneighbours=add-remove\ncolumn=age=int[9,1]",
         SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nneighbours=add-remove\nkeys=sex=F,M",
         SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nneighbours=add-remove\nshare=*=rho=1",
         SCRIM_E_PARAM},
        {"other",
         "unit=row\nbudget=epsilon=1\nneighbours=add-remove\nshare=no-such-user=epsilon="
         "1",
         SCRIM_E_PARAM},
        {"other", "unit=row\nbudget=epsilon=1\nneighbours=add-remove\ncsv=tests/missing",
         SCRIM_E_INPUT},
        {"other", "=1", SCRIM_E_SYNTAX},
        {"other", "UNIT=1", SCRIM_E_SYNTAX},
        {"other", "unit=row\npopulation=people\nbudget=epsilon=2", SCRIM_E_POLICY},
        {"other", "unit=row\npopulation=people\nneighbours=replace", SCRIM_E_POLICY},
        {"other", "unit=row\npopulation=people\naccounting=renyi=4", SCRIM_E_POLICY},
        {"other", "# same people\nunit row\npopulation people\nbudget epsilon=1\n\n",
         SCRIM_OK},
        {"third",
         "unit=row\nneighbours=replace\nbudget=epsilon=2,delta=1e-6\naccounting=renyi="
         "32\n"
         "cap=divergence=0.5,delta=0,least=1e-6",
         SCRIM_OK},
    };
    scene s;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    for (size_t i = 0; i < sizeof adds / sizeof *adds; i++)
        if (scrim_vault_add_dataset(vault, adds[i].name, adds[i].policy, &error) !=
            adds[i].status)
            CHECK_FAIL("%s %s: %s", adds[i].name, adds[i].policy, error.message);
    scrim_budget budget;
    REQUIRE_OK(scrim_vault_budget(vault, 1, NULL, &budget, &error));
    CHECK_STR(budget.population, "third");
    CHECK_STR(budget.accounting, "renyi=32");
    CHECK_STR(budget.unit, "divergence");
    CHECK_STR(budget.total_delta, "0.0000005");
    CHECK_STR(budget.left, budget.total);
    CHECK_STATUS(
        scrim_vault_set_dataset(vault, "third", "unit=row\npopulation=people", &error),
        SCRIM_E_POLICY);
    CHECK_STATUS(scrim_vault_set_dataset(vault, "nobody", "unit=row", &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_remove_dataset(vault, "third", &error), SCRIM_OK);
    CHECK_STATUS(scrim_vault_remove_dataset(vault, "third", &error), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_share(vault, "people", "no such user", "1", NULL, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_share(vault, "nobody", NULL, "1", NULL, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_share(vault, "people", NULL, "-1", NULL, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_share(vault, "people", NULL, "0.2", NULL, &error), SCRIM_OK);
    CHECK_STATUS(scene_spend(vault, "0.3", NULL, &error), SCRIM_E_BUDGET);
    CHECK_STATUS(scene_spend(vault, "0.2", NULL, &error), SCRIM_OK);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}

/* THREATS A50: who spends is the system's user; shares follow the person. */
TEST(A50_identity_confusion)
{
    CLAIM("vault.identity");
    static const char *const strange[] = {
        "", "al ice", "alice\n", "al\xc3\xa9", "\x1b[0m", "\xff\xfe\t", NULL};
    sc_identity identity;
    char many[1000];
    memset(many, 'a', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    for (size_t i = 0; strange[i] != NULL; i++) {
        sc_identity_set(&identity, 1234, strange[i]);
        CHECK_STR(identity.name, "user-1234");
    }
    sc_identity_set(&identity, 1234, many);
    CHECK_STR(identity.name, "user-1234");
    sc_identity_set(&identity, 1234, NULL);
    CHECK_STR(identity.name, "user-1234");
    scene s;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_share(vault, "people", NULL, "0.3", NULL, &error));
    sc_vault_use_identity(vault, 70001, "alice");
    CHECK_STATUS(scene_spend(vault, "0.3", NULL, &error), SCRIM_OK);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_BUDGET);
    /* Another name for the same number, another number for the same name: nobody new. */
    sc_vault_use_identity(vault, 70001, "mallory");
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_BUDGET);
    sc_vault_use_identity(vault, 70002, "alice");
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_BUDGET);
    sc_vault_use_identity(vault, 70003, "bob");
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_OK);
    scrim_budget budget;
    REQUIRE_OK(scrim_vault_budget(vault, 0, "alice", &budget, &error));
    CHECK_STR(budget.spent, "0.3");
    CHECK_STR(budget.left, "0");
    CHECK_STATUS(scrim_vault_budget(vault, 0, "Alice", &budget, &error), SCRIM_E_PARAM);
    /* Somebody who does not own the file changes no policy. */
    CHECK(scrim_vault_is_owned(vault));
    vault->is_owner = false;
    CHECK(!scrim_vault_is_owned(vault));
    CHECK_STATUS(scrim_vault_add_dataset(vault, "mine", "population=people", &error),
                 SCRIM_E_POLICY);
    CHECK_STATUS(scrim_vault_set_dataset(vault, "people", "", &error), SCRIM_E_POLICY);
    CHECK_STATUS(scrim_vault_update_dataset(vault, "people", "", &error), SCRIM_E_POLICY);
    CHECK_STATUS(scrim_vault_remove_dataset(vault, "people", &error), SCRIM_E_POLICY);
    CHECK_STATUS(scrim_vault_share(vault, "people", NULL, NULL, NULL, &error),
                 SCRIM_E_POLICY);
    scrim_vault_close(vault);
    scene_end(&s);
}

TEST(identity_is_that_of_the_process)
{
    CLAIM("identity.system");
    sc_identity identity, again;
    sc_identity_of_process(&identity);
    CHECK_INT(identity.user, getuid());
    CHECK(identity.name[0] != '\0');
    if (strncmp(identity.name, "user-", 5) != 0) {
        CHECK_STATUS(sc_identity_of_name(identity.name, &again, NULL), SCRIM_OK);
        CHECK_INT(again.user, identity.user);
    }
    CHECK_STATUS(sc_identity_of_name("no such user", &again, NULL), SCRIM_E_PARAM);
    /* The environment has no say. */
    CHECK(setenv("USER", "somebody", 1) == 0 && setenv("LOGNAME", "somebody", 1) == 0);
    sc_identity_of_process(&again);
    CHECK_STR(again.name, identity.name);
}

/* A handle belongs to the process that opened it. */
TEST(vault_is_not_inherited)
{
    scene s;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    pid_t child = fork();
    if (child == 0) {
        scrim_vault_state state;
        _exit(scene_spend(vault, "0.1", NULL, NULL) == SCRIM_E_STATE &&
                      scrim_vault_verify(vault, &state, NULL) == SCRIM_E_STATE
                  ? 0
                  : 1);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    scene_end(&s);
}

/* Options of another version of the header, which is known by their size. */
TEST(vault_options_may_grow)
{
    CLAIM("options.grow");
    scene s;
    scrim_vault *vault = NULL;
    scrim_vault_state state;
    const scrim_vault_options zeros = {0};
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    CHECK_STATUS(scrim_vault_init(s.witness, &zeros, NULL), SCRIM_E_PARAM);
    CHECK(access(s.witness, F_OK) != 0);
    CHECK_STATUS(scrim_vault_open(s.path, &zeros, &vault, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_check(s.path, &zeros, &state, NULL), SCRIM_E_PARAM);
    struct {
        scrim_vault_options known;
        uint64_t later;
    } newer = {{.size = sizeof newer}, 0};
    CHECK_STATUS(scrim_vault_check(s.path, &newer.known, &state, NULL), SCRIM_OK);
    newer.later = 1;
    CHECK_STATUS(scrim_vault_check(s.path, &newer.known, &state, NULL), SCRIM_E_PARAM);
    /* An older one ends before it could say that the vault was moved. */
    const scrim_vault_options older = {.size = offsetof(scrim_vault_options, wait_ms),
                                       .is_moved = 1};
    CHECK(scene_copy(s.path, s.witness) && chmod(s.witness, 0600) == 0);
    CHECK_STATUS(scrim_vault_open(s.witness, &older, &vault, NULL), SCRIM_E_LEDGER);
    CHECK(vault == NULL);
    scene_end(&s);
}
