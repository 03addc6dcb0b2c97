/* The vault: a file with datasets, budgets, the ledger and releases.
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
 * A charge is on the disk before the noise is drawn, and the answer before it is shown. The ledger is
 * append-only and linked by hashes, and budgets are exact. Several analysts, processes and threads may
 * use one vault at once. A budget is never renewed.
 *
 * The analyst is the user of the operating system who runs the process. Only the owner of the vault's
 * file (and the superuser) may change a policy: SCRIM_E_POLICY for others.
 *
 * Every function can fail with SCRIM_E_LEDGER (the vault is missing, damaged, copied, put back to an
 * earlier state or not writable), SCRIM_E_BUSY (its lock was not available in time) and
 * SCRIM_E_MEMORY.
 *
 * Several threads may use one handle. A forked process may not use it, nor its ledgers, plans and
 * series (SCRIM_E_STATE): a child must open the vault itself. A fork waits for running transactions of
 * other threads, and for rows that they are reading from a SQLite source. Do not close a handle while
 * another thread uses it, do not cancel a thread inside a call, and do not leave a callback by
 * longjmp. A calling thread needs 128 KiB of stack.
 */
#ifndef SCRIM_VAULT_H
#define SCRIM_VAULT_H

#include "scrim/ledger.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scrim_vault scrim_vault;

/* Where the witness of a vault is. */
typedef enum scrim_witness_place {
    SCRIM_WITNESS_NAMED =
        0, /* the file that "witness" names; NULL: none for a new vault */
    /* a file named after the vault in the state folder of the user, which is made where it
     * is missing: $XDG_STATE_HOME/scrim, or ~/.local/state/scrim */
    SCRIM_WITNESS_STATE = 1,
    SCRIM_WITNESS_NONE = 2 /* none */
} scrim_witness_place;

/* All members but size may be zero; options may be NULL. SCRIM_E_PARAM without a size. */
typedef struct scrim_vault_options {
    size_t size; /* set by SCRIM_OPTIONS */
    /* init: a file elsewhere that holds the head of the ledger. The vault records it
     * and cannot be opened without it. A name that ends in '/' is a folder, in which the
     * file is named after the vault. */
    const char *witness;
    int wait_ms; /* for a lock; 0: 60000; negative: do not wait */
    /* open: the owner has moved or copied the file on purpose; the ledger records it.
     * With a witness the former file is refused from then on. Without one it still
     * opens, and its budget could be spent twice: delete it. */
    int is_moved;
    /* check: called now and then with the verified and the total number of entries; no
     * lock is held */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
    /* init, and open with is_moved or is_restored, which then changes the witness */
    scrim_witness_place witness_place;
    /* open: as is_moved, and the owner also accepts a vault whose witness is missing or
     * has seen entries that the vault lacks. Charges in these entries are no longer counted:
     * their budget could be spent twice. The ledger records it, and the witness is written
     * anew: where it was, or else, if that folder cannot be used, in the state folder. */
    int is_restored;
} scrim_vault_options;

/* Creates a vault in a new file with mode 0600. SCRIM_E_LEDGER: the file exists, or
 * others can write its folder or that of its witness. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_init(const char *path,
                                                       const scrim_vault_options *options,
                                                       scrim_error *error);
/* Never creates a vault. SCRIM_E_LEDGER also if others can write its folder, or have
 * put a journal beside it. Converts a vault of format 1. Verifies the whole ledger
 * first if a commit was interrupted. A file that this process may only read is opened for
 * reading: functions that write then fail with SCRIM_E_LEDGER. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_open(const char *path,
                                                       const scrim_vault_options *options,
                                                       scrim_vault **out,
                                                       scrim_error *error);
/* NULL is allowed. Free its ledgers first. In a forked process it frees memory and
 * leaves the file alone. */
SCRIM_API void scrim_vault_close(scrim_vault *vault);

/* The path of its witness, terminated; scrim_vault_text_free frees it. NULL: without a witness
 * nobody notices an older state of the file in its place. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_witness(scrim_vault *vault, char **out,
                                                          scrim_error *error);

/* The time of the caller's clock, in seconds since 1970, for people who read the
 * ledger. It is written beside all entries of this handle from now on, and decides
 * nothing. The vault itself reads no clock. 0, or a time beyond the year 9999:
 * unknown. */
