/* The entries of a declaration in the ledger: the contents of its source, its shares, and nothing when
 * any part of it is wrong. */
#include "check.h"
#include "faults.h"
#include "scene.h"
#include "vault/state/policy_terms.h"
#include "vault/vault_key.h"

#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A source with that text and that time of its last change. */
static void write_source(const char *path, const char *text, time_t seconds)
{
    const struct timespec times[2] = {{seconds, 5}, {seconds, 5}};
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    CHECK(futimens(file, times) == 0);
    close(file);
}

static void check_policy(scrim_vault *vault, const char *name, const char *head,
                         const char *tail)
{
    char want[1024], *got = NULL;
    snprintf(want, sizeof want, "%s%s", head, tail);
    REQUIRE_OK(scrim_vault_policy(vault, name, &got, NULL));
    CHECK_STR(got, want);
    scrim_vault_text_free(got);
}

static scrim_status read_key(scrim_vault *vault, void *context, scrim_error *error)
{
    return sc_vault_source_key(vault, context, error);
}

/* The policy is head, and then the seal of a file of that size and time. */
static void check_sealed(scrim_vault *vault, const char *name, const char *head,
                         uint64_t bytes, int64_t seconds)
{
    const sc_source_stamp stamp = {
        .is_file = true, .bytes = bytes, .modified_ns = seconds * 1000000000 + 5};
    sc_source_seal seal = {.is_plain = true};
    sc_source_key key;
    char *got = NULL;
    sc_text value;
    REQUIRE_OK(scrim_vault_policy(vault, name, &got, NULL));
    CHECK(strncmp(got, head, strlen(head)) == 0);
    CHECK(strncmp(got + strlen(head), "contents=", 9) == 0);
    CHECK(sc_policy_line(sc_text_of(got), "contents", &value));
    CHECK(sc_source_seal_parse(value, &seal) && !seal.is_plain);
    REQUIRE_OK(sc_vault_read(vault, read_key, &key, NULL));
    CHECK(sc_source_seal_fits(&seal, &key, &stamp));
    scrim_vault_text_free(got);
}

static void check_declared(scrim_vault *vault, bool is_declared)
{
    scrim_error error;
    int found = -1;
    REQUIRE_OK(scrim_vault_is_declared(vault, "a", &found, &error));
    CHECK_INT(found, is_declared);
}

TEST(declaration_knows_the_contents_of_its_source)
{
    CLAIM("vault.contents");
    char source[128], other[128], policy[512], moved[1024];
    scene s;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    snprintf(source, sizeof source, "%s/a.csv", s.folder);
    snprintf(other, sizeof other, "%s/b.csv", s.folder);
    write_source(source, "id,x\n1,2\n", 1000);
    write_source(other, "id,x\n", 3000);
    snprintf(policy, sizeof policy,
             "# "
             "people\ncsv=%s\nunit=id\nrows-per-unit=1\nneighbours=add-remove\nbudget="
             "epsilon=1\n",
             source);
    REQUIRE_OK(scrim_vault_add_dataset(vault, "a", policy, &error));
    check_sealed(vault, "a", policy, 9, 1000);
    snprintf(moved, sizeof moved, "%scolumn=y=bool\n", policy);
    CHECK_STATUS(scrim_vault_set_dataset(vault, "a", moved, &error), SCRIM_E_INPUT);
    CHECK_STATUS(scrim_vault_update_dataset(vault, "a", moved, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "no column 'y'") != NULL);
    /* Another policy is about the same contents, whatever the file has become. */
    write_source(source, "id,x\n1,2\n3,4\n", 2000);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", policy, &error));
    check_sealed(vault, "a", policy, 9, 1000);
    check_declared(vault, false);
    REQUIRE_OK(scrim_vault_update_dataset(vault, "a", policy, &error));
    check_sealed(vault, "a", policy, 13, 2000);
    check_declared(vault, true);
    write_source(source, "id,x\n1,2\n3,5\n", 2000);
    check_declared(vault, false);
    write_source(source, "id,x\n1,2\n3,4\n", 2001);
    check_declared(vault, false);
    REQUIRE_OK(scrim_vault_update_dataset(vault, "a", NULL, &error));
    check_sealed(vault, "a", policy, 13, 2001);
    /* Statements of others about contents do not count. */
    snprintf(moved, sizeof moved, "%scontents=bytes=1,modified=1.000000000\n", policy);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", moved, &error));
    check_sealed(vault, "a", policy, 13, 2001);
    /* Another file has contents of its own. */
    snprintf(moved, sizeof moved,
             "csv=%s\nunit=id\nrows-per-unit=1\nneighbours=add-remove\n", other);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", moved, &error));
    check_sealed(vault, "a", moved, 5, 3000);
    unlink(other);
    CHECK_STATUS(scrim_vault_update_dataset(vault, "a", moved, &error), SCRIM_E_INPUT);
    REQUIRE_OK(
        scrim_vault_set_dataset(vault, "a", "csv=-\nunit=id\nrows-per-unit=1", &error));
    check_policy(vault, "a", "csv=-\nunit=id\nrows-per-unit=1\n",
                 "neighbours=add-remove\n");
    scrim_dataset dataset;
    REQUIRE_OK(scrim_vault_dataset(vault, 1, &dataset, &error));
    CHECK_INT(dataset.version, 5);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}

