#include "cli/vault/history_filter.h"

#include "cli/terminal/complaint.h"
#include "cli/vault/history_writer.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

bool sc_history_date(const char *text, uint64_t *seconds)
{
    struct tm parts = {.tm_sec = 0};
    char again[SC_TIME_BYTES];
    const bool is_day = strlen(text) == strlen("2026-11-01");
    const char *end = strptime(text, is_day ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%SZ", &parts);
    const time_t time = end == NULL || *end != '\0' ? -1 : timegm(&parts);
    if (time < 1)
        return false;
    *seconds = (uint64_t)time;
    /* A day that no month has is another one after this. */
    sc_time_format(*seconds, again);
    return strncmp(again, text, strlen(text)) == 0;
}

static scrim_status check_analyst(scrim_vault *vault, const char *analyst,
                                  scrim_error *error)
{
    char name[SCRIM_NAME_BYTES];
    scrim_status status = SCRIM_OK;
    sc_nearest nearest;
    sc_nearest_init(&nearest, analyst);
    for (size_t i = 0; status == SCRIM_OK; i++) {
        status = scrim_vault_analyst_at(vault, i, name, error);
        if (status == SCRIM_OK && strcmp(name, analyst) == 0)
            return SCRIM_OK;
        if (status == SCRIM_OK)
            (void)sc_nearest_offer(&nearest, name);
    }
    if (status != SCRIM_E_PARAM)
        return status;
    if (nearest.name[0] != '\0')
        return sc_refuse(error, "unknown analyst '%s'; did you mean '%s'?", analyst,
                         nearest.name);
    return sc_refuse(error, "unknown analyst '%s'; 'scrim budget' lists analysts",
                     analyst);
}

scrim_status sc_history_filter_read(const sc_options *options, scrim_vault *vault,
                                    sc_history_filter *out, scrim_error *error)
{
    const char *since = options->value[SCRIM_OPTION_SINCE];
    *out = (sc_history_filter){.analyst = options->value[SCRIM_OPTION_ANALYST]};
    if (since != NULL && !sc_history_date(since, &out->since))
        return sc_refuse(error,
                         "--since '%s' is not a date; write 2026-11-01 or "
                         "2026-11-01T12:30:00Z, in UTC",
                         since);
    return out->analyst == NULL ? SCRIM_OK : check_analyst(vault, out->analyst, error);
}

bool sc_history_filter_keeps(const sc_history_filter *filter, const char *analyst,
                             uint64_t time)
{
    return (filter->analyst == NULL || strcmp(filter->analyst, analyst) == 0) &&
           (time == 0 || time >= filter->since);
}
