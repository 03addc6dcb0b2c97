/* A vault in memory, and the user who asks it. */
#ifndef SC_VAULT_VAULT_H
#define SC_VAULT_VAULT_H

#include "data/source/source_content.h"
#include "data/value/schema.h"
#include "random/bits.h"
#include "random/private_pages.h"
#include "scrim/vault.h"
#include "vault/state/book.h"
#include "vault/state/event.h"
#include "vault/store/store.h"
#include "vault/store/witness.h"

#include <pthread.h>
#include <sys/types.h>

/* Who asks: the user of the operating system that runs the process, never an argument.
 *
 * Claim  identity.system  the analyst is the real user of the process, in one canonical spelling
 * Claim  identity.unsure  where the name service fails nobody is taken for a new analyst: who is
 *                         known by number is charged as before, others are refused before a charge
 *                         (A86)
 */

typedef struct sc_identity {
    uint64_t user;
    char name[SC_EVENT_NAME_BYTES + 1];
    bool is_unsure; /* the name service has failed, so the name is not known */
} sc_identity;

/* The real user, who stays the same in a program that runs with the rights of the vault's owner.
 * One without a name, or with one that is not visible ASCII of at most 64 bytes, is called
 * "user-NUMBER". */
void sc_identity_of_process(sc_identity *out);
/* SCRIM_E_PARAM when the system knows nobody of that name, SCRIM_E_LEDGER when it cannot tell. */
SCRIM_MUST_USE scrim_status sc_identity_of_name(const char *name, sc_identity *out,
                                                scrim_error *error);

/* SCRIM_E_LEDGER, and what to do: for who must have a name. */
scrim_status sc_identity_fail(scrim_error *error);

/* The identity of a user by number, and of one that the system calls by this name. */
void sc_identity_set(sc_identity *out, uint64_t user, const char *name);

/* A vault: a store, the book of its entries, and the one function that writes.
 *
 * Claim  vault.charged   an answer that was given has its charge on the disk, whatever ended the
 *                        process, the disk or the power; a charge is never lost and never made
 *                        twice, and what was recorded is repeated letter by letter
 * Claim  vault.alone     of any number of spenders at once exactly those are admitted whose
 *                        charges fit
 * Claim  vault.place     a vault that is missing, empty, cut short, copied, put back to an earlier
 *                        state of its witness, or whose witness is another's, is refused
 * Claim  vault.opening   opening refuses a vault that contradicts itself in its policy, its totals, its
 *                        last 256 entries with their answers, or the keys of unanswered charges; of a
 *                        file of at most 1 MiB also in its pages
 * Claim  vault.verified  verify finds every change of an entry, a total or an answer
 * Claim  vault.build     a vault of the test build is refused by the installed program, and a real
 *                        one by the test build
 * Claim  vault.contents  a version of a dataset is of a file of one size and one time of its last
 *                        change, which the vault has seen itself and knows again
 * Claim  vault.terms     another cap or quantum is entered by itself: the version stays, and with it
 *                        recorded answers and windows that were paid for
 * Claim  vault.timeless  no clock is read but to wait for a lock (base/cancel.h), and no time that is told changes what is admitted or
 *                        left
 * Claim  vault.identity  what is spent is spent by the user of the operating system; policy is
 *                        for the vault's owner
 */

/* The dataset that was listed last: where it stands, in which state of the ledger. */
typedef struct sc_listed {
    uint64_t generation; /* 0: none was */
    size_t index, place;
} sc_listed;

struct scrim_vault {
    sc_store *store;
    pthread_mutex_t lock;
    sc_digester *digester;
    sc_event event; /* for entries that are read */
    sc_book book;   /* of the entries up to chain */
    sc_chain chain;
    sc_listed listed;
    bool is_stale;    /* the book holds what was not kept: it is made anew */
    bool is_dirty;    /* something was appended in this transaction */
    bool is_accepted; /* its witness too is written anew, whatever that has seen */
    unsigned outcome; /* sc_vault_outcome of it */
    bool is_owner;
    bool is_found;
    sc_location location; /* where its file lies */
    sc_identity identity;
    char
        analyst[SC_EVENT_NAME_BYTES + 1]; /* as the ledger knew them when it was opened */
    sc_process_mark here;
    sc_bits *bits; /* test builds: the tape that its ledgers draw from */
    uint64_t now;  /* what the caller's clock says; 0: not known */
    int wait_ms;
    sc_content_watch watch; /* of files that are read for their owner */
};

