/* The vault: datasets, budgets and releases at rest.
 *
 *     scrim_vault *vault = NULL;
 *     scrim_ledger *ledger = NULL;
 *     scrim_answer *answer = NULL;
 *     int64_t people = 1234;
 *     scrim_input input = {.integers = &people, .count = 1};
 *     if (scrim_vault_init("scrim.vault", NULL, &error) != SCRIM_OK ||
 *         scrim_vault_open("scrim.vault", NULL, &vault, &error) != SCRIM_OK ||
 *         scrim_vault_add_dataset(vault, "adult",
 *                                 "unit=person_id\nrows-per-unit=1\nneighbours=add-remove\n"
 *                                 "budget=epsilon=3,delta=1e-6\n",
 *                                 &error) != SCRIM_OK ||
 *         scrim_vault_ledger(vault, "adult", &ledger, &error) != SCRIM_OK ||
 *         scrim_release(ledger, count, &input, &answer, &error) != SCRIM_OK)
 *         fputs(error.message, stderr);
 *     scrim_answer_free(answer);
 *     scrim_ledger_free(ledger);
 *     scrim_vault_close(vault);
 *
 * A charge is on the disk before the noise is drawn, and the answer before it is shown. The
 * ledger is append-only and chained by hashes; budgets are exact; several analysts, processes
 * and threads may use one vault at once. Nothing renews a budget.
 *
 * The analyst is the user of the operating system that runs the process. What changes a policy is
 * for the owner of the vault's file (and the system's superuser): SCRIM_E_POLICY for others.
 *
 * Every function can fail with SCRIM_E_LEDGER (the vault is missing, damaged, copied, put back to
 * an earlier state or not writable), SCRIM_E_BUSY (its lock was not to be had in time) and
 * SCRIM_E_MEMORY. A handle may be used by several threads; not by a process that was forked from
 * the one that opened it (SCRIM_E_STATE), nor may its ledgers, plans and series be asked there: a
 * child opens the vault itself. A fork waits for transactions that other threads have under way, and
 * for the rows that they take from a SQLite source at that moment. No
 * handle is closed while another thread uses it, no thread is cancelled within a call, no callback
 * leaves by longjmp, and a thread that calls has 128 KiB of stack or more.
 */
#ifndef SCRIM_VAULT_H
#define SCRIM_VAULT_H

#include "scrim/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_vault scrim_vault;

/* All may be left out but size: NULL stands for none of them. SCRIM_E_PARAM without a size. */
typedef struct scrim_vault_options {
    size_t size; /* set by SCRIM_OPTIONS */
    /* init: a file elsewhere that keeps the head of the ledger; the vault remembers it, and is not
     * opened without it */
    const char *witness;
    int wait_ms; /* for a lock; 0: 60000; below 0: not at all */
    /* open: the owner has moved or copied the file on purpose; this is written into the ledger.
     * With a witness a former file that is still there is refused from then on; without one it
     * still opens, and its budget could be spent twice: it must be deleted */
    int is_moved;
    /* check: called now and then with the entries that are verified, and how many there are; no
     * lock is held meanwhile */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
} scrim_vault_options;

/* Makes a vault in a new file of mode 0600; SCRIM_E_LEDGER when there is one, or anything else of
 * that name, or where others than its owner can write its folder or that of its witness. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_init(const char *path,
                                                       const scrim_vault_options *options,
                                                       scrim_error *error);
/* Never makes one. SCRIM_E_LEDGER also where others can write its folder, or have put a journal beside
 * it. Converts a vault of format 1; verifies the whole ledger first where a commit was cut short. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_open(const char *path,
                                                       const scrim_vault_options *options,
                                                       scrim_vault **out,
                                                       scrim_error *error);
/* NULL is allowed. Its ledgers are freed before it. In a process that was forked it frees memory
 * and leaves the file alone. */
SCRIM_API void scrim_vault_close(scrim_vault *vault);

/* What the caller's clock says, in seconds since 1970, for people who read the ledger: it is
 * written beside what this handle enters from now on, and nothing is ever decided by it. The
 * vault itself reads no clock. 0, and what lies beyond the year 9999: not known. */
SCRIM_API void scrim_vault_tell_time(scrim_vault *vault, uint64_t seconds);

/* Datasets. */

