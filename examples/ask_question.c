/* A question about a table: a small file of visits becomes a dataset, the error and the cost of a
 * question are known before it is asked, and the answer comes with its intervals.
 *
 *     cc -o ask_question ask_question.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <inttypes.h>
#include <scrim.h>
#include <stdio.h>
#include <time.h>

#define ROWS "ask_question.csv"
#define VAULT "ask_question.vault"

/* 900 visitors, each with one row. */
static int write_rows(void)
{
    static const char *const cities[] = {"Oslo", "Rome", "Wien"};
    FILE *file = fopen(ROWS, "w");
    if (file == NULL)
        return 0;
    fputs("visitor,city,minutes\n", file);
    for (int i = 0; i < 900; i++)
        fprintf(file, "%d,%s,%d\n", i, cities[i % 3], 10 + i % 50);
    return fclose(file) == 0;
}

/* The words of the program: "no usable value" and no interval for a number that is noise alone. */
static void put(const char *name, scrim_result_words words)
{
    printf("%s %s", name, words.value);
    if (words.low[0] != '\0' || words.high[0] != '\0')
        printf(" (%s to %s)", words.low, words.high);
}

static void show(const scrim_result *result)
{
    scrim_result_facts facts;
    scrim_result_describe(result, &facts);
    for (size_t row = 0; row < scrim_result_rows(result, 0); row++) {
        const scrim_result_cell *city = scrim_result_cell_at(result, 0, row, 0);
        printf("%s:", city->is_null ? "unknown" : city->value);
        put(" visitors",
            scrim_result_cell_words(scrim_result_cell_at(result, 0, row, 1)));
        put(", minutes",
            scrim_result_cell_words(scrim_result_cell_at(result, 0, row, 2)));
        printf("\n");
    }
    printf("release %" PRIu64 ", epsilon %s\n", facts.release, facts.cost.epsilon);
}

static scrim_status ask(scrim_vault *vault, scrim_error *error)
{
    const char *query = "SELECT city, COUNT(*) AS people, AVG(minutes) GROUP BY city";
    scrim_plan *plan = NULL;
    scrim_plan_output people;
    scrim_result *result = NULL;
    scrim_status status = scrim_plan_new(
        vault, "visits", &query, 1,
        SCRIM_OPTIONS(scrim_query_options, .epsilon = "1", .expect = "300"), &plan, NULL,
        error);
    if (status == SCRIM_OK)
        status = scrim_plan_output_at(plan, 0, 1, &people, error);
    if (status == SCRIM_OK) {
        printf("expected error of people: %s\n", people.error);
        status = scrim_query_run(vault, plan, &result, error);
    }
    if (status == SCRIM_OK)
        show(result);
    scrim_result_free(result);
    scrim_plan_free(plan);
    return status;
}

/* In files of the folder it runs in, which are taken away again. */
int main(void)
{
    scrim_vault *vault = NULL;
    scrim_error error = {.message = "the rows cannot be written"};
    scrim_status status =
        write_rows() ? scrim_vault_init(VAULT, NULL, &error) : SCRIM_E_INPUT;
    const int is_made = status == SCRIM_OK;
    if (status == SCRIM_OK)
        status = scrim_vault_open(VAULT, NULL, &vault, &error);
    /* The library reads no clock; without this, labels have no date. */
    if (status == SCRIM_OK)
        scrim_vault_tell_time(vault, (uint64_t)time(NULL));
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(vault, "visits",
                                         "csv=" ROWS "\n"
                                         "unit=visitor\nrows-per-unit=1\n"
                                         "column=city=text\n"
                                         "keys=city=Oslo,Rome,Wien\n"
                                         "column=minutes=int[0,60]\n"
                                         "neighbours=add-remove\n"
                                         "budget=epsilon=3\n",
                                         &error);
    if (status == SCRIM_OK)
        status = ask(vault, &error);
    scrim_vault_close(vault);
    if (status != SCRIM_OK)
        fprintf(stderr, "%s\n", error.message);
    (void)remove(ROWS);
    if (is_made)
        (void)remove(VAULT);
    return (int)status / 10;
}
