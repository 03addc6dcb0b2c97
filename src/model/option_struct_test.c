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
    CHECK_STATUS(sc_option_struct_check(NULL, LEAST, sizeof zeros, &error),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_option_struct_check(&zeros, LEAST, sizeof zeros, &error),
                 SCRIM_E_PARAM);
    CHECK(strstr(error.message, "SCRIM_OPTIONS") != NULL);
    for (size_t size = 0; size < LEAST; size++) {
        const options few = {.size = size};
        CHECK_STATUS(sc_option_struct_check(&few, LEAST, sizeof few, NULL),
                     SCRIM_E_PARAM);
    }
}

/* A library that knows all of them, and callers of each version. */
TEST(option_struct_that_is_older_is_read_as_far_as_it_goes)
{
    CLAIM("options.grow");
    options o = {.text = "a", .later = "b", .latest = "c"};
    static const struct {
        size_t size;
        const char *text, *later, *latest;
    } list[] = {{LEAST, NULL, NULL, NULL},
                {offsetof(options, later), "a", NULL, NULL},
                {offsetof(options, later) + 1, "a", NULL, NULL},
                {SECOND, "a", "b", NULL},
                {sizeof(options), "a", "b", "c"},
                {sizeof(options) + 8, "a", "b", "c"}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        o.size = list[i].size;
        if (o.size <= sizeof o)
            CHECK_STATUS(sc_option_struct_check(&o, LEAST, sizeof o, NULL), SCRIM_OK);
        CHECK((SC_OPTION(&o, text) == NULL) == (list[i].text == NULL));
        CHECK((SC_OPTION(&o, later) == NULL) == (list[i].later == NULL));
        CHECK((SC_OPTION(&o, latest) == NULL) == (list[i].latest == NULL));
    }
}

/* A library of the second version, and a caller of the third. */
TEST(option_struct_that_is_newer_may_ask_for_nothing_unknown)
{
    CLAIM("options.grow");
    scrim_error error = {.message = ""};
    options o = {.size = sizeof o, .text = "a", .later = "b"};
    CHECK_STATUS(sc_option_struct_check(&o, LEAST, SECOND, NULL), SCRIM_OK);
    o.latest = "c";
    CHECK_STATUS(sc_option_struct_check(&o, LEAST, SECOND, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "does not know") != NULL);
    CHECK_STATUS(sc_option_struct_check(&o, LEAST, sizeof o, NULL), SCRIM_OK);
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
