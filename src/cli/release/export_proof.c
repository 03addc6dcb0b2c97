#include "cli/release/export_proof.h"

#include "cli/release/file_proof.h"
#include "cli/release/report_verify.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define EXPORT_BYTES ((size_t)1 << 31)

/* The noted head. */

scrim_status sc_head_option_read(const sc_options *options, const char **out,
                                 scrim_error *error)
{
    *out = options->value[SCRIM_OPTION_HEAD];
    return *out == NULL || sc_report_is_key(*out)
               ? SCRIM_OK
               : sc_refuse(error,
                           "--head: a head has 64 hexadecimal digits, and '%.80s' does "
                           "not; 'scrim ledger verify' shows it",
                           *out);
}

typedef struct searching {
    const char *noted;
    uint64_t found, last;
} searching;

static scrim_status compare_hash(void *context, uint64_t id, const char *bytes,
                                 size_t count, const char *hash, const char *answer)
{
    searching *s = context;
    (void)bytes;
    (void)count;
    (void)answer;
    s->last = id;
    if (strcmp(hash, s->noted) == 0)
        s->found = id;
    return SCRIM_OK;
}

scrim_status sc_head_find(scrim_vault *vault, const char *noted, uint64_t *since,
                          scrim_error *error)
{
    searching s = {.noted = noted};
    SC_TRY(scrim_vault_visit(vault, 1, compare_hash, &s, error));
    *since = s.last - s.found;
    return s.found != 0 ? SCRIM_OK
                        : sc_complaint_fill(error, SCRIM_E_CHECK,
                                            "the ledger does not contain the head of "
                                            "--head: it is another ledger, or lacks "
                                            "entries");
}

/* Proofs of an export. */

typedef struct proving {
    const sc_options *options;
    sc_key_option key;
    const char *head;
    scrim_vault *vault;
    sc_export_proof *out;
} proving;

__attribute__((format(printf, 2, 3))) static void add_note(proving *p, const char *format,
                                                           ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->out->notes[p->out->note_count++], SC_EXPORT_NOTE_BYTES, format,
              arguments);
    va_end(arguments);
}

/* "3 entries" */
static const char *plural(uint64_t count)
{
    return count == 1 ? "y" : "ies";
}

static scrim_status check_key(const proving *p, scrim_error *error)
{
    const char *key = p->out->state.key;
    if (p->key.text == NULL)
        return SCRIM_OK;
    if (key[0] == '\0')
        return sc_complaint_fill(error, SCRIM_E_CHECK, "the export is not signed");
    return strcmp(key, p->key.text) == 0
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_CHECK,
                                   "the export is signed by another key, %s", key);
}

/* Does the ledger of the vault begin with these entries? */
static scrim_status compare_vault(proving *p, bool *is_same, scrim_error *error)
{
    scrim_head head;
    uint64_t now;
    const scrim_vault_state *state = &p->out->state;
    *is_same = false;
    SC_TRY(scrim_vault_count(p->vault, &now, error));
    if (now < state->entries)
        return SCRIM_OK;
    SC_TRY(scrim_vault_head(p->vault, state->entries, &head, error));
    *is_same = strcmp(head.hash, state->head) == 0;
    if (*is_same && now > state->entries)
        add_note(p, "vault       has %" PRIu64 " entr%s more by now",
                 now - state->entries, plural(now - state->entries));
    return SCRIM_OK;
}

/* A vault that was not named may be another one, or unreadable: the export is then not refused. */
static scrim_status check_vault(proving *p, bool *is_proved, scrim_error *error)
{
    const bool is_named = sc_options_has(p->options, SCRIM_OPTION_VAULT);
    scrim_error ignored;
    scrim_status status =
        sc_proof_vault_open(p->options, &p->vault, is_named ? error : &ignored);
    if (status == SCRIM_OK && p->vault != NULL)
        status = compare_vault(p, is_proved, is_named ? error : &ignored);
    if (!is_named && status == SCRIM_OK && p->vault != NULL && !*is_proved)
        add_note(p, "caution     the vault here has another ledger");
    if (!is_named)
        return SCRIM_OK;
    return status == SCRIM_OK && !*is_proved
               ? sc_complaint_fill(error, SCRIM_E_CHECK,
                                   "the vault has another ledger than the export, or "
                                   "lacks entries of it")
               : status;
}

static scrim_status prove(proving *p, scrim_error *error)
{
    const scrim_vault_state *state = &p->out->state;
    const uint64_t since = state->entries - state->noted;
    bool is_in_vault = false;
    SC_TRY(check_key(p, error));
    SC_TRY(check_vault(p, &is_in_vault, error));
    if (p->head != NULL && since > 0)
        add_note(p, "head        the noted one, and %" PRIu64 " entr%s since", since,
                 plural(since));
    if (is_in_vault || p->key.text != NULL || (p->head != NULL && since == 0))
        return SCRIM_OK;
    if (state->key[0] == '\0')
        return sc_complaint_fill(
            error, SCRIM_E_CHECK,
            "the export is not signed, so entries at its end may be missing: write "
            "another one with 'scrim ledger export', or give the owner's head with "
            "--head");
    return sc_complaint_fill(
        error, SCRIM_E_CHECK,
        "not checked: whose key signed the export, %s; give the one that the owner "
        "publishes with --key",
        state->key);
}

scrim_status sc_export_prove(const sc_options *options, const char *path,
                             sc_export_proof *out, scrim_error *error)
{
    SC_OWNED(sc_whole_file_clear) sc_whole_file file = {0};
    proving p = {.options = options, .out = out};
    *out = (sc_export_proof){.note_count = 0};
    SC_TRY(sc_head_option_read(options, &p.head, error));
    SC_TRY(sc_key_option_read(options, &p.key, error));
    scrim_status status = sc_whole_file_read(path, EXPORT_BYTES, &file, error);
    if (status == SCRIM_OK)
        status =
            scrim_vault_check_export(file.bytes, file.count, p.head, &out->state, error);
    if (status == SCRIM_OK)
        status = prove(&p, error);
    scrim_vault_close(p.vault);
    sc_key_option_clear(&p.key);
    return status;
}
