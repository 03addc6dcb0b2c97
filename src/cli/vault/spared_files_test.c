#include "check.h"
#include "cli/vault/spared_files.h"
#include "plans.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
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
