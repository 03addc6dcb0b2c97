/* A server that adds up the reports of devices: messages come one by one, a bad one is refused, and a copy that a device
 * sent again is dropped before it is counted.
 *
 *     cc -o collect_reports collect_reports.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <inttypes.h>
#include <scrim.h>
#include <scrim_local.h>
#include <stdio.h>
#include <string.h>

#define DEVICES 600
#define MESSAGE_BYTES (SCRIM_LOCAL_HEADER_BYTES + 1)

/* Public, and the same for all devices. */
static const char line[] = "scrim-local/1 question=light protocol=randomised-response "
                           "values=3 a=7 b=1\n";

/* In place of the network: devices, of which a third hold each value. One that sends again sends the bytes that it kept;
 * a value that is encoded anew would be charged anew. */
static unsigned char kept[DEVICES][MESSAGE_BYTES];

static int receive(uint64_t device, uint8_t message[MESSAGE_BYTES])
{
    scrim_local_config config;
    if (kept[device][0] != 0) {
        memcpy(message, kept[device], MESSAGE_BYTES);
        return 1;
    }
    if (scrim_local_config_parse(line, &config) != SCRIM_LOCAL_OK)
        return 0;
    scrim_local_header(&config, message);
    if (scrim_local_encode(&config, device % 3, &scrim_local_system,
                           message + SCRIM_LOCAL_HEADER_BYTES) != SCRIM_LOCAL_OK)
        return 0;
    memcpy(kept[device], message, MESSAGE_BYTES);
    return 1;
}

/* A message has no device and no period in it. Your transport knows both: keep who has been counted in this period, and drop
 * what comes again. The copy has the same bytes, and would count as another device. */
static unsigned char counted[DEVICES];

static scrim_status collect(scrim_collection *collection, scrim_error *error)
{
    uint8_t message[MESSAGE_BYTES];
    for (uint64_t i = 0; i < DEVICES + 2; i++) {
        const uint64_t device = i % DEVICES; /* two of them send again */
        if (!receive(device, message))
            return SCRIM_E_ENTROPY;
        if (i == 17)
            message[0] = 'X'; /* on its way */
        if (counted[device]) {
            printf("device %" PRIu64 " was counted already\n", device);
            continue;
        }
        const scrim_status status =
            scrim_collection_add_message(collection, message, sizeof message, error);
        if (status == SCRIM_OK)
            counted[device] = 1;
        else if (status == SCRIM_E_INPUT) /* the device may send again */
            printf("refused: %s\n", error->message);
        else
            return status;
    }
    return SCRIM_OK;
}

static scrim_status show(scrim_collection *collection, scrim_error *error)
{
    scrim_collection_facts facts;
    scrim_estimates *estimates = NULL;
    const scrim_status status =
        scrim_collection_decode(collection, NULL, &estimates, error);
    if (status != SCRIM_OK)
        return status;
    scrim_collection_describe(collection, &facts);
    printf("%" PRIu64 " reports, epsilon %.4g each\n", facts.reports, facts.epsilon);
    for (size_t i = 0; i < scrim_estimates_count(estimates); i++) {
        scrim_estimate value;
        scrim_estimates_at(estimates, i, &value);
        printf("value %zu: %.0f devices, from %.0f to %.0f\n", i, value.estimate,
               value.low, value.high);
    }
    scrim_estimates_free(estimates);
    return SCRIM_OK;
}

int main(void)
{
    scrim_collection *collection = NULL;
    scrim_error error = {.message = "no random bits"};
    scrim_status status = scrim_collection_new(line, &collection, &error);
    if (status == SCRIM_OK)
        status = collect(collection, &error);
    if (status == SCRIM_OK)
        status = show(collection, &error);
    if (status != SCRIM_OK)
        fprintf(stderr, "%s\n", error.message);
    scrim_collection_free(collection);
    return (int)status / 10;
}
