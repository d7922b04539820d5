/* What the options of multi_gpu.hip can be, for the kernels and for the program around them. */
#ifndef MULTI_GPU_CHOICES_H
#define MULTI_GPU_CHOICES_H

/* Indices into option[]. The last two are no options: which units of the tree plan() is for. */
enum { METHOD, FOLDS, COMBINE, RANKS, GPUS, SHARE, PEER, FIRST_UNIT, UNITS };

enum { METHOD_PLAIN, METHOD_TREE, METHOD_BINNED };
enum { COMBINE_AUTO, COMBINE_MPI, COMBINE_RCCL, COMBINE_DIRECT };
enum { RANKS_AUTO, RANKS_MPI, RANKS_THREADS };

#endif
