/* Any text is a policy or none; what one is, is so without its comments too. */
#include "corpus.h"
#include "scrim/vault.h"
#include "vault/policy.h"

#include <stdlib.h>
#include <string.h>

/* The lines of a policy, spelt "key=value" each. */
static char *plain(sc_text policy)
{
    char *text = malloc(2 * policy.bytes + 2);
    sc_text line, key, value;
    sc_text_sink sink;
    if (text == NULL)
        return NULL;
    sc_text_sink_init(&sink, text, 2 * policy.bytes + 2);
    while (sc_schema_line(&policy, &line, &key, &value)) {
        sc_text_put(&sink, key);
        sc_text_put(&sink, sc_text_of("="));
        sc_text_put(&sink, value);
        sc_text_put(&sink, sc_text_of("\n"));
    }
    return text;
}

FUZZ(policy)
{
    sc_policy policy;
    scrim_error error = {.message = ""};
    char *text = malloc(count + 1);
    REQUIRE(text != NULL);
    memcpy(text, bytes, count);
    text[count] = '\0';
    sc_policy_init(&policy);
    const scrim_status own = sc_policy_parse(sc_text_of(text), &policy, &error);
    CHECK(own == SCRIM_OK || own == SCRIM_E_PARAM || own == SCRIM_E_SYNTAX);
    const scrim_status whole = scrim_policy_check(text, &error);
    CHECK(own == SCRIM_OK || whole == own);
    CHECK(whole == SCRIM_OK || error.message[0] != '\0');
    if (whole == SCRIM_OK) {
        char *again = plain(sc_text_of(text));
        if (CHECK(again != NULL))
            CHECK_STATUS(scrim_policy_check(again, &error), SCRIM_OK);
        free(again);
    }
    sc_policy_clear(&policy);
    free(text);
}
