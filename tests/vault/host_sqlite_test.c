/* A97, A98: vaults and sources in a program that uses SQLite, too: it hangs functions on each
 * connection of the process, adds tables to them, limits SQLite's memory, and has it write a log. */
#include "check.h"
#include "scene.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/* A vault, and a dataset "rows" whose source is a table of SQLite: 200 people, of whom each has an id
 * that starts with 77. */

typedef struct sqlite_scene {
    scene base;
    char path[128];
} sqlite_scene;

static bool begin(sqlite_scene *s, const char *more)
{
    char policy[512], statements[512];
    sqlite3 *database = NULL;
    scrim_error error = {.message = ""};
    if (!scene_begin_vault(&s->base, "epsilon=1000", false))
        return false;
    snprintf(s->path, sizeof s->path, "%s/app.db", s->base.folder);
    snprintf(statements, sizeof statements,
             "CREATE TABLE t (id INTEGER PRIMARY KEY, sex TEXT); WITH RECURSIVE n(i) AS "
             "(SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199) INSERT INTO t "
             "SELECT 77000000 + i, substr('FM', i %% 2 + 1, 1) FROM n; %s",
             more);
    bool is_made =
        CHECK(sqlite3_open(s->path, &database) == SQLITE_OK) &&
        CHECK(sqlite3_exec(database, statements, NULL, NULL, NULL) == SQLITE_OK);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    snprintf(policy, sizeof policy,
             "sqlite=%s\ntable=t\nunit=id\ncolumn=sex=text\nkeys=sex=F,M\nmax-groups=1\n"
             "max-rows=1\nneighbours=add-remove\nbudget=epsilon=100000\n",
             s->path);
    scrim_vault *vault = scene_open(&s->base);
    is_made =
        is_made && vault != NULL &&
        CHECK_STATUS(scrim_vault_add_dataset(vault, "rows", policy, &error), SCRIM_OK);
    scrim_vault_close(vault);
    if (!is_made)
        scene_end(&s->base);
    return is_made;
}

/* Women and men, with next to no noise. */
static scrim_status ask(const sqlite_scene *s, const char *epsilon, char values[32],
                        scrim_error *error)
{
    const char *query = "SELECT sex, COUNT(*) GROUP BY sex";
    scrim_vault *vault = NULL;
    scrim_plan *plan = NULL;
    scrim_result *result = NULL;
    values[0] = '\0';
    scrim_status status = scrim_vault_open(s->base.path, NULL, &vault, error);
    if (status == SCRIM_OK)
        status = scrim_plan_new(
            vault, "rows", &query, 1,
            SCRIM_OPTIONS(scrim_query_options, .epsilon = epsilon, .workers = 1), &plan,
            NULL, error);
    if (status == SCRIM_OK)
        status = scrim_query_run(vault, plan, &result, error);
    if (status == SCRIM_OK)
        snprintf(values, 32, "%s %s", scrim_result_cell_at(result, 0, 0, 1)->value,
                 scrim_result_cell_at(result, 0, 1, 1)->value);
    scrim_result_free(result);
    scrim_plan_free(plan);
    scrim_vault_close(vault);
    return status;
}

static void check_holds(const sqlite_scene *s, uint64_t charges)
{
    scrim_vault_state state = {0};
    CHECK(scene_verifies(&s->base, &state));
    CHECK_INT(state.charges, charges);
    CHECK_INT(state.releases, charges);
}

/* A97. */

typedef int extension(sqlite3 *connection, char **message, const void *functions);

static int calls; /* of what was hung on a connection */

static int see_statement(unsigned kind, void *context, void *statement, void *text)
{
    (void)kind, (void)context, (void)statement, (void)text;
    calls++;
    return 0;
}

static int trace(sqlite3 *connection, char **message, const void *functions)
{
    (void)message, (void)functions;
    return sqlite3_trace_v2(connection,
                            SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE,
                            see_statement, NULL);
}

/* An authorizer that leaves out what is inserted, and says nothing of it. */
static int leave_out(void *context, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    (void)context, (void)first, (void)second, (void)database, (void)trigger;
    calls++;
    return action == SQLITE_INSERT ? SQLITE_IGNORE : SQLITE_OK;
}

