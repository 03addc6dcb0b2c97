/* A charge with its sync, beside the bare transaction of SQLite that writes the same bytes; and a
 * vault of a million entries. Wall clock, since it is the disk that is waited for. */
#include "bench.h"
#include "ledger/ledger.h"
#include "scrim.h"
#include "vault/vault.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define TURNS 15
#define CHARGES 20 /* in a turn */
#define MANY 1000000

typedef struct ground {
    char folder[64], path[96], bare[96];
} ground;

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void begin(ground *g, scrim_vault **vault)
{
    scrim_error error;
    snprintf(g->folder, sizeof g->folder, "/tmp/scrim-bench-XXXXXX");
    if (mkdtemp(g->folder) == NULL)
        bench_die("no folder to measure in");
    snprintf(g->path, sizeof g->path, "%s/scrim.vault", g->folder);
    snprintf(g->bare, sizeof g->bare, "%s/bare", g->folder);
    bench_must(scrim_vault_init(g->path, NULL, &error), &error);
    bench_must(scrim_vault_open(g->path, NULL, vault, &error), &error);
    bench_must(scrim_vault_add_dataset(*vault, "people",
                                       "unit=row\nneighbours=add-remove\n"
                                       "budget=epsilon=1000000\n",
                                       &error),
               &error);
}

static void end(const ground *g)
{
    (void)unlink(g->path);
    (void)unlink(g->bare);
    (void)rmdir(g->folder);
}

static void execute(sqlite3 *database, const char *statement)
{
    if (sqlite3_exec(database, statement, NULL, NULL, NULL) != SQLITE_OK)
        bench_die(sqlite3_errmsg(database));
}

#define LINE "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove"

/* The same rows by hand: an entry, the head, two totals. */
static double bare_turn(sqlite3 *database, sqlite3_stmt *const rows[3], int64_t *id)
{
    const double start = now_ms();
    for (int i = 0; i < CHARGES; i++) {
        execute(database, "BEGIN IMMEDIATE");
        ++*id;
        sqlite3_bind_int64(rows[0], 1, *id);
        sqlite3_bind_int64(rows[1], 1, *id);
        sqlite3_bind_int64(rows[2], 1, *id);
        for (int k = 0; k < 3; k++) {
            if (sqlite3_step(rows[k]) != SQLITE_DONE)
                bench_die(sqlite3_errmsg(database));
            sqlite3_reset(rows[k]);
        }
        execute(database, "COMMIT");
    }
    return (now_ms() - start) / CHARGES;
}

static sqlite3 *open_bare(const ground *g, sqlite3_stmt *rows[3])
{
    sqlite3 *database = NULL;
    if (sqlite3_open(g->bare, &database) != SQLITE_OK)
        bench_die("no file to compare with");
    execute(database,
            "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA;"
            "CREATE TABLE entries (id INTEGER PRIMARY KEY, is_policy, bytes, hash);"
            "CREATE TABLE head (id INTEGER PRIMARY KEY, generation, hash, refusals);"
            "CREATE TABLE totals (population, analyst, amount, delta, charges, "
            "PRIMARY KEY (population, analyst)) WITHOUT ROWID;"
            "INSERT INTO head VALUES (1, 0, zeroblob(32), 0)");
    static const char *const texts[] = {
        "INSERT INTO entries VALUES (?, 0, CAST('charge 1 1 1 0.1 0' || char(10) || "
        "'" LINE "' AS BLOB), randomblob(32))",
        "UPDATE head SET generation = ?, hash = randomblob(32) WHERE id = 1",
        "INSERT OR REPLACE INTO totals VALUES (1, 0, '12.3', '0', ?1), (1, 1, '12.3', "
        "'0', "
        "?1)"};
    for (int k = 0; k < 3; k++)
        if (sqlite3_prepare_v2(database, texts[k], -1, &rows[k], NULL) != SQLITE_OK)
            bench_die(sqlite3_errmsg(database));
    return database;
}

