/* Any bytes hold a label, whose text is found again in itself, or none. */
#include "corpus.h"
#include "query/label/label.h"

#include <string.h>

FUZZ(label)
{
    scrim_error error = {.status = SCRIM_OK};
    scrim_label *label = NULL, *again = NULL;
    const scrim_status status =
        scrim_label_find((const char *)bytes, count, &label, &error);
    if (status == SCRIM_OK) {
        const char *text = scrim_label_text(label);
        if (CHECK_STATUS(scrim_label_find(text, strlen(text), &again, NULL), SCRIM_OK))
            CHECK_STR(scrim_label_text(again), text);
        const scrim_status checked = scrim_label_check(label, &error);
        CHECK(checked == SCRIM_OK || checked == SCRIM_E_CHECK);
    } else {
        CHECK(status == SCRIM_E_SYNTAX || status == SCRIM_E_CHECK);
        CHECK(error.message[0] != '\0');
    }
    scrim_label_free(again);
    scrim_label_free(label);
}