SCRIM_API void scrim_vault_tell_time(scrim_vault *vault, uint64_t seconds);

/* The caller's progress of scrim_vault_add_dataset and scrim_vault_update_dataset, which read
 * the whole file: called now and then by the thread that reads, with the bytes that are read
 * and all bytes. NULL: none. Not while another thread uses the handle. */
SCRIM_API void scrim_vault_watch(scrim_vault *vault,
                                 void (*progress)(void *context, uint64_t done,
                                                  uint64_t total),
                                 void *context);

/* Datasets. */

/* A policy holds the options of `scrim dataset add`, one per line without the dashes, with '#' for
 * comments. The vault itself uses these lines:
 *
 *     population=NAME                   whose budget is spent; default: the dataset's name
 *     budget=epsilon=R[,delta=R]        required for a new population
 *     neighbours=add-remove|replace     required for a new population
 *     accounting=sum|concentrated|renyi=ORDER    default: sum
 *     cap=epsilon=R[,delta=R][,least=R]          of one query; rho or divergence instead of
 *                                                epsilon if the population counts those
 *     share=ANALYST=epsilon=R[,delta=R]          as scrim_vault_share; "none" removes it, and the
 *                                                analyst "*" is everybody without a share
 *
 *     same-unit=COLUMN                  of a population's later datasets: who is protected in the first one
 *     quantum=SECONDS                   answers are shown at multiples of this time alone
 *
 * These lines describe who is protected, and what may be asked:
 *
 *     unit=COLUMN|row                   required for queries
 *     rows-per-unit=1                   or
 *     max-total-rows=N                  or both of the next two: contribution bounds of a unit. One of the three
 *                                       is required if the unit is a column
 *     max-groups=N  max-rows=N
 *     max-total=COLUMN=N                clamps a unit's total in a group to -N..N; COLUMN=LOW,HIGH
 *     fixed-bounds=yes                  no query may choose bounds of its own
 *     bounds-from=declared|check|suggest    how they were chosen; shown on labels
 *     column=NAME=TYPE                  int[LOW,HIGH], decimal[LOW,HIGH], decimal[LOW,HIGH]/STEP, bool, text,
 *                                       date[FIRST,LAST] or timestamp[FIRST,LAST], as date[2020-01-01,2020-12-31]
 *     keys=NAME=KEY[,KEY...]            the public keys of a column
 *     missing=NAME=VALUE                for cells that are missing or unreadable
 *     zone=ZONE                         of timestamps: UTC, +01:00, Europe/Berlin
 *     join, join-column, join-cells     a public table, as scrim_public_table_lines writes it; "with" lines belong
 *                                       to a query (scrim_query_options.with)
 *
 * The source is csv=FILE, or sqlite=FILE and table=NAME; or one whose rows a program pushes (scrim/feed.h): live=yes,
 * parquet=FILE or duckdb=QUERY (one file and columns by name: scrim-dataset(1)). Any other line is refused. These lines describe the form of the
 * source:
 *
 *     records=lf|crlf                   how a record of a CSV file ends; default: lf
 *     separator=,|;|||tab               between its fields; default: a comma
 *     decimal=.|,                       the decimal mark; default: a point
 *     date-format=DD.MM.YYYY            YYYY, MM or M, DD or D, and . / - and blanks between them;
 *                                       default: YYYY-MM-DD
 *     max-size=SIZE                     as 64MiB, the default, or 2GiB: the file is never larger, and
 *                                       memory follows this number and not the file; from 64KiB to 16TiB.
 *                                       A value of pushed rows counts 8 bytes (scrim_policy_check_rows),
 *                                       a file that gzip has packed what it unpacks to
 *     null=TEXT[,TEXT...]               unquoted cells that mean missing, as empty cells do; also
 *                                       in the unit column
 *
 * Nothing is written unless the whole policy is right.
 *
 * The stored policy has no shares, which are entries of their own. It names the neighbours, and ends
 * with a line about the contents of a source file: keyed digests of its size and the time of its last
 * change, and of all its bytes, which are read. SCRIM_E_INPUT: the file is missing, or lacks a column. SCRIM_E_LIMIT: it is larger
 * than its max-size.
 *
 * A budget is fixed when its population is created. For an existing population these lines must
 * agree with it or be left out (SCRIM_E_POLICY). */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_add_dataset(scrim_vault *vault,
                                                              const char *name,
                                                              const char *policy,
                                                              scrim_error *error);
