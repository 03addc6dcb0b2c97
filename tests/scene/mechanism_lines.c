#include "mechanism_lines.h"

#include "exact.h"
#include "faults.h"

#include <stdio.h>
#include <string.h>

static scrim_status parse(const char *name, const char *parameters,
                          scrim_measurement **out, scrim_error *error)
{
    char line[512];
    (void)snprintf(line, sizeof line, "%s %s", name, parameters);
    return scrim_measurement_parse_model(line, out, error);
}

scrim_measurement *mechanism_model(const char *name, const char *parameters)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.status = SCRIM_OK};
    if (parse(name, parameters, &m, &error) != SCRIM_OK)
        CHECK_FAIL("%s %s: %s", name, parameters, error.message);
    return m;
}

void mechanism_check_status(const char *name, const char *parameters, scrim_status status)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.status = SCRIM_OK};
    scrim_status got = parse(name, parameters, &m, &error);
    if (got != status)
        CHECK_FAIL("%s %s: %s (%s)", name, parameters, scrim_status_name(got),
                   error.message);
    CHECK_INT(got != SCRIM_OK, error.message[0] != '\0');
    CHECK_INT(got == SCRIM_OK, m != NULL);
    scrim_measurement_free(m);
}

void mechanism_check_faults(const char *line)
{
    FAULT_LOOP(fault)
    {
        scrim_measurement *m = NULL;
        scrim_status status = scrim_measurement_parse(line, &m, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        scrim_measurement_free(m);
    }
}

bool mechanism_check_ratio(const sc_ratio *ratio, const char *want, const char *text,
                           const char *file, int line)
{
    sc_ratio value;
    char got[SC_RATIO_TEXT_BYTES];
    exact_ratio(want, &value);
    bool held = sc_ratio_compare(ratio, &value) == 0;
    check_saw(true, text, file, line);
    if (!held) {
        sc_ratio_format(ratio, got, sizeof got);
        check_fail(file, line, "%s is %s, not %s", text, got, want);
    }
    sc_ratio_clear(&value);
    return held;
}
