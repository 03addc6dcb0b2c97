/* THREATS A86: what fails after a charge says so, whatever fails; who is renamed, or whom the system
 * cannot name for the moment, is nobody new. */
#include "check.h"
#include "ledger/ledger.h"
#include "query_scene.h"
#include "store_memory.h"
#include "system_calls.h"
#include "vault/vault.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define OPTIONS(...)                                                                     \
    (&(scrim_query_options){.size = sizeof(scrim_query_options), __VA_ARGS__})

static uint64_t charges_of(scrim_vault *vault)
{
    scrim_budget budget = {.charges = 0};
    CHECK_STATUS(scrim_vault_budget(vault, 0, NULL, &budget, NULL), SCRIM_OK);
    return budget.charges;
}

/* A store of which one call fails. */

static const sc_store_functions *kept;
static sc_store_functions failing;
static uint64_t calls_left;     /* 0: none fails */
static bool commits_then_fails; /* a commit that fails has been made */
static bool reads_fail;         /* also where entries and answers are read */

static bool fails_now(scrim_error *error)
{
    if (calls_left == 0 || --calls_left > 0)
        return false;
    (void)sc_fail(error, SCRIM_E_LEDGER, "the disk has failed");
    return true;
}

static scrim_status fail_begin(sc_store *store, bool writing, scrim_error *error)
{
    return fails_now(error) ? SCRIM_E_LEDGER : kept->begin(store, writing, error);
}

static scrim_status fail_commit(sc_store *store, scrim_error *error)
{
    if (!fails_now(error))
        return kept->commit(store, error);
    if (commits_then_fails)
        CHECK_STATUS(kept->commit(store, NULL), SCRIM_OK);
    else
        kept->rollback(store);
    return SCRIM_E_LEDGER;
}

static scrim_status fail_head(sc_store *store, sc_chain *out, scrim_error *error)
{
    return fails_now(error) ? SCRIM_E_LEDGER : kept->head(store, out, error);
}

static scrim_status fail_append(sc_store *store, const sc_chain *at, bool is_policy,
                                sc_text bytes, scrim_error *error)
{
    return fails_now(error) ? SCRIM_E_LEDGER
                            : kept->append(store, at, is_policy, bytes, error);
}

static scrim_status fail_put_answer(sc_store *store, uint64_t charge,
                                    const sc_digest *question, sc_text answer,
                                    scrim_error *error)
{
    return fails_now(error) ? SCRIM_E_LEDGER
                            : kept->put_answer(store, charge, question, answer, error);
}

static scrim_status fail_put_pending(sc_store *store, uint64_t charge,
                                     const sc_pending *pending, scrim_error *error)
{
    return fails_now(error) ? SCRIM_E_LEDGER
                            : kept->put_pending(store, charge, pending, error);
}

static scrim_status fail_entries(sc_store *store, uint64_t from, bool policy_only,
                                 sc_store_entry_visitor *visit, void *context,
                                 scrim_error *error)
{
    return reads_fail && fails_now(error)
               ? SCRIM_E_LEDGER
               : kept->entries(store, from, policy_only, visit, context, error);
}

static scrim_status fail_answer(sc_store *store, uint64_t charge, sc_digest *question,
                                char **out, scrim_error *error)
{
    return reads_fail && fails_now(error)
               ? SCRIM_E_LEDGER
               : kept->answer(store, charge, question, out, error);
}

static scrim_status fail_find(sc_store *store, const sc_digest *question,
                              uint64_t *charge, scrim_error *error)
{
    return fails_now(error) ? SCRIM_E_LEDGER : kept->find(store, question, charge, error);
}

static void make_failing(scrim_vault *vault)
{
    kept = vault->store->functions;
    failing = *kept;
    failing.begin = fail_begin;
    failing.commit = fail_commit;
    failing.head = fail_head;
    failing.append = fail_append;
    failing.put_answer = fail_put_answer;
    failing.put_pending = fail_put_pending;
    failing.entries = fail_entries;
    failing.answer = fail_answer;
    failing.find = fail_find;
    vault->store->functions = &failing;
}

/* A question, a release of a series, a release of values; another one in each round. */
typedef enum what { QUERY, SERIES, VALUES } what;

