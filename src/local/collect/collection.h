/* The handle of include/scrim/collection.h. */
#ifndef SC_LOCAL_COLLECTION_H
#define SC_LOCAL_COLLECTION_H

#include "local/collect/report_file.h"
#include "scrim/collection.h"

struct scrim_collection {
    sc_sums sums;
    sc_report_file file;
};

#endif
