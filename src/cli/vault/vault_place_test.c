#include "check.h"
#include "cli/vault/vault_place.h"
#include "plans.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A folder with a vault's file, data, and other files. */
typedef struct place {
    char folder[64];
    plan_scene scene;
} place;

static const char *const names[] = {"vault", "data.csv", "other", "link"};

static const char *in(const place *p, const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
}

static bool place_begin(place *p)
{
    char policy[256];
    *p = (place){.folder = "/tmp/scrim-spared-XXXXXX"};
    if (!CHECK(mkdtemp(p->folder) != NULL) || !plan_begin(&p->scene, ""))
        return false;
    for (size_t i = 0; i < 3; i++)
        write_file(in(p, names[i]), "age\n1\n");
    snprintf(policy, sizeof policy,
             "csv=%s\nunit=row\ncolumn=age=int[0,9]\nneighbours=add-remove\n"
             "budget=epsilon=1\n",
             in(p, "data.csv"));
    return CHECK_STATUS(
        scrim_vault_add_dataset(p->scene.vault, "shop", policy, &p->scene.error),
        SCRIM_OK);
}

static void place_end(place *p)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in(p, names[i]));
    rmdir(p->folder);
    plan_end(&p->scene);
}

static void check_output(place *p, sc_option option, const char *name, scrim_status want,
                         const char *message)
{
    char vault[128], path[128];
    scrim_error error = {.message = ""};
    sc_options options = {.value = {NULL}};
    snprintf(vault, sizeof vault, "%s", in(p, "vault"));
    snprintf(path, sizeof path, "%s", in(p, name));
    options.value[option] = path;
    CHECK_STATUS(sc_spared_files_check(&options, vault, p->scene.vault, &error), want);
    if (want != SCRIM_OK)
        CHECK(strstr(error.message, message) != NULL);
}

TEST(spared_files_are_not_replaced)
{
    CLAIM("spared_files.kept");
    static const sc_option all[] = {SCRIM_OPTION_OUT,     SCRIM_OPTION_SVG,
                                    SCRIM_OPTION_HTML,    SCRIM_OPTION_YAML,
                                    SCRIM_OPTION_RECORDS, SCRIM_OPTION_MEASUREMENTS,
                                    SCRIM_OPTION_POLICY};
    place p;
    if (!place_begin(&p))
        return;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        check_output(&p, all[i], "vault", SCRIM_E_PARAM, "is the vault");
        check_output(&p, all[i], "vault-wal", SCRIM_E_PARAM, "is a file of the vault");
        check_output(&p, all[i], "data.csv", SCRIM_E_PARAM, "is the data of a dataset");
        check_output(&p, all[i], "other", SCRIM_OK, "");
        check_output(&p, all[i], "new", SCRIM_OK, "");
    }
    check_output(&p, SCRIM_OPTION_OUT, "vault-journal", SCRIM_E_PARAM, "of the vault");
    check_output(&p, SCRIM_OPTION_OUT, "vault-shm", SCRIM_E_PARAM, "of the vault");
    check_output(&p, SCRIM_OPTION_OUT, "vault-rows", SCRIM_OK, "");
    check_output(&p, SCRIM_OPTION_OUT, "../vault-wal", SCRIM_OK, "");
    CHECK(symlink("data.csv", in(&p, "link")) == 0);
    check_output(&p, SCRIM_OPTION_OUT, "link", SCRIM_E_PARAM, "is the data of a dataset");
    place_end(&p);
}

static void check_public(place *p, const char *name, const char *vault, scrim_status want,
                         const char *message)
{
    char path[128], store[128];
    scrim_error error = {.message = ""};
    sc_options options = {.value = {NULL}};
    snprintf(path, sizeof path, "%s", in(p, name));
    snprintf(store, sizeof store, "%s", in(p, vault));
    options.value[SCRIM_OPTION_VAULT] = store;
    CHECK_STATUS(sc_public_file_check(&options, path, &error), want);
    if (want != SCRIM_OK)
        CHECK(strstr(error.message, message) != NULL);
}