static int authorize(sqlite3 *connection, char **message, const void *functions)
{
    (void)message, (void)functions;
    return sqlite3_set_authorizer(connection, leave_out, NULL);
}

static int refuse_commit(void *context)
{
    (void)context;
    calls++;
    return 1;
}

static void see_change(void *context, int action, const char *database, const char *table,
                       sqlite3_int64 row)
{
    (void)context, (void)action, (void)database, (void)table, (void)row;
    calls++;
}

static int hang_hooks(sqlite3 *connection, char **message, const void *functions)
{
    (void)message, (void)functions;
    (void)sqlite3_commit_hook(connection, refuse_commit, NULL);
    (void)sqlite3_update_hook(connection, see_change, NULL);
    sqlite3_progress_handler(connection, 1, refuse_commit, NULL);
    return SQLITE_OK;
}

static int limit_lengths(sqlite3 *connection, char **message, const void *functions)
{
    (void)message, (void)functions;
    (void)sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 100);
    (void)sqlite3_limit(connection, SQLITE_LIMIT_VDBE_OP, 30);
    return SQLITE_OK;
}

static void take_value(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)context, (void)count, (void)values;
}

static void give_seven(sqlite3_context *context)
{
    sqlite3_result_int(context, 7);
}

static int replace_functions(sqlite3 *connection, char **message, const void *functions)
{
    static const char *const names[] = {"min", "max", "count", "sum"};
    int code = SQLITE_OK;
    (void)message, (void)functions;
    for (size_t i = 0; code == SQLITE_OK && i < sizeof names / sizeof *names; i++)
        code = sqlite3_create_function(connection, names[i], -1, SQLITE_UTF8, NULL, NULL,
                                       take_value, give_seven);
    return code;
}

static void check_unseen(extension *hang)
{
    sqlite_scene s;
    scrim_error error = {.message = ""};
    char values[32];
    if (!begin(&s, ""))
        return;
    CHECK(sqlite3_auto_extension((void (*)(void))hang) == SQLITE_OK);
    calls = 0;
    if (!CHECK_STATUS(ask(&s, "1000", values, &error), SCRIM_OK))
        CHECK_STR(error.message, "");
    CHECK_STR(values, "100 100");
    CHECK_STATUS(ask(&s, "999", values, &error), SCRIM_OK);
    check_holds(&s, 2);
    CHECK_INT(calls, 0);
    CHECK(sqlite3_cancel_auto_extension((void (*)(void))hang) == 1);
    check_holds(&s, 2);
    scene_end(&s.base);
}

TEST(A97_a_host_that_traces_every_connection_sees_no_row)
{
    CLAIM("sqlite-host.alone");
    check_unseen(trace);
}

TEST(A97_a_host_that_authorizes_every_connection_leaves_nothing_out)
{
    CLAIM("sqlite-host.alone");
    check_unseen(authorize);
}

TEST(A97_a_host_that_hangs_hooks_on_every_connection_decides_nothing)
{
    CLAIM("sqlite-host.alone");
    check_unseen(hang_hooks);
}

TEST(A97_a_host_that_limits_every_connection_limits_no_answer)
{
    CLAIM("sqlite-host.alone");
    check_unseen(limit_lengths);
}

TEST(A97_a_host_with_functions_of_its_own_counts_nothing_of_ours)
{
    CLAIM("sqlite-host.alone");
    check_unseen(replace_functions);
}

/* Tables by the names of the vault's own would take what is charged. */
static int add_tables(sqlite3 *connection, char **message, const void *functions)
{
    (void)message, (void)functions;
    return sqlite3_exec(
        connection,
        "CREATE TEMP TABLE entries (id INTEGER PRIMARY KEY, is_policy, bytes, hash);"
        "CREATE TEMP TABLE t (id, sex)",
        NULL, NULL, NULL);
}

static int attach_tables(sqlite3 *connection, char **message, const void *functions)
{
    (void)message, (void)functions;
    return sqlite3_exec(connection, "ATTACH ':memory:' AS other", NULL, NULL, NULL);
}

