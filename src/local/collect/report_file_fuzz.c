/* Whatever bytes a file has: it is refused, or its sums, written, are read as the same sums. The first byte
 * says how the rest is cut into pieces. */
#include "corpus.h"
#include "local/collect/collection.h"
#include "local/collect/report_sums.h"

#include <string.h>

static bool pass_on(void *context, const char *text, size_t bytes)
{
    sc_report_file *file = context;
    return sc_report_file_read(file, (const uint8_t *)text, bytes, NULL) == SCRIM_OK;
}

static void read_again(sc_sums *sums, const char *config)
{
    sc_sums again;
    sc_report_file file;
    REQUIRE_OK(sc_sums_init(&again, config, NULL));
    sc_report_file_init(&file, &again);
    CHECK(sc_sums_write(sums, pass_on, &file));
    CHECK_STATUS(sc_report_file_end(&file, NULL), SCRIM_OK);
    CHECK_INT(again.reports, sums->reports);
    CHECK_INT(again.dropped, sums->dropped);
    CHECK_BYTES(again.counts, sums->counts, sums->cells * sizeof *sums->counts);
    sc_sums_clear(&again);
}

FUZZ(report_file)
{
    static const char config[] =
        "scrim-local/1 question=q protocol=randomised-response values=5 a=3 b=1\n";
    sc_sums sums;
    sc_report_file file;
    REQUIRE_OK(sc_sums_init(&sums, config, NULL));
    sc_report_file_init(&file, &sums);
    const size_t piece = count == 0 ? 1 : 1 + bytes[0] % 32;
    scrim_status status = SCRIM_OK;
    for (size_t at = 1; status == SCRIM_OK && at < count; at += piece)
        status = sc_report_file_read(&file, bytes + at,
                                     count - at < piece ? count - at : piece, NULL);
    if (status == SCRIM_OK)
        status = sc_report_file_end(&file, NULL);
    CHECK(status == SCRIM_OK || status == SCRIM_E_INPUT || status == SCRIM_E_LIMIT);
    if (status == SCRIM_OK)
        read_again(&sums, config);
    sc_report_file_clear(&file);
    sc_sums_clear(&sums);
}