/* A vault with one dataset: it, a link to it and a copy are refused; another file is not, nor is anything
 * without a vault. */
TEST(public_file_is_no_dataset)
{
    CLAIM("public_file.refused");
    char policy[200];
    scrim_vault *vault = NULL;
    place p;
    if (!place_begin(&p))
        return;
    snprintf(policy, sizeof policy,
             "csv=%s\nunit=row\ncolumn=age=int[0,9]\nneighbours=add-remove\n"
             "budget=epsilon=1\n",
             in(&p, "data.csv"));
    REQUIRE_OK(scrim_vault_init(in(&p, "own.vault"), NULL, NULL));
    REQUIRE_OK(scrim_vault_open(in(&p, "own.vault"), NULL, &vault, NULL));
    CHECK_STATUS(scrim_vault_add_dataset(vault, "shop", policy, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    CHECK(symlink("data.csv", in(&p, "link")) == 0);
    check_public(&p, "data.csv", "own.vault", SCRIM_E_POLICY,
                 "the data of the dataset shop");
    check_public(&p, "link", "own.vault", SCRIM_E_POLICY, "the data of the dataset shop");
    check_public(&p, "other", "own.vault", SCRIM_E_POLICY,
                 "the data of the dataset shop");
    write_file(in(&p, "other"), "age\n2\n");
    check_public(&p, "other", "own.vault", SCRIM_OK, "");
    write_file(in(&p, "other"), "age\n1\n1\n");
    check_public(&p, "other", "own.vault", SCRIM_OK, "");
    check_public(&p, "data.csv", "missing.vault", SCRIM_OK, "");
    check_public(&p, "missing", "own.vault", SCRIM_E_INPUT, "cannot open");
    write_file(in(&p, "own.vault"), "age\n");
    check_public(&p, "other", "own.vault", SCRIM_E_POLICY, "cannot be read");
    unlink(in(&p, "own.vault"));
    place_end(&p);
}

typedef struct site {
    char folder[64];
    char file[96];  /* names the vault */
    char vault[96]; /* of this user */
} site;

static bool site_begin(site *s)
{
    *s = (site){.folder = "/tmp/scrim-site-XXXXXX"};
    if (!CHECK(mkdtemp(s->folder) != NULL))
        return false;
    chmod(s->folder, 0755);
    snprintf(s->file, sizeof s->file, "%s/site", s->folder);
    snprintf(s->vault, sizeof s->vault, "%s/vault", s->folder);
    unsetenv("SCRIM_VAULT");
    setenv("SCRIM_TEST_SITE", s->file, 1);
    return true;
}

static void site_end(const site *s)
{
    unlink(s->file);
    unlink(s->vault);
    rmdir(s->folder);
}

static void write_bytes(const char *path, const char *text, size_t bytes)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(file >= 0 && write(file, text, bytes) == (ssize_t)bytes);
    close(file);
}

static scrim_status choose(const char *option, const char *wait, sc_vault_choice *out,
                           scrim_error *error)
{
    sc_options options = {
        .value = {[SCRIM_OPTION_VAULT] = option, [SCRIM_OPTION_WAIT] = wait}};
    return sc_vault_choose(&options, out, error);
}

static void check_chosen(const char *option, const char *want)
{
    sc_vault_choice choice = {.path = NULL};
    scrim_error error = {.message = ""};
    if (CHECK_STATUS(choose(option, NULL, &choice, &error), SCRIM_OK))
        CHECK_STR(choice.path, want);
    sc_vault_choice_clear(&choice);
}

static void check_not_chosen(const char *option, scrim_status want, const char *words)
{
    sc_vault_choice choice = {.path = NULL};
    scrim_error error = {.message = ""};
    CHECK_STATUS(choose(option, NULL, &choice, &error), want);
    if (strstr(error.message, words) == NULL)
        CHECK_FAIL("'%s' does not say '%s'", error.message, words);
    sc_vault_choice_clear(&choice);
}

TEST(vault_place_option_variable_folder)
{
    site s;
    if (!site_begin(&s))
        return;
    check_chosen(NULL, "./scrim.vault");
    check_chosen("a.vault", "a.vault");
    setenv("SCRIM_VAULT", "b.vault", 1);
    check_chosen(NULL, "b.vault");
    check_chosen("a.vault", "a.vault");
    setenv("SCRIM_VAULT", "", 1);
    check_chosen(NULL, "./scrim.vault");
    check_not_chosen("", SCRIM_E_PARAM, "--vault");
    site_end(&s);
}

TEST(vault_place_waits)
{
    static const struct {
        const char *given;
        int wait_ms;
    } cases[] = {{NULL, 60000}, {"0", -1}, {"1", 1000}, {"2147483", 2147483000}};
    site s;
    if (!site_begin(&s))
        return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sc_vault_choice choice = {.path = NULL};
        CHECK_STATUS(choose(NULL, cases[i].given, &choice, NULL), SCRIM_OK);
        CHECK_INT(choice.wait_ms, cases[i].wait_ms);
        sc_vault_choice_clear(&choice);
    }
    static const char *const wrong[] = {"2147484", "-1", "0.5", "", "soon", "1e20"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sc_vault_choice choice = {.path = NULL};
        scrim_error error;
        CHECK_STATUS(choose(NULL, wrong[i], &choice, &error), SCRIM_E_PARAM);
        sc_vault_choice_clear(&choice);
    }
    site_end(&s);
}

