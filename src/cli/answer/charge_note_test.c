#include "check.h"
#include "cli/answer/charge_note.h"

#include <string.h>

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

TEST(charge_note_says_cost_remainder_and_number)
{
    static sc_output output;
    const scrim_vault_release release = {.id = 12,
                                         .version = 3,
                                         .dataset = "adult",
                                         .analyst = "alice",
                                         .unit = "epsilon",
                                         .amount = "0.1",
                                         .delta = "0"};
    scrim_budget left = {.population = "people",
                         .unit = "epsilon",
                         .left = "2.99999999999999999999",
                         .left_delta = "0",
                         .total_delta = "0"};
    sc_output_init(&output, -1);
    sc_charge_note_write(&output, &release, "", &left, "");
    CHECK_STR(buffered(&output),
              "charged     epsilon 0.1 to adult, version 3, for alice\n"
              "left        epsilon 2.9999 of the budget of people\n"
              "release     12, which 'scrim replay 12' shows again, free of charge\n");
    sc_output_init(&output, -1);
    strcpy(left.left_delta, "0.000001");
    strcpy(left.total_delta, "0.000002");
    sc_charge_note_write(&output, &release, "", &left, "");
    CHECK(strstr(buffered(&output), ", delta 1e-6 of the budget") != NULL);
    strcpy(left.remainder.share, "1.7");
    strcpy(left.remainder.whole, "2.1");
    sc_output_init(&output, -1);
    sc_charge_note_write(&output, &release, "", &left, "");
    CHECK(strstr(buffered(&output),
                 "left        epsilon 1.7 of your share, 2.1 of the whole budget\n") !=
          NULL);
    sc_output_init(&output, -1);
    sc_charge_note_write(&output, &release, ": then", NULL, " --vault b");
    CHECK(strstr(buffered(&output), "'scrim replay 12 --vault b' shows") != NULL);
    CHECK(strstr(buffered(&output), "version 3, for alice: then\n") != NULL);
    CHECK(strstr(buffered(&output), "left") == NULL);
    sc_output_init(&output, -1);
    sc_json json;
    sc_json_init(&json, &output);
    sc_charged_json(&json, NULL, &release);
    CHECK_STR(buffered(&output),
              "{\"unit\": \"epsilon\", \"amount\": \"0.1\", \"delta\": \"0\"}\n");
}

TEST(vault_words_are_words_of_a_shell)
{
    char words[SC_VAULT_WORDS_BYTES], name[400];
    sc_vault_words(NULL, words);
    CHECK_STR(words, "");
    sc_vault_words("../a-b/scrim.vault", words);
    CHECK_STR(words, " --vault ../a-b/scrim.vault");
    sc_vault_words("my vault", words);
    CHECK_STR(words, " --vault \"my vault\"");
    sc_vault_words("a\"b$(c)`d\\e", words);
    CHECK_STR(words, " --vault \"a\\\"b\\$(c)\\`d\\\\e\"");
    memset(name, '$', sizeof name - 1);
    for (size_t bytes = 60; bytes < sizeof name; bytes++) {
        name[bytes] = '\0';
        sc_vault_words(name, words);
        CHECK(strlen(words) < sizeof words);
        CHECK((strcmp(words, " --vault FILE") == 0) == (bytes > 72));
        name[bytes] = '$';
    }
}

TEST(A86_charge_advice_names_the_release)
{
    scrim_error error = {.status = SCRIM_E_INTERNAL, .message = "the pipe is full"};
    sc_charge_advise(&error, 12, NULL);
    CHECK_STR(error.message,
              "the pipe is full; release 12 is charged and recorded: 'scrim replay 12' "
              "shows it, free of charge");
    error = (scrim_error){.status = SCRIM_E_INTERNAL};
    sc_charge_advise(&error, 12, "my vault");
    CHECK_STR(error.message,
              "; release 12 is charged and recorded: 'scrim replay 12 --vault \"my "
              "vault\"' shows it, free of charge");
    /* However much was said before. */
    memset(error.message, 'x', sizeof error.message - 1);
    error.message[sizeof error.message - 1] = '\0';
    sc_charge_advise(&error, UINT64_MAX, "a vault");
    CHECK(strstr(error.message,
                 "xxx; release 18446744073709551615 is charged and "
                 "recorded: 'scrim replay 18446744073709551615 --vault \"a "
                 "vault\"' shows it, free of charge") != NULL);
}