static uint64_t version_of(scrim_vault *vault, size_t index)
{
    scrim_dataset dataset = {.version = 0};
    CHECK_STATUS(scrim_vault_dataset(vault, index, &dataset, NULL), SCRIM_OK);
    return dataset.version;
}

static uint64_t entries_of(const scene *s)
{
    scrim_vault_state state = {.entries = 0};
    CHECK(scene_verifies(s, &state));
    return state.entries;
}

TEST(declaration_enters_its_shares_once)
{
    const struct passwd *me = getpwuid(getuid());
    char policy[512];
    scene s;
    scrim_error error;
    scrim_budget budget;
    if (me == NULL)
        SKIP("this user has no name");
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    snprintf(policy, sizeof policy,
             "unit=row\npopulation=people\nshare=*=epsilon=0.1\nshare=%s=epsilon=0.3\n",
             me->pw_name);
    REQUIRE_OK(scrim_vault_add_dataset(vault, "a", policy, &error));
    check_policy(vault, "a", "unit=row\npopulation=people\n", "neighbours=add-remove\n");
    REQUIRE_OK(scrim_vault_budget(vault, 0, me->pw_name, &budget, &error));
    CHECK_STR(budget.left, "0.3");
    /* Said again it is no news; nor is a share another policy. */
    const uint64_t then = entries_of(&s);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", policy, &error));
    CHECK_INT(entries_of(&s), then);
    snprintf(policy, sizeof policy, "unit=row\npopulation=people\nshare=%s=none\n",
             me->pw_name);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", policy, &error));
    CHECK_INT(entries_of(&s), then + 1);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", "unit=row", &error));
    CHECK_INT(entries_of(&s), then + 2);
    scrim_dataset dataset;
    REQUIRE_OK(scrim_vault_dataset(vault, 1, &dataset, &error));
    CHECK_INT(dataset.version, 2);
    REQUIRE_OK(scrim_vault_budget(vault, 0, me->pw_name, &budget, &error));
    CHECK_STR(budget.left, "0.1"); /* that of everybody else */
    scrim_vault_close(vault);
    scene_end(&s);
}

