/* Who is charged. A ledger admits a charge or refuses it, and keeps what was released.
 *
 * Claim  ledger.exact   a charge is admitted exactly when the sum of all charges stays within
 *                       the budget, as rationals: ten times 0.1 fits 1, the eleventh does not;
 *                       a sum of more than 4096 bits is rounded up
 * Claim  ledger.relation  a claim is charged in the ledger's relation: one for add-remove counts
 *                       twice where a unit is replaced, and one for replace is worth nothing
 *                       where the number of units is private
 * Claim  ledger.fork    a child made by fork or clone cannot charge, record or read the ledger in
 *                       memory of its parent
 *
 * The functions are an interface: the ledger in memory is here, the durable one is the vault's.
 */
#ifndef SC_LEDGER_LEDGER_H
#define SC_LEDGER_LEDGER_H

#include "model/measurement.h"
#include "random/bits_keyed.h"
#include "scrim/ledger.h"

/* How a question that can be repeated stands once it is charged. */
typedef enum sc_once_standing {
    SC_ONCE_CHARGED, /* now, with the key that was offered */
    SC_ONCE_JOINED, /* earlier, and not answered yet: to be finished with the key of then */
    SC_ONCE_ANSWERED, /* earlier, and answered */
    SC_ONCE_OTHER /* nothing is charged: the same is charged in other words, and not answered yet; the entry is that */
} sc_once_standing;

/* A question that can be repeated is charged once, whoever asks it, how often and at what moments,
 * and whatever ends a process. All randomness of its release comes from one key, which the ledger
 * keeps beside the charge, from the same transaction on, until there is an answer. Whoever asks in
 * between joins: the same charge, the same key, and so the same answer.
 *
 * Why the key is kept. With fresh noise for each who asks, the first of several to finish would
 * be the one whose noise took the least time, and whoever ended a process at a moment of their
 * choice would choose among draws: the answer would no longer have its exact distribution, and its
 * charge would be wrong. With the key there is one answer to choose from.
 *
 * The key is drawn before the charge, since hashes are keyed as the source is opened; nothing is
 * computed from data with it before it is kept. */
typedef struct sc_once {
    sc_bits_key key;           /* offered; when charged: that of the release */
    const char *parts;         /* what is drawn; a charge for other parts is not joined */
    sc_once_standing standing; /* set by a charge */
} sc_once;

/* A charge: all of it is made, or nothing. */
typedef struct sc_charge {
    const char *line; /* of the entry: a measurement, or a question */
    const sc_exact_cost
        *costs; /* at least one; each is priced by itself, and the prices add up */
    size_t count;
    const sc_exact_cost
        *joint; /* what they come to together, declared in advance; NULL: their sum */
    const char *declaration; /* the parts that joint is of (bundle.h); with joint */
    sc_once *once;           /* NULL: the release cannot be repeated */
} sc_charge;

typedef struct sc_ledger_functions {
    /* Admits the charge and makes it durable, or refuses; gives the number of its entry. Where an
     * account counts epsilons, has the delta of joint left and joint is the smaller, it is
     * charged. With once the charge may be one that was made earlier. */
    scrim_status (*charge)(scrim_ledger *ledger, const sc_charge *charge, uint64_t *id,
                           scrim_error *error);
    /* Keeps what was released for that entry. */
    scrim_status (*record)(scrim_ledger *ledger, uint64_t id, const char *answer,
                           scrim_error *error);
    /* Keeps one answer of an open run, its number from 1 on (run_record.h). The whole of them follows
     * by record when the run ends. */
    scrim_status (*record_piece)(scrim_ledger *ledger, uint64_t id, uint64_t number,
                                 const char *piece, scrim_error *error);
    /* Keeps what was released for a charge that others may have joined: the first answer is kept,
     * and is_first says whether it is this one. NULL: nobody joins, every charge is a new one. */
    scrim_status (*record_once)(scrim_ledger *ledger, uint64_t id, const char *answer,
                                bool *is_first, scrim_error *error);
    /* May a run be open while other charges are made? SCRIM_E_POLICY where no theorem covers
     * that: among concentrated charges and parts with a delta (spec/mechanisms.md 8.5). */
    scrim_status (*admit_run)(scrim_ledger *ledger, scrim_error *error);
    void (*free)(scrim_ledger *ledger);
} sc_ledger_functions;

/* The refusal. */
scrim_status sc_ledger_refuse_run(scrim_error *error);

/* Every ledger begins with this. */
struct scrim_ledger {
    const sc_ledger_functions *functions;
    scrim_neighbours neighbours; /* its relation */
    sc_bits *bits;               /* test builds: the tape that releases are drawn from */
};

/* The cost in the ledger's relation, rounded up; SCRIM_E_POLICY when it says nothing there. */
SCRIM_MUST_USE scrim_status sc_ledger_convert(const sc_exact_cost *cost,
                                              scrim_neighbours into, sc_exact_cost *out,
                                              scrim_error *error);
/* A cost that the ledger has charged, in its relation. */
SCRIM_MUST_USE scrim_status sc_ledger_charged(const scrim_ledger *ledger,
                                              const sc_exact_cost *cost, scrim_cost *out,
                                              scrim_error *error);

#endif
