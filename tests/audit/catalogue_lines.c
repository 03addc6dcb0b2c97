#include "audit/catalogue_lines.h"

#include "base/text.h"

/* An axis, ended by NULL. */
#define AXIS(...)                                                                        \
    (const char *const[])                                                                \
    {                                                                                    \
        __VA_ARGS__, NULL                                                                \
    }

static const char *const epsilons[] = {"epsilon=1/10", "epsilon=1/3", "epsilon=1",
                                       "epsilon=5/2",  "epsilon=8",   NULL};
static const char *const relations[] = {"neighbours=add-remove", "neighbours=replace",
                                        NULL};

const line_family line_families[] = {
    {"laplace",
     {epsilons, AXIS("sensitivity=1", "sensitivity=2", "sensitivity=7/2"),
      AXIS("", "lower=0 upper=10", "lower=-7 upper=-3"), AXIS("", "size=3"), relations}},
    {"laplace",
     {AXIS("scale=1/3", "scale=1", "scale=17/4"), AXIS("", "sensitivity=3"),
      AXIS("", "lower=-2 upper=2")}},
    {"laplace",
     {AXIS("epsilon=1 grid=1/8", "epsilon=2 grid=0.1", "epsilon=1/2 grid=4"),
      AXIS("sensitivity=1", "sensitivity=1/3", "sensitivity=5/4"),
      AXIS("", "size=1", "size=2")}},
    {"gaussian",
     {AXIS("epsilon=1/2", "epsilon=1", "epsilon=3", "epsilon=9"),
      AXIS("delta=1e-3", "delta=1e-6", "delta=1e-9"),
      AXIS("sensitivity=1", "sensitivity=2", "sensitivity=5"), AXIS("", "size=2"),
      relations}},
    {"gaussian",
     {AXIS("sigma=1/2", "sigma=1", "sigma=4", "variance=1/4", "variance=7", "rho=1/8",
           "rho=2"),
      AXIS("sensitivity=1", "sensitivity=2", "sensitivity=3")}},
    {"truncated-laplace",
     {epsilons, AXIS("bound=8", "bound=20", "delta=1e-4", "delta=1e-9"),
      AXIS("sensitivity=1", "sensitivity=2", "sensitivity=7"), AXIS("", "size=2"),
      relations}},
    {"robust-laplace",
     {epsilons, AXIS("rho=1", "rho=2", "rho=7/2"), AXIS("", "theta=0", "theta=1/10"),
      AXIS("", "grid=1/4"), relations}},
    {"counter",
     {epsilons, AXIS("steps=1", "steps=3", "steps=4", "steps=12"),
      AXIS("", "sensitivity=2"), relations}},
    {"counter", {AXIS("rho=2", "epsilon=4 delta=1/10"), AXIS("steps=1", "steps=2")}},
    {"linear-queries",
     {epsilons,
      AXIS("bins=3 coefficients=1,1,0,0,1,1", "bins=2 coefficients=1,1/4,1/2,0 grid=1/4",
           "bins=4 workload=prefix", "bins=3 workload=ranges", "bins=3 workload=subsets"),
      AXIS("", "max-rows=2"), relations}},
    {"linear-queries",
     {AXIS("rho=2", "epsilon=4 delta=1/10"),
      AXIS("bins=3 coefficients=1,1,0,0,1,1", "bins=2 coefficients=1,0"), relations}},
    {"robust",
     {AXIS("rho=1 epsilon=1", "rho=7/2 epsilon=1/3 theta=1/10"),
      AXIS("of laplace epsilon=1", "of laplace epsilon=1/3 lower=0 upper=5",
           "of laplace epsilon=1 grid=1/4 neighbours=replace", "of gaussian sigma=2",
           "of gaussian epsilon=1 delta=1e-3", "of truncated-laplace epsilon=1 bound=8",
           "of robust-laplace rho=2 epsilon=1", "of stlap epsilon=1 q=7",
           "of rounded-stlap q=9", "of robust-laplace rho=3 epsilon=2 theta=1/10",
           "of range epsilon=1 width=6", "of threshold-laplace epsilon=2 delta=1e-2",
           "of quantile p=1/2 epsilon=1 lower=0 upper=3 neighbours=replace",
           "of randomised-query places=0,9,3 masses=1/2,1/2,1 sizes=2,1 epsilon=1")}},
    {"randomised-query",
     {AXIS("epsilon=1/3", "epsilon=1", "epsilon=4"), AXIS("", "theta=1/10", "theta=1/4"),
      AXIS("places=0,50,1,90 masses=9/10,1/10,9/10,1/10 sizes=2,2",
           "places=0,1,2,3 masses=1,1/2,1/2,1 sizes=1,2,1",
           "places=0,1,2,3 masses=1,1/2,1/2,1 sizes=1,2,1 pairs=0,1,1,2",
           "places=-3,4,-3,4 masses=3/4,1/4,1/2,1/2 sizes=2,2")}},
    {"exponential",
     {epsilons, AXIS("sensitivity=1", "sensitivity=2", "sensitivity=1/2 grid=1/4"),
      AXIS("candidates=1", "candidates=2", "candidates=3"),
      AXIS("neighbours=replace", "neighbours=add-remove", "monotone=yes")}},
    {"permute-and-flip",
     {epsilons, AXIS("sensitivity=1", "sensitivity=2", "sensitivity=1/2 grid=1/4"),
      AXIS("candidates=1", "candidates=2", "candidates=3"),
      AXIS("neighbours=replace", "neighbours=add-remove", "monotone=yes")}},
    {"one-sided-noisy-max",
     {epsilons, AXIS("sensitivity=1", "sensitivity=3"),
      AXIS("candidates=2", "candidates=3"), AXIS("", "monotone=yes")}},
    /* laws of noise on each score cost a sum over its width: no small epsilons here */
    {"noisy-max",
     {AXIS("epsilon=3/4", "epsilon=1", "epsilon=5/2", "epsilon=8"),
      AXIS("sensitivity=1", "sensitivity=3/2"), AXIS("candidates=2", "candidates=3"),
      AXIS("", "monotone=yes"), AXIS("", "noise=geometric")}},
    {"noisy-max",
     {AXIS("epsilon=1/10", "epsilon=1/3"), AXIS("candidates=1", "candidates=2"),
      AXIS("", "monotone=yes"), AXIS("", "noise=geometric")}},
    {"base2-exponential",
     {AXIS("epsilon=3/2", "epsilon=3", "epsilon=6"),
      AXIS("lower=0 upper=10", "lower=-3 upper=40",
           "lower=0 upper=1 grid=1/2 sensitivity=1/2"),
      AXIS("", "monotone=yes"), AXIS("candidates=2", "candidates=3")}},
    {"top-k",
     {AXIS("epsilon=1/2", "epsilon=1", "epsilon=4"), AXIS("k=1", "k=2", "k=3"),
      AXIS("candidates=3", "candidates=4"),
      AXIS("method=permute-and-flip", "method=exponential"), AXIS("", "monotone=yes")}},
    {"quantile",
     {epsilons, AXIS("p=1/2", "p=9/10", "p=1/3"),
      AXIS("lower=0 upper=1 records=3", "lower=0 upper=5 records=2",
           "lower=-2 upper=2 max-rows=2 records=2"),
      relations}},
    {"quantile",
     {AXIS("epsilon=1", "epsilon=8"), AXIS("p=1/4,3/4", "p=1/3,1/2"),
      AXIS("lower=0 upper=2 form=split records=2"), relations}},
    {"quantile",
     {AXIS("epsilon=4", "epsilon=20"), AXIS("p=1/3,2/3", "p=1/4,1/2,3/4"),
      AXIS("lower=0 upper=1 form=recursive records=2"), relations}},
    {"randomised-response",
     {AXIS("epsilon=1/1000", "epsilon=1/3", "epsilon=1", "epsilon=5", "epsilon=20"),
      AXIS("", "values=2", "values=3", "values=40")}},
    {"randomised-response",
     {AXIS("keep=3/4", "keep=0.9", "keep=2/3", "keep=0.9999999"),
      AXIS("", "values=3", "values=7")}},
    {"quantile",
     {AXIS("p=1/2", "p=1/10", "p=9/10", "p=1/4,3/4"),
      AXIS("epsilon=1/3", "epsilon=1", "epsilon=4"),
      AXIS("lower=0 upper=6", "lower=-3 upper=2", "lower=0 upper=2 grid=1/2"),
      AXIS("neighbours=add-remove", "neighbours=replace max-rows=2")}},
    {"quantile",
     {AXIS("p=1/4,1/2,3/4"), AXIS("epsilon=1", "epsilon=3"), AXIS("lower=0 upper=4"),
      AXIS("form=split", "form=recursive")}},
    {"above-threshold",
     {epsilons, AXIS("", "sensitivity=3"), AXIS("threshold=0", "threshold=-100"),
      AXIS("queries=1", "queries=3"), AXIS("", "monotone=yes")}},
    {"sparse-vector",
     {AXIS("epsilon=1/3", "epsilon=1", "epsilon=4"),
      AXIS("count=1", "count=2", "count=3 sensitivity=2"), AXIS("form=a", "form=b"),
      AXIS("queries=2", "queries=3"), AXIS("", "monotone=yes")}},
    {"sparse-vector",
     {AXIS("epsilon=1", "epsilon=3"), AXIS("count=1", "count=2"),
      AXIS("form=a", "form=b"), AXIS("numeric=yes queries=2")}},
    {"sparse-vector",
     {AXIS("numeric=yes"), AXIS("epsilon=1", "epsilon=3"),
      AXIS("count=4", "count=6", "count=8"), AXIS("form=a", "form=b")}},
    {"sparse-vector",
     {AXIS("epsilon=1", "epsilon=3"), AXIS("delta=1e-3", "delta=1e-9"),
      AXIS("form=b count=2", "form=b count=4"), AXIS("queries=2")}},
    {"guess-and-check",
     {AXIS("epsilon=1", "epsilon=3"), AXIS("count=1", "count=2", "count=5"),
      AXIS("threshold=4", "threshold=0"), AXIS("guesses=0", "guesses=100,-7,3"),
      AXIS("queries=2")}},
    {"generalised-sparse-vector",
     {AXIS("threshold-variance=4", "threshold-variance=25", "threshold-scale=2"),
      AXIS("query-variance=16 length=3", "query-variance=100 length=6", "query-scale=5"),
      AXIS("", "count=2"), AXIS("", "delta=1e-6"), AXIS("", "resample=yes")}},
    {"generalised-sparse-vector",
     {AXIS("threshold-variance=4"), AXIS("query-variance=16", "query-variance=36"),
      AXIS("nonnegative=yes threshold=3"), AXIS("", "delta=1e-6")}},
    {"stagewise-sparse-vector",
     {AXIS("threshold-variance=9", "threshold-scale=3"),
      AXIS("query-variance=25 stage-length=3", "query-scale=6"),
      AXIS("count=2 stage=1", "count=3 stage=2"), AXIS("", "delta=1e-6"),
      AXIS("", "resample=yes")}},
    {"range",
     {epsilons, AXIS("width=8", "width=20", "delta=1e-2", "delta=1e-4"),
      AXIS("sensitivity=1", "sensitivity=2", "sensitivity=7"), AXIS("", "size=1"),
      relations}},
    {"partition-selection",
     {epsilons, AXIS("delta=1e-3", "delta=1e-9", "delta=1/4"), AXIS("", "max-groups=2"),
      relations}},
    {"partition-selection",
     {AXIS("epsilon=1", "epsilon=4"), AXIS("delta=1e-5"),
      AXIS("max-groups=3", "max-groups=20"), relations}},
    {"threshold-laplace",
     {AXIS("epsilon=1/2", "epsilon=1", "epsilon=4"), AXIS("delta=1e-2", "delta=1e-6"),
      AXIS("", "max-groups=3", "max-groups=2 max-rows=3", "max-total=4"), relations}},
    {"threshold-truncated",
     {AXIS("epsilon=1/2", "epsilon=1", "epsilon=4"), AXIS("delta=1e-2", "delta=1e-6"),
      AXIS("", "max-groups=3"), relations}},
    {"stabilise",
     {AXIS("epsilon=1/2", "epsilon=1", "epsilon=4"), AXIS("delta=1e-2", "delta=1e-6"),
      AXIS("", "sensitivity=4", "sensitivity=4 max-groups=3 largest=2"), relations}},
    {"stabilise",
     {AXIS("epsilon=1 threshold=6", "epsilon=2 delta=1e-3"),
      AXIS("neighbours=add-remove", "neighbours=replace"),
      AXIS("then laplace epsilon=1", "then laplace epsilon=1/3",
           "then gaussian epsilon=1 "
           "delta=1e-3 size=2",
           "then range epsilon=2 delta=1e-3",
           "then threshold-laplace epsilon=1 delta=1e-2", "then stlap epsilon=1 q=3",
           "then permute-and-flip epsilon=1", "then top-k k=2 epsilon=1",
           "then above-threshold epsilon=1", "then emptiness epsilon=1 certain=5")}},
    {"threshold-gaussian",
     {AXIS("epsilon=1/2", "epsilon=1", "epsilon=4"), AXIS("delta=1e-2", "delta=1e-6"),
      AXIS("", "max-groups=3"), relations}},
    {"threshold-weighted",
     {AXIS("epsilon=1", "epsilon=4"), AXIS("delta=1e-2", "delta=1e-4"),
      AXIS("grid=1/2", "grid=1/4 max-groups=2", "grid=1/4 max-groups=5"),
      AXIS("neighbours=add-remove")}},
    {"interval-counts",
     {epsilons, AXIS("cells=1 upper=1", "cells=4 lower=-1 upper=1", "cells=3 circle=yes"),
      relations}},
    {"item-sets",
     {AXIS("epsilon=2 delta=1e-2", "epsilon=9 delta=1e-3"),
      AXIS("length=2 items=1 size=1", "length=3 items=2 size=2",
           "length=4 items=3 size=3 noise=gaussian",
           "length=2 items=2 size=1 max-rows=2"),
      relations}},
    {"frequent-sets",
     {AXIS("epsilon=2 delta=1e-2", "epsilon=20 delta=1e-3"),
      AXIS("length=2 items=1 size=1 frequent=2", "length=3 items=2 size=2 frequent=9",
           "length=4 items=4 size=6 frequent=1",
           "length=2 items=2 size=2 frequent=3 max-rows=2"),
      relations}},
    {"bucket-histogram",
     {AXIS("epsilon=1/2 q=3", "epsilon=1 q=8", "epsilon=2 delta=1e-3",
           "epsilon=1 q=9 sampler=table"),
      AXIS("upper=1 beta=1/2", "upper=1 beta=0.1", "lower=-3 upper=4 beta=1 norm=max",
           "upper=1 beta=1/4 dimensions=2", "upper=1 beta=1/2 labelled=yes"),
      AXIS("", "group=2"), relations}},
    {"stlap",
     {epsilons, AXIS("q=1", "q=2", "q=7", "q=20", "delta=1e-6"),
      AXIS("", "mode=sparse", "sampler=table")}},
    {"stlap", {epsilons, AXIS("q=9", "q=20", "delta=1e-3"), AXIS("group=2", "group=5")}},
    {"stlap",
     {epsilons, AXIS("q=3", "q=20", "delta=1e-3"), AXIS("", "group=2"),
      AXIS("", "sampler=table"), AXIS("neighbours=replace")}},
    {"private-size-stlap",
     {AXIS("size-epsilon=1/2 bar-epsilon=1", "size-epsilon=2 bar-epsilon=1"),
      AXIS("size-delta=0.1 bar-delta=0.05", "size-delta=0.01 bar-delta=0.1"),
      AXIS("tau=1/4", "tau=1")}},
    {"rounded-stlap",
     {AXIS("q=1", "q=4", "q=9", "q=36", "q=2 epsilon=1", "q=3 epsilon=1/10",
           "q=7 epsilon=8", "q=8 epsilon=1/3")}},
    {"emptiness", {epsilons, AXIS("certain=2", "certain=9", "certain=40"), relations}},
};

const size_t line_family_count = sizeof line_families / sizeof *line_families;

static size_t axis_length(const char *const *axis)
{
    size_t length = 1;
    while (axis[length] != NULL)
        length++;
    return length;
}

size_t line_count(const line_family *family)
{
    size_t count = 1;
    for (size_t i = 0; i < LINE_AXES && family->axes[i] != NULL; i++)
        count *= axis_length(family->axes[i]);
    return count;
}

void line_at(const line_family *family, size_t index, char out[LINE_BYTES])
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, out, LINE_BYTES);
    sc_text_put(&sink, sc_text_of(family->name));
    for (size_t i = 0; i < LINE_AXES && family->axes[i] != NULL; i++) {
        const size_t length = axis_length(family->axes[i]);
        const char *text = family->axes[i][index % length];
        index /= length;
        if (text[0] == 0)
            continue;
        sc_text_put(&sink, sc_text_of(" "));
        sc_text_put(&sink, sc_text_of(text));
    }
}
