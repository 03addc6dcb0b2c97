#include "check.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/whole_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

TEST(whole_file_reads_up_to_its_limit)
{
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 10000};
    char path[] = "/tmp/scrim-whole-XXXXXX";
    scrim_error error = {.message = ""};
    sc_whole_file file;
    const int made = mkstemp(path);
    REQUIRE(made >= 0);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        CHECK(ftruncate(made, (off_t)sizes[i]) == 0);
        if (!CHECK_STATUS(sc_whole_file_read(path, sizes[i], &file, &error), SCRIM_OK))
            continue;
        CHECK_INT(file.count, sizes[i]);
        CHECK(file.bytes[file.count] == '\0');
        sc_whole_file_clear(&file);
        if (sizes[i] > 0)
            CHECK_STATUS(sc_whole_file_read(path, sizes[i] - 1, &file, &error),
                         SCRIM_E_LIMIT);
    }
    close(made);
    unlink(path);
    CHECK_STATUS(sc_whole_file_read(path, 10, &file, &error), SCRIM_E_INPUT);
    CHECK(strstr(error.message, "No such file") != NULL);
    CHECK_STATUS(sc_whole_file_read("/tmp", 10, &file, &error), SCRIM_E_INPUT);
}

TEST(whole_file_reads_standard_input)
{
    int ends[2];
    scrim_error error;
    sc_whole_file file;
    REQUIRE(pipe(ends) == 0);
    CHECK(write(ends[1], "unit=row\n", 9) == 9);
    close(ends[1]);
    CHECK(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    REQUIRE_OK(sc_whole_file_read("-", 100, &file, &error));
    CHECK_STR(file.bytes, "unit=row\n");
    sc_whole_file_clear(&file);
    close(ends[0]);
}

/* A caller who runs a program with its owner's rights neither reads nor writes the owner's files. */
TEST(files_are_those_of_the_caller)
{
    char path[] = "/tmp/scrim-owned-XXXXXX";
    if (getuid() != 0)
        SKIP("only root can have the rights of two users");
    const int made = mkstemp(path);
    REQUIRE(made >= 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        sc_whole_file file;
        scrim_error error = {.message = ""};
        CHECK(setresuid(65534, 0, 0) == 0);
        CHECK_STATUS(sc_whole_file_read(path, 10, &file, &error), SCRIM_E_POLICY);
        CHECK_STATUS(sc_file_writer_check("--svg", path, &error), SCRIM_E_POLICY);
        sc_file_writer writer;
        CHECK_STATUS(sc_file_writer_open(&writer, "--svg", path, &error), SCRIM_E_POLICY);
        _exit(0);
    }
    int end = -1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    close(made);
    unlink(path);
}

TEST(json_reader_keeps_numbers_as_they_stand)
{
    char text[] = "{\"a b\" : [0.10,-3e5 , 1/3],\nc:7}\n";
    sc_json_reader reader;
    sc_json_reader_init(&reader, text);
    CHECK(sc_json_skip(&reader, '{') && !sc_json_skip(&reader, '['));
    CHECK_STR(sc_json_scalar(&reader), "a b");
    CHECK(sc_json_skip(&reader, ':') && sc_json_skip(&reader, '['));
    const char *first = sc_json_scalar(&reader);
    CHECK(sc_json_skip(&reader, ','));
    CHECK_STR(sc_json_scalar(&reader), "-3e5");
    CHECK(sc_json_skip(&reader, ','));
    CHECK_STR(sc_json_scalar(&reader), "1/3");
    CHECK_STR(first, "0.10");
    CHECK(sc_json_skip(&reader, ']') && sc_json_skip(&reader, ','));
    CHECK_STR(sc_json_scalar(&reader), "c");
    CHECK_INT(reader.line, 2);
    CHECK(sc_json_skip(&reader, ':') && !sc_json_is_end(&reader));
    CHECK_STR(sc_json_scalar(&reader), "7");
    CHECK(sc_json_skip(&reader, '}') && sc_json_is_end(&reader));
}

TEST(json_reader_takes_nothing_else)
{
    static const char *const list[] = {"[?]", "[\"a\\\"b\"]", "[\"open", "[", "[,"};
    for (size_t i = 0; i < COUNT(list); i++) {
        char text[16];
        sc_json_reader reader;
        snprintf(text, sizeof text, "%s", list[i]);
        sc_json_reader_init(&reader, text);
        CHECK(sc_json_skip(&reader, '['));
        CHECK(sc_json_scalar(&reader) == NULL);
    }
}
