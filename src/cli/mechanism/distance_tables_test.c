#include "check.h"
#include "cli/mechanism/distance_tables.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file with these bytes, read; the file is gone afterwards. */
static scrim_status read_text(const char *text, size_t bytes, unsigned dimensions,
                              sc_place_file *out, scrim_error *error)
{
    char path[] = "/tmp/place_file_XXXXXX";
    const int file = mkstemp(path);
    CHECK(file >= 0 && write(file, text, bytes) == (ssize_t)bytes);
    close(file);
    scrim_status status = dimensions == 0
                              ? sc_place_file_metric(path, out, error)
                              : sc_place_file_read(path, dimensions, out, error);
    CHECK_INT(unlink(path), 0);
    return status;
}

#define READ(text, dimensions, out, error)                                               \
    read_text(text, sizeof(text) - 1, dimensions, out, error)

TEST(place_file_lines_are_places_with_counts)
{
    sc_place_file file;
    REQUIRE_OK(READ("# head\r\n 1 , 2 \r\n\n-3/4\n0.5,", 1, &file, NULL));
    CHECK_INT(file.count, 3);
    CHECK_STR(file.places[0].place, "1");
    CHECK_STR(file.places[0].mass, "2");
    CHECK_STR(file.places[1].place, "-3/4");
    CHECK(file.places[1].mass == NULL);
    CHECK_STR(file.places[2].mass, "");
    sc_place_file_clear(&file);
    REQUIRE_OK(READ("1,2\n3,4,5\n", 2, &file, NULL));
    CHECK_STR(file.places[0].place, "1,2");
    CHECK(file.places[0].mass == NULL);
    CHECK_STR(file.places[1].place, "3,4");
    CHECK_STR(file.places[1].mass, "5");
    sc_place_file_clear(&file);
    REQUIRE_OK(READ("", 1, &file, NULL));
    CHECK_INT(file.count, 0);
    sc_place_file_clear(&file);
}

TEST(place_file_of_a_metric)
{
    sc_place_file file;
    REQUIRE_OK(READ("a, b ,1/2\n#\nb,a,7\n", 0, &file, NULL));
    CHECK_INT(file.count, 2);
    CHECK_STR(file.steps[0].to, "b");
    CHECK_STR(file.steps[1].length, "7");
    sc_place_file_clear(&file);
}

TEST(place_file_tells_the_line_that_is_wrong)
{
    sc_place_file file;
    scrim_error error;
    CHECK_STATUS(READ("1\n\n2,3,4\n", 1, &file, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "line 3: ") != NULL);
    CHECK_STATUS(READ("a,b,1\na,b\n", 0, &file, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "line 2: ") != NULL);
    CHECK_STATUS(READ("a,b,1,2\n", 0, &file, &error), SCRIM_E_INPUT);
    CHECK_STATUS(READ("# nothing\n", 0, &file, &error), SCRIM_E_INPUT);
    CHECK_STATUS(READ("1\0002\n", 1, &file, &error), SCRIM_E_INPUT);
    CHECK_STATUS(sc_place_file_read("tests/missing", 1, &file, &error), SCRIM_E_INPUT);
}