static int begin_transaction(sqlite3 *connection, char **message, const void *functions)
{
    (void)message, (void)functions;
    return sqlite3_exec(connection, "BEGIN", NULL, NULL, NULL);
}

TEST(A97_a_host_that_adds_tables_to_every_connection_is_refused)
{
    CLAIM("sqlite-host.alone");
    static extension *const list[] = {add_tables, attach_tables, begin_transaction};
    sqlite_scene s;
    scrim_error error = {.message = ""};
    scrim_inspection inspection;
    char values[32];
    if (!begin(&s, ""))
        return;
    CHECK_STATUS(ask(&s, "1000", values, &error), SCRIM_OK);
    scrim_vault *vault = scene_open(&s.base);
    REQUIRE(vault != NULL);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        CHECK(sqlite3_auto_extension((void (*)(void))list[i]) == SQLITE_OK);
        CHECK_STATUS(ask(&s, "999", values, &error), SCRIM_E_STATE);
        CHECK(strstr(error.message, "sqlite3_cancel_auto_extension") != NULL);
        CHECK_STATUS(
            scrim_vault_inspect(vault, "rows",
                                SCRIM_OPTIONS(scrim_inspect_options, .workers = 1),
                                &inspection, &error),
            SCRIM_E_STATE);
        CHECK(sqlite3_cancel_auto_extension((void (*)(void))list[i]) == 1);
    }
    scrim_vault_close(vault);
    check_holds(&s, 1);
    scene_end(&s.base);
}

/* A98. */

TEST(A98_rows_do_not_decide_under_a_heap_limit_of_sqlite)
{
    CLAIM("sqlite-source.heap");
    sqlite_scene s;
    scrim_error error = {.message = ""};
    char values[32];
    if (!begin(&s, ""))
        return;
    const sqlite3_int64 soft = sqlite3_soft_heap_limit64(1);
    CHECK_STATUS(ask(&s, "1000", values, &error), SCRIM_OK);
    CHECK_STR(values, "100 100");
    (void)sqlite3_soft_heap_limit64(soft);
    /* Whatever it is, and before the charge. */
    for (sqlite3_int64 limit = 1 << 20; limit < (sqlite3_int64)1 << 40; limit <<= 13) {
        (void)sqlite3_hard_heap_limit64(limit);
        CHECK_STATUS(ask(&s, "999", values, &error), SCRIM_E_STATE);
        CHECK(strstr(error.message, "sqlite3_hard_heap_limit64(0)") != NULL);
    }
    (void)sqlite3_hard_heap_limit64(0);
    check_holds(&s, 1);
    CHECK_STATUS(ask(&s, "999", values, &error), SCRIM_OK);
    check_holds(&s, 2);
    scene_end(&s.base);
}

/* SQLite tells the log of a program names of columns, and no value. */

static char lines[4096];

static void note_line(void *context, int code, const char *line)
{
    const size_t used = strlen(lines);
    (void)context;
    snprintf(lines + used, sizeof lines - used, "%d %s\n", code, line);
}

TEST(A98_the_log_of_a_host_has_no_value)
{
    CLAIM("sqlite-source.heap");
    sqlite_scene s;
    scrim_error error = {.message = ""};
    char values[32];
    REQUIRE(sqlite3_shutdown() == SQLITE_OK &&
            sqlite3_config(SQLITE_CONFIG_LOG, note_line, NULL) == SQLITE_OK);
    if (!begin(&s, "UPDATE t SET sex = replace(hex(zeroblob(6000)), '0', 'q') "
                   "WHERE id = 77000005"))
        return;
    lines[0] = '\0';
    CHECK_STATUS(ask(&s, "1000", values, &error), SCRIM_OK);
    CHECK_STR(values, "100 99");
    /* The statement that met the long value is named, as the manual says. */
    CHECK(strstr(lines, "\"sex\"") != NULL);
    CHECK(strstr(lines, "77") == NULL && strstr(lines, "qq") == NULL);
    check_holds(&s, 1);
    scene_end(&s.base);
}