/* Checks the text of a policy. Returns SCRIM_OK, or the error of
 * scrim_vault_add_dataset before it uses the vault or the source. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_policy_check(const char *policy,
                                                         scrim_error *error);
/* Whether `rows` pushed rows (scrim/feed.h) are within the max-size of a policy: SCRIM_OK, or
 * SCRIM_E_LIMIT, as for a file that is larger. Each row counts 8 bytes for each declared column and
 * 8 for the unit, if that is a column. Fails as scrim_policy_check. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_policy_check_rows(const char *policy,
                                                              uint64_t rows,
                                                              scrim_error *error);
/* The column names of a policy's CSV file, or of the table of its SQLite file, one per
 * line, for its owner; no row is read. scrim_vault_text_free frees it. SCRIM_E_INPUT:
 * the source cannot be read, or lacks the unit or a declared column. SCRIM_E_PARAM: it
 * is not a file. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_policy_columns(const char *policy, char **out,
                                                           scrim_error *error);
/* The names of the tables in a policy's SQLite file, one per line, for its owner; views and
 * virtual tables are not among them. The policy's own "table" need not exist.
 * scrim_vault_text_free frees it. SCRIM_E_INPUT: the file cannot be read. SCRIM_E_PARAM:
 * the source is not a database. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_policy_tables(const char *policy, char **out,
                                                          scrim_error *error);
/* A small public table that questions join, read from a CSV file with a header: the lines
 * of a policy that declare it, or where `on` is NULL, those that a question brings with it
 * (scrim_query_options.with). `on` is "COLUMN" where the dataset's column and the table's
 * key have one name, else "COLUMN=KEY"; COLUMN may be TABLE.COLUMN of a public table that
 * is declared before. `columns` say types as NAME=TYPE, with a range or without, or leave
 * a column out, NAME=none; the others are read from the file, which is public. No
 * dataset is looked at. scrim_vault_text_free frees the lines. SCRIM_E_INPUT: the content
 * is no table; SCRIM_E_PARAM; SCRIM_E_LIMIT: more than 65,536 rows, 64 columns or 4 MiB. */
typedef struct scrim_public_table {
    size_t size; /* set by SCRIM_OPTIONS */
    const char *name;
    const char *content; /* of the file */
    size_t bytes;
    const char *on;
    const char *const *columns;
    size_t column_count;
} scrim_public_table;
SCRIM_API SCRIM_MUST_USE scrim_status scrim_public_table_lines(
    const scrim_public_table *table, char **lines, scrim_error *error);
/* A new policy for the declared contents; or the new contents, as they are now. Both
 * raise the version, unless the new policy differs only in "cap" and "quantum". An
 * update without a policy (NULL) keeps it. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_set_dataset(scrim_vault *vault,
                                                              const char *name,
                                                              const char *policy,
                                                              scrim_error *error);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_update_dataset(scrim_vault *vault,
                                                                 const char *name,
                                                                 const char *policy,
                                                                 scrim_error *error);
/* Is the file that the policy names still the one that was declared, by its bytes, size and time, and does its
 * version take questions? An update would then change nothing. *out is 0 for a source without a file.
 * SCRIM_E_POLICY: not the owner. SCRIM_E_INPUT: the file cannot be read. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_is_declared(scrim_vault *vault,
                                                              const char *dataset,
                                                              int *out,
                                                              scrim_error *error);
/* The budget of its population stays spent. If a dataset with that name is added
 * later, it must name its population, unless that was the one with the dataset's name
 * (SCRIM_E_POLICY). */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_remove_dataset(scrim_vault *vault,
                                                                 const char *name,
                                                                 scrim_error *error);

#define SCRIM_NAME_BYTES 65

typedef struct scrim_dataset {
    char name[SCRIM_NAME_BYTES];
    char population[SCRIM_NAME_BYTES];
    uint64_t version;
    /* The most that one query may cost, in the population's unit; "": no limit. */
    char cap[SCRIM_NUMBER_BYTES];
    char cap_delta[SCRIM_NUMBER_BYTES];
    char cap_least[SCRIM_NUMBER_BYTES];
    /* The source was found to have other contents than this version: it takes no queries until
     * the next update. Recorded answers are still repeated. */
    int is_closed;
} scrim_dataset;

