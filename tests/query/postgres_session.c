#include "postgres_session.h"

#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END "<end>"
#define APART "\037"

/* A quotient of 40 digits, where there is one; and the whole number at or below a sum. What was divided
 * before may miss 0, or a whole number, by its last digits. */
static const char functions[] =
    "CREATE FUNCTION over(numeric, numeric) RETURNS numeric IMMUTABLE LANGUAGE sql AS "
    "'SELECT CASE WHEN ABS($2) > 1e-25 THEN ROUND($1, 40) / ROUND($2, 40) END'; "
    "CREATE FUNCTION step(numeric, numeric) RETURNS numeric IMMUTABLE LANGUAGE sql AS "
    "'SELECT FLOOR(ROUND($1 + $2, 25))'";

struct postgres_session {
    FILE *to, *from;
    pid_t process;
};

/* In a session of its own: who ends the test by its group leaves it to end at the end of its input. */
static void run_script(const int in[2], const int out[2])
{
    setsid();
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    for (int i = 0; i < 2; i++) {
        close(in[i]);
        close(out[i]);
    }
    execl("/bin/sh", "sh", "tests/query/postgres_session.sh", (char *)NULL);
    _exit(127);
}

postgres_session *postgres_open(void)
{
    int in[2], out[2];
    if (!CHECK_INT(pipe(in), 0) || !CHECK_INT(pipe(out), 0))
        return NULL;
    postgres_session *session = malloc(sizeof *session);
    if (session == NULL)
        return NULL;
    signal(SIGPIPE, SIG_IGN);
    session->process = fork();
    if (session->process == 0)
        run_script(in, out);
    close(in[0]);
    close(out[1]);
    session->to = fdopen(in[1], "w");
    session->from = fdopen(out[0], "r");
    if (CHECK(session->process > 0) && CHECK(session->to != NULL) &&
        CHECK(session->from != NULL) && postgres_do(session, functions))
        return session;
    postgres_close(session);
    return NULL;
}

void postgres_close(postgres_session *session)
{
    int status = 0;
    if (session == NULL)
        return;
    if (session->to != NULL)
        fclose(session->to);
    if (session->process > 0)
        CHECK_INT(waitpid(session->process, &status, 0), session->process);
    CHECK_INT(status, 0);
    if (session->from != NULL)
        fclose(session->from);
    free(session);
}

static bool say(postgres_session *session, const char *statements)
{
    fprintf(session->to, "%s;\n\\echo " END "\n", statements);
    return CHECK_INT(fflush(session->to), 0);
}

/* The next line without its end; false behind the last of an answer. */
static bool read_line(postgres_session *session, char *line, size_t bytes)
{
    if (!CHECK(fgets(line, (int)bytes, session->from) != NULL))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return strcmp(line, END) != 0;
}

bool postgres_do(postgres_session *session, const char *statements)
{
    char line[2000];
    bool is_silent = say(session, statements);
    while (is_silent && read_line(session, line, sizeof line))
        is_silent = CHECK_STR(line, "");
    return is_silent && CHECK_STR(line, END);
}

bool postgres_ask(postgres_session *session, const char *question, sql_answer *out)
{
    char line[SQL_COLUMNS * SQL_CELL_BYTES];
    sql_row *row = NULL;
    out->count = out->columns = 0;
    if (!say(session, question))
        return false;
    while (read_line(session, line, sizeof line)) {
        if (strncmp(line, "ERROR:", 6) == 0)
            CHECK_STR(line, question);
        if ((row = sql_answer_row(out)) == NULL)
            continue;
        char *rest = line;
        for (out->columns = 0; rest != NULL; out->columns++)
            sql_cell_put(row, out->columns, strsep(&rest, APART));
    }
    return CHECK_STR(line, END);
}
