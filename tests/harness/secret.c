#include "secret.h"

#include "check.h"
#include "sanitized.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define HAS_MEMCHECK 1
#endif
#endif
#ifndef HAS_MEMCHECK
#define HAS_MEMCHECK 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef HAS_ADDRESS_SANITIZER
#define HAS_ADDRESS_SANITIZER 0
#endif
#if HAS_ADDRESS_SANITIZER
size_t __sanitizer_get_current_allocated_bytes(void); // NOLINT: the sanitizer's name
#endif

#if HAS_MEMCHECK
void secret_hide(void *memory, size_t bytes)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes);
}

void secret_show(void *memory, size_t bytes)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(memory, bytes);
}

unsigned long secret_reports(void)
{
    return VALGRIND_COUNT_ERRORS;
}
#else
void secret_hide(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

void secret_show(void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

unsigned long secret_reports(void)
{
    return 0;
}
#endif

/* By what valgrind preloads: this works without its header too. */
bool secret_is_under_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

bool secret_is_instrumented(void)
{
    return IS_SANITIZED || secret_is_under_valgrind();
}

bool secret_is_counting(void)
{
    return HAS_ADDRESS_SANITIZER;
}

size_t secret_taken(void)
{
#if HAS_ADDRESS_SANITIZER
    return __sanitizer_get_current_allocated_bytes();
#else
    return 0;
#endif
}

unsigned secret_slowness(void)
{
    return secret_is_under_valgrind() ? 100 : IS_SANITIZED ? 10 : 1;
}

static bool is_installed(const char *program)
{
    const char *path = getenv("PATH");
    char file[4096];
    while (path != NULL && *path != '\0') {
        const size_t length = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)length, path, program);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* Runs a command found on PATH; its exit status, or -1. */
static int run(char *const command[])
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

/* This program without what is there for debuggers, which not every valgrind can read. */
static bool strip_self(char *stripped)
{
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    char *command[] = {"strip", "-g", "-o", stripped, self, NULL};
    return run(command) == 0;
}

void secret_run(const char *filter)
{
#ifndef __OPTIMIZE__
    SKIP("without optimisation a choice is a jump");
#endif
    if (IS_SANITIZED)
        SKIP("valgrind does not run a program that is built with a sanitizer");
    if (!HAS_MEMCHECK)
        SKIP("built without valgrind/memcheck.h");
    if (!is_installed("valgrind") || !is_installed("strip"))
        SKIP("valgrind or strip is not installed");
    /* In memory, so that a run that is killed leaves nothing behind; children inherit it. */
    const int file = memfd_create("stripped", 0);
    char stripped[64], wanted[128];
    snprintf(stripped, sizeof stripped, "/proc/self/fd/%d", file);
    snprintf(wanted, sizeof wanted, "%s", filter);
    /* Reports are counted from inside, and not printed. */
    char *command[] = {"valgrind",        "-q",        "--error-limit=no",
                       "--leak-check=no", "--vgdb=no", "--log-file=/dev/null",
                       stripped,          "--jobs",    "1",
                       "--filter",        wanted,      NULL};
    if (CHECK(file >= 0) && CHECK(strip_self(stripped)) &&
        CHECK(setenv("CHECK_SELFTEST", "1", 1) == 0))
        CHECK_INT(run(command), 0);
    close(file);
}