/* The datasets by index, counted from 0: SCRIM_E_PARAM past the last. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_dataset(scrim_vault *vault,
                                                          size_t index,
                                                          scrim_dataset *out,
                                                          scrim_error *error);
/* The policy of a dataset, terminated; scrim_vault_text_free frees it. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_policy(scrim_vault *vault,
                                                         const char *name, char **out,
                                                         scrim_error *error);
SCRIM_API void scrim_vault_text_free(char *text); /* NULL is allowed */

/* Budgets. */

/* Sets what an analyst (NULL: each analyst without a share) may spend of a
 * population's budget, in its unit: exact text, NULL for no limit. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_share(scrim_vault *vault, const char *population, const char *analyst,
                  const char *amount, const char *delta, scrim_error *error);

/* The amounts that may still be spent under each limit; the smaller one decides. Rounded down. */
typedef struct scrim_remainder {
    /* The rest of the share that limits the analyst; "": no limit. */
    char share[SCRIM_NUMBER_BYTES];
    char share_delta[SCRIM_NUMBER_BYTES];
    char whole[SCRIM_NUMBER_BYTES]; /* of the whole budget */
    char whole_delta[SCRIM_NUMBER_BYTES];
} scrim_remainder;

typedef struct scrim_budget {
    char population[SCRIM_NAME_BYTES];
    scrim_neighbours neighbours;
    char accounting[SCRIM_NUMBER_BYTES]; /* "sum", "concentrated", "renyi=8" */
    const char *unit;                    /* "epsilon", "rho" or "divergence" */
    char epsilon[SCRIM_NUMBER_BYTES];    /* as declared */
    char delta[SCRIM_NUMBER_BYTES];
    char total[SCRIM_NUMBER_BYTES]; /* in the unit; and the total of deltas */
    char total_delta[SCRIM_NUMBER_BYTES];
    char spent[SCRIM_NUMBER_BYTES]; /* rounded up */
    char spent_delta[SCRIM_NUMBER_BYTES];
    char left[SCRIM_NUMBER_BYTES]; /* rounded down */
    char left_delta[SCRIM_NUMBER_BYTES];
    /* The share that limits the analyst, their own or that of everybody else; without
     * an analyst, that of everybody else. "": no limit. */
    char share[SCRIM_NUMBER_BYTES];
    char share_delta[SCRIM_NUMBER_BYTES];
    uint64_t charges;
    scrim_remainder remainder; /* left is the smaller of its parts */
    /* Without an analyst: the sum of all shares, in which that of everybody else
     * counts once, rounded up; "": no shares. */
    char shares[SCRIM_NUMBER_BYTES];
    char shares_delta[SCRIM_NUMBER_BYTES];
    int is_overshared; /* one of these sums is above the budget */
    int has_own_share; /* with an analyst: the share is their own, not everybody's */
} scrim_budget;

/* The populations by index, counted from 0: SCRIM_E_PARAM past the last. With an
 * analyst's name: what that analyst has spent and may still spend. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_budget(scrim_vault *vault, size_t index,
                                                         const char *analyst,
                                                         scrim_budget *out,
                                                         scrim_error *error);
/* How long a population's budget lasts if the next charges are like the last ones, by
 * the same analysts. */
typedef struct scrim_forecast {
    uint64_t window; /* the number of charges used; 0: no recent charges */
    char average[SCRIM_NUMBER_BYTES]; /* of them, in the unit; rounded up */
    char average_delta[SCRIM_NUMBER_BYTES];
    /* This many more charges of that size fit into the budget and into the shares of
     * those analysts; UINT64_MAX: they cost nothing. */
    uint64_t charges;
    /* From the first of them to the last, by the clocks of the analysts; 0: unknown. */
    uint64_t seconds;
} scrim_forecast;

/* Uses the last charges: at most window (and 64) of them, among the last 4096 entries. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_forecast(scrim_vault *vault,
                                                           size_t index, uint64_t window,
                                                           scrim_forecast *out,
                                                           scrim_error *error);
/* The joint cost of all charges of a population by the best accountant, had they been
 * declared in advance. Where rhos are charged, it is the smaller of what they come to and of what the epsilons do that
 * queries and measurements promise. It is for information and decides nothing; the guarantee is the
 * amount spent. */
