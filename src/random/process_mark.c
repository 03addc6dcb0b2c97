#include "random/process_mark.h"

#include "random/private_pages.h"

#include <stddef.h>
#include <unistd.h>

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
