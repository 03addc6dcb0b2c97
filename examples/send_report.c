/* A device that trusts nobody: which of 12 versions it runs, private before it leaves.
 *
 *     cc -o send_report send_report.c $(pkg-config --cflags --libs scrim) \
 *         -Wl,-rpath,$(pkg-config --variable=libdir scrim)
 */
#include <scrim_local.h>
#include <stdio.h>

int main(void)
{
    /* Public, and the same for all devices. */
    static const char text[] = "scrim-local/1 question=os.version "
                               "protocol=randomised-response values=12 a=20 b=3\n";
    const uint64_t version = 7; /* the secret */
    uint8_t message[SCRIM_LOCAL_HEADER_BYTES + 8];
    scrim_local_config config;
    scrim_local_status status = scrim_local_config_parse(text, &config);
    if (status != SCRIM_LOCAL_OK)
        return (int)status;
    const size_t bytes = scrim_local_report_bytes(&config);
    /* The device's own cap: epsilon at most ln 7. */
    if (!scrim_local_config_is_within(&config, 7, 1) || bytes > 8)
        return SCRIM_LOCAL_E_POLICY;
    scrim_local_header(&config, message);
    status = scrim_local_encode(&config, version, &scrim_local_system,
                                message + SCRIM_LOCAL_HEADER_BYTES);
    if (status != SCRIM_LOCAL_OK)
        return (int)status;
    for (size_t i = 0; i < SCRIM_LOCAL_HEADER_BYTES + bytes; i++)
        printf("%02x", message[i]);
    printf("\n");
    return 0;
}
