/* Every release of a time, for `scrim report all`: who asked which question at which cost, and what all of them together let
 * anybody conclude about one person.
 *
 * The guarantee of a population is the sum of its costs. Beside it stands what the best accountant proves of the same
 * costs, where questions may depend on earlier answers; and, of all charges since the vault was made, where all had been
 * fixed in advance. Nothing is charged, and no answer is read.
 */
#ifndef SC_CLI_ALL_RELEASES_H
#define SC_CLI_ALL_RELEASES_H

#include "cli/terminal/options.h"
#include "cli/terminal/terminal.h"
#include "cli/vault/history_writer.h"
#include "scrim.h"

#define SC_PROTECTS_BYTES 256
#define SC_JOINT_BYTES 64

/* A charge of the time. */
typedef struct sc_past_release {
    uint64_t id, time, version;
    scrim_entry_state state;
    size_t population; /* its place among them */
    char dataset[SCRIM_NAME_BYTES], analyst[SCRIM_NAME_BYTES];
    char amount[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES];
    char protects[SC_PROTECTS_BYTES]; /* "person_id (add-remove)"; "" without an answer */
    char *question;
    double total; /* of the population, with this one; a view */
} sc_past_release;

typedef struct sc_past_population {
    char name[SCRIM_NAME_BYTES];
    const char *unit; /* "epsilon", "rho" or "divergence" */
    char budget[SCRIM_NUMBER_BYTES], budget_delta[SCRIM_NUMBER_BYTES];
    uint64_t charges, analysts;
    double sum, sum_delta; /* of the time; views, rounded up where they are shown */
    char joint[SC_JOINT_BYTES], joint_delta[SC_JOINT_BYTES]; /* "": not below the sum */
    char accountant[SC_JOINT_BYTES];
    char fixed
        [SC_JOINT_BYTES]; /* had all been fixed in advance; "": not known, or the time is not all */
    char guess
        [SC_JOINT_BYTES]; /* "is right at most 71.2 %": by the joint cost; "": no epsilon is known */
} sc_past_population;

typedef struct sc_all_releases {
    uint64_t from, until; /* seconds; 0: open. until is the first second after it */
    sc_past_release *releases;
    size_t count, room;
    sc_past_population *populations;
    size_t population_count, population_room;
    uint64_t last_answered; /* its number; 0: none */

} sc_all_releases;

/* Reads --from and --to, and the charges between them. SCRIM_E_PARAM: a date that cannot be read. SCRIM_E_MEMORY, and what
 * is wrong with the vault. */
SCRIM_MUST_USE scrim_status sc_all_releases_read(scrim_vault *vault,
                                                 const sc_options *options,
                                                 sc_all_releases *out,
                                                 scrim_error *error);
void sc_all_releases_clear(sc_all_releases *all); /* also of zeros */

/* A sum for people: 6 digits, never below it. */
void sc_sum_format(double sum, char text[SC_JOINT_BYTES]);
/* "18 November 2026"; "" for 0. */
void sc_day_format(uint64_t seconds, char text[SC_TIME_BYTES]);
/* "from 1 January 2026 to 31 December 2026". */
void sc_period_format(const sc_all_releases *all, char *text, size_t bytes);

/* A table, CSV, JSON or JSON lines. */
SCRIM_MUST_USE scrim_status sc_all_releases_write(sc_output *output,
                                                  const sc_all_releases *all,
                                                  sc_format format,
                                                  const sc_terminal *terminal,
                                                  scrim_error *error);
/* A page of HTML, and beside it its label, signed by the vault: `scrim report verify` checks both. A vault without an
 * answered release has nothing to sign by; is_signed says which it was. */
SCRIM_MUST_USE scrim_status sc_all_page_write(scrim_vault *vault,
                                              const sc_all_releases *all,
                                              const char *path, bool *is_signed,
                                              scrim_error *error);

#endif