TEST(vault_place_site_file)
{
    static const char *const wrong[] = {"",     "# nothing\n", "vault\n", "/a\n/b\n",
                                        "\n\n", "~/vault",     "../vault"};
    char long_text[20000];
    site s;
    if (!site_begin(&s))
        return;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_bytes(s.file, wrong[i], strlen(wrong[i]));
        check_not_chosen(NULL, SCRIM_E_LEDGER, "absolute path");
    }
    write_bytes(s.file, "/a\0b", 4);
    check_not_chosen(NULL, SCRIM_E_LEDGER, "cannot be read");
    memset(long_text, '/', sizeof long_text);
    write_bytes(s.file, long_text, sizeof long_text);
    check_not_chosen(NULL, SCRIM_E_LEDGER, "cannot be read");
    unlink(s.file);
    mkdir(s.file, 0755); /* there, and no file */
    check_not_chosen(NULL, SCRIM_E_LEDGER, s.file);
    rmdir(s.file);
    write_bytes(s.file, "# the vault\r\n\n  /srv/our vault \t\r\n", 34);
    check_chosen(NULL, "/srv/our vault");
    site_end(&s);
}

/* As somebody who does not own the vault that the site names. */
static void check_as_another(void)
{
    check_chosen(NULL, getenv("SCRIM_TEST_OWNED"));
    check_not_chosen("a.vault", SCRIM_E_POLICY, "leave it out");
    check_not_chosen(getenv("SCRIM_TEST_OWNED"), SCRIM_E_POLICY, "leave it out");
    check_not_chosen("", SCRIM_E_POLICY, "leave it out");
    setenv("SCRIM_VAULT", "b.vault", 1);
    check_not_chosen(NULL, SCRIM_E_POLICY, "unset it");
    check_not_chosen("a.vault", SCRIM_E_POLICY, "leave it out");
    /* A limit that would end it where its rows decide (A73). */
    unsetenv("SCRIM_VAULT");
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_CPU, &limit) == 0);
    limit.rlim_cur = 1000000;
    if (setrlimit(RLIMIT_CPU, &limit) == 0)
        check_not_chosen(NULL, SCRIM_E_POLICY, "ulimit -t");
}

