#include "cli/own_ledger.h"

#include "cli/complaint.h"

#include <string.h>

#ifdef SCRIM_TESTING
#include "account/ledger.h"
#include "random/bits_tape.h"

static scrim_status use_seed(sc_own_ledger *own, const sc_options *options,
                             scrim_error *error)
{
    uint64_t seed;
    scrim_status status =
        sc_options_number(options, SCRIM_OPTION_SEED, UINT64_MAX, 1, &seed, error);
    if (status == SCRIM_OK)
        status = sc_tape_seeded(seed, &own->tape, error);
    if (status == SCRIM_OK)
        sc_ledger_use_bits(own->ledger, sc_tape_bits_of(own->tape));
    return status;
}
#endif

static const char *given(const char *number)
{
    return number[0] == '\0' ? NULL : number;
}

scrim_status sc_own_ledger_open(const scrim_cost *cost, const sc_options *options,
                                sc_own_ledger *out, scrim_error *error)
{
    (void)options; /* the installed program draws from the operating system, whatever is
                      said */
    memset(out, 0, sizeof *out);
    const char *epsilon = given(cost->epsilon);
    const char *rho = epsilon == NULL ? given(cost->rho) : NULL;
    if (epsilon == NULL && rho == NULL)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "nothing can be charged: this measurement has neither "
                                 "an epsilon nor a rho of "
                                 "its own; give delta=R, at which it has an epsilon");
    scrim_status status = scrim_ledger_new(
        SCRIM_OPTIONS(scrim_ledger_options, .neighbours = cost->neighbours,
                      .epsilon = epsilon, .rho = rho, .delta = given(cost->delta)),
        &out->ledger, error);
#ifdef SCRIM_TESTING
    if (status == SCRIM_OK)
        status = use_seed(out, options, error);
#endif
    if (status != SCRIM_OK)
        sc_own_ledger_close(out);
    return status;
}

void sc_own_ledger_close(sc_own_ledger *own)
{
    scrim_ledger_free(own->ledger);
    own->ledger = NULL;
#ifdef SCRIM_TESTING
    sc_tape_free(own->tape);
    own->tape = NULL;
#endif
}