/* A policy is the options of `scrim dataset add`, one a line without the dashes, with '#' for
 * comments. What the vault itself understands of it:
 *
 *     population=NAME                   whose budget is drawn on; the dataset's own name if left out
 *     budget=epsilon=R[,delta=R]        needed where the population is new
 *     neighbours=add-remove|replace     likewise
 *     accounting=sum|concentrated|renyi=ORDER    sum if left out
 *     cap=epsilon=R[,delta=R][,least=R]          of one question; rho or divergence in place of
 *                                                epsilon where the population counts those
 *     share=ANALYST=epsilon=R[,delta=R]          as scrim_vault_share; "none" takes it away, the
 *                                                analyst "*" is everybody without one
 *
 * The other lines say what the data are: unit, column, keys, missing, max-groups, max-rows, and
 * their source, csv or sqlite and table; a line that is none of these is refused. How a source is
 * written, where it is not in the plain way:
 *
 *     records=lf|crlf                   what ends a record of a CSV file; lf if left out
 *     separator=,|;|||tab               what separates its fields; a comma if left out
 *     decimal=.|,                       the mark in front of decimals; a point if left out
 *     date-format=DD.MM.YYYY            YYYY, MM or M, DD or D, and . / - and blanks between them;
 *                                       YYYY-MM-DD if left out
 *     null=TEXT[,TEXT...]               unquoted cells, ids among them, that are missing as empty
 *                                       ones are
 *
 * Nothing is written unless all of it is right.
 *
 * The policy that is kept has no shares, which are entries of their own, names the neighbours,
 * and ends with a line about the contents of a source that is a file: its size and the time of
 * its last change, now. Where that file is not there, or lacks a column, SCRIM_E_INPUT.
 *
 * A budget is fixed when its population is made: where there is one, these lines must agree with
 * it or be left out (SCRIM_E_POLICY). */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_add_dataset(scrim_vault *vault,
                                                              const char *name,
                                                              const char *policy,
                                                              scrim_error *error);
/* Is this a policy, as far as can be told from its text? SCRIM_OK, or what scrim_vault_add_dataset
 * would say of it before it looks into the vault or at the source. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_policy_check(const char *policy,
                                                         scrim_error *error);
/* The names of the columns in the header of a policy's CSV file, one a line, for its owner; no row
 * is read. To be freed by scrim_vault_text_free. SCRIM_E_INPUT when the source, of whatever kind,
 * cannot be read or lacks the unit or a column that the policy declares; then SCRIM_E_PARAM when it
 * is no CSV file. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_policy_columns(const char *policy, char **out,
                                                           scrim_error *error);
/* Another policy, of the contents that were declared; or other contents, as they are now: both
 * raise the version, but for a policy that differs from the one there is in "cap" and "quantum"
 * alone: these say how questions are answered. An update without a policy (NULL) leaves it as it
 * is. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_set_dataset(scrim_vault *vault,
                                                              const char *name,
                                                              const char *policy,
                                                              scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_update_dataset(scrim_vault *vault,
                                                                 const char *name,
                                                                 const char *policy,
                                                                 scrim_error *error);
/* Its population keeps its budget, spent as it is. A dataset that is added under that name later
 * says whose budget it draws on, where that was not the population of its own name
 * (SCRIM_E_POLICY). */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_remove_dataset(scrim_vault *vault,
                                                                 const char *name,
                                                                 scrim_error *error);

#define SCRIM_NAME_BYTES 65

typedef struct scrim_dataset {
    char name[SCRIM_NAME_BYTES];
    char population[SCRIM_NAME_BYTES];
    uint64_t version;
    /* What one question may cost, in the population's unit; "" where there is no such limit. */
    char cap[SCRIM_NUMBER_BYTES];
    char cap_delta[SCRIM_NUMBER_BYTES];
    char cap_least[SCRIM_NUMBER_BYTES];
} scrim_dataset;

/* The datasets there are, by index from 0 on: SCRIM_E_PARAM past the last. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_dataset(scrim_vault *vault,
                                                          size_t index,
                                                          scrim_dataset *out,
                                                          scrim_error *error);
/* The policy of a dataset, terminated, to be freed by scrim_vault_text_free. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_policy(scrim_vault *vault,
                                                         const char *name, char **out,
                                                         scrim_error *error);
SCRIM_API void scrim_vault_text_free(char *text); /* NULL is allowed */