/* How questions are answered says nothing of the rows: it is entered, and no other version. */
TEST(declaration_of_other_terms_is_the_same_version)
{
    CLAIM("vault.terms");
    char source[128], lines[400], policy[512];
    scene s;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    snprintf(source, sizeof source, "%s/a.csv", s.folder);
    write_source(source, "id,x\n1,2\n", 1000);
    snprintf(lines, sizeof lines,
             "csv=%s\nunit=row\npopulation=people\nneighbours=add-remove\n", source);
    REQUIRE_OK(scrim_vault_add_dataset(vault, "a", lines, &error));
    snprintf(policy, sizeof policy, "quantum=0.5\n%scap epsilon=0.1\n", lines);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", policy, &error));
    const uint64_t then = entries_of(&s);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", policy, &error));
    CHECK_INT(entries_of(&s), then);
    snprintf(policy, sizeof policy, "%scap=epsilon=0.1\nquantum=0.5\n", lines);
    check_sealed(vault, "a", policy, 9, 1000);
    scrim_vault_close(vault);
    /* the cap holds, also in a vault that is opened anew */
    vault = scene_open(&s);
    REQUIRE(vault != NULL);
    check_sealed(vault, "a", policy, 9, 1000);
    scrim_measurement *dear = scene_question("0.2");
    CHECK_STATUS(scene_release(vault, "a", dear, NULL, &error), SCRIM_E_POLICY);
    snprintf(policy, sizeof policy, "%squantum=1/3\n", lines);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", policy, &error));
    CHECK_STATUS(scene_release(vault, "a", dear, NULL, &error), SCRIM_OK);
    scrim_measurement_free(dear);
    check_sealed(vault, "a", policy, 9, 1000);
    CHECK_INT(version_of(vault, 1), 1);
    /* other contents and other columns are other versions, under the terms there are */
    REQUIRE_OK(scrim_vault_update_dataset(vault, "a", NULL, &error));
    check_sealed(vault, "a", policy, 9, 1000);
    CHECK_INT(version_of(vault, 1), 2);
    snprintf(policy, sizeof policy, "%scolumn=x=int[0,9]\n", lines);
    REQUIRE_OK(scrim_vault_set_dataset(vault, "a", policy, &error));
    check_sealed(vault, "a", policy, 9, 1000);
    CHECK_INT(version_of(vault, 1), 3);
    scrim_vault_close(vault);
    CHECK(entries_of(&s) > then);
    scene_end(&s);
}

TEST(declaration_is_entered_as_a_whole)
{
    static const char of_nobody[] =
        "unit=row\nneighbours=replace\nbudget=epsilon=1\nshare=*=epsilon=1\n"
        "share=no-such-user=epsilon=1";
    static const char *const wrong[] = {
        of_nobody,
        "unit=row\nneighbours=replace\nbudget=epsilon=1\ncap=rho=1",
        "unit=row\nneighbours=replace\nbudget=epsilon=1\ncsv=tests/missing/file",
        "unit=row\nneighbours=replace\nbudget=epsilon=1\ncolumn=x=int[1,0]",
        "population=people\ncolumn=x=int[0,1]",
    };
    scene s;
    scrim_budget budget;
    scrim_dataset dataset;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    const uint64_t then = entries_of(&s);
    for (size_t i = 0; i < COUNT(wrong); i++)
        CHECK(scrim_vault_add_dataset(vault, "a", wrong[i], NULL) != SCRIM_OK);
    CHECK_INT(entries_of(&s), then);
    CHECK_STATUS(scrim_vault_budget(vault, 1, NULL, &budget, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_vault_dataset(vault, 1, &dataset, NULL), SCRIM_E_PARAM);
    scrim_vault_close(vault);
    scene_end(&s);
}

TEST(declaration_refuses_a_name_that_is_none)
{
    static const char policy[] = "unit=row\nneighbours=replace\nbudget=epsilon=1";
    static const char *const wrong[] = {"", "my orders", "-a", "caf\303\251", "a\nb"};
    scene s;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        CHECK_STATUS(scrim_vault_add_dataset(vault, wrong[i], policy, &error),
                     SCRIM_E_PARAM);
        CHECK(strncmp(error.message, "invalid name '", 14) == 0);
    }
    scrim_vault_close(vault);
    scene_end(&s);
}

