/* A budget that outlives the program: a vault is made, a count is charged to it until nothing is
 * left, and the first answer is shown again, free of charge.
 *
 *     cc -o keep_budget keep_budget.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <inttypes.h>
#include <scrim.h>
#include <stdio.h>
#include <time.h>

/* One count of 1,234 people; entry is the number by which it can be replayed. */
static scrim_status ask(scrim_ledger *ledger, const scrim_measurement *count,
                        uint64_t *entry, scrim_error *error)
{
    const int64_t people = 1234;
    scrim_answer *answer = NULL;
    scrim_status status = scrim_release(
        ledger, count, &(scrim_input){.integers = &people, .count = 1}, &answer, error);
    if (status == SCRIM_OK) {
        *entry = scrim_answer_entry(answer);
        printf("release %" PRIu64 ": %s\n", *entry, scrim_answer_text(answer, 0));
    }
    scrim_answer_free(answer);
    return status;
}

/* Asks until the budget does not suffice: that is no failure here. */
static scrim_status spend(scrim_vault *vault, uint64_t *first, scrim_error *error)
{
    scrim_ledger *ledger = NULL;
    scrim_measurement *count = NULL;
    uint64_t entry = 0;
    scrim_status status = scrim_measurement_parse(
        "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove", &count, error);
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, "visits", &ledger, error);
    while (status == SCRIM_OK) {
        status = ask(ledger, count, &entry, error);
        if (status == SCRIM_OK && *first == 0)
            *first = entry;
    }
    if (status == SCRIM_E_BUDGET) {
        printf("%s\n", error->message);
        status = SCRIM_OK;
    }
    scrim_ledger_free(ledger);
    scrim_measurement_free(count);
    return status;
}

static scrim_status look_back(scrim_vault *vault, uint64_t first, scrim_error *error)
{
    scrim_budget budget;
    scrim_vault_release release;
    scrim_status status = scrim_vault_budget(vault, 0, NULL, &budget, error);
    if (status == SCRIM_OK)
        status = scrim_vault_replay(vault, first, &release, error);
    if (status != SCRIM_OK)
        return status;
    printf("%" PRIu64 " charges, %s %s spent, %s left\n", budget.charges, budget.unit,
           budget.spent, budget.left);
    printf("release %" PRIu64 " again: %s\n", first, release.answer);
    scrim_vault_release_clear(&release);
    return SCRIM_OK;
}

/* In a file of that name, which must not be there yet; without one, in a file that is thrown
 * away. */
int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "keep_budget.vault";
    scrim_vault *vault = NULL;
    scrim_error error = {.status = SCRIM_OK};
    uint64_t first = 0;
    scrim_status status = scrim_vault_init(path, NULL, &error);
    const int is_made = status == SCRIM_OK;
    if (status == SCRIM_OK)
        status = scrim_vault_open(path, NULL, &vault, &error);
    if (status == SCRIM_OK) {
        scrim_vault_tell_time(vault, (uint64_t)time(NULL)); /* for the ledger's readers */
        status = scrim_vault_add_dataset(
            vault, "visits", "unit=row\nneighbours=add-remove\nbudget=epsilon=3/10\n",
            &error);
    }
    if (status == SCRIM_OK)
        status = spend(vault, &first, &error);
    if (status == SCRIM_OK)
        status = look_back(vault, first, &error);
    scrim_vault_close(vault);
    if (status != SCRIM_OK)
        fprintf(stderr, "%s\n", error.message);
    if (is_made && argc < 2)
        (void)remove(path);
    return (int)status / 10;
}
