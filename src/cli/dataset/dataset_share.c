#include "cli/dataset/dataset_share.h"

#include "cli/display/number_view.h"
#include "cli/terminal/talk.h"
#include "cli/vault/budget_writer.h"
#include "cli/vault/vault_place.h"

#include <stdio.h>
#include <string.h>

typedef struct visit {
    sc_share_teller *tell;
    void *context;
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
    sc_delta_shorten(text);
    v->tell(v->context, text);
}

/* The whole comes first; it has everybody's share, which limits those without a share of their
 * own. A share of one's own that equals it is shown: it stays when everybody's changes. */
static scrim_status take_view(void *context, const scrim_budget_view *view)
{
    const visit *v = context;
    if (view->analyst == NULL)
        tell_share(v, "*", view->budget);
    else if (view->budget->has_own_share)
        tell_share(v, view->analyst, view->budget);
    return SCRIM_OK;
}

scrim_status sc_dataset_shares_tell(scrim_vault *vault, const char *population,
                                    sc_share_teller *tell, void *context,
                                    scrim_error *error)
{
    visit v = {.tell = tell, .context = context};
    return scrim_vault_budgets(vault, population, 1, take_view, &v, error);
}

scrim_status sc_dataset_shares_caution_owner(scrim_vault *vault, const char *population,
                                             scrim_error *error)
{
    scrim_budget b, own = {.has_own_share = 0};
    const char *me = scrim_vault_analyst(vault);
    scrim_status status = sc_budget_find(vault, population, NULL, &b, error);
    if (status != SCRIM_OK || (b.share[0] == '\0' && b.share_delta[0] == '\0'))
        return status;
    /* The ledger may not know who was never charged. */
    status = sc_budget_find(vault, population, me, &own, error);
    if ((status != SCRIM_OK && status != SCRIM_E_PARAM) || own.has_own_share)
        return status;
    const bool has_amount = b.share[0] != '\0', has_delta = b.share_delta[0] != '\0';
    char text[SCRIM_NAME_BYTES + 2 * SCRIM_NUMBER_BYTES + 32];
    snprintf(text, sizeof text, "%s=%s%s%s%s%s%s", me, has_amount ? b.unit : "",
             has_amount ? "=" : "", has_amount ? b.total : "",
             has_amount && has_delta ? "," : "", has_delta ? "delta=" : "",
             has_delta ? b.total_delta : "");
    sc_delta_shorten(text);
    sc_talk("caution: the share of * limits you, too; --share '%s' gives you the whole "
            "budget, and --share '*=none' removes the share of *\n",
            text);
    return SCRIM_OK;
}

void sc_dataset_shares_note(const sc_options *options)
{
    bool is_given = false;
    for (size_t i = 0; i < options->repeated_count; i++) {
        const sc_repeated *said = &options->repeated[i];
        const size_t bytes = strlen(said->value);
        is_given |= said->option == SCRIM_OPTION_SHARE &&
                    !(bytes >= 5 && strcmp(said->value + bytes - 5, "=none") == 0);
    }
    if (is_given && !sc_options_has(options, SCRIM_OPTION_QUIET) &&
        !sc_vault_is_of_site())
        sc_talk("note: this vault opens only for you; scrim-deploy(7) shows how analysts "
                "get access\n");
}