/* THREATS A38: added again without a word of whose data they are, people are not new ones. */
TEST(A38_declaration_again_says_whose_budget)
{
    static const char anew[] = "unit=row\nneighbours=add-remove\nbudget=epsilon=100\n";
    scene s;
    scrim_error error = {.message = ""};
    scrim_dataset dataset;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(
        scrim_vault_add_dataset(vault, "a", "unit=row\npopulation=people\n", &error));
    REQUIRE_OK(scrim_vault_remove_dataset(vault, "a", &error));
    CHECK_STATUS(scrim_vault_add_dataset(vault, "a", anew, &error), SCRIM_E_POLICY);
    CHECK(strstr(error.message, "name that population") != NULL);
    REQUIRE_OK(
        scrim_vault_add_dataset(vault, "a", "unit=row\npopulation=people\n", &error));
    /* One that had a budget of its own still has it, and no other. */
    REQUIRE_OK(scrim_vault_remove_dataset(vault, "people", &error));
    CHECK_STATUS(scrim_vault_add_dataset(vault, "people", anew, &error), SCRIM_E_POLICY);
    REQUIRE_OK(scrim_vault_add_dataset(vault, "people", "unit=row\n", &error));
    REQUIRE_OK(scrim_vault_dataset(vault, 1, &dataset, &error));
    CHECK_STR(dataset.population, "people");
    /* Other people are other people, once that is said. */
    REQUIRE_OK(scrim_vault_remove_dataset(vault, "a", &error));
    char others[128];
    snprintf(others, sizeof others, "%spopulation=others\n", anew);
    REQUIRE_OK(scrim_vault_add_dataset(vault, "a", others, &error));
    scrim_vault_close(vault);
    scene_end(&s);
}

/* A dataset that joins people who are counted by replace is read under replace, said or not. */
TEST(declaration_has_the_neighbours_of_its_population)
{
    scene s;
    scrim_error error;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    REQUIRE_OK(scrim_vault_add_dataset(
        vault, "b", "unit=row\nneighbours=replace\nbudget=epsilon=1", &error));
    REQUIRE_OK(scrim_vault_add_dataset(
        vault, "c", "unit=row\npopulation=b\ncolumn=x=int[0,1]", &error));
    check_policy(vault, "c", "unit=row\npopulation=b\ncolumn=x=int[0,1]\n",
                 "neighbours=replace\n");
    scrim_vault_close(vault);
    scene_end(&s);
}

/* Each allocation fails in turn: the dataset is there as a whole, or not at all. */
TEST(declaration_survives_want_of_memory)
{
    char source[128], policy[512], name[32];
    scene s;
    uint64_t rounds = 0, added = 0;
    if (!scene_begin_vault(&s, "epsilon=1", false))
        return;
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    snprintf(source, sizeof source, "%s/a.csv", s.folder);
    write_source(source, "id,x\n1,2\n", 1000);
    snprintf(policy, sizeof policy,
             "csv=%s\nunit=row\npopulation=people\ncolumn=x=int[0,9]\nkeys=x=1,2\n"
             "cap=epsilon=1\nshare=*=epsilon=1/2\n",
             source);
    FAULT_LOOP(fault)
    {
        scrim_error error = {.message = ""};
        snprintf(name, sizeof name, "d%d", (int)rounds++);
        const scrim_status status = scrim_vault_add_dataset(vault, name, policy, &error);
        added += status == SCRIM_OK;
        if (status != SCRIM_OK && status != SCRIM_E_MEMORY)
            CHECK_FAIL("allocation %d: %s", (int)rounds, error.message);
    }
    CHECK(rounds > 20 && added >= 1);
    scrim_dataset dataset;
    size_t datasets = 0;
    while (scrim_vault_dataset(vault, datasets, &dataset, NULL) == SCRIM_OK)
        datasets++;
    CHECK_INT(datasets, added + 1);
    scrim_vault_close(vault);
    scrim_vault_state state;
    CHECK(scene_verifies(&s, &state));
    scene_end(&s);
}
