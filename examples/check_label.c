/* A label for readers who have no vault: the owner releases a count and publishes its label and the
 * vault's public key; a reader checks the label by that key.
 *
 *     cc -o check_label check_label.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <scrim.h>
#include <stdio.h>
#include <string.h>

/* The owner's side: a vault, a release, its label and the key. */
static scrim_status publish(const char *path, scrim_label **label, scrim_key *key,
                            scrim_error *error)
{
    const int64_t people = 1234;
    scrim_vault *vault = NULL;
    scrim_ledger *ledger = NULL;
    scrim_measurement *count = NULL;
    scrim_answer *answer = NULL;
    scrim_status status = scrim_vault_open(path, NULL, &vault, error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(
            vault, "visits", "unit=row\nneighbours=add-remove\nbudget=epsilon=1\n",
            error);
    if (status == SCRIM_OK)
        status = scrim_measurement_parse(
            "laplace sensitivity=1 epsilon=1/10 neighbours=add-remove", &count, error);
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, "visits", &ledger, error);
    if (status == SCRIM_OK)
        status =
            scrim_release(ledger, count, &(scrim_input){.integers = &people, .count = 1},
                          &answer, error);
    if (status == SCRIM_OK)
        status = scrim_label_new(vault, scrim_answer_entry(answer), label, error);
    if (status == SCRIM_OK)
        status = scrim_vault_key(vault, key, error);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(count);
    scrim_vault_close(vault);
    return status;
}

/* The reader's side: a text, and a key that the reader has from the owner. */
static scrim_status check(const char *text, const char *key, scrim_error *error)
{
    scrim_label *label = NULL;
    scrim_status status = scrim_label_find(text, strlen(text), &label, error);
    if (status == SCRIM_OK)
        status = scrim_label_check(label, error); /* the claim follows from the parts */
    if (status == SCRIM_OK)
        status = scrim_label_check_key(label, key, error); /* and the owner says so */
    if (status == SCRIM_OK)
        printf("release %s of %s: epsilon %s, signed by %.16s...\n",
               scrim_label_get(label, "release.number"),
               scrim_label_get(label, "release.dataset"),
               scrim_label_get(label, "cost.epsilon"), key);
    scrim_label_free(label);
    return status;
}

int main(void)
{
    static const char path[] = "check_label.vault";
    static const char other[] =
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    scrim_label *label = NULL;
    scrim_key key;
    scrim_error error = {.status = SCRIM_OK};
    scrim_status status = scrim_vault_init(path, NULL, &error);
    if (status == SCRIM_OK) {
        status = publish(path, &label, &key, &error);
        (void)remove(path);
    }
    if (status == SCRIM_OK)
        status = check(scrim_label_text(label), key.text, &error);
    if (status == SCRIM_OK &&
        check(scrim_label_text(label), other, &error) == SCRIM_E_CHECK)
        printf("by another key: %s\n", error.message);
    else
        fprintf(stderr, "%s\n", error.message);
    scrim_label_free(label);
    return (int)status / 10;
}