typedef struct scrim_standing {
    uint64_t charges;
    char epsilon[SCRIM_NUMBER_BYTES]; /* rounded up; "" if nothing is known */
    char delta[SCRIM_NUMBER_BYTES];   /* at which it holds */
} scrim_standing;
/* Nothing is known without a delta, for divergences at one order, for epsilons of more
 * than 1024 charges, and in more than 65536 entries. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_standing(scrim_vault *vault,
                                                           size_t index,
                                                           scrim_standing *out,
                                                           scrim_error *error);
/* The budget of a population by name, as scrim_vault_budget by index. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_budget_of(scrim_vault *vault,
                                                            const char *population,
                                                            const char *analyst,
                                                            scrim_budget *out,
                                                            scrim_error *error);

/* A population as a whole, or for one analyst; members that do not apply are NULL.
 * Lives as long as the visit. */
typedef struct scrim_budget_view {
    const scrim_budget *budget;
    const char *analyst; /* NULL: the whole, with forecast and standing */
    const scrim_forecast *forecast;
    const scrim_standing *standing;
} scrim_budget_view;
/* Any status but SCRIM_OK ends the visit and is returned by it. No lock is held. */
typedef scrim_status scrim_budget_visitor(void *context, const scrim_budget_view *view);
/* All populations (NULL), or one by name, from one state of the ledger: each as a
 * whole, then for each analyst who has spent something or has a share. window is as in
 * scrim_vault_forecast. If more than 64 populations have charges, name one to get its
 * standing. SCRIM_E_PARAM: unknown name. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_budgets(scrim_vault *vault, const char *population, uint64_t window,
                    scrim_budget_visitor *visitor, void *context, scrim_error *error);

/* Entries that the witness had seen and that the vault lacks, since its owner accepted an earlier state of it
 * (is_restored); at least as many. Their charges are in no budget and are to be treated as spent. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_lost(scrim_vault *vault, uint64_t *out,
                                                       scrim_error *error);
/* The number of refused charges so far. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_refusals(scrim_vault *vault,
                                                           uint64_t *out,
                                                           scrim_error *error);
/* 1 if the vault belongs to the user of this process. Only the owner may change its
 * policy. */
SCRIM_API int scrim_vault_is_owned(const scrim_vault *vault);
/* The name under which this process is charged: that of its user, or the name under
 * which the ledger already knows the user's number; lives as long as the handle. If
 * the system's name service fails, users whom the ledger does not know are refused
 * before a charge: SCRIM_E_LEDGER. */
SCRIM_API const char *scrim_vault_analyst(const scrim_vault *vault);
/* The analysts in the ledger by index, counted from 0: SCRIM_E_PARAM past the last.
 * name has room for SCRIM_NAME_BYTES. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_analyst_at(scrim_vault *vault,
                                                             size_t index, char *name,
                                                             scrim_error *error);

/* Releases. */

/* A ledger for scrim_release, for the current version of the dataset: once there is a
 * newer version, charges are refused (SCRIM_E_POLICY). */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_ledger(scrim_vault *vault,
                                                         const char *dataset,
                                                         scrim_ledger **out,
                                                         scrim_error *error);

/* A public text that is stored with the answers which this ledger records from now on,
 * such as the labels of their values. SCRIM_E_PARAM: not a ledger of a vault. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_note(scrim_ledger *ledger,
                                                       const char *note,
                                                       scrim_error *error);

/* Instead of a text: make is called before an answer is recorded, with its record for
 * scrim_answer_parse. It returns the text, which scrim frees by free(), or NULL if
 * there is no memory. So a note can leave out the names of groups that were not kept
 * (scrim_answer_is_kept). */
typedef char *(*scrim_vault_note_maker)(const char *recorded, void *context);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_note_by(scrim_ledger *ledger,
                                                          scrim_vault_note_maker make,
                                                          void *context,
                                                          scrim_error *error);

typedef struct scrim_vault_release {
    uint64_t id;   /* release number: 1, 2, 3 in the order of the charges */
    uint64_t time; /* of the charge, by scrim_vault_tell_time; 0: unknown */
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
    char *note; /* stored with the answer; NULL: none */
    /* the amount is the joint cost of parts that were declared in advance */
    int is_joint;
    uint64_t entry; /* number of the charge among the entries of the ledger */
    /* The series of which it is a window that was charged by parallel composition; 0: not such a window. A row is in one
     * of the windows of a series and version, which were charged together what the most expensive one costs. */
    uint64_t series;
    /* Its cost by itself: amount and delta, or of a window its price, of which these are what it added. */
    char price[SCRIM_NUMBER_BYTES];
    char price_delta[SCRIM_NUMBER_BYTES];
} scrim_vault_release;

