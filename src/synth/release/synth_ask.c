/* Synthetic records from their plan to the recorded release, in the order of query/answer/ask.c: known already; the
 * source as it was declared; charged whole, or the charge joined; read; drawn round by round; recorded; shown.
 */
#include "account/release.h"
#include "account/unanswered.h"
#include "query/answer/ask.h"
#include "query/answer/quantum.h"
#include "query/unit/memory_room.h"
#include "synth/release/record_reader.h"
#include "synth/release/synth_draw.h"
#include "synth/release/synth_method.h"
#include "vault/handle/policy.h"
#include "vault/handle/source_key.h"

#include <inttypes.h>
#include <string.h>

static scrim_status no_memory(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_MEMORY, "out of memory for a synthetic release");
}

/* What was released before. */

int scrim_synth_is_measurement(const char *measurement)
{
    static const char word[] = "synth ";
    return strncmp(measurement, word, sizeof word - 1) == 0;
}

static scrim_status show_again(scrim_vault *vault, uint64_t id, bool is_repeated,
                               scrim_synth_release **out, scrim_error *error)
{
    scrim_vault_release release = {.id = 0};
    char *text = NULL;
    scrim_status status = scrim_vault_replay(vault, id, &release, error);
    if (status != SCRIM_OK)
        return status;
    if (!scrim_synth_is_measurement(release.measurement))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "release",
                             "release %" PRIu64 " has no synthetic records", id);
    else
        status = scrim_vault_release_check(&release, error);
    if (status == SCRIM_OK && (text = sc_ask_record(&release)) == NULL)
        status = no_memory(error);
    if (status == SCRIM_OK)
        status = sc_synth_release_new(text, id, release.time, is_repeated, out, error);
    if (status == SCRIM_E_CHECK)
        status = sc_fail(error, SCRIM_E_LEDGER,
                         "release %" PRIu64
                         " is recorded in a form that this version cannot read",
                         id);
    sc_free(text);
    scrim_vault_release_clear(&release);
    return status;
}

scrim_status scrim_synth_replay(scrim_vault *vault, uint64_t id,
                                scrim_synth_release **out, scrim_error *error)
{
    return show_again(vault, id, true, out, error);
}

scrim_status scrim_synth_describe(scrim_vault *vault, const scrim_synth *s,
                                  scrim_synth_facts *out, scrim_error *error)
{
    uint64_t known = 0;
    sc_allowance *allowance = NULL;
    scrim_status status = sc_synth_allowance(s, &allowance, error);
    if (status == SCRIM_OK)
        status = scrim_vault_find(vault, s->dataset, s->question, &known, error);
    if (status == SCRIM_OK) {
        *out = (scrim_synth_facts){.dataset = s->dataset,
                                   .method = sc_synth_method_name(s->method),
                                   .max_rows = s->unit.rows,
                                   .column_count = s->domain.count,
                                   .count_error = s->count_error,
                                   .pair_error = s->pair_error,
                                   .is_known = known != 0};
        sc_cost_format(sc_allowance_cost(allowance), &out->cost);
    }
    sc_allowance_free(allowance);
    return status;
}

/* What is asked anew. */

typedef struct asking {
    scrim_vault *vault;
    const scrim_synth *synth;
    sc_policy policy;
    sc_source_key contents_key;
    scrim_ledger *ledger;
    sc_bits_key key; /* of all randomness of the release */
    sc_record_reader reader;
    sc_allowance *allowance;
    sc_passage *passage;
    sc_synth_released released;
    sc_quantum quantum;
    size_t room_bytes;
    char *record;
} asking;

/* For sc_vault_read: is the dataset still the one that was planned for? */
static scrim_status check_version(scrim_vault *vault, void *context, scrim_error *error)
{
    asking *a = context;
    const scrim_synth *s = a->synth;
    uint64_t number;
    char *policy = NULL;
    scrim_status status = sc_vault_want_dataset(vault, s->dataset, &number, error);
    if (status != SCRIM_OK)
        return status;
    const sc_dataset_entry *dataset = sc_book_dataset(&vault->book, number);
    bool is_same = number == s->number && dataset->version == s->version;
    if (is_same) {
        status = sc_vault_policy_now(vault, dataset, &policy, error);
        is_same = status == SCRIM_OK && strcmp(policy, s->policy) == 0;
    }
    sc_free(policy);
    if (status == SCRIM_OK && !is_same)
        status =
            sc_fail(error, SCRIM_E_POLICY,
                    "the dataset has another version by now; plan the records again");
    if (status == SCRIM_OK)
        status = sc_vault_source_key(vault, &a->contents_key, error);
    return status;
}

/* Progress: half of it is reading, half are the rounds. How much there is to read is not told. */

#define SHARES 1000

static void tell(const asking *a, uint64_t before, uint64_t done, uint64_t total)
{
    const scrim_synth_options *options = &a->synth->options;
    if (total > 0 && options->progress != NULL && !a->policy.has_quantum)
        options->progress(options->context,
                          before + (uint64_t)((sc_uint128)done * (SHARES / 2) / total),
                          SHARES);
}

static void tell_pass(void *context, uint64_t done, uint64_t total)
{
    tell(context, 0, done, total);
}

static void tell_rounds(void *context, uint64_t done, uint64_t total)
{
    tell(context, SHARES / 2, done, total);
}

