#include "check.h"
#include "cli/vault/export_writer.h"

#include <string.h>

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

#define HASH "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

TEST(export_is_text_where_it_can_be)
{
    static sc_output output;
    sc_export export;
    sc_output_init(&output, -1);
    sc_export_begin(&export, &output);
    sc_export_add(&export, 1, "init 1 x\n\"q\" \\ \t gr\xc3\xbcn \xe2\x80\xa8", 26, HASH,
                  NULL);
    sc_export_add(&export, 2, "a\xff\0b", 4, HASH, NULL);
    sc_export_add(&export, 3, "release 2 d", 11, HASH, "7\nlabel \xed\xa0\x80\n");
    sc_export_add(&export, 4, "release 3 d", 11, HASH, "7\nlabel a\n");
    sc_export_end(&export);
    CHECK_STR(buffered(&output),
              "{\"scrim_ledger\": 1}\n"
              "{\"entry\": 1, \"hash\": \"" HASH
              "\", \"text\": \"init 1 x\\n\\\"q\\\" \\\\ "
              "\\u0009 gr\xc3\xbcn \xe2\x80\xa8\"}\n"
              "{\"entry\": 2, \"hash\": \"" HASH "\", \"hex\": \"61ff0062\"}\n"
              "{\"entry\": 3, \"hash\": \"" HASH "\", \"text\": \"release 2 d\", "
              "\"answer_hex\": \"370a6c6162656c20eda0800a\"}\n"
              "{\"entry\": 4, \"hash\": \"" HASH "\", \"text\": \"release 3 d\", "
              "\"answer\": \"7\\nlabel a\\n\"}\n"
              "{\"head\": 4, \"hash\": \"" HASH "\"}\n");
}

TEST(export_takes_no_bytes_for_text_that_are_none)
{
    static const char *const bad[] = {
        "\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", "\xf5\x80\x80\x80",
        "\xc3", "\xe2\x82", "\xed\xbf\xbf", "\xf4\x90\x80\x80"};
    static const char *const good[] = {"",
                                       "a",
                                       "\xc2\x80",
                                       "\xe0\xa0\x80",
                                       "\xef\xbf\xbf",
                                       "\xf0\x90\x80\x80",
                                       "\xf4\x8f\xbf\xbf"};
    static sc_output output;
    sc_export export;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sc_output_init(&output, -1);
        sc_export_begin(&export, &output);
        sc_export_add(&export, 1, bad[i], strlen(bad[i]), HASH, NULL);
        CHECK(strstr(buffered(&output), "\"hex\"") != NULL);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        sc_output_init(&output, -1);
        sc_export_begin(&export, &output);
        sc_export_add(&export, 1, good[i], strlen(good[i]), HASH, NULL);
        CHECK(strstr(buffered(&output), "\"text\"") != NULL);
    }
}
