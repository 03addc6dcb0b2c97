/* A table that grows: the visitors of each month are released when the month is over. A visitor is in
 * many months, so each release is charged; cities that were shown once are shown in every later month.
 *
 *     cc -o follow_series follow_series.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <inttypes.h>
#include <scrim.h>
#include <stdio.h>

#define ROWS "follow_series.csv"
#define VAULT "follow_series.vault"
#define MONTHS 3

/* 900 visitors a month, and in March a city that was not there before. */
static int write_rows(void)
{
    static const char *const cities[] = {"Oslo", "Rome", "Wien"};
    FILE *file = fopen(ROWS, "w");
    if (file == NULL)
        return 0;
    fputs("visitor,day,city\n", file);
    for (int month = 1; month <= MONTHS; month++)
        for (int i = 0; i < 900; i++)
            fprintf(file, "%d,2026-%02d-%02d,%s\n", i, month, 1 + i % 28,
                    month == 3 && i % 9 == 0 ? "Turku" : cities[i % 3]);
    return fclose(file) == 0;
}

static void show(const scrim_result *result, const scrim_series_step *step)
{
    printf("%s to %s, release %" PRIu64 ":", step->low, step->high, step->release);
    for (size_t row = 0; row < scrim_result_rows(result, 0); row++) {
        const scrim_result_cell *city = scrim_result_cell_at(result, 0, row, 0);
        const scrim_result_words visits =
            scrim_result_cell_words(scrim_result_cell_at(result, 0, row, 1));
        printf(" %s %s (%s to %s)", city->value, visits.value, visits.low, visits.high);
    }
    printf("\n");
}

/* Nothing is spent by it. */
static scrim_status declare(scrim_vault *vault, scrim_error *error)
{
    scrim_series *series = NULL;
    scrim_series_forecast forecast;
    scrim_status status = scrim_series_new(
        vault, "monthly", "visits", "SELECT city, COUNT(*) AS visits GROUP BY city",
        SCRIM_OPTIONS(scrim_series_options, .epsilon = "1", .delta = "1e-9",
                      .window = "day=2026-01-01,2026-02-01,2026-03-01",
                      .known_keys = "continue"),
        &series, NULL, error);
    if (status == SCRIM_OK)
        status = scrim_series_forecast_of(vault, series, &forecast, error);
    if (status == SCRIM_OK) {
        printf("%" PRIu64 " releases cost %s %s; %s is left\n", forecast.remaining,
               forecast.unit, forecast.total, forecast.left);
        status = scrim_series_enter(vault, series, 0, error);
    }
    scrim_series_free(series);
    return status;
}

static scrim_status follow(scrim_vault *vault, scrim_error *error)
{
    scrim_status status = declare(vault, error);
    for (size_t i = 0; status == SCRIM_OK && i < MONTHS; i++) {
        scrim_result *result = NULL;
        scrim_series *series = NULL;
        scrim_series_step step;
        status = scrim_series_release(vault, "monthly", 0, NULL, &result, error);
        if (status == SCRIM_OK)
            status = scrim_series_read(vault, "monthly", &series, error);
        if (status == SCRIM_OK)
            status = scrim_series_step_at(series, i, &step, error);
        if (status == SCRIM_OK)
            show(result, &step);
        scrim_series_free(series);
        scrim_result_free(result);
    }
    return status;
}

/* In files of the folder it runs in, which are taken away again. */
int main(void)
{
    scrim_vault *vault = NULL;
    scrim_error error = {.message = "the rows cannot be written"};
    scrim_status status =
        write_rows() ? scrim_vault_init(VAULT, NULL, &error) : SCRIM_E_INPUT;
    if (status == SCRIM_OK)
        status = scrim_vault_open(VAULT, NULL, &vault, &error);
    if (status == SCRIM_OK)
        status = scrim_vault_add_dataset(
            vault, "visits",
            "csv=" ROWS
            "\nunit=visitor\nrows-per-unit=1\nneighbours=add-remove\ncolumn=city=text\n"
            "column=day=date[2026-01-01,2026-12-31]\nbudget=epsilon=4,delta=1e-6\n",
            &error);
    if (status == SCRIM_OK)
        status = follow(vault, &error);
    if (status != SCRIM_OK)
        fprintf(stderr, "%s\n", error.message);
    scrim_vault_close(vault);
    remove(VAULT);
    remove(ROWS);
    return status == SCRIM_OK ? 0 : (int)status / 10;
}
