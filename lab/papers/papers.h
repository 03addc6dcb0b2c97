/* The numbered statements and equations of the five documents: for each the command that runs it, a line that the
 * command prints, and scrim's number beside the document's. `scrim list papers` and docs/papers.md show
 * them.
 *
 * Each papers_*.c holds the rows of a document, or of a part of it, in the document's order. A command is a
 * line for a shell. It needs nothing but scrim, and leaves nothing behind but small files in the current
 * folder.
 *
 * Claim  papers.complete  each numbered statement and equation of the documents has one row
 * Claim  papers.states    a row's state follows from its command, its note and the kinds of its errata
 * Claim  papers.errata    each erratum is named by a statement of its document
 *
 * Reference  docs/papers.md
 */
#ifndef LAB_PAPERS_H
#define LAB_PAPERS_H

#include "lab/errata/errata.h"

typedef enum lab_statement_state {
    /* It holds, and the command runs or computes it, as the document says or better. Slips of the pen, loose
     * constants and gaps of a proof do not change that. */
    LAB_RUNS,
    /* It does not hold as printed, in one of its readings, or without a condition that it lacks: an erratum of
     * the statement itself says so. The command computes where it fails, or runs what is right. */
    LAB_CORRECTED,
    LAB_PARTLY,  /* a command runs a part of it; the note says what is missing */
    LAB_NOT_YET, /* nothing runs it; the note says what is missing */
    LAB_STEP, /* an equation on the way of a proof; the command is that of what is proved */
    LAB_NO_COMMAND /* there is nothing to run; the note says why */
} lab_statement_state;

#define LAB_STATEMENT_STATES 6

typedef struct lab_statement {
    const char *document; /* its number */
    const char *place;    /* "Theorem 4.2", "Section 1.3", "Equation (7)" */
    const char *about;    /* a few words */
    const char *command;  /* NULL: none */
    const char *prints;   /* part of a line of its output; NULL without a command */
    const char *theirs;   /* the number of the document; NULL: none */
    const char *ours;     /* scrim's, part of prints; NULL: none */
    const char
        *errata; /* of the statement itself: numbers, separated by spaces; NULL: none */
    const char *related; /* of its proof, or of what it leads to, likewise */
    const char *note;    /* NULL: none */
    /* An equation: the place of the statement that it is a part of, or whose proof it is a step of. It has that
     * one's command and errata, unless it has its own. NULL: no equation, or one by itself. */
    const char *of;
    bool is_step;
} lab_statement;

typedef struct lab_papers_section {
    const lab_statement *rows;
    size_t count;
} lab_papers_section;

#define LAB_PAPERS_SECTION(rows_)                                                        \
    {                                                                                    \
        .rows = (rows_), .count = sizeof(rows_) / sizeof *(rows_)                        \
    }

extern const lab_papers_section lab_papers_robustness, lab_papers_flexible,
    lab_papers_survey, lab_papers_survey_later, lab_papers_floating, lab_papers_threshold,
    lab_equations_robustness, lab_equations_flexible, lab_equations_floating,
    lab_equations_threshold;

/* Index from 0, in the order of the documents; NULL past the last. */
const lab_statement *lab_statement_at(size_t index);
lab_statement_state lab_statement_state_of(const lab_statement *statement);
/* "runs", "corrected", "partly", "not yet", "step" or "no command". */
const char *lab_statement_state_name(lab_statement_state state);
/* The row that has the command: the statement's own, or that of the statement which an equation is a part of. */
const lab_statement *lab_statement_with_command(const lab_statement *statement);
/* The errata of the statement, of its proof, and of what an equation is a part of: numbers, separated by spaces. */
#define LAB_ERRATA_BYTES 64
void lab_statement_errata(const lab_statement *statement, char text[LAB_ERRATA_BYTES]);
/* By a document's number and a place. Case, points and spaces do not matter, and a kind may be
 * shortened: "thm 4.2", "Def. 3.5"; "(12)" is an equation. What has no row of its own has that of its only part.
 * NULL if no statement is there. */
const lab_statement *lab_statement_find(const char *document, const char *place);

/* Whether the erratum is one of lab_statement_errata. */
bool lab_statement_has_erratum(const lab_statement *statement, unsigned number);

/* Is the name a word of a command or of a list, and not a part of a longer name? */
bool lab_has_name(const char *text, const char *name);

#define LAB_NAME_BYTES 64
/* The mechanism that words name, by its own name or one that papers use: "Exponential mechanism" is exponential. "" if they
 * name none. */
void lab_mechanism_named(const char *words, char name[LAB_NAME_BYTES]);

#define LAB_USES_BYTES 256

/* Where scrim has what an erratum is about, from the commands of the statements that name it: their
 * mechanisms, or else their commands, separated by commas; "not in scrim" if no command runs any of them. */
void lab_erratum_uses(unsigned number, char text[LAB_USES_BYTES]);

#endif