static scrim_status ask(query_scene *s, what kind, uint64_t round, scrim_error *error)
{
    char epsilon[64]; /* another question in each round */
    scrim_result *result = NULL;
    scrim_status status;
    if (kind == VALUES)
        return scene_spend(s->vault, "0.1", NULL, error);
    if (kind == SERIES) {
        status = scrim_series_release(s->vault, "daily", round, NULL, &result, error);
    } else {
        snprintf(epsilon, sizeof epsilon, "0.1%06" PRIu64, round);
        status = query_scene_ask(s, "SELECT COUNT(*) AS n",
                                 OPTIONS(.epsilon = epsilon, .workers = 1), &result);
        *error = s->error;
    }
    CHECK((result != NULL) == (status == SCRIM_OK));
    scrim_result_free(result);
    return status;
}

static void check_told(query_scene *s, what kind, uint64_t before,
                       const scrim_error *error)
{
    const uint64_t after = charges_of(s->vault);
    const char *told = strstr(error->message, "has no answer: the disk has failed; ");
    const bool is_perhaps = strstr(error->message, " is perhaps charged and ") != NULL;
    const bool is_recorded = strstr(error->message, "its answer is recorded: ") != NULL;
    if (after > before)
        CHECK(is_recorded || told != NULL);
    else
        CHECK(told == NULL || is_perhaps);
    if (told != NULL && kind != VALUES)
        CHECK(strstr(told, "; ask the same question again: it is ") != NULL);
    else if (told != NULL)
        CHECK(strstr(told, "; nothing was shown") != NULL);
}

static void run_failures(what kind, bool after_commit)
{
    static const char policy[] = "unit=row\ncolumn=day=int[1,200]\n"
                                 "budget=epsilon=1000,delta=0.1\n";
    query_scene s;
    scrim_series *series = NULL;
    uint64_t failures = 0, told = 0;
    bool has_failed = true;
    if (!query_scene_begin(&s, policy, "day\n1\n2\n3\n100\n"))
        return;
    const scrim_series_options options = {
        .size = sizeof options, .epsilon = "1", .releases = 200, .window = "day"};
    REQUIRE_OK(scrim_series_new(s.vault, "daily", "people", "SELECT COUNT(*) AS n",
                                &options, &series, NULL, &s.error));
    REQUIRE_OK(scrim_series_enter(s.vault, series, 0, &s.error));
    scrim_series_free(series);
    for (uint64_t round = 1; has_failed && round < 200; round++) {
        scrim_error error = {.message = ""};
        const uint64_t before = charges_of(s.vault);
        make_failing(s.vault);
        commits_then_fails = after_commit;
        reads_fail = kind != SERIES; /* which reads all that was charged before */
        calls_left = round;
        const scrim_status status = ask(&s, kind, round, &error);
        has_failed = calls_left == 0;
        calls_left = 0;
        s.vault->store->functions = kept;
        if (has_failed && CHECK_STATUS(status, SCRIM_E_LEDGER)) {
            failures++;
            told += strstr(error.message, "charged and") != NULL;
            check_told(&s, kind, before, &error);
        }
        if (status != SCRIM_OK)
            CHECK_STATUS(ask(&s, kind, round, &error), SCRIM_OK);
        if (kind != VALUES)
            CHECK_INT(charges_of(s.vault), before + 1);
    }
    CHECK(!has_failed && failures > 4 && told > 1);
    query_scene_end(&s);
}

FAULT_TEST(A86_every_failure_of_a_store_is_told)
{
    CLAIM("ask.told");
    CLAIM("release.told");
    for (what kind = QUERY; kind <= VALUES; kind++)
        for (int after_commit = 0; after_commit < 2; after_commit++)
            run_failures(kind, after_commit != 0);
}

/* The names of the system. */

static const char *system_name; /* NULL: there is no such user */
static int system_error;

static int answer_getpwuid(uid_t user, struct passwd *entry, char *room, size_t bytes,
                           struct passwd **found)
{
    (void)user;
    *found = NULL;
    if (system_error != 0 || system_name == NULL)
        return system_error;
    snprintf(room, bytes, "%s", system_name);
    *entry = (struct passwd){.pw_name = room, .pw_uid = user};
    *found = entry;
    return 0;
}

