#include "cli/dataset/wizard_line.h"

#include "cli/terminal/complaint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

scrim_status sc_wizard_fail_memory(scrim_error *error)
{
    return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for a policy");
}

bool sc_wizard_has(const sc_wizard *w, const char *key)
{
    return sc_policy_draft_get(w->draft, key) != NULL;
}

scrim_status sc_wizard_draft_with(const sc_wizard *w, const char *key, const char *value,
                                  sc_policy_draft *out, scrim_error *error)
{
    char *text = sc_policy_draft_text(w->draft);
    if (text == NULL)
        return sc_wizard_fail_memory(error);
    scrim_status status = sc_policy_draft_read(out, text, strlen(text), error);
    free(text);
    sc_policy_draft_breathe(out);
    if (status == SCRIM_OK)
        status = sc_policy_draft_put(out, key, value, error);
    if (status == SCRIM_OK && sc_policy_draft_get(out, "unit") == NULL)
        status = sc_policy_draft_put(out, "unit", "row", error);
    if (status == SCRIM_OK)
        status = sc_policy_draft_bound(out, error);
    return status == SCRIM_OK ? sc_policy_draft_settle(out, error) : status;
}

scrim_status sc_wizard_try(const sc_wizard *w, const char *key, const char *value,
                           char **text, scrim_error *error)
{
    sc_policy_draft tried = {.lines = NULL};
    scrim_status status = sc_wizard_draft_with(w, key, value, &tried, error);
    *text = status == SCRIM_OK ? sc_policy_draft_text(&tried) : NULL;
    if (status == SCRIM_OK && *text == NULL)
        status = sc_wizard_fail_memory(error);
    if (status == SCRIM_OK)
        status = scrim_policy_check(*text, error);
    sc_policy_draft_clear(&tried);
    return status;
}

scrim_status sc_wizard_offer(sc_wizard *w, const char *key, const char *value,
                             bool *is_taken, scrim_error *error)
{
    char *text = NULL;
    scrim_status status = sc_wizard_try(w, key, value, &text, error);
    free(text);
    *is_taken = status == SCRIM_OK;
    if (status == SCRIM_E_MEMORY)
        return status;
    if (!*is_taken) {
        sc_interview_say("  %s", error->message);
        return SCRIM_OK;
    }
    return sc_policy_draft_put(w->draft, key, value, error);
}

scrim_status sc_wizard_ask(sc_wizard *w, const char *prompt, const char *key,
                           const char *prefix, bool is_optional, scrim_error *error)
{
    char value[SC_ANSWER_BYTES + 256];
    bool is_taken = false;
    scrim_status status = SCRIM_OK;
    while (status == SCRIM_OK && !is_taken) {
        status = sc_interview_ask(prompt, w->answer, error);
        if (status != SCRIM_OK || (is_optional && w->answer[0] == '\0'))
            break;
        snprintf(value, sizeof value, "%s%s", prefix, w->answer);
        status = sc_wizard_offer(w, key, value, &is_taken, error);
    }
    return status;
}
