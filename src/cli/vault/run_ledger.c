#include "cli/vault/run_ledger.h"

#include "cli/terminal/complaint.h"
#include "cli/vault/vault_place.h"

#include <string.h>

#ifdef SCRIM_TESTING
#include "ledger/ledger_tape.h"
#include "random/bits_tape.h"

static scrim_status use_seed(sc_run_ledger *out, const sc_options *options,
                             scrim_error *error)
{
    SC_TRY(sc_options_tape(options, &out->tape, error));
    sc_ledger_use_bits(out->ledger, sc_tape_bits_of(out->tape));
    return SCRIM_OK;
}
#endif

static const char *given(const char *number)
{
    return number[0] == '\0' ? NULL : number;
}

static scrim_status open_own(const scrim_cost *cost, sc_run_ledger *out,
                             scrim_error *error)
{
    const char *epsilon = given(cost->epsilon);
    const char *rho = epsilon == NULL ? given(cost->rho) : NULL;
    if (epsilon == NULL && rho == NULL)
        return sc_refuse(error, "cannot charge this: it has neither an epsilon nor a "
                                "rho; add delta=R, at which it has an epsilon");
    return scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = cost->neighbours,
                      .epsilon = epsilon, .rho = rho, .delta = given(cost->delta)),
        &out->ledger, error);
}

static scrim_status open_vault(const sc_options *options, sc_run_ledger *out,
                               scrim_error *error)
{
    SC_TRY(sc_vault_place_open(options, &out->vault, error));
    return scrim_vault_ledger(out->vault, options->value[SCRIM_OPTION_CHARGE],
                              &out->ledger, error);
}

scrim_status sc_run_ledger_open(const scrim_cost *cost, const sc_options *options,
                                sc_run_ledger *out, scrim_error *error)
{
    memset(out, 0, sizeof *out);
    scrim_status status = sc_options_has(options, SCRIM_OPTION_CHARGE)
                              ? open_vault(options, out, error)
                              : open_own(cost, out, error);
#ifdef SCRIM_TESTING
    if (status == SCRIM_OK)
        status = use_seed(out, options, error);
#endif
    if (status != SCRIM_OK)
        sc_run_ledger_close(out);
    return status;
}

void sc_run_ledger_close(sc_run_ledger *out)
{
    scrim_ledger_free(out->ledger);
    scrim_vault_close(out->vault);
    out->ledger = NULL;
    out->vault = NULL;
#ifdef SCRIM_TESTING
    sc_tape_free(out->tape);
    out->tape = NULL;
#endif
}