static scrim_vault *open_as(const scene *s, const char *name, int error)
{
    system_name = name;
    system_error = error;
    system_call.getpwuid_r = answer_getpwuid;
    return scene_open(s);
}

static size_t analysts_of(scrim_vault *vault)
{
    char name[SCRIM_NAME_BYTES];
    size_t count = 0;
    while (scrim_vault_analyst_at(vault, count, name, NULL) == SCRIM_OK)
        count++;
    return count;
}

/* Renamed, gone, or not to be named for the moment: the same analyst, who is charged and answered. */
TEST(A86_a_renamed_user_is_nobody_new)
{
    CLAIM("identity.unsure");
    static const struct {
        const char *name;
        int error;
    } later[] = {{"bob", 0}, {NULL, 0}, {NULL, ENOENT}, {NULL, EIO}, {NULL, EAGAIN}};
    scene s;
    scrim_budget budget;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = open_as(&s, "alice", 0);
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        vault = open_as(&s, later[i].name, later[i].error);
        REQUIRE(vault != NULL);
        CHECK_STR(scrim_vault_analyst(vault), "alice");
        CHECK_STATUS(
            scrim_vault_budget(vault, 0, scrim_vault_analyst(vault), &budget, NULL),
            SCRIM_OK);
        CHECK_INT(budget.charges, i + 1);
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, NULL), SCRIM_OK);
        CHECK_INT(analysts_of(vault), 1);
        scrim_vault_close(vault);
    }
    scene_end(&s);
}

/* The name of a handle is that of its opening: it is read without the lock. */
TEST(A86_the_name_of_a_handle_stays)
{
    CLAIM("identity.unsure");
    scene s;
    scrim_budget budget;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *first = open_as(&s, "alice", 0);
    REQUIRE(first != NULL);
    const char *name = scrim_vault_analyst(first);
    scrim_vault *second = open_as(&s, "bob", 0);
    REQUIRE(second != NULL);
    CHECK_STATUS(scene_spend(second, "0.1", NULL, NULL), SCRIM_OK);
    CHECK_STATUS(scene_spend(first, "0.1", NULL, NULL), SCRIM_OK);
    CHECK_STR(name, "alice");
    CHECK_INT(analysts_of(first), 1);
    CHECK_STATUS(scrim_vault_budget(first, 0, name, &budget, NULL), SCRIM_OK);
    CHECK_INT(budget.charges, 2);
    scrim_vault_close(first);
    scrim_vault_close(second);
    scene_end(&s);
}

/* Somebody whom the ledger does not know is refused before the charge while they have no name, and
 * reads what is recorded. */
TEST(A86_a_failing_name_service_is_before_the_charge)
{
    CLAIM("identity.unsure");
    static const int errors[] = {EIO,    EAGAIN, ENOMEM,      EMFILE,
                                 ENFILE, EINTR,  ECONNREFUSED};
    scene s;
    scrim_error error;
    scrim_budget budget;
    sc_identity identity;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        scrim_vault *vault = open_as(&s, NULL, errors[i]);
        REQUIRE(vault != NULL);
        CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_E_LEDGER);
        CHECK(strstr(error.message, "name service") != NULL);
        CHECK(strstr(error.message, "nothing was charged") != NULL);
        CHECK_INT(charges_of(vault), 0);
        CHECK_INT(analysts_of(vault), 0);
        CHECK_STATUS(
            scrim_vault_budget(vault, 0, scrim_vault_analyst(vault), &budget, NULL),
            SCRIM_OK);
        CHECK_INT(budget.charges, 0);
        scrim_vault_close(vault);
    }
    scrim_vault *vault =
        open_as(&s, NULL, 0); /* nobody has that number: a name all the same */
    REQUIRE(vault != NULL);
    CHECK_STATUS(scene_spend(vault, "0.1", NULL, &error), SCRIM_OK);
    CHECK(strncmp(scrim_vault_analyst(vault), "user-", 5) == 0);
    scrim_vault_close(vault);
    sc_identity_of_process(&identity);
    CHECK(!identity.is_unsure);
    scene_end(&s);
}
