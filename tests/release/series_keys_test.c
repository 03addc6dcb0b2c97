/* The keys that the releases of a series name. */
#include "check.h"
#include "series_scene.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_series_options, __VA_ARGS__)

/* Does any byte of the vault's file hold this text? */
static bool is_in_vault(const query_scene *s, const char *text)
{
    static char bytes[1 << 20];
    bool is_found = false;
    FILE *file = fopen(s->base.path, "r");
    const size_t count = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
    if (file != NULL)
        fclose(file);
    for (size_t k = 0; k + strlen(text) <= count; k++)
        is_found |= memcmp(bytes + k, text, strlen(text)) == 0;
    return is_found;
}

/* Ulm passes in the first window, Trier in the second; Bonn and Kiel have one person each. */
SLOW_TEST(series_that_continues_shows_known_keys_always)
{
    CLAIM("series.keys");
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, series_scene_by_city,
                            OPTIONS(.epsilon = "100", .delta = "1e-9", .releases = 3,
                                    .window = "day", .known_keys = "continue"),
                            0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "Ulm,3;", false);
    series_scene_check_release(&s, 0, "Trier,2;Ulm,0;", false);
    series_scene_check_release(&s, 0, "Trier,0;Ulm,1;", false);
    CHECK(is_in_vault(&s, "Trier"));
    CHECK(!is_in_vault(&s, "Bonn"));
    CHECK(!is_in_vault(&s, "Kiel"));
    series_scene_check_verifies(&s);
    query_scene_end(&s);
}

/* A known key that passes lets no other one pass. */
TEST(series_that_continues_selects_among_new_keys_alone)
{
    CLAIM("series.keys");
    query_scene s;
    if (!series_scene_begin(
            &s, "unit=person\n" SERIES_LARGE_BUDGET,
            "person,day,city\na,1,Aachen\nb,1,Aachen\na,11,Aachen\nb,12,Aachen\n"
            "c,12,Bonn\nd,13,Celle\ne,13,Celle\n"))
        return;
    CHECK_STATUS(series_scene_create(&s, series_scene_by_city,
                                     OPTIONS(.epsilon = "100", .delta = "1e-9",
                                             .releases = 3, .window = "day"),
                                     0),
                 SCRIM_OK);
    series_scene_check_release(&s, 0, "Aachen,2;", false);
    series_scene_check_release(&s, 0, "Aachen,2;Celle,2;", false);
    query_scene_end(&s);
}

SLOW_TEST(series_that_does_not_continue_selects_anew)
{
    CLAIM("series.keys");
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(&s, series_scene_by_city,
                            OPTIONS(.epsilon = "100", .delta = "1e-9", .releases = 3,
                                    .window = "day", .known_keys = "rethreshold"),
                            0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "Ulm,3;", false);
    series_scene_check_release(&s, 0, "Trier,2;", false);
    series_scene_check_release(&s, 0, "", false);
    CHECK(!is_in_vault(&s, "Bonn"));
    query_scene_end(&s);
}

/* All kinds of numbers of a key that nobody has any more. */
SLOW_TEST(series_that_continues_knows_every_aggregate)
{
    query_scene s;
    char text[1000];
    scrim_result *result = NULL;
    if (!series_scene_begin(&s, "unit=person\nmax-groups=2\n" SERIES_LARGE_BUDGET,
                            series_scene_table))
        return;
    CHECK_STATUS(
        series_scene_create(
            &s,
            "SELECT city, COUNT(DISTINCT person) AS u, SUM(day) AS s, "
            "AVG(day) AS a, MEDIAN(day) AS m, MAX(day, 1) AS x GROUP BY city",
            OPTIONS(.epsilon = "600", .delta = "1e-6", .releases = 3, .window = "day"),
            0),
        SCRIM_OK);
    for (size_t i = 0; i < 3; i++) {
        CHECK_STATUS(scrim_series_release(s.vault, "daily", 0, NULL, &result, &s.error),
                     SCRIM_OK);
        CHECK_STR(s.error.message, "");
        query_scene_values(result, 0, text, sizeof text);
        CHECK(strstr(text, "Ulm,") != NULL);
        CHECK(strstr(text, "Bonn") == NULL);
        scrim_result_free(result);
    }
    query_scene_end(&s);
}

/* The units of a known key are drawn with those of new ones: no count of another key, shown or not, stands in their
 * place. */
SLOW_TEST(series_that_continues_shows_the_units_of_each_key)
{
    query_scene s;
    if (!series_scene_begin(&s, "unit=person\nmax-groups=2\n" SERIES_LARGE_BUDGET,
                            "person,day,city\na,1,Aachen\nb,2,Aachen\nc,3,Aachen\n"
                            "z,11,Trier\np,11,Bonn\nq,12,Bonn\nr,12,Bonn\n"
                            "t,13,Bonn\n"))
        return;
    CHECK_STATUS(
        series_scene_create(
            &s, "SELECT city, COUNT(DISTINCT person) AS u GROUP BY city",
            OPTIONS(.epsilon = "600", .delta = "1e-6", .releases = 3, .window = "day"),
            0),
        SCRIM_OK);
    series_scene_check_release(&s, 0, "Aachen,3;", false);
    series_scene_check_release(&s, 0, "Aachen,0;Bonn,4;", false);
    series_scene_check_release(&s, 0, "Aachen,0;Bonn,0;", false);
    query_scene_end(&s);
}

/* Keys are bytes that depend on the columns: of other columns they are not known. */
SLOW_TEST(series_forgets_keys_of_other_columns)
{
    query_scene s;
    char policy[600];
    if (!series_scene_begin(&s, "unit=person\n" SERIES_LARGE_BUDGET, series_scene_table))
        return;
    CHECK_STATUS(series_scene_create(&s, series_scene_by_city,
                                     OPTIONS(.epsilon = "100", .delta = "1e-9",
                                             .releases = 3, .window = "day"),
                                     0),
                 SCRIM_OK);
    series_scene_check_release(&s, 0, "Ulm,3;", false);
    snprintf(policy, sizeof policy,
             "column=day=int[1,30]\ncolumn=city=text\ncolumn=more=text\nunit="
             "person\nrows-per-unit=1\ncsv=%s\n",
             s.table);
    CHECK(query_scene_write(&s, "person,day,city,more\na,11,Bonn,x\nb,12,Bonn,x\n"));
    CHECK_STATUS(scrim_vault_update_dataset(s.vault, "people", policy, &s.error),
                 SCRIM_OK);
    series_scene_check_release(&s, 0, "Bonn,2;", false);
    query_scene_end(&s);
}