/* Budgets. */

/* What an analyst (NULL: everybody who has no share of their own) may spend of a population's
 * budget, in the unit that it counts: exact text, NULL for no limit. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_share(scrim_vault *vault, const char *population, const char *analyst,
                  const char *amount, const char *delta, scrim_error *error);

/* How much may still be spent under each limit; the smaller one decides. Never above the truth. */
typedef struct scrim_remainder {
    /* Of the analyst's share, their own or everybody's; "" where it sets no limit. */
    char share[SCRIM_NUMBER_BYTES];
    char share_delta[SCRIM_NUMBER_BYTES];
    char whole[SCRIM_NUMBER_BYTES]; /* of the whole budget, whoever spends it */
    char whole_delta[SCRIM_NUMBER_BYTES];
} scrim_remainder;

typedef struct scrim_budget {
    char population[SCRIM_NAME_BYTES];
    scrim_neighbours neighbours;
    char accounting[SCRIM_NUMBER_BYTES]; /* "sum", "concentrated", "renyi=8" */
    const char *unit;                    /* "epsilon", "rho" or "divergence" */
    char epsilon[SCRIM_NUMBER_BYTES];    /* as declared */
    char delta[SCRIM_NUMBER_BYTES];
    char total[SCRIM_NUMBER_BYTES]; /* in the unit; and of deltas */
    char total_delta[SCRIM_NUMBER_BYTES];
    char spent[SCRIM_NUMBER_BYTES]; /* never below the truth */
    char spent_delta[SCRIM_NUMBER_BYTES];
    char left[SCRIM_NUMBER_BYTES]; /* never above the truth */
    char left_delta[SCRIM_NUMBER_BYTES];
    /* The share that binds the analyst, their own or everybody's; without an analyst, that of
     * everybody who has none of their own. "" where there is no limit. */
    char share[SCRIM_NUMBER_BYTES];
    char share_delta[SCRIM_NUMBER_BYTES];
    uint64_t charges;
    scrim_remainder remainder; /* left is the smaller of its parts */
    /* Without an analyst: the sum of all shares, where everybody's counts once, rounded up; "" where
     * there are none. */
    char shares[SCRIM_NUMBER_BYTES];
    char shares_delta[SCRIM_NUMBER_BYTES];
    int is_overshared; /* one of these sums is above the budget */
} scrim_budget;

/* The populations by index from 0 on: SCRIM_E_PARAM past the last. With an analyst's name, what
 * that one has spent and may still spend. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_budget(scrim_vault *vault, size_t index,
                                                         const char *analyst,
                                                         scrim_budget *out,
                                                         scrim_error *error);
/* How long a population's budget lasts, should the next charges be like the last ones, and made by the
 * same analysts. */
typedef struct scrim_forecast {
    uint64_t window; /* the charges that were looked at; 0: there was none of late */
    char average[SCRIM_NUMBER_BYTES]; /* of them, in the unit; rounded up */
    char average_delta[SCRIM_NUMBER_BYTES];
    /* So many more of that size fit into the budget, and into the shares of those analysts;
     * UINT64_MAX: they cost nothing. */
    uint64_t charges;
    /* From the first of them to the last by the clocks of those who asked; 0: not known. */
    uint64_t seconds;
} scrim_forecast;

/* Looks at the last charges, at most window (and 64) of them and among the last 4096 entries. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_forecast(scrim_vault *vault,
                                                           size_t index, uint64_t window,
                                                           scrim_forecast *out,
                                                           scrim_error *error);
/* What all charges of a population come to as they stand, by the best accountant, had they been
 * declared in advance: bookkeeping, not a guarantee. The guarantee is what is spent, and this
 * decides nothing. */
typedef struct scrim_standing {
    uint64_t charges;
    char epsilon[SCRIM_NUMBER_BYTES]; /* rounded up; "" where nothing is known */
    char delta[SCRIM_NUMBER_BYTES];   /* at which it holds */
} scrim_standing;
/* Nothing is known without a delta, of divergences at one order, and of epsilons of more than 1024
 * charges, or in more than 65536 entries. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_standing(scrim_vault *vault,
                                                           size_t index,
                                                           scrim_standing *out,
                                                           scrim_error *error);
/* The budget of a population by name, as scrim_vault_budget tells it by index. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_budget_of(scrim_vault *vault,
                                                            const char *population,
                                                            const char *analyst,
                                                            scrim_budget *out,
                                                            scrim_error *error);

/* A population as a whole, or for one analyst; what is not told is NULL. Lives as long as the
 * visit. */
