#include "secret.h"

#include "check.h"

#include <stdio.h>
#include <string.h>
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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif
#ifndef HAS_SANITIZER
#define HAS_SANITIZER 0
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
static bool is_under_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

bool secret_is_instrumented(void)
{
    return HAS_SANITIZER || is_under_valgrind();
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

/* Becomes valgrind on this program and its hidden tests. Reports are counted from inside and
 * not printed. */
_Noreturn static void become_valgrind(const char *filter)
{
    char self[4096];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0 && setenv("CHECK_SELFTEST", "1", 1) == 0) {
        self[length] = '\0';
        execlp("valgrind", "valgrind", "-q", "--error-limit=no", "--log-file=/dev/null",
               self, "--jobs", "1", "--filter", filter, (char *)NULL);
    }
    _exit(127);
}

void secret_run(const char *filter)
{
    if (HAS_SANITIZER)
        SKIP("valgrind does not run a program that is built with a sanitizer");
    if (!HAS_MEMCHECK)
        SKIP("built without valgrind/memcheck.h");
    if (!is_installed("valgrind"))
        SKIP("valgrind is not installed");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become_valgrind(filter);
    int status = -1;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
}
