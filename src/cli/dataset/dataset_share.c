#include "cli/dataset/dataset_share.h"

#include <stdio.h>
#include <string.h>

typedef struct visit {
    sc_share_teller *tell;
    void *context;
    char everybody[SCRIM_NUMBER_BYTES], everybody_delta[SCRIM_NUMBER_BYTES];
} visit;

static void tell_share(const visit *v, const char *analyst, const scrim_budget *b)
{
    char text[SCRIM_NAME_BYTES + 2 * SCRIM_NUMBER_BYTES + 32];
    const bool has_amount = b->share[0] != '\0', has_delta = b->share_delta[0] != '\0';
    if (!has_amount && !has_delta)
        return;
    snprintf(text, sizeof text, "%s=%s%s%s%s%s%s", analyst, has_amount ? b->unit : "",
             has_amount ? "=" : "", b->share, has_amount && has_delta ? "," : "",
             has_delta ? "delta=" : "", b->share_delta);
    v->tell(v->context, text);
}

/* The whole comes first; it has everybody's share, which binds those who have none of their own. */
static scrim_status take_view(void *context, const scrim_budget_view *view)
{
    visit *v = context;
    const scrim_budget *b = view->budget;
    if (view->analyst == NULL) {
        memcpy(v->everybody, b->share, sizeof v->everybody);
        memcpy(v->everybody_delta, b->share_delta, sizeof v->everybody_delta);
        tell_share(v, "*", b);
    } else if (strcmp(b->share, v->everybody) != 0 ||
               strcmp(b->share_delta, v->everybody_delta) != 0) {
        tell_share(v, view->analyst, b);
    }
    return SCRIM_OK;
}

scrim_status sc_dataset_shares_tell(scrim_vault *vault, const char *population,
                                    sc_share_teller *tell, void *context,
                                    scrim_error *error)
{
    visit v = {.tell = tell, .context = context};
    return scrim_vault_budgets(vault, population, 1, take_view, &v, error);
}