typedef struct scrim_budget_view {
    const scrim_budget *budget;
    const char *analyst; /* NULL: the whole, with */
    const scrim_forecast *forecast;
    const scrim_standing *standing;
} scrim_budget_view;
/* Anything but SCRIM_OK ends the visit and is returned by it. No lock is held meanwhile. */
typedef scrim_status scrim_budget_visitor(void *context, const scrim_budget_view *view);
/* All populations (NULL), or one by name, in one look at the ledger: each as a whole, then for each
 * analyst who has spent something of it or has a share. The window is that of
 * scrim_vault_forecast. Where more than 64 populations have charges the standing of each is known
 * by its name alone. SCRIM_E_PARAM when there is none of that name. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_budgets(scrim_vault *vault, const char *population, uint64_t window,
                    scrim_budget_visitor *visitor, void *context, scrim_error *error);

/* Charges that were refused so far. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_refusals(scrim_vault *vault,
                                                           uint64_t *out,
                                                           scrim_error *error);
/* Does the vault belong to this process's user, who alone changes its policy? */
SCRIM_API int scrim_vault_is_owned(const scrim_vault *vault);
/* The name under which this process is charged: that of its user, or the one by which the ledger
 * knows the user's number already; lives as long as the handle. Where the system's name service
 * fails, users whom the ledger does not know are refused before a charge: SCRIM_E_LEDGER. */
SCRIM_API const char *scrim_vault_analyst(const scrim_vault *vault);
/* The analysts whom the ledger knows, by index from 0 on: SCRIM_E_PARAM past the last. name has
 * room for SCRIM_NAME_BYTES. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_analyst_at(scrim_vault *vault,
                                                             size_t index, char *name,
                                                             scrim_error *error);

/* Releases. */

/* A ledger for the gate, of the dataset as it is now: once it has another version, charges are
 * refused (SCRIM_E_POLICY). */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_ledger(scrim_vault *vault,
                                                         const char *dataset,
                                                         scrim_ledger **out,
                                                         scrim_error *error);

/* A text that is kept with the answers which this ledger of a vault records from now on, such
 * as the labels of their values. It is public. SCRIM_E_PARAM for another ledger. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_note(scrim_ledger *ledger,
                                                       const char *note,
                                                       scrim_error *error);

typedef struct scrim_vault_release {
    uint64_t id;   /* its number: releases count 1, 2, 3 in the order of their charges */
    uint64_t time; /* of the charge, as scrim_vault_tell_time had it; 0: not known */
    scrim_entry_state state;
    char population[SCRIM_NAME_BYTES];
    char dataset[SCRIM_NAME_BYTES];
    uint64_t version;
    char analyst[SCRIM_NAME_BYTES];
    const char *unit;
    char amount[SCRIM_NUMBER_BYTES];
    char delta[SCRIM_NUMBER_BYTES];
    char *measurement;
    char *
        answer; /* for scrim_answer_parse; NULL unless the state is SCRIM_ENTRY_RELEASED */
    char *note;     /* what was kept with it; NULL: nothing */
    int is_joint;   /* the amount is what its parts, declared in advance, cost together */
    uint64_t entry; /* of the ledger, which charged it */
} scrim_vault_release;

/* A past release again, free of charge. SCRIM_E_PARAM when no release has that number,
 * SCRIM_E_LEDGER when the answer is not that whose digest the ledger holds. What out holds is
 * freed by scrim_vault_release_clear. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_replay(scrim_vault *vault, uint64_t id,
                                                         scrim_vault_release *out,
                                                         scrim_error *error);
/* Is there an answer to show? SCRIM_E_LEDGER for a charge that has none, and whether the same
 * question again finishes it. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_release_check(const scrim_vault_release *release, scrim_error *error);
SCRIM_API void scrim_vault_release_clear(scrim_vault_release *release);
/* The charges from an entry on, in order: of all datasets (NULL), or of those that have or had
 * this name, SCRIM_E_PARAM when there are none. Answers and notes are left out. Charges that are
 * made during the visit are not shown. A visitor that returns another status than SCRIM_OK ends
 * the visit with it; it may take its time and use the vault, as no lock is held meanwhile, and
 * what it is shown is the vault's. */
