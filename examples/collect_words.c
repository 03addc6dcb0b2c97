/* A server that finds the words which devices hold and nobody has listed: it keeps the reports of the protocol prefix,
 * back to back, and searches them all together.
 *
 *     cc -o collect_words collect_words.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <scrim.h>
#include <scrim_local.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES 6000

/* Public, and the same for all devices: scrim local plan word --users 6000 --unknown --length 3 --epsilon 4. */
static const char line[] = "scrim-local/2 question=word protocol=prefix a=57250309 "
                           "b=1048576 text=3 cells=64 prefixes=20,24\n";

/* In place of the network: the message of a device. A half of them hold yes, a third hold no. */
static int receive(const scrim_local_config *config, int device, uint8_t *message)
{
    static const char *const words[] = {"yes", "no", "yes", "no", "yes", "?"};
    uint8_t text[3] = {0}; /* padded with zeros */
    memcpy(text, words[device % 6], strlen(words[device % 6]));
    scrim_local_header(config, message);
    return scrim_local_encode_text(config, text, &scrim_local_system,
                                   message + SCRIM_LOCAL_HEADER_BYTES) == SCRIM_LOCAL_OK;
}

/* Keeps the reports without their headers; messages of other configurations are left out. How many; -1: no random bits. */
static long collect(const scrim_local_config *config, uint8_t *reports)
{
    const size_t bytes = scrim_local_report_bytes(config);
    uint8_t message[SCRIM_LOCAL_HEADER_BYTES + 16], header[SCRIM_LOCAL_HEADER_BYTES];
    long count = 0;
    if (bytes > 16)
        return -1;
    scrim_local_header(config, header);
    for (int device = 0; device < DEVICES; device++) {
        if (!receive(config, device, message))
            return -1;
        if (memcmp(message, header, sizeof header) == 0)
            memcpy(reports + (size_t)count++ * bytes, message + sizeof header, bytes);
    }
    return count;
}

static void show(const scrim_local_unknown *found)
{
    size_t count;
    const scrim_local_text *texts = scrim_local_unknown_texts(found, &count);
    for (size_t i = 0; i < count; i++)
        printf("%s: %.0f devices, plus or minus %.0f\n", (const char *)texts[i].text,
               texts[i].estimate, 1.96 * texts[i].error);
}

int main(void)
{
    scrim_local_config config;
    scrim_local_unknown *found = NULL;
    scrim_error error = {.message = "no memory, or no random bits"};
    if (scrim_local_config_parse(line, &config) != SCRIM_LOCAL_OK)
        return 2;
    uint8_t *reports = malloc((size_t)DEVICES * scrim_local_report_bytes(&config));
    const long count = reports == NULL ? -1 : collect(&config, reports);
    scrim_status status = count < 0 ? SCRIM_E_ENTROPY : SCRIM_OK;
    if (status == SCRIM_OK)
        status = scrim_local_unknown_search(&config, reports, (size_t)count, NULL, &found,
                                            &error);
    if (status == SCRIM_OK)
        show(found);
    else
        fprintf(stderr, "%s\n", error.message);
    scrim_local_unknown_free(found);
    free(reports);
    return (int)status / 10;
}
