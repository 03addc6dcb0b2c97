/* Random questions answered by scrim before noise, and by databases that hold the same rows: each cell
 * of the answers is the same. SQLite is always asked; PostgreSQL is the third with --long. */
#ifndef TWIN_QUESTIONS_H
#define TWIN_QUESTIONS_H

#include "sql_twin.h"

typedef struct twin_questions {
    /* Makes rows and declares them; the twin is to be ended anyway. */
    bool (*begin)(sql_twin *twin, postgres_session *postgres, dialects *d);
    void (*make)(dialects *d);
} twin_questions;

/* Asks until `count` questions are answered, a hundred of the same rows, and fails at the first
 * difference, or when more than one in three is refused, with SCRIM_E_PARAM or SCRIM_E_LIMIT. */
void twin_questions_ask(const twin_questions *questions, uint64_t count);

#endif
