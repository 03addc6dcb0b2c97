#include "check.h"
#include "data/source/source_encoding.h"

TEST(source_encoding_names_what_is_not_utf8)
{
    static const struct {
        const char *bytes;
        size_t count;
        const char *encoding; /* NULL: UTF-8 */
    } rows[] = {
        {"", 0, NULL},
        {"id,age", 6, NULL},
        {"id,gr\xc3\xb6\xc3\x9f"
         "e",
         10, NULL},
        {"id,gr\xf6\xdf"
         "e",
         8, "WINDOWS-1252"},
        {"\xff\xfei\0d\0", 6, "UTF-16"},
        {"\xfe\xff\0i\0d", 6, "UTF-16"},
        {"\xff\xfe\0\0i\0\0\0", 8, "UTF-32"},
        {"\0\0\xfe\xff\0\0\0i", 8, "UTF-32"},
        {"i\0d\0", 4, "UTF-16LE"},
        {"\0i\0d", 4, "UTF-16BE"},
        {"i\0\0\0d\0\0\0", 8, "UTF-32LE"},
        {"\0\0\0i", 4, "UTF-32BE"},
        {"\0", 1, "UTF-16BE"},
        {"i\0", 2, "UTF-16LE"},
        {"\xff", 1, "WINDOWS-1252"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *encoding =
            sc_source_encoding((sc_text){rows[i].bytes, rows[i].count});
        CHECK_STR(encoding == NULL ? "UTF-8" : encoding,
                  rows[i].encoding == NULL ? "UTF-8" : rows[i].encoding);
    }
}
