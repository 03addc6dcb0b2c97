#include "check.h"
#include "model/option_struct.h"

#include <string.h>

/* A struct of three versions: the second brought later, the third latest. */
typedef struct options {
    size_t size;
    int first;
    const char *text;
    const char *later;
    const char *latest;
} options;

#define LEAST offsetof(options, text)
#define SECOND offsetof(options, latest) /* the size of the version that knew later */

TEST(option_struct_of_zeros_is_refused)
{
    CLAIM("options.grow");
    scrim_error error = {.message = ""};
    const options zeros = {0};
    options copy;
    CHECK_STATUS(sc_option_struct_copy(&zeros, LEAST, &copy, sizeof copy, &error),
                 SCRIM_E_PARAM);
    CHECK(strstr(error.message, "SCRIM_OPTIONS") != NULL);
    for (size_t size = 0; size < LEAST; size++) {
        const options few = {.size = size};
        CHECK_STATUS(sc_option_struct_copy(&few, LEAST, &copy, sizeof copy, NULL),
                     SCRIM_E_PARAM);
    }
}

/* A library of the second version, and a caller of the third. */
TEST(option_struct_that_is_newer_may_ask_for_nothing_unknown)
{
    CLAIM("options.grow");
    scrim_error error = {.message = ""};
    options o = {.size = sizeof o, .text = "a", .later = "b"}, copy = {0};
    CHECK_STATUS(sc_option_struct_copy(&o, LEAST, &copy, SECOND, NULL), SCRIM_OK);
    CHECK_STR(copy.later, "b");
    o.latest = "c";
    CHECK_STATUS(sc_option_struct_copy(&o, LEAST, &copy, SECOND, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "does not know") != NULL);
    CHECK_STATUS(sc_option_struct_copy(&o, LEAST, &copy, sizeof o, NULL), SCRIM_OK);
    CHECK_STR(copy.latest, "c");
}

/* Every version as a whole one: nothing behind its end is looked at. */
TEST(option_struct_is_copied_as_far_as_it_goes)
{
    CLAIM("options.grow");
    options o = {.first = 7, .text = "a", .later = "b", .latest = "c"}, copy;
    static const size_t sizes[] = {LEAST, offsetof(options, later), SECOND,
                                   sizeof(options)};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        o.size = sizes[i];
        memset(&copy, 0xff, sizeof copy);
        CHECK_STATUS(sc_option_struct_copy(&o, LEAST, &copy, sizeof copy, NULL),
                     SCRIM_OK);
        CHECK(copy.first == 7 && (copy.text == NULL) == (i < 1) &&
              (copy.later == NULL) == (i < 2) && (copy.latest == NULL) == (i < 3));
    }
    CHECK_STATUS(sc_option_struct_copy(NULL, LEAST, &copy, sizeof copy, NULL), SCRIM_OK);
    CHECK(copy.size == 0 && copy.first == 0 && copy.text == NULL);
}

TEST(option_struct_that_is_refused_is_not_copied)
{
    CLAIM("options.grow");
    options o = {.size = sizeof o, .latest = "c"}, copy = {.first = 7};
    CHECK_STATUS(sc_option_struct_copy(&o, LEAST, &copy, SECOND, NULL), SCRIM_E_PARAM);
    o.size = 0;
    CHECK_STATUS(sc_option_struct_copy(&o, LEAST, &copy, sizeof copy, NULL),
                 SCRIM_E_PARAM);
    CHECK_INT(copy.first, 7);
}
