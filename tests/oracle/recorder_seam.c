/* Where recorders come in: the linker sends calls of these functions here (--wrap, Makefile), and
 * those of __real_... to the library, which knows nothing of it. */
#include "ledger/draw.h"
#include "recorder.h"
#include "scrim/vault.h"

#include <pthread.h>

// NOLINTBEGIN: the linker chose the names
scrim_status __real_sc_gate_draw(const sc_draw_site *site, const scrim_measurement *m,
                                 sc_bits *bits, const sc_private_input *input,
                                 sc_draw *out, scrim_error *error);
scrim_status __wrap_sc_gate_draw(const sc_draw_site *site, const scrim_measurement *m,
                                 sc_bits *bits, const sc_private_input *input,
                                 sc_draw *out, scrim_error *error);
scrim_status __real_sc_gate_ask(const scrim_ledger *ledger, const scrim_measurement *m,
                                sc_bits *bits, void *run, int64_t query,
                                sc_run_piece *out, scrim_error *error);
scrim_status __wrap_sc_gate_ask(const scrim_ledger *ledger, const scrim_measurement *m,
                                sc_bits *bits, void *run, int64_t query,
                                sc_run_piece *out, scrim_error *error);
scrim_status __real_scrim_vault_ledger(scrim_vault *vault, const char *dataset,
                                       scrim_ledger **out, scrim_error *error);
scrim_status __wrap_scrim_vault_ledger(scrim_vault *vault, const char *dataset,
                                       scrim_ledger **out, scrim_error *error);
void __real_scrim_ledger_free(scrim_ledger *ledger);
void __wrap_scrim_ledger_free(scrim_ledger *ledger);
void __real_scrim_vault_close(scrim_vault *vault);
void __wrap_scrim_vault_close(scrim_vault *vault);
// NOLINTEND

/* Who is recorded by whom: ledgers, and vaults, whose ledgers are. */
#define USES 32
static struct use {
    const void *who; /* NULL: a free place */
    sc_recorder *recorder;
} uses[USES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static sc_recorder *find(const void *who)
{
    sc_recorder *found = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < USES; i++)
        if (who != NULL && uses[i].who == who)
            found = uses[i].recorder;
    pthread_mutex_unlock(&lock);
    return found;
}

/* Forgets who was there, or all that a recorder is used for; then notes who, if a recorder is
 * given. */
static void note(const void *who, const sc_recorder *gone, sc_recorder *recorder)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < USES; i++)
        if (uses[i].who == who || (gone != NULL && uses[i].recorder == gone))
            uses[i] = (struct use){NULL, NULL};
    for (size_t i = 0; recorder != NULL && i < USES; i++)
        if (uses[i].who == NULL) {
            uses[i] = (struct use){who, recorder};
            break;
        }
    pthread_mutex_unlock(&lock);
}

void sc_ledger_use_recorder(scrim_ledger *ledger, sc_recorder *recorder)
{
    note(ledger, NULL, recorder);
}

void sc_vault_use_recorder(scrim_vault *vault, sc_recorder *recorder)
{
    note(vault, NULL, recorder);
}

void sc_recorder_forget(const sc_recorder *recorder)
{
    note(NULL, recorder, NULL);
}

scrim_status __wrap_sc_gate_draw(const sc_draw_site *site, const scrim_measurement *m,
                                 sc_bits *bits, const sc_private_input *input,
                                 sc_draw *out, scrim_error *error)
{
    sc_recorder *recorder = find(site->ledger);
    const sc_recorder_site at = {m, site->part, site->copies, input};
    bool is_answered = false;
    if (recorder == NULL)
        return __real_sc_gate_draw(site, m, bits, input, out, error);
    scrim_status status = sc_recorder_replay(recorder, &at, out, &is_answered, error);
    if (status != SCRIM_OK || is_answered)
        return status;
    status = __real_sc_gate_draw(site, m, bits, input, out, error);
    return status == SCRIM_OK ? sc_recorder_keep(recorder, &at, out, error) : status;
}

scrim_status __wrap_sc_gate_ask(const scrim_ledger *ledger, const scrim_measurement *m,
                                sc_bits *bits, void *run, int64_t query,
                                sc_run_piece *out, scrim_error *error)
{
    sc_recorder *recorder = find(ledger);
    const sc_private_input input = {.values = &query, .count = 1};
    const sc_recorder_site at = {m, SIZE_MAX, 1, &input};
    sc_draw draw = {.values = &out->value, .marks = &out->mark, .capacity = 1};
    bool is_answered = false;
    if (recorder == NULL)
        return __real_sc_gate_ask(ledger, m, bits, run, query, out, error);
    scrim_status status = sc_recorder_replay(recorder, &at, &draw, &is_answered, error);
    out->has_halted = draw.has_halted;
    if (status != SCRIM_OK || is_answered)
        return status;
    status = __real_sc_gate_ask(ledger, m, bits, run, query, out, error);
    draw.count = 1;
    draw.has_halted = out->has_halted;
    return status == SCRIM_OK ? sc_recorder_keep(recorder, &at, &draw, error) : status;
}

scrim_status __wrap_scrim_vault_ledger(scrim_vault *vault, const char *dataset,
                                       scrim_ledger **out, scrim_error *error)
{
    const scrim_status status = __real_scrim_vault_ledger(vault, dataset, out, error);
    if (status == SCRIM_OK)
        note(*out, NULL, find(vault));
    return status;
}

void __wrap_scrim_ledger_free(scrim_ledger *ledger)
{
    if (ledger != NULL)
        note(ledger, NULL, NULL);
    __real_scrim_ledger_free(ledger);
}

void __wrap_scrim_vault_close(scrim_vault *vault)
{
    if (vault != NULL)
        note(vault, NULL, NULL);
    __real_scrim_vault_close(vault);
}
