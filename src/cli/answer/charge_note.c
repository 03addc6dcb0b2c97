#include "cli/answer/charge_note.h"

#include "cli/display/notes.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/process.h"
#include "cli/terminal/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void sc_charged_json(sc_json *json, const char *name, const scrim_vault_release *release)
{
    sc_json_object(json, name);
    sc_json_text(json, "unit", release->unit);
    sc_json_text(json, "amount", release->amount);
    sc_json_text(json, "delta", release->delta);
    if (release->is_joint)
        sc_json_truth(json, "joint", true);
    sc_json_end(json);
}

void sc_charge_note_write(sc_output *output, const scrim_vault_release *release,
                          const char *remark, const scrim_budget *left, const char *where)
{
    char text[SC_AMOUNT_BYTES], amount[SC_BOUND_BYTES], delta[SC_BOUND_BYTES],
        rest[SC_REMAINDER_BYTES];
    sc_amount_format(release->unit, release->amount, release->delta, true, text);
    sc_output_format(output, "charged     %s%s to %s, version %" PRIu64 ", for %s%s\n",
                     text, release->is_joint ? " jointly" : "", release->dataset,
                     release->version, release->analyst, remark);
    if (left != NULL && sc_remainder_format(left->unit, &left->remainder, rest)) {
        sc_output_format(output, "left        %s\n", rest);
    } else if (left != NULL) {
        sc_number_format_lower(left->left, amount);
        sc_number_format_lower(left->left_delta, delta);
        sc_output_format(output, "left        %s %s", left->unit, amount);
        if (strcmp(left->total_delta, "0") != 0)
            sc_output_format(output, ", delta %s", delta);
        sc_output_format(output, " of the budget of %s\n", left->population);
    }
    sc_output_format(output,
                     "release     %" PRIu64 ", which 'scrim replay %" PRIu64
                     "%s' shows again, free of charge\n",
                     release->id, release->id, where);
}

/* "epsilon 2.5, delta 1e-6", or the share and the whole budget. */
static void format_left(const scrim_budget *left, char text[SC_REMAINDER_BYTES])
{
    char amount[SC_BOUND_BYTES], delta[SC_BOUND_BYTES];
    if (sc_remainder_format(left->unit, &left->remainder, text))
        return;
    sc_number_format_lower(left->left, amount);
    sc_number_format_lower(left->left_delta, delta);
    const bool has_delta = strcmp(left->total_delta, "0") != 0;
    snprintf(text, SC_REMAINDER_BYTES, "%s %s%s%s", left->unit, amount,
             has_delta ? ", delta " : "", has_delta ? delta : "");
}

static bool speaks_shell;

void sc_charge_speak_shell(void)
{
    speaks_shell = true;
}

/* The commands that show it again. */
static void write_commands(sc_output *output, const sc_charge_brief *b)
{
    const uint64_t id = b->release->id;
    if (speaks_shell && strcmp(b->again, "replay") == 0)
        sc_output_format(output,
                         "release     %" PRIu64 ", shown again by '\\release %" PRIu64
                         "', its label by '\\label %" PRIu64 "'\n",
                         id, id, id);
    else
        sc_output_format(output,
                         "release     %" PRIu64 ", shown again by 'scrim %s %" PRIu64
                         "%s', its label by 'scrim report %" PRIu64 "%s'\n",
                         id, b->again, id, b->where, id, b->where);
}

void sc_charge_brief_write(sc_output *output, const sc_charge_brief *b)
{
    char text[SC_AMOUNT_BYTES], left[SC_REMAINDER_BYTES];
    const size_t begin = sc_fold_begin(output);
    format_left(b->left, left);
    sc_amount_format(b->release->unit, b->release->amount, b->release->delta, true, text);
    if (b->is_repeated)
        sc_output_format(output, "left        %s; charged earlier: %s\n", left, text);
    else
        sc_output_format(output, "charged     %s%s to %s (%s); left: %s\n", text,
                         b->release->is_joint ? " jointly" : "", b->release->dataset,
                         scrim_neighbours_name(b->neighbours), left);
    write_commands(output, b);
    sc_fold_end(output, begin, b->columns);
}

/* Characters that no shell takes for anything but themselves. The rest is put in double quotes, as messages have
 * commands in single ones. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-+,:@%="

void sc_vault_words(const char *vault, char words[SC_VAULT_WORDS_BYTES])
{
    size_t used = 0;
    words[0] = '\0';
    if (vault == NULL)
        return;
    const bool is_plain = strspn(vault, PLAIN) == strlen(vault);
    used = (size_t)snprintf(words, SC_VAULT_WORDS_BYTES, " --vault %s",
                            is_plain ? "" : "\"");
    for (const char *at = vault; *at != '\0' && used + 4 < SC_VAULT_WORDS_BYTES; at++) {
        if (strchr("\"\\$`", *at) != NULL)
            words[used++] = '\\';
        words[used++] = *at;
    }
    if (used + 4 >= SC_VAULT_WORDS_BYTES)
        snprintf(words, SC_VAULT_WORDS_BYTES, " --vault FILE");
    else
        snprintf(words + used, SC_VAULT_WORDS_BYTES - used, "%s", is_plain ? "" : "\"");
    sc_complaint_clean(words);
}

void sc_charge_first_words(const char *verb, const char *dataset, const char *vault)
{
    char where[SC_VAULT_WORDS_BYTES];
    sc_vault_words(vault, where);
    sc_last_words_set(SC_PROGRAM
                      " %s: ended; 'scrim ledger %.64s%s' shows whether it was charged; "
                      "asked again of the same file, it is not charged again\n",
                      verb, dataset, where);
    sc_last_words_begin();
}

/* A text that is too long is cut in the message, not in the advice. */
void sc_charge_advise(scrim_error *error, uint64_t release, const char *vault)
{
    char where[SC_VAULT_WORDS_BYTES], more[128 + SC_VAULT_WORDS_BYTES];
    sc_vault_words(vault, where);
    snprintf(more, sizeof more,
             "; release %" PRIu64 " is charged and recorded: 'scrim replay %" PRIu64
             "%s' shows it, free of charge",
             release, release, where);
    error->message[sizeof error->message - strlen(more) - 1] = '\0';
    sc_complaint_append(error, "%s", more);
}

void sc_charge_advise_result(scrim_error *error, const scrim_result *result,
                             const char *vault)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    sc_charge_advise(error, facts.release, vault);
}

void sc_charge_last_words(const char *verb, uint64_t release, const char *vault)
{
    char where[SC_VAULT_WORDS_BYTES];
    sc_vault_words(vault, where);
    sc_last_words_set(SC_PROGRAM " %s: release %" PRIu64
                                 " is charged; 'scrim replay %" PRIu64
                                 "%s' shows it again, free of charge\n",
                      verb, release, release, where);
}