/* A vault on a store, which it takes over, also on failure. The book is read when it is first
 * needed. */
SCRIM_MUST_USE scrim_status sc_vault_new(sc_store *store, int wait_ms, scrim_vault **out,
                                         scrim_error *error);
/* Writes the first entries of an empty store. */
/* here is NULL for a store that is no file. witness: NULL, or where it will be, or "FOLDER/"
 * (sc_witness_path); the writer has it prepared, and the caller publishes it when the vault has its
 * name. */
SCRIM_MUST_USE scrim_status sc_vault_begin(scrim_vault *vault, const char *witness,
                                           const sc_location *here,
                                           sc_witness_writer **writer,
                                           scrim_error *error);

/* Work between begin and commit, with the book up to date. A SCRIM_E_CHECK of the store
 * ends as SCRIM_E_LEDGER. */
typedef scrim_status sc_vault_plan(scrim_vault *vault, void *context, scrim_error *error);
/* The one function that writes: takes the lock, reads on to the head, lets the plan append,
 * makes it durable and tells the witness. When anything fails nothing is written, or, where the
 * commit itself or the witness failed, nothing is answered. */
SCRIM_MUST_USE scrim_status sc_vault_write(scrim_vault *vault, sc_vault_plan *plan,
                                           void *context, scrim_error *error);
/* The same, and how far it came: what fails with SC_VAULT_SENT may be on the disk, and what fails with
 * SC_VAULT_KEPT is. */
typedef enum sc_vault_outcome {
    SC_VAULT_NOTHING,
    SC_VAULT_SENT,
    SC_VAULT_KEPT
} sc_vault_outcome;
SCRIM_MUST_USE scrim_status sc_vault_write_told(scrim_vault *vault, sc_vault_plan *plan,
                                                void *context, sc_vault_outcome *outcome,
                                                scrim_error *error);
SCRIM_MUST_USE scrim_status sc_vault_read(scrim_vault *vault, sc_vault_plan *plan,
                                          void *context, scrim_error *error);
/* Damage of the store, SCRIM_E_CHECK, becomes SCRIM_E_LEDGER for all callers but those that verify. */
SCRIM_MUST_USE scrim_status sc_vault_refuse_damage(scrim_status status,
                                                   scrim_error *error);
/* SCRIM_E_STATE in a process that was forked from the one that opened the vault. */
SCRIM_MUST_USE scrim_status sc_vault_check_process(const scrim_vault *vault,
                                                   scrim_error *error);
/* For plans that write: admits the entry into the book and appends it; before it, where it is
 * another than the last, the time. */
SCRIM_MUST_USE scrim_status sc_vault_append(scrim_vault *vault, const sc_event *event,
                                            scrim_error *error);
/* For plans that write: gives a vault that has no key one (vault_key.h), with its entry. */
SCRIM_MUST_USE scrim_status sc_vault_add_key(scrim_vault *vault, scrim_error *error);
/* For the plan that opens a vault, before anybody else has the handle: who is known by number keeps
 * the name of their first charge. */
void sc_vault_note_analyst(scrim_vault *vault);
/* For plans: an entry by number, parsed into vault->event, whose views are good until found, the
 * copy of its bytes, is freed by sc_free. SCRIM_E_PARAM when no entry has that number. */
SCRIM_MUST_USE scrim_status sc_vault_entry(scrim_vault *vault, uint64_t id, char **found,
                                           scrim_error *error);
/* For plans: the policy of a dataset under the terms that it has by now, to be freed by sc_free. */
SCRIM_MUST_USE scrim_status sc_vault_policy_now(scrim_vault *vault,
                                                const sc_dataset_entry *dataset,
                                                char **out, scrim_error *error);
/* For the owner, who may look at raw data: version and schema of a dataset, freed by sc_schema_free.
 * SCRIM_E_POLICY for anybody else. */
SCRIM_MUST_USE scrim_status sc_vault_owner_schema(scrim_vault *vault, const char *dataset,
                                                  uint64_t *version,
                                                  const sc_schema **out,
                                                  scrim_error *error);
/* For plans: SCRIM_E_LEDGER unless the ledger holds this entry with this hash, which its witness
 * has seen. */
SCRIM_MUST_USE scrim_status sc_vault_check_seen(scrim_vault *vault, const sc_chain *seen,
                                                scrim_error *error);