/* The source and all memory, before the charge; or again, with the key of a charge that was joined. */
static scrim_status open_all(asking *a, scrim_error *error)
{
    const scrim_synth *s = a->synth;
    const sc_pass_options options = {
        .workers = s->options.workers,
        .memory_bytes = s->options.memory_bytes,
        .contents = a->policy.has_contents ? &a->policy.contents : NULL,
        .contents_key = &a->contents_key,
        .progress = tell_pass,
        .context = a};
    sc_bits *bits = NULL;
    sc_record_reader_close(&a->reader);
    scrim_status status =
        sc_release_keyed_open(a->ledger, &a->key, SC_BITS_HASHES, &bits, error);
    if (status == SCRIM_OK)
        status = sc_record_reader_open(&a->reader, s, &options, bits, error);
    sc_release_keyed_close(a->ledger, bits);
    return status;
}

/* Where what a question takes is hidden, it has taken the most that it can before the charge. */
static scrim_status touch_room(asking *a, scrim_error *error)
{
    a->room_bytes = sc_pass_room_bytes(a->reader.pass);
    if (!a->policy.has_quantum)
        return SCRIM_OK;
    return sc_memory_room_touch(a->room_bytes) ? SCRIM_OK : no_memory(error);
}

/* After the charge: whatever fails from here on, it stays. */

static scrim_status draw(asking *a, scrim_error *error)
{
    sc_rounds rounds = {.passage = a->passage,
                        .allowance = a->allowance,
                        .records = a->reader.records,
                        .unit = a->synth->unit,
                        .nullable = sc_synth_domain_nullable(&a->synth->domain),
                        .released = &a->released,
                        .progress = tell_rounds,
                        .context = a};
    return sc_synth_follow(a->synth, &rounds, error);
}

static scrim_status answer(asking *a, scrim_error *error)
{
    scrim_status status = sc_record_reader_run(&a->reader, a->synth, error);
    if (status == SCRIM_OK)
        status = draw(a, error);
    sc_record_reader_close(&a->reader);
    if (status == SCRIM_OK &&
        (a->record = sc_synth_record_write(a->synth, &a->released)) == NULL)
        status = no_memory(error);
    if (a->policy.has_quantum)
        sc_memory_room_level(a->room_bytes);
    sc_quantum_wait(&a->quantum);
    if (status == SCRIM_OK)
        status = sc_passage_record(a->passage, a->record, error);
    return status;
}

static scrim_status finish(asking *a, scrim_error *error)
{
    const bool is_joined = sc_passage_standing(a->passage) == SC_ONCE_JOINED;
    scrim_status status = is_joined ? open_all(a, error) : SCRIM_OK;
    if (status == SCRIM_OK)
        status = answer(a, error);
    return sc_unanswered_fail(error, status, sc_passage_entry(a->passage),
                              a->policy.has_contents);
}

static scrim_status ask_anew(asking *a, scrim_synth_release **out, scrim_error *error)
{
    scrim_status status = sc_bits_key_draw(&a->key, error);
    if (status == SCRIM_OK)
        status = sc_synth_allowance(a->synth, &a->allowance, error);
    if (status == SCRIM_OK)
        status = open_all(a, error);
    if (status == SCRIM_OK)
        status = touch_room(a, error);
    if (status == SCRIM_OK)
        status =
            sc_passage_open_within(a->ledger, a->synth->question, a->allowance, &a->key,
                                   a->policy.has_contents, &a->passage, error);
    if (status != SCRIM_OK)
        return status;
    const bool is_charged = sc_passage_standing(a->passage) == SC_ONCE_CHARGED;
    if (sc_passage_standing(a->passage) != SC_ONCE_ANSWERED)
        status = finish(a, error);
    if (status != SCRIM_OK)
        return status;
    const uint64_t id = sc_passage_entry(a->passage);
    return sc_answered_fail(error, show_again(a->vault, id, !is_charged, out, error), id);
}

static void leave(asking *a)
{
    sc_record_reader_close(&a->reader);
    sc_passage_close(a->passage);
    sc_allowance_free(a->allowance);
    sc_wipe(&a->key, sizeof a->key);
    scrim_ledger_free(a->ledger);
    sc_synth_released_clear(&a->released);
    sc_free(a->record);
    sc_policy_clear(&a->policy);
    sc_wipe(&a->contents_key, sizeof a->contents_key);
}

scrim_status scrim_synth_run(scrim_vault *vault, const scrim_synth *s,
                             scrim_synth_release **out, scrim_error *error)
{
    asking a = {.vault = vault, .synth = s};
    uint64_t known = 0;
    sc_policy_init(&a.policy);
    sc_synth_released_init(&a.released);
    const sc_quantum begun = sc_quantum_start(0);
    scrim_status status = sc_policy_parse(sc_text_of(s->policy), &a.policy, error);
    a.quantum = (sc_quantum){begun.start_ns, sc_policy_quantum_ns(&a.policy)};
    if (status == SCRIM_OK)
        status = scrim_vault_ledger(vault, s->dataset, &a.ledger, error);
    if (status == SCRIM_OK)
        status = sc_vault_read(vault, check_version, &a, error);
    if (status == SCRIM_OK && a.policy.has_contents)
        status = scrim_vault_find(vault, s->dataset, s->question, &known, error);
    if (status == SCRIM_OK)
        status = known != 0 ? show_again(vault, known, true, out, error)
                            : ask_anew(&a, out, error);
    leave(&a);
    return status;
}
