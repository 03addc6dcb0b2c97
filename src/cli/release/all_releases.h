/* Every release of a time, for `scrim report all`: who asked which question at which cost, and what all of them together let
 * anybody conclude about one privacy unit.
 *
 * The guarantee of a population is the sum of its costs since it was declared: earlier releases protect the same people,
 * so a time that begins later begins at what was spent before it. Beside the sum stands what the best accountant proves
 * of the same costs, where questions may depend on earlier answers; and, of all charges since the vault was made, where
 * all had been fixed in advance. Nothing is charged, and no answer is read.
 */
#ifndef SC_CLI_ALL_RELEASES_H
#define SC_CLI_ALL_RELEASES_H

#include "cli/terminal/options.h"
#include "cli/terminal/terminal.h"
#include "cli/vault/history_writer.h"
#include "cli/vault/shown_answers.h"
#include "scrim.h"

#define SC_PROTECTS_BYTES 256
#define SC_JOINT_BYTES 64
#define SC_UNIT_BYTES 160

/* A charge up to the end of the time. */
typedef struct sc_past_release {
    uint64_t id, time, version;
    scrim_entry_state state;
    size_t population; /* its place among them */
    bool is_before;    /* before the time begins: it counts, and is not listed */
    char dataset[SCRIM_NAME_BYTES], analyst[SCRIM_NAME_BYTES];
    char amount[SCRIM_NUMBER_BYTES], delta[SCRIM_NUMBER_BYTES];
    /* As in scrim_vault_release. */
    uint64_t series;
    char price[SCRIM_NUMBER_BYTES], price_delta[SCRIM_NUMBER_BYTES];
    char unit[SC_UNIT_BYTES];         /* "person_id", "row"; "" without an answer */
    char protects[SC_PROTECTS_BYTES]; /* "person_id (add-remove)"; "" without an answer */
    char *question;
    char series_text[SCRIM_NAME_BYTES +
                     64]; /* "release 2 of the series quarters"; "": of none */
    double total;   /* of the population since it was declared, with this one; a view */
    bool is_typed;  /* a run: numbers that were typed in */
    bool is_looked; /* the owner looked at the data to choose its bounds */
    uint64_t seen; /* when the analyst of --analyst was shown it; 0: that analyst asked */
} sc_past_release;

/* Charges added up; views, rounded up where they are shown. */
typedef struct sc_past_sum {
    uint64_t charges;
    double amount, delta;
} sc_past_sum;

/* How much anybody can conclude who has all answers of some charges. */
typedef struct sc_past_bound {
    char joint[SC_JOINT_BYTES], joint_delta[SC_JOINT_BYTES]; /* "": not below the sum */
    char accountant[SC_JOINT_BYTES];
    bool is_compared;           /* with every accountant */
    char guess[SC_JOINT_BYTES]; /* "is right at most 71.2 %"; "": no epsilon is known */
} sc_past_bound;

typedef struct sc_past_population {
    char name[SCRIM_NAME_BYTES];
    const char *unit; /* "epsilon", "rho" or "divergence" */
    scrim_neighbours neighbours;
    char budget[SCRIM_NUMBER_BYTES], budget_delta[SCRIM_NUMBER_BYTES];
    /* Where rhos are charged, budget_delta is the part of it that draws with a delta of their own share. */
    char declared_delta[SCRIM_NUMBER_BYTES];
    bool is_share;     /* the budget is the share of the analyst of --analyst */
    bool is_of_others; /* others spend of the budget, and are not on the page */
    /* With is_of_others: what all have spent of the budget by now; "" of a time that is over. */
    char by_all[SCRIM_NUMBER_BYTES];
    bool has_shares;   /* reading again is recorded for analysts with a share */
    uint64_t analysts; /* who asked or were shown an answer, up to the end */
    sc_past_sum before, within, end; /* up to the time, in it, and both */
    sc_past_bound bound;             /* of all charges up to the end */
    char fixed
        [SC_JOINT_BYTES]; /* had all been fixed in advance; "": not known, or the time is not all */
} sc_past_population;

/* An analyst of a population, up to the end of the time. */
typedef struct sc_past_analyst {
    char name[SCRIM_NAME_BYTES];
    size_t population;
    sc_past_sum asked, shown, all; /* charged to them; charged to others; both */
    sc_past_bound bound;           /* if nobody told them other answers */
} sc_past_analyst;

/* A change by the owner, in the words of scrim_vault_change; texts are freed. */
typedef struct sc_past_change {
    uint64_t time, version;
    char dataset[SCRIM_NAME_BYTES], population[SCRIM_NAME_BYTES];
    char *what, *before, *after; /* "": missing */
} sc_past_change;

