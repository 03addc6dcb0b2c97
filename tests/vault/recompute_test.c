/* Random histories with unlike rationals in every accounting, recomputed by recompute.py from the
 * file alone: prices, budgets, sums and what is shown of them. */
#include "check.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name, *policy;
} tables[] = {
    {"sum",
     "unit=row\nneighbours=add-remove\nbudget=epsilon=30,delta=0.001\naccounting=sum"},
    {"replace",
     "unit=row\nneighbours=replace\nbudget=epsilon=9,delta=1e-5\naccounting=sum"},
    {"concentrated", "unit=row\nneighbours=add-remove\nbudget=epsilon=5,delta=1e-"
                     "5\naccounting=concentrated"},
    {"renyi",
     "unit=row\nneighbours=add-remove\nbudget=epsilon=5,delta=1e-5\naccounting=renyi=9"},
    {"fraction",
     "unit=row\nneighbours=replace\nbudget=epsilon=40,delta=1e-3\naccounting=renyi=7/2"},
};
#define TABLES (sizeof tables / sizeof *tables)

static uint64_t dice;

static unsigned roll(unsigned sides)
{
    uint64_t z = dice += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (unsigned)((z ^ (z >> 31)) % sides);
}

/* Denominators without a common measure, so that sums grow long. */
static void draw_line(char line[160], const char *table)
{
    const unsigned below = 101 + roll(900), above = 1 + roll(below / 8);
    const char *neighbours =
        strcmp(table, "replace") == 0 && roll(2) == 0 ? "replace" : "add-remove";
    const unsigned kind = roll(3);
    if (kind == 0 || (kind == 2 && roll(4) == 0))
        snprintf(line, 160, "laplace sensitivity=1 epsilon=%u/%u neighbours=%s", above,
                 below, neighbours);
    else if (kind == 1)
        snprintf(line, 160,
                 "truncated-laplace sensitivity=1 epsilon=%u/%u delta=%u/100000007 "
                 "neighbours=%s",
                 above, below, 1 + roll(9), neighbours);
    else
        snprintf(line, 160, "gaussian sensitivity=1 rho=%u/%u neighbours=%s", 1 + roll(5),
                 below, neighbours);
}

static scrim_status ask(scrim_vault *vault, const char *table)
{
    char line[160];
    scrim_measurement *question = NULL;
    draw_line(line, table);
    CHECK_STATUS(scrim_measurement_parse(line, &question, NULL), SCRIM_OK);
    const scrim_status status = scene_release(vault, table, question, NULL, NULL);
    scrim_measurement_free(question);
    return status;
}

static void write_shown(scrim_vault *vault, const char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    for (size_t i = 0; i < TABLES; i++) {
        scrim_budget b;
        CHECK_STATUS(scrim_vault_budget(vault, i, NULL, &b, NULL), SCRIM_OK);
        fprintf(file, "%s %s %s %s %s %s\n", b.population, b.total, b.left, b.left_delta,
                b.spent, b.spent_delta);
    }
    CHECK(fclose(file) == 0);
}

/* The exit status of python3 with three arguments; 127 without python3. */
static int run_python(const char *first, const char *second, const char *third)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        (void)execlp("python3", "python3", first, second, third, (char *)NULL);
        _exit(127);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

SLOW_TEST(vault_adds_up_by_another_road)
{
    CLAIM("book.exact");
    CLAIM("book.remainder");
    CLAIM("filter.budget");
    CLAIM("filter.price");
    scene s;
    char shown[128];
    scrim_error error = {.message = ""};
    uint64_t charged = 0, refused = 0;
    dice = check_seed();
    if (run_python("-c", "import sqlite3", NULL) != 0)
        SKIP("python3 is not installed");
    if (!scene_begin(&s))
        return;
    REQUIRE_OK(scrim_vault_init(s.path, NULL, &error));
    scrim_vault *vault = scene_open(&s);
    REQUIRE(vault != NULL);
    for (size_t i = 0; i < TABLES; i++)
        if (scrim_vault_add_dataset(vault, tables[i].name, tables[i].policy, &error) !=
            SCRIM_OK)
            CHECK_FAIL("%s: %s", tables[i].name, error.message);
    for (uint64_t n = check_count_whole(300, 3000); n > 0; n--) {
        const scrim_status status = ask(vault, tables[roll(TABLES)].name);
        charged += status == SCRIM_OK;
        refused += status == SCRIM_E_BUDGET || status == SCRIM_E_POLICY;
        CHECK(status == SCRIM_OK || status == SCRIM_E_BUDGET || status == SCRIM_E_POLICY);
    }
    CHECK(charged > 10 && refused > 1);
    snprintf(shown, sizeof shown, "%s/shown", s.folder);
    write_shown(vault, shown);
    scrim_vault_close(vault);
    CHECK_INT(run_python("tests/vault/recompute.py", s.path, shown), 0);
    scene_end(&s);
}