typedef scrim_status scrim_vault_charge_visitor(void *context,
                                                const scrim_vault_release *charge);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_history(
    scrim_vault *vault, const char *dataset, uint64_t from,
    scrim_vault_charge_visitor *visitor, void *context, scrim_error *error);
/* One change by the vault's owner. Texts live as long as the visit. */
typedef struct scrim_vault_change {
    uint64_t entry;                    /* of the ledger */
    uint64_t time;                     /* as in scrim_vault_release */
    char dataset[SCRIM_NAME_BYTES];    /* "": its population or the vault was changed */
    char population[SCRIM_NAME_BYTES]; /* "": the vault was changed */
    uint64_t version; /* of the dataset from then on; 0: not applicable */
    /* "added", "removed", "new policy", "new contents", "vault moved", "budget", "share of ANALYST" (or
     * of *), or a line of the policy, "max-rows", "cap" or "column age". */
    const char *what;
    const char *before, *after; /* NULL: missing */
} scrim_vault_change;
typedef scrim_status scrim_vault_change_visitor(void *context,
                                                const scrim_vault_change *change);
/* All changes in their order; or those of datasets that have or had this name, and of the budget and
 * the shares that the last of them draws on: SCRIM_E_PARAM when there are none. The visitor is as for
 * scrim_vault_history. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_changes(
    scrim_vault *vault, const char *dataset, scrim_vault_change_visitor *visitor,
    void *context, scrim_error *error);
/* The first release of this measurement, letter by letter, on the dataset as it is now; 0 when
 * there is none. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_find(scrim_vault *vault,
                                                       const char *dataset,
                                                       const char *measurement,
                                                       uint64_t *id, scrim_error *error);

/* The ledger. */

#define SCRIM_HASH_BYTES 65

/* Entries from a number on, in order, as docs/ledger-format.md has them; hash is hexadecimal,
 * answer the text whose digest a release holds, and NULL for other entries. Entries that are made
 * during the visit are not shown. A visitor that returns another status than SCRIM_OK ends the
 * visit with it; it may take its time and use the vault, as no lock is held meanwhile. */
typedef scrim_status scrim_vault_visitor(void *context, uint64_t id, const char *bytes,
                                         size_t count, const char *hash,
                                         const char *answer);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_visit(scrim_vault *vault, uint64_t from,
                                                        scrim_vault_visitor *visitor,
                                                        void *context,
                                                        scrim_error *error);

/* The number of entries. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_count(scrim_vault *vault, uint64_t *out,
                                                        scrim_error *error);

typedef struct scrim_vault_state {
    uint64_t entries, charges, releases;
    char head[SCRIM_HASH_BYTES];
    /* What earlier versions have admitted and this one would not, although every entry is as it was
     * written: unlike privacy units in one population, or windows of several versions that were
     * charged once. "": nothing. */
    char caution[SCRIM_MESSAGE_BYTES];
    int needs_owner; /* and it goes on until the owner does what it says */
} scrim_vault_state;

/* The public key by which the labels of a vault are checked (scrim/report.h): Ed25519, 64
 * hexadecimal digits. It is in the ledger's chain, and the same for good. */
#define SCRIM_KEY_BYTES 65
typedef struct scrim_key {
    char text[SCRIM_KEY_BYTES];
    uint64_t entry; /* of the ledger, that names it */
} scrim_key;

/* Makes a key where there is none: a vault of an earlier version gets it as soon as its owner
 * enters anything. SCRIM_E_POLICY for others than the owner then. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_key(scrim_vault *vault, scrim_key *out,
                                                      scrim_error *error);

/* Recomputes the chain, every total and every rule from the entries alone, the digest of every
 * answer, and the public key from the private one. SCRIM_E_CHECK when anything does not hold. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_verify(scrim_vault *vault,
                                                         scrim_vault_state *out,
                                                         scrim_error *error);

/* The same for a vault that is perhaps too damaged to be opened, which is SCRIM_E_CHECK; then its
 * place and its witness are looked at, as opening does. SCRIM_E_LEDGER when it is missing, not
 * this user's to read, or cannot be read just now, as on a full disk. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_check(const char *path, const scrim_vault_options *options,
                  scrim_vault_state *out, scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