typedef struct sc_all_releases {
    uint64_t from, until; /* seconds; 0: open. until is the first second after it */
    uint64_t written;     /* when they were read */
    const char *analyst;  /* whose releases alone; NULL: all */
    char only[SCRIM_NAME_BYTES]; /* the population; "": all */
    sc_past_release *releases;
    size_t count, room;
    uint64_t last_time; /* of the charge that was read last */
    size_t listed;      /* of them, in the time */
    sc_past_population *populations;
    size_t population_count, population_room;
    sc_past_analyst *analysts;
    size_t analyst_count, analyst_room;
    sc_shown_answers shown;  /* up to the end */
    uint64_t entries;        /* that the ledger had */
    scrim_head head;         /* with that many entries */
    sc_past_change *changes; /* in the time; empty with --analyst */
    size_t change_count, change_room;
    uint64_t
        set_back; /* the first release whose day is before that of the one before it; 0: none */
} sc_all_releases;

/* Reads --from, --to and --analyst, the name of a budget or a dataset (NULL: all), and the charges. SCRIM_E_PARAM: a date that cannot be read. SCRIM_E_MEMORY, and what
 * is wrong with the vault. */
SCRIM_MUST_USE scrim_status sc_all_releases_read(scrim_vault *vault,
                                                 const sc_options *options,
                                                 const char *name, sc_all_releases *out,
                                                 scrim_error *error);
void sc_all_releases_clear(sc_all_releases *all); /* also of zeros */
/* When it was charged or, for the analyst of --analyst, shown. */
uint64_t sc_past_moment(const sc_past_release *release);
/* ", up to 31 December 2026, 17:12 UTC" of a time that is not over; else "". */
#define SC_WRITTEN_BYTES 80
void sc_written_format(const sc_all_releases *all, char text[SC_WRITTEN_BYTES]);
/* "The clock went back at release 19: ..."; "": it did not. */
void sc_set_back_format(const sc_all_releases *all, char text[SC_JOINT_BYTES * 3]);
/* The costs added up for somebody whose data are in all budgets: false for one budget, and where the sum is not known. */
#define SC_IN_ALL_BYTES 256
bool sc_past_in_all_format(const sc_all_releases *all, char text[SC_IN_ALL_BYTES]);

/* The changes, and the number of refusals. */
SCRIM_MUST_USE scrim_status sc_all_changes_read(scrim_vault *vault, sc_all_releases *all,
                                                scrim_error *error);
void sc_past_change_clear(sc_past_change *change);

/* Is it in the time, and of the population? */
bool sc_past_is_listed(const sc_all_releases *all, size_t release, size_t population);
/* A sum for people: 6 digits, never below it. */
void sc_sum_format(double sum, char text[SC_JOINT_BYTES]);
/* "epsilon 0.9, delta 1e-6". */
void sc_past_sum_format(const sc_past_population *population, const sc_past_sum *sum,
                        char text[SC_JOINT_BYTES * 3]);
/* The rest of the budget at the end of the time, never above it: "; left: 2", or "; left: 2, delta 1e-6". "" if others spend of it,
 * too. */
void sc_past_left_format(const sc_past_population *population,
                         char text[SC_JOINT_BYTES * 3]);
/* The joint cost of the charges of a population up to the end, and how often a guess is right by it.
 * Those that an analyst asked or was shown, unless it is NULL. The windows of one version of a series are one part of the price of
 * the most expensive one: what each added to the ones before is no cost of its own, since a row may be in any of them. */
void sc_past_bound_find(const sc_all_releases *all, size_t population,
                        const char *analyst, sc_past_bound *out);
/* Are there several charges, of which no accountant proves less than their sum? */
bool sc_past_sum_is_best(const sc_past_population *population);
/* The unit that all answered releases of a population protect; "" if their units differ or are unknown. */
const char *sc_past_unit(const sc_all_releases *all, size_t population);
/* The same in a sentence about a guess: "whether one household is in the data". */
#define SC_GUESSED_BYTES 256
void sc_past_guessed_format(const sc_all_releases *all, size_t population,
                            char text[SC_GUESSED_BYTES]);
/* "18 November 2026"; "" for 0. */
void sc_day_format(uint64_t seconds, char text[SC_TIME_BYTES]);
/* "releases from 1 January 2026 to 31 December 2026", "releases of 2026". */
void sc_period_format(const sc_all_releases *all, char *text, size_t bytes);

/* A table, CSV, JSON or JSON lines. */
SCRIM_MUST_USE scrim_status sc_all_releases_write(sc_output *output,
                                                  const sc_all_releases *all,
                                                  sc_format format,
                                                  const sc_terminal *terminal,
                                                  scrim_error *error);
/* Parts of the page: the total after each release over time, and what the owner changed. */
void sc_all_picture_write(sc_output *output, const sc_all_releases *all,
                          size_t population);
void sc_all_changes_write(sc_output *output, const sc_all_releases *all);
/* A page of HTML, and beside it its label, signed by the vault: `scrim report verify` checks both. is_signed is
 * false for a vault that has no key. */
SCRIM_MUST_USE scrim_status sc_all_page_write(scrim_vault *vault,
                                              const sc_all_releases *all,
                                              const char *path, bool *is_signed,
                                              scrim_error *error);
/* The same page on standard output, with its label in it. */
SCRIM_MUST_USE scrim_status sc_all_page_show(scrim_vault *vault,
                                             const sc_all_releases *all,
                                             scrim_error *error);

#endif