/* Before an answer is shown: if the owner gave the caller a share and another analyst was charged,
 * the cost is booked on that share, once, and not on the budget; of a window of a series its price, less what was booked for other
 * windows of its version. scrim_vault_replay, scrim_query_replay and the other functions that show an
 * answer do it by themselves; a label (scrim/report.h) has the record of the answer only after it. The owner's cap is for
 * questions, and not for this. SCRIM_E_BUDGET. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_view(scrim_vault *vault, uint64_t id,
                                                       scrim_error *error);

/* A past release, free of charge; its answer is booked as by scrim_vault_view, and fails as that does.
 * SCRIM_E_PARAM: no release has that number.
 * SCRIM_E_LEDGER: the answer does not have the digest in the ledger.
 * scrim_vault_release_clear frees what out holds. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_replay(scrim_vault *vault, uint64_t id,
                                                         scrim_vault_release *out,
                                                         scrim_error *error);
/* Checks that the release has an answer. SCRIM_E_LEDGER: it has no answer; the message says
 * whether the same query again finishes it. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_release_check(const scrim_vault_release *release, scrim_error *error);
SCRIM_API void scrim_vault_release_clear(scrim_vault_release *release);
/* The charges from an entry on, in order: of all datasets (NULL), or of those that
 * have or had this name (SCRIM_E_PARAM if no dataset does), without answers and notes.
 * Charges that are made during the visit are not shown. Any status but SCRIM_OK of the
 * visitor ends the visit and is returned by it. The visitor may take its time and use
 * the vault, because no lock is held; the charge belongs to the vault. */
typedef scrim_status scrim_vault_charge_visitor(void *context,
                                                const scrim_vault_release *charge);
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_history(
    scrim_vault *vault, const char *dataset, uint64_t from,
    scrim_vault_charge_visitor *visitor, void *context, scrim_error *error);
/* An answer that was shown to an analyst with a share, who was not charged for it (scrim_vault_view). The ledger has
 * the first time only, and nothing of analysts without a share. */
typedef struct scrim_vault_shown {
    uint64_t release; /* its number */
    uint64_t time;    /* as in scrim_vault_release */
    char analyst[SCRIM_NAME_BYTES];
    char amount[SCRIM_NUMBER_BYTES]; /* booked on the share */
    char delta[SCRIM_NUMBER_BYTES];
} scrim_vault_shown;
typedef scrim_status scrim_vault_shown_visitor(void *context,
                                               const scrim_vault_shown *shown);
/* All of them in their order. The visitor is as in scrim_vault_history. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_shown_answers(scrim_vault *vault, scrim_vault_shown_visitor *visitor,
                          void *context, scrim_error *error);
/* One change by the vault's owner. Texts live as long as the visit. */
typedef struct scrim_vault_change {
    uint64_t entry;                    /* of the ledger */
    uint64_t time;                     /* as in scrim_vault_release */
    char dataset[SCRIM_NAME_BYTES];    /* "": about its population or the vault */
    char population[SCRIM_NAME_BYTES]; /* "": about the vault */
    uint64_t version; /* of the dataset from then on; 0: not applicable */
    /* "added", "removed", "new policy", "new contents", "vault moved", "budget", "share of ANALYST" (or
     * of *), "series NAME created", or a line of the policy, "max-rows", "cap" or "column age". */
    const char *what;
    const char *before, *after; /* NULL: missing */
} scrim_vault_change;
typedef scrim_status scrim_vault_change_visitor(void *context,
                                                const scrim_vault_change *change);
/* All changes in their order; or those of datasets that have or had this name, and of
 * the budget and the shares of the last of them: SCRIM_E_PARAM if no dataset does. The
 * visitor is as in scrim_vault_history. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_changes(
    scrim_vault *vault, const char *dataset, scrim_vault_change_visitor *visitor,
    void *context, scrim_error *error);
/* The first release of exactly this measurement on the current version of the dataset;
 * 0 if it was not released yet. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_find(scrim_vault *vault,
                                                       const char *dataset,
                                                       const char *measurement,
                                                       uint64_t *id, scrim_error *error);

/* The ledger. */

