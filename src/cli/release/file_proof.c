#include "cli/release/file_proof.h"

#include "cli/display/signed_file.h"
#include "cli/release/report_verify.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
#include "cli/terminal/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY_FILE_BYTES 4096
#define LABEL_BYTES ((size_t)1 << 22)

/* The key. */

scrim_status sc_key_option_read(const sc_options *options, sc_key_option *out,
                                scrim_error *error)
{
    const char *given = options->value[SCRIM_OPTION_KEY];
    *out = (sc_key_option){.text = given};
    if (given == NULL || sc_report_is_key(given))
        return SCRIM_OK;
    SC_TRY(sc_whole_file_read(given, KEY_FILE_BYTES, &out->file, error));
    if (out->file.count > 0 && out->file.bytes[out->file.count - 1] == '\n')
        out->file.bytes[out->file.count - 1] = '\0';
    out->text = out->file.bytes;
    return sc_report_is_key(out->file.bytes)
               ? SCRIM_OK
               : sc_refuse(error,
                           "--key: a key has 64 hexadecimal digits, and '%.100s' "
                           "holds something else; 'scrim ledger key' prints it",
                           given);
}

void sc_key_option_clear(sc_key_option *key)
{
    sc_whole_file_clear(&key->file);
    key->text = NULL;
}

/* The vault. */

static bool has_vault(const sc_options *options)
{
    sc_vault_choice choice = {.path = NULL};
    scrim_error ignored;
    const scrim_status status = sc_vault_choose(options, &choice, &ignored);
    const bool is_there = status == SCRIM_OK && access(choice.path, F_OK) == 0;
    sc_vault_choice_clear(&choice);
    return is_there;
}

scrim_status sc_proof_vault_open(const sc_options *options, scrim_vault **out,
                                 scrim_error *error)
{
    const bool is_named = sc_options_has(options, SCRIM_OPTION_VAULT);
    return is_named || (!sc_options_has(options, SCRIM_OPTION_KEY) && has_vault(options))
               ? sc_vault_place_open(options, out, error)
               : SCRIM_OK;
}

/* The label. */

scrim_status sc_label_beside_read(const char *path, sc_whole_file *out,
                                  scrim_error *error)
{
    if (strcmp(path, "-") == 0)
        return SCRIM_OK;
    SC_FREED char *beside = sc_label_path(path);
    if (beside == NULL)
        return sc_out_of_memory(error, "a name");
    return access(beside, F_OK) == 0 ? sc_whole_file_read(beside, LABEL_BYTES, out, error)
                                     : SCRIM_OK;
}

static const char *key_of(const scrim_label *label)
{
    const char *key = scrim_label_get(label, "ledger.key");
    return key == NULL ? "" : key;
}

/* The whole proof, with a note for people. */

typedef struct proving {
    const sc_options *options;
    const char *path;
    sc_whole_file beside;
    scrim_label *label; /* signed, of this file; NULL: the file has no label */
    sc_key_option key;
    scrim_vault *vault;
    bool
        is_elsewhere; /* the default vault, which was not named, does not have the release */
} proving;

static scrim_status check_key(const proving *p, scrim_error *error)
{
    return p->key.text == NULL || strcmp(key_of(p->label), p->key.text) == 0
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_CHECK,
                                   "it is signed by another key, %s", key_of(p->label));
}

/* A vault that was not named may be another one, or unreadable. If it does not have the release, the note says so, and
 * the file is not refused. */
static scrim_status check_vault(proving *p, scrim_error *error)
{
    const bool is_named = sc_options_has(p->options, SCRIM_OPTION_VAULT);
    scrim_error ignored = {.status = SCRIM_OK}, *reason = is_named ? error : &ignored;
    scrim_status status = sc_proof_vault_open(p->options, &p->vault, reason);
    if (status == SCRIM_OK && p->vault != NULL)
        status = scrim_label_check_ledger(p->label, p->vault, reason);
    p->is_elsewhere = !is_named && status == SCRIM_E_CHECK;
    if (!is_named && status != SCRIM_OK) {
        scrim_vault_close(p->vault);
        p->vault = NULL;
        return SCRIM_OK;
    }
    return status;
}

static scrim_status check_unsigned(const proving *p, scrim_error *error)
{
    return p->key.text != NULL || sc_options_has(p->options, SCRIM_OPTION_VAULT)
               ? sc_complaint_fill(error, SCRIM_E_CHECK, "it is not signed")
               : SCRIM_OK;
}

/* The name of a file may hold anything, so the note is cleaned for the terminal. */
static void write_note(const proving *p, char note[SC_PROOF_BYTES])
{
    note[0] = '\0';
    if (sc_options_has(p->options, SCRIM_OPTION_QUIET))
        return;
    if (p->label == NULL)
        snprintf(note, SC_PROOF_BYTES, "%.200s: not signed; its claims were not checked",
                 p->path);
    else
        snprintf(note, SC_PROOF_BYTES, "%.200s: unchanged, signed by the key %.64s%s",
                 p->path, key_of(p->label),
                 p->vault != NULL      ? "; the release is in the vault"
                 : p->key.text != NULL ? ", as given"
                 : p->is_elsewhere ? "; it does not match the ledger of the vault here"
                                   : "; compare it with the one that the owner "
                                     "publishes");
    sc_complaint_clean(note);
}

void sc_proof_say(const char *note)
{
    if (note[0] != '\0')
        sc_talk("%s\n", note);
}

static scrim_status prove(proving *p, const char *bytes, size_t count, scrim_error *error)
{
    scrim_status status = sc_label_beside_read(p->path, &p->beside, error);
    if (status == SCRIM_OK)
        status = scrim_label_of_file(bytes, count, p->beside.bytes, p->beside.count,
                                     &p->label, error);
    if (status != SCRIM_OK || p->label == NULL)
        return status == SCRIM_OK ? check_unsigned(p, error) : status;
    status = check_key(p, error);
    return status == SCRIM_OK ? check_vault(p, error) : status;
}

scrim_status sc_file_prove(const sc_options *options, const char *path, const char *bytes,
                           size_t count, char note[SC_PROOF_BYTES], scrim_error *error)
{
    proving p = {.options = options, .path = path};
    scrim_error cause = {.status = SCRIM_OK};
    scrim_status status = sc_key_option_read(options, &p.key, error);
    if (status == SCRIM_OK) {
        status = prove(&p, bytes, count, &cause);
        if (status == SCRIM_E_CHECK)
            status = sc_complaint_fill(error, status, "'%.120s' is refused: %.300s", path,
                                       cause.message);
        else if (status != SCRIM_OK)
            *error = cause;
    }
    if (status == SCRIM_OK)
        write_note(&p, note);
    scrim_vault_close(p.vault);
    scrim_label_free(p.label);
    sc_whole_file_clear(&p.beside);
    sc_key_option_clear(&p.key);
    return status;
}
