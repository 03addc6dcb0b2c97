/* The audit over the whole catalogue: no claim is exceeded. */
#include "audit/catalogue_lines.h"
#include "check.h"
#include "mechanism/catalogue.h"
#include "scrim.h"

#include <string.h>

/* One line. */
static void check_line(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_audit_report *r = NULL;
    scrim_error error;
    if (scrim_measurement_parse_model(line, &m, &error) != SCRIM_OK ||
        scrim_audit(m, SCRIM_OPTIONS(scrim_audit_options, .points = 11), &r, &error) !=
            SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error.message);
    else if (!CHECK(scrim_audit_report_verdict(r) == SCRIM_AUDIT_HOLDS))
        CHECK_FAIL("%s: %s: %s", line,
                   scrim_audit_verdict_name(scrim_audit_report_verdict(r)),
                   scrim_audit_report_summary(r));
    scrim_audit_report_free(r);
    scrim_measurement_free(m);
}

static size_t lines_of(const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < line_family_count; i++)
        if (strcmp(line_families[i].name, name) == 0)
            count += line_count(&line_families[i]);
    return count;
}

/* All lines, or about `wanted` of each mechanism, evenly spread. Two turns have no line in
 * common, so that the work can be shared among tests that run side by side. */
static void check_lines_of(const char *name, size_t wanted, size_t turn, size_t turns)
{
    const size_t all = lines_of(name);
    const size_t step = wanted < all ? all / wanted : 1;
    size_t place = 0;
    for (size_t i = 0; i < line_family_count; i++) {
        const line_family *family = &line_families[i];
        if (strcmp(family->name, name) != 0)
            continue;
        for (size_t k = 0; k < line_count(family); k++, place++) {
            char line[LINE_BYTES];
            if (place % step != step / 2 || place / step % turns != turn)
                continue;
            line_at(family, k, line);
            check_line(line);
        }
    }
}

enum { TURNS = 4 };

/* Lines of each mechanism in the short tier; one of those that sparse_audit_test.c audits as well. */
static uint64_t quick_of(const char *name)
{
    const bool is_sparse =
        strstr(name, "sparse-vector") != NULL || strcmp(name, "above-threshold") == 0;
    return check_every(6) > 1 || is_sparse ? 1 : 2;
}

static void check_turn(size_t turn)
{
    const sc_mechanism *mechanism;
    for (size_t i = 0; (mechanism = sc_catalogue_at(i)) != NULL; i++) {
        const char *name = mechanism->entry.name;
        check_lines_of(name, (size_t)check_count(quick_of(name), 1000000), turn, TURNS);
        CHECK(true);
    }
}

SLOW_TEST(catalogue_claims_hold_0)
{
    CLAIM("audit.holds");
    check_turn(0);
}

TEST(catalogue_claims_hold_1)
{
    CLAIM("audit.holds");
    check_turn(1);
}

TEST(catalogue_claims_hold_2)
{
    CLAIM("audit.holds");
    check_turn(2);
}

TEST(catalogue_claims_hold_3)
{
    CLAIM("audit.holds");
    check_turn(3);
}

/* Nothing is left out: not a mechanism, and a thousand lines in all. */
TEST(catalogue_has_lines_for_every_mechanism)
{
    size_t lines = 0;
    const sc_mechanism *mechanism;
    for (size_t i = 0; (mechanism = sc_catalogue_at(i)) != NULL; i++) {
        const size_t count = lines_of(mechanism->entry.name);
        if (count < 8)
            CHECK_FAIL("%s has %zu lines in catalogue_lines.c; give it 8 at least",
                       mechanism->entry.name, count);
        lines += count;
    }
    CHECK(lines >= 1000);
    for (size_t i = 0; i < line_family_count; i++)
        CHECK(sc_catalogue_find(sc_text_of(line_families[i].name), NULL) != NULL);
}
