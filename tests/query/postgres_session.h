/* A PostgreSQL of the test's own (postgres_session.sh), for as long as the session lasts. */
#ifndef POSTGRES_SESSION_H
#define POSTGRES_SESSION_H

#include "sql_answer.h"

typedef struct postgres_session postgres_session;

/* NULL when it cannot be had, which is a failure of the test. */
postgres_session *postgres_open(void);
void postgres_close(postgres_session *session); /* NULL is allowed */

/* Statements that answer nothing; an error of theirs fails the test. */
bool postgres_do(postgres_session *session, const char *statements);
bool postgres_ask(postgres_session *session, const char *question, sql_answer *out);

#endif
