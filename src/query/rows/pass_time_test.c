/* How many instructions a pass takes (THREATS A53): every row is read whatever the question is, and
 * what a match costs has a bound. */
#include "check.h"
#include "query/language/validate.h"
#include "query/rows/pass.h"
#include "random/bits_tape.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Instructions that a row which matches may cost beyond one that does not, and that any row takes:
 * about 600 each where this was measured. What that is in time the owner's quantum hides. */
#define MATCH_MOST 2000
#define ROW_LEAST 50

/* A question to a table of count rows, of which matching match: opened, and not yet run. */
typedef struct timed_pass {
    char path[64];
    const sc_schema *schema;
    sc_arena arena;
    sc_statistics statistics;
    sc_pass_statement asked;
    sc_pass *pass;
    const char *words;
    struct timed_pass *next; /* opened with this one; NULL: none */
} timed_pass;

static bool write_table(char path[64], unsigned count, unsigned matching)
{
    snprintf(path, 64, "/tmp/scrim_pass_time_XXXXXX");
    const int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!CHECK(file != NULL))
        return false;
    fputs("id,age,city\n", file);
    for (unsigned i = 0; i < count; i++)
        fprintf(file, "u%03u,%u,%s\n", i, i < matching ? 90u : 10u,
                i < matching ? "aaaa" : "bbbb");
    return CHECK(fclose(file) == 0);
}

static bool begin(timed_pass *t, unsigned count, unsigned matching)
{
    *t = (timed_pass){.pass = NULL};
    sc_arena_init(&t->arena);
    return write_table(t->path, count, matching);
}

static bool open_pass(timed_pass *t)
{
    sc_tape *tape = NULL;
    char policy[200];
    const sc_query *query = NULL;
    const sc_pass_options options = {.workers = 1};
    scrim_error error;
    sc_refusal refusal = {.error = &error};
    snprintf(policy, sizeof policy,
             "unit=id\ncolumn=age=int[0,120]\ncolumn=city=text\ncsv=%s\n", t->path);
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &t->schema, &error),
                      SCRIM_OK) ||
        !CHECK_STATUS(sc_validate(sc_text_of(t->words), sc_text_of("t"), t->schema,
                                  &t->arena, &query, &refusal),
                      SCRIM_OK) ||
        !CHECK_STATUS(sc_tape_seeded(3, &tape, &error), SCRIM_OK))
        return false;
    t->asked = (sc_pass_statement){
        .query = query, .statistics = &t->statistics, .bounds = {1, 1, 0}};
    const scrim_status status = sc_pass_open(t->schema, &t->asked, 1, &options,
                                             sc_tape_bits_of(tape), &t->pass, &error);
    sc_tape_free(tape);
    return CHECK_STATUS(status, SCRIM_OK);
}

static void end(timed_pass *t)
{
    sc_pass_close(t->pass);
    sc_arena_clear(&t->arena);
    sc_schema_free(t->schema);
    unlink(t->path);
}

/* In the child that is traced: a source is read by the process that opened it. The first pass opens both, so that
 * only a run is counted in the second. */
static void run(void *context)
{
    timed_pass *t = context;
    if (t->next != NULL && !(open_pass(t) && open_pass(t->next)))
        _exit(1);
    if (!CHECK_STATUS(sc_pass_run(t->pass, NULL), SCRIM_OK))
        _exit(1);
}

static uint64_t steps_of(const char *query, unsigned count, unsigned matching)
{
    timed_pass warm, t;
    uint64_t steps = 0;
    const bool is_warm = begin(&warm, count, matching);
    if (begin(&t, count, matching) && is_warm) {
        warm.words = t.words = query;
        warm.next = &t;
        steps = trace_of(run, &warm, &t).steps;
    }
    end(&t);
    end(&warm);
    return steps;
}

TEST(A53_a_pass_reads_every_row)
{
    static const char *const queries[] = {"SELECT COUNT(*) WHERE age > 50",
                                          "SELECT COUNT(*) WHERE city = 'aaaa'",
                                          "SELECT COUNT(*) WHERE FALSE OR age > 50"};
    const unsigned rows = 400;
    const char *reason = trace_unavailable();
    if (!check_is_long())
        reason = "a step at a time it takes too long for the short tier";
    if (reason != NULL)
        SKIP(reason);
    for (size_t i = 0; i < COUNT(queries); i++) {
        const uint64_t half = steps_of(queries[i], rows / 2, 0);
        const uint64_t none = steps_of(queries[i], rows, 0);
        const uint64_t one = steps_of(queries[i], rows, 1);
        const uint64_t all = steps_of(queries[i], rows, rows);
        if (half == 0 || none == 0 || one == 0 || all == 0)
            return;
        /* Nobody stops early: rows that match nothing are read, too. */
        CHECK(none >= half + (uint64_t)(rows - rows / 2) * ROW_LEAST);
        const uint64_t of_one = one > none ? one - none : none - one;
        const uint64_t of_all = all > none ? all - none : none - all;
        CHECK(of_one <= MATCH_MOST);
        CHECK(of_all <= (uint64_t)rows * MATCH_MOST);
    }
}