TEST(A43_site_names_the_vault)
{
    CLAIM("vault_place.site");
    const bool is_root = getuid() == 0;
    char line[128];
    site s;
    if (!site_begin(&s))
        return;
    write_bytes(s.vault, "", 0);
    write_bytes(s.file, line, (size_t)snprintf(line, sizeof line, "%s\n", s.vault));
    /* Its owner may choose. */
    check_chosen(NULL, s.vault);
    check_chosen("a.vault", "a.vault");
    setenv("SCRIM_VAULT", "b.vault", 1);
    check_chosen(NULL, "b.vault");
    unsetenv("SCRIM_VAULT");
    /* Others may not: here one who is not root, there one whose vault is root's. */
    if (!is_root)
        write_bytes(s.file, "/etc/passwd\n", 12);
    setenv("SCRIM_TEST_OWNED", is_root ? s.vault : "/etc/passwd", 1);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (is_root)
            CHECK(setresuid(65534, 65534, 65534) == 0);
        check_as_another();
        _exit(0);
    }
    int end = -1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    site_end(&s);
}

/* A vault that is not there belongs to nobody. */
TEST(A43_site_names_a_missing_vault)
{
    CLAIM("vault_place.site");
    char line[128];
    site s;
    if (!site_begin(&s))
        return;
    write_bytes(s.file, line, (size_t)snprintf(line, sizeof line, "%s\n", s.vault));
    setenv("SCRIM_TEST_OWNED", s.vault, 1);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (getuid() == 0)
            CHECK(setresuid(65534, 65534, 65534) == 0);
        check_as_another();
        _exit(0);
    }
    int end = -1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    sc_options options = {.value = {NULL}};
    scrim_error error = {.message = ""};
    scrim_vault *vault = NULL;
    CHECK_STATUS(sc_vault_place_open(&options, &vault, &error), SCRIM_E_LEDGER);
    CHECK_INT(error.reason, SCRIM_REASON_MISSING);
    CHECK_STR(error.parameter, "vault");
    site_end(&s);
}

/* A program that is run with its owner's rights does not take its caller's word for the vault. */
TEST(A43_another_users_rights)
{
    CLAIM("vault_place.site");
    char line[128];
    site s;
    if (getuid() != 0)
        SKIP("only root can have the rights of two users");
    if (!site_begin(&s))
        return;
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        CHECK(setresuid(65534, 0, 0) == 0);
        check_not_chosen(NULL, SCRIM_E_POLICY, "must name the vault");
        check_not_chosen("a.vault", SCRIM_E_POLICY, "must name the vault");
        write_bytes(s.vault, "", 0);
        write_bytes(s.file, line, (size_t)snprintf(line, sizeof line, "%s\n", s.vault));
        setenv("SCRIM_TEST_OWNED", s.vault, 1);
        check_as_another();
        _exit(0);
    }
    int end = -1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    site_end(&s);
}

TEST(dataset_is_found_by_its_name)
{
    plan_scene scene;
    scrim_dataset dataset;
    scrim_error error;
    if (!plan_begin(&scene, ""))
        return;
    CHECK_STATUS(sc_dataset_find(scene.vault, "adult", &dataset, &error), SCRIM_OK);
    CHECK_STR(dataset.name, "adult");
    CHECK_STATUS(sc_dataset_find(scene.vault, "adlut", &dataset, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown dataset 'adlut'; did you mean 'adult'?");
    CHECK_STATUS(sc_dataset_find(scene.vault, "people", &dataset, &error), SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown dataset 'people'; 'scrim dataset list' lists them");
    plan_end(&scene);
}

TEST(release_number_is_made_of_digits)
{
    static const struct {
        const char *word;
        uint64_t number;
    } cases[] = {
        {"0", 0}, {"12", 12}, {"007", 7}, {"999999999999999999", 999999999999999999}};
    uint64_t number = 0;
    scrim_error error;
    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK_STATUS(sc_release_number_parse(cases[i].word, &number, &error), SCRIM_OK);
        CHECK_INT(number, cases[i].number);
    }
    static const char *const others[] = {
        "", "-1", "+1", " 1", "1 ", "1.0", "0x1", "adult", "1000000000000000000"};
    number = 5;
    for (size_t i = 0; i < COUNT(others); i++) {
        CHECK_STATUS(sc_release_number_parse(others[i], &number, &error), SCRIM_E_PARAM);
        CHECK(strstr(error.message, "'scrim ledger' lists them") != NULL);
    }
    CHECK_INT(number, 5);
}
