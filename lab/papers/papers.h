/* The numbered statements of the five documents: for each the command that runs it, a line that the
 * command prints, and scrim's number beside the document's. `scrim list papers` and docs/papers.md show
 * them.
 *
 * Each papers_*.c holds the rows of a document, or of a part of it, in the document's order. A command is a
 * line for a shell. It needs nothing but scrim, and leaves nothing behind but small files in the current
 * folder.
 *
 * Claim  papers.complete  each numbered statement of the documents has one row
 * Claim  papers.errata    each erratum is named by a statement of its document
 *
 * Reference  docs/papers.md
 */
#ifndef LAB_PAPERS_H
#define LAB_PAPERS_H

#include "lab/errata/errata.h"

typedef enum lab_statement_state {
    LAB_RUNS,      /* as the document says, or better */
    LAB_CORRECTED, /* the document is wrong: the command shows it, or runs what is right */
    LAB_PARTLY,    /* the note says what is missing */
    LAB_NOT_YET,   /* nothing runs it; the note says what is missing */
    LAB_NO_COMMAND /* there is nothing to run; the note says why */
} lab_statement_state;

#define LAB_STATEMENT_STATES 5

typedef struct lab_statement {
    const char *document; /* its number */
    const char *place;    /* "Theorem 4.2", "Section 1.3" */
    const char *about;    /* a few words */
    lab_statement_state state;
    const char *command; /* NULL: none */
    const char *prints;  /* part of a line of its output; NULL without a command */
    const char *theirs;  /* the number of the document; NULL: none */
    const char *ours;    /* scrim's, part of prints; NULL: none */
    const char *errata;  /* numbers, separated by spaces; NULL: none */
    const char *note;    /* NULL: none */
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
    lab_papers_survey, lab_papers_survey_later, lab_papers_floating, lab_papers_threshold;

/* Index from 0, in the order of the documents; NULL past the last. */
const lab_statement *lab_statement_at(size_t index);
/* "runs", "corrected", "partly", "not yet" or "no command". */
const char *lab_statement_state_name(lab_statement_state state);
/* By a document's number and a place. Case, points and spaces do not matter, and a kind may be
 * shortened: "thm 4.2", "Def. 3.5". A section without a row of its own has that of a part of it. NULL if no
 * statement is there. */
const lab_statement *lab_statement_find(const char *document, const char *place);

/* Whether a row names the erratum. */
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
