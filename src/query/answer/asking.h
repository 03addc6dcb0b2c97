/* One question under way, in two steps: begin plans nothing and charges, end draws and records. Between
 * them rows are read from the source (sc_pass_run), or pushed (sc_pass_take, sc_pass_finish).
 *
 *     sc_asking_begin(&asking, &setting, &error);
 *     if (sc_asking_needs_rows(&asking))
 *         status = sc_pass_run(asking.pass, &error);
 *     sc_asking_end(&asking, status, &error);
 *     // the answer is that of the release sc_asking_release
 *     sc_asking_clear(&asking);
 */
#ifndef SC_QUERY_ASKING_H
#define SC_QUERY_ASKING_H

#include "ledger/release.h"
#include "query/answer/nested_groups.h"
#include "query/answer/noisy.h"
#include "query/answer/quantum.h"
#include "query/plan/plan_model.h"
#include "query/rows/pass.h"
#include "vault/policy.h"
#include "vault/source_key.h"

typedef struct sc_asking_setting {
    scrim_vault *vault;
    const scrim_plan *plan;
    bool is_pushed; /* rows are not read from a source */
    /* Called when the pass is open, before the charge, and once more where a charge is joined: what
     * it fails with is a refusal. NULL: nothing. */
    scrim_status (*opened)(void *context, sc_pass *pass, scrim_error *error);
    void *context;
} sc_asking_setting;

typedef struct sc_asking {
    scrim_vault *vault;
    const scrim_plan *plan;
    sc_asking_setting setting;
    sc_policy policy;
    sc_source_key contents_key; /* of the seal in it */
    scrim_ledger *ledger;
    sc_bits_key key; /* of all randomness of the release */
    sc_pass *pass;
    sc_noisy *noisy; /* by statement */
    sc_nested_groups
        *nested; /* by statement; NULL where the pass counts for each of them */
    const int64_t **counted; /* by statement: what the pass counts by bucket */
    sc_passage *passage;
    uint64_t known;     /* the release that has answered it before; 0: none */
    bool is_once;       /* the same question is charged once */
    bool is_charged;    /* now, and not earlier */
    bool is_changed;    /* the source is not that of its version */
    sc_quantum quantum; /* when what happens after the charge may be seen */
    size_t room_bytes;  /* the memory of the pass, which is public */
    char *record;
    char confidence[SC_RATIO_TEXT_BYTES];
    sc_arena arena;
} sc_asking;

/* Finds the answer, or refuses, or charges. sc_asking_clear follows, also where it fails. */
SCRIM_MUST_USE scrim_status sc_asking_begin(sc_asking *asking,
                                            const sc_asking_setting *setting,
                                            scrim_error *error);
/* False where there is an answer already. */
bool sc_asking_needs_rows(const sc_asking *asking);
uint64_t sc_asking_release(const sc_asking *asking);
/* Draws and records, or lets go of the rows where they came to nothing: rows is what reading them has
 * ended with, and error says why. Nothing happens where no rows were needed. */
SCRIM_MUST_USE scrim_status sc_asking_end(sc_asking *asking, scrim_status rows,
                                          scrim_error *error);
/* After the end: is the answer the one in asking->record, and not one that somebody else has
 * recorded? */
bool sc_asking_is_own(const sc_asking *asking);
void sc_asking_clear(sc_asking *asking);

#endif