#define SCRIM_HASH_BYTES 65

/* Entries from a number on, in order, as described in docs/ledger-format.md. hash is
 * hexadecimal; answer is the text whose digest a release holds, and NULL for other
 * entries and for everyone but the vault's owner. bytes is NULL for the answers of a run that
 * somebody else asked, which are entries of their own, unless the owner visits. Entries that are made during the visit are not shown. Any status but
 * SCRIM_OK of the visitor ends the visit and is returned by it. The visitor may take
 * its time and use the vault, because no lock is held. */
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

/* The public key that checks the labels of a vault (scrim/report.h): Ed25519, 64
 * hexadecimal digits. It is in the ledger's chain and never changes. */
#define SCRIM_KEY_BYTES 65
typedef struct scrim_key {
    char text[SCRIM_KEY_BYTES];
    uint64_t entry; /* the entry of the ledger that names it */
} scrim_key;

/* Makes a key if the vault has no key yet: a vault of an earlier version gets one when its owner
 * changes anything. SCRIM_E_POLICY if others than the owner ask then. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_key(scrim_vault *vault, scrim_key *out,
                                                      scrim_error *error);

/* The head of a ledger: the hash of its last entry, which stands for all of them, and its signature by the key of the
 * labels. The signed text is "scrim-head 1\nentries N\nhead HASH\n". */
#define SCRIM_SIGNATURE_BYTES 129
typedef struct scrim_head {
    uint64_t entries;
    char hash[SCRIM_HASH_BYTES];
    char key[SCRIM_KEY_BYTES];             /* "": the vault has no key */
    char signature[SCRIM_SIGNATURE_BYTES]; /* 128 hexadecimal digits; "" without a key */
} scrim_head;

/* The head as it was when the ledger had this many entries; 0: now. SCRIM_E_PARAM: it has fewer entries. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_head(scrim_vault *vault,
                                                       uint64_t entries, scrim_head *out,
                                                       scrim_error *error);

typedef struct scrim_vault_state {
    uint64_t entries, charges, releases;
    char head[SCRIM_HASH_BYTES];
    /* Entries that earlier versions have admitted and this one would refuse, although every
     * entry is valid: different privacy units in one population, or windows of several
     * versions that were charged once. "": nothing. */
    char caution[SCRIM_MESSAGE_BYTES];
    int needs_owner; /* 1: the owner must do what the caution says */
    /* For an export: the ledger's public key if its last line is signed by that; "": not signed. */
    char key[SCRIM_KEY_BYTES];
    uint64_t noted;    /* the entry whose hash is the noted head; 0: no head was given */
    int lacks_answers; /* 1: an export with the digests of answers only */
} scrim_vault_state;

/* Recomputes the hash chain, every total and every rule from the entries alone, the
 * digest of every answer, and the public key from the private one. SCRIM_E_CHECK if
 * anything is wrong. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_verify(scrim_vault *vault,
                                                         scrim_vault_state *out,
                                                         scrim_error *error);

/* The same for a vault that may be too damaged to be opened (SCRIM_E_CHECK). It also
 * checks its place and its witness, as opening does. SCRIM_E_LEDGER: it is missing,
 * this user may not read it, or it cannot be read now, as on a full disk. */
SCRIM_API SCRIM_MUST_USE scrim_status
scrim_vault_check(const char *path, const scrim_vault_options *options,
                  scrim_vault_state *out, scrim_error *error);

/* The same for the lines that `scrim ledger export` wrote, without the vault: the chain, every charge against its
 * budget, the answers, and the signature of the last line if it has one. out->key is then the key: compare it with the
 * owner's, because whoever makes a whole ledger up makes up its key, too. An export without a signature may lack
 * entries at its end, unless its head is known. noted is a head that was written down earlier, which the ledger must
 * contain; NULL: none. SCRIM_E_CHECK: it does not hold, was cut short, or does not contain noted. SCRIM_E_INPUT: it is no
 * export. SCRIM_E_PARAM: noted is no hash. */
SCRIM_API SCRIM_MUST_USE scrim_status scrim_vault_check_export(const char *bytes,
                                                               size_t count,
                                                               const char *noted,
                                                               scrim_vault_state *out,
                                                               scrim_error *error);

#ifdef __cplusplus
}
#endif

#endif
