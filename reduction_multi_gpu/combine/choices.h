/* What the options of multi_gpu.hip can be, for the kernels and for the program around them.
 * SPDX-License-Identifier: MIT */
#ifndef MULTI_GPU_CHOICES_H
#define MULTI_GPU_CHOICES_H

/* Indices into option[]. The last three are no options: which units of the tree plan() is for, and what
 * of all ranks came together on a device, PAYLOAD_*. */
enum { METHOD, FOLDS, COMBINE, RANKS, GPUS, SHARE, PEER, FIRST_UNIT, UNITS, GATHERED };

enum { METHOD_PLAIN, METHOD_TREE, METHOD_BINNED };
enum { COMBINE_AUTO, COMBINE_MPI, COMBINE_RCCL, COMBINE_DIRECT };
enum { RANKS_AUTO, RANKS_MPI, RANKS_THREADS };

/* What a rank has for the others: its value, the values of its units of the tree, or the bins of a binned sum. The last
 * two travel in words with marks. */
enum { PAYLOAD_VALUE = 1, PAYLOAD_UNITS, PAYLOAD_BINS };

#endif
