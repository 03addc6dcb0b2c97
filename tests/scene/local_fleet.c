#include "local_fleet.h"

#include "local/collect/report_sums.h"
#include "local_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *fleet_config(const char *words)
{
    static char text[SCRIM_LOCAL_CONFIG_BYTES];
    snprintf(text, sizeof text, "scrim-local/%d question=q protocol=%s\n",
             strstr(words, " cells=") != NULL ? 2 : 1, words);
    return text;
}

sc_sums fleet_sums(const char *words)
{
    sc_sums sums = {0};
    scrim_error error = {.status = SCRIM_OK};
    if (!CHECK_STATUS(sc_sums_init(&sums, fleet_config(words), &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", words, error.message);
    return sums;
}

void fleet_send(sc_sums *sums, const uint32_t *values, size_t count, uint64_t *seed)
{
    const scrim_local_source source = device_seeded(seed);
    uint8_t *reports = calloc(count + 8, sums->report_bytes);
    CHECK_INT(scrim_local_encode_many(&sums->config, values, count, &source, reports),
              SCRIM_LOCAL_OK);
    CHECK_STATUS(sc_sums_add(sums, reports, count, sums->report_bytes,
                             count * sums->report_bytes, NULL),
                 SCRIM_OK);
    free(reports);
}

void fleet_send_counts(sc_sums *sums, const uint64_t *holders, size_t values,
                       uint64_t *seed)
{
    enum { ROOM = 4096 };
    uint32_t waiting[ROOM];
    size_t count = 0;
    for (size_t v = 0; v < values; v++)
        for (uint64_t i = 0; i < holders[v]; i++) {
            waiting[count++] = (uint32_t)v;
            if (count == ROOM) {
                fleet_send(sums, waiting, count, seed);
                count = 0;
            }
        }
    fleet_send(sums, waiting, count, seed);
}

void fleet_zipf(uint64_t devices, uint64_t *holders, size_t values)
{
    double all = 0, passed = 0;
    uint64_t given = 0;
    for (size_t v = 0; v < values; v++)
        all += pow((double)v + 1, -1.1);
    for (size_t v = 0; v < values; v++) {
        passed += pow((double)v + 1, -1.1);
        const uint64_t now = (uint64_t)((double)devices * passed / all + 0.5);
        holders[v] = now - given;
        given = now;
    }
}