static double vault_turn(scrim_ledger *ledger, const scrim_measurement *m)
{
    const sc_charge charge = {.line = m->text, .costs = &m->cost, .count = 1};
    scrim_error error;
    uint64_t id = 0;
    const double start = now_ms();
    for (int i = 0; i < CHARGES; i++)
        bench_must(ledger->functions->charge(ledger, &charge, &id, &error), &error);
    return (now_ms() - start) / CHARGES;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

BENCH(vault_charge)
{
    static const char name[] = "vault: a charge with its sync";
    static const char rival[] = "SQLite: the same bytes in a bare transaction";
    if (!bench_is_wanted(name))
        return;
    ground g;
    scrim_vault *vault = NULL;
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_error error;
    sqlite3_stmt *rows[3];
    double ours[TURNS], bare[TURNS];
    int64_t id = 0;
    begin(&g, &vault);
    bench_must(scrim_measurement_parse(LINE, &m, &error), &error);
    bench_must(scrim_vault_ledger(vault, "people", &ledger, &error), &error);
    sqlite3 *database = open_bare(&g, rows);
    (void)vault_turn(ledger, m);
    (void)bare_turn(database, rows, &id);
    for (int i = 0; i < TURNS; i++) {
        bare[i] = bare_turn(database, rows, &id);
        ours[i] = vault_turn(ledger, m);
    }
    /* Compares medians, which hardly change if the disk is busy in some of the turns. */
    double sorted[TURNS];
    memcpy(sorted, bare, sizeof sorted);
    qsort(sorted, TURNS, sizeof *sorted, compare);
    bench_record(rival, BENCH_MILLISECONDS, bare, TURNS, 0);
    bench_record(name, BENCH_MILLISECONDS, ours, TURNS, 1.5 * sorted[TURNS / 2]);
    for (int k = 0; k < 3; k++)
        sqlite3_finalize(rows[k]);
    sqlite3_close(database);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
    scrim_vault_close(vault);
    end(&g);
}

/* The answer to the last charge, as the gate records it. */
static scrim_status add_answer(scrim_vault *vault, sc_event *release, sc_text question,
                               scrim_error *error)
{
    char text[32];
    sc_digest asked;
    release->charge = vault->chain.generation;
    snprintf(text, sizeof text, "%llu",
             (unsigned long long)(release->charge * 7919 % 100003));
    scrim_status status = sc_vault_question(vault, 1, 1, question, &asked, error);
    if (status == SCRIM_OK)
        status = sc_digest_of(vault->digester, sc_text_of(text), (sc_text){NULL, 0},
                              &release->digest, error);
    if (status == SCRIM_OK)
        status = sc_vault_append(vault, release, error);
    if (status == SCRIM_OK)
        status = vault->store->functions->put_answer(vault->store, release->charge,
                                                     &asked, sc_text_of(text), error);
    return status;
}

/* Charges of several analysts and amounts, each with its answer, all in one transaction. */
static scrim_status fill(scrim_vault *vault, void *context, scrim_error *error)
{
    static const char *const amounts[] = {"0.1", "0.025", "1/3", "1", "0.0125"};
    static const char *const names[] = {"ada", "bea", "cyd"};
    sc_event event, release;
    sc_identity who;
    scrim_status status = SCRIM_OK;
    (void)context;
    sc_event_init(&event);
    sc_event_init(&release);
    event.kind = SC_EVENT_CHARGE;
    release.kind = SC_EVENT_RELEASE;
    event.dataset = event.version = 1;
    event.body = sc_text_of(LINE);
    for (int i = 0; status == SCRIM_OK && i < MANY / 2; i++) {
        sc_identity_set(&who, 70000 + (uint64_t)i % 3, names[i % 3]);
        status = sc_vault_want_analyst(vault, &who, &event.analyst, error);
        if (status == SCRIM_OK)
            status = sc_ratio_parse(sc_text_of(amounts[i % 5]), &event.amount, error);
        if (status == SCRIM_OK)
            status = sc_vault_append(vault, &event, error);
        if (status == SCRIM_OK)
            status = add_answer(vault, &release, event.body, error);
    }
    sc_event_clear(&release);
    sc_event_clear(&event);
    return status;
}

BENCH(vault_of_a_million)
{
    static const char opens[] = "vault of 10^6 entries: open";
    static const char verifies[] = "vault of 10^6 entries: verify";
    static const char takes[] = "vault of 10^6 entries: the file, answers and all";
    if (!bench_is_wanted(opens) && !bench_is_wanted(verifies) && !bench_is_wanted(takes))
        return;
    ground g;
    scrim_vault *vault = NULL;
    scrim_error error;
    double samples[TURNS];
    begin(&g, &vault);
    bench_must(sc_vault_write(vault, fill, NULL, &error), &error);
    scrim_vault_close(vault);
    for (int i = 0; i < TURNS; i++) {
        const double start = now_ms();
        bench_must(scrim_vault_open(g.path, NULL, &vault, &error), &error);
        samples[i] = now_ms() - start;
        scrim_vault_close(vault);
    }
    bench_record(opens, BENCH_MILLISECONDS, samples, TURNS, 20);
    scrim_vault_state state;
    for (int i = 0; i < 3; i++) {
        const double start = now_ms();
        bench_must(scrim_vault_check(g.path, NULL, &state, &error), &error);
        samples[i] = now_ms() - start;
    }
    bench_record(verifies, BENCH_MILLISECONDS, samples, 3, 10000);
    struct stat file = {0};
    if (stat(g.path, &file) != 0)
        bench_die("no file to measure");
    samples[0] = (double)file.st_size / 1e6;
    bench_record(takes, BENCH_MEGABYTES, samples, 1, 256);
    end(&g);
}