/* For plans: the number of an analyst, who is entered when nobody knows them. */
SCRIM_MUST_USE scrim_status sc_vault_want_analyst(scrim_vault *vault,
                                                  const sc_identity *identity,
                                                  uint64_t *number, scrim_error *error);
/* The number of a dataset by name; SCRIM_E_PARAM when no dataset has it. */
SCRIM_MUST_USE scrim_status sc_vault_want_dataset(const scrim_vault *vault,
                                                  const char *name, uint64_t *number,
                                                  scrim_error *error);
/* For plans: SCRIM_E_PARAM unless the name is NULL or a dataset has or had it; population is that of the
 * last one. */
SCRIM_MUST_USE scrim_status sc_vault_check_known(const scrim_vault *vault,
                                                 const char *dataset,
                                                 uint64_t *population,
                                                 scrim_error *error);
/* The digest that a question to a version of a dataset is found by. */
SCRIM_MUST_USE scrim_status sc_vault_question(scrim_vault *vault, uint64_t dataset,
                                              uint64_t version, sc_text measurement,
                                              sc_digest *out, scrim_error *error);

/* The digests that an unanswered charge of a question is found by: of what it is, and of what is drawn for it. Of a question
 * that has other words for it (same_question.h) the second is also of its own. */
SCRIM_MUST_USE scrim_status sc_vault_pending_of(scrim_vault *vault, uint64_t dataset,
                                                uint64_t version, sc_text measurement,
                                                sc_text parts, sc_pending *out,
                                                scrim_error *error);
/* For plans: SCRIM_E_LEDGER unless the entry is a charge for the question of a measurement. */
SCRIM_MUST_USE scrim_status sc_vault_check_charge(scrim_vault *vault, uint64_t entry,
                                                  uint64_t dataset, uint64_t version,
                                                  sc_text measurement,
                                                  scrim_error *error);
/* For plans: the entry of the first charge that was answered for the question of a measurement, in these or in other words
 * (same_question.h); 0: none. What the index says is held against the charge itself: vault->event is then that. */
SCRIM_MUST_USE scrim_status sc_vault_find_question(scrim_vault *vault, uint64_t dataset,
                                                   uint64_t version, sc_text measurement,
                                                   uint64_t *entry, scrim_error *error);

/* A budget as the book has it: that of an analyst, or (0) the whole. */
void sc_vault_set_budget(const sc_book *book, uint64_t population, uint64_t analyst,
                         scrim_budget *out);

/* scrim_vault_verify, with the progress of options, which may be NULL. */
SCRIM_MUST_USE scrim_status sc_vault_verify_with(scrim_vault *vault,
                                                 const scrim_vault_options *options,
                                                 scrim_vault_state *out,
                                                 scrim_error *error);

/* The last entries of a ledger, by which opening finds what a lost journal or a damaged file has
 * left: their chain leads to the head, and every answer and every key of a release belongs to
 * its charge. To be called on opening, within a transaction and before the book is read.
 * SCRIM_E_LEDGER, SCRIM_REASON_DAMAGED. Its time is bounded: it reads at most SC_TAIL_ENTRIES
 * entries and, but for the last answer, at most SC_TAIL_ANSWER_BYTES of answers. */
#define SC_TAIL_ENTRIES 256
#define SC_TAIL_ANSWER_BYTES (1u << 20)
SCRIM_MUST_USE scrim_status sc_vault_check_tail(scrim_vault *vault, const sc_chain *head,
                                                scrim_error *error);
SCRIM_MUST_USE scrim_status sc_vault_fail_chain(scrim_error *error);

/* Verifies the whole ledger within a transaction, and tells the store so. */
SCRIM_MUST_USE scrim_status sc_vault_verify_here(scrim_vault *vault, scrim_error *error);

/* For plans: the owner accepts the vault as it is, and its witness, NULL for none, is written anew. seen
 * is the last entry of the former witness if the vault lacks it, or 0. */
SCRIM_MUST_USE scrim_status sc_vault_accept(scrim_vault *vault, const char *witness,
                                            uint64_t seen, scrim_error *error);
/* For plans: the vault lives here from now on. */
SCRIM_MUST_USE scrim_status sc_vault_move(scrim_vault *vault, const sc_location *here,
                                          scrim_error *error);

/* SCRIM_E_CHECK unless a joint charge is what its parts come to, in the relation and the rule of its population. */
SCRIM_MUST_USE scrim_status sc_vault_joint_check(const sc_book *book, const sc_event *e,
                                                 uint64_t id, scrim_error *error);

#endif
