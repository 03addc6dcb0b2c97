#include "random/private_pages.h"

#include "base/memory.h"

#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

/* Does a fork wipe these pages from now on? Some emulators take any advice and follow
 * none; one that accepts an advice that does not exist is not believed. */
static bool wiped_on_fork(void *pages, size_t bytes)
{
#ifdef MADV_WIPEONFORK
    return madvise(pages, bytes, -1) != 0 && madvise(pages, bytes, MADV_WIPEONFORK) == 0;
#else
    (void)pages, (void)bytes;
    return false;
#endif
}

void *sc_private_pages_map(size_t bytes, bool *is_wiped)
{
    void *pages =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    *is_wiped = wiped_on_fork(pages, bytes);
    /* A second line of defence only, so a kernel without it will do. */
    (void)madvise(pages, bytes, MADV_DONTDUMP);
    return pages;
}

void sc_private_pages_unmap(void *pages, size_t bytes)
{
    if (pages == NULL)
        return;
    sc_wipe(pages, bytes);
    (void)munmap(pages, bytes);
}

bool sc_process_mark_init(sc_process_mark *mark)
{
    bool is_wiped = false; /* where it is not, the process number remains */
    *mark = (sc_process_mark){.page = NULL};
    mark->page = sc_private_pages_map(sizeof *mark->page, &is_wiped);
    if (mark->page == NULL)
        return false;
    *mark->page = 1;
    mark->process = getpid();
    return true;
}

bool sc_process_mark_is_here(const sc_process_mark *mark)
{
    return mark->page != NULL && *mark->page == 1 && mark->process == getpid();
}

void sc_process_mark_clear(sc_process_mark *mark)
{
    sc_private_pages_unmap(mark->page, sizeof *mark->page);
    *mark = (sc_process_mark){.page = NULL};
}
