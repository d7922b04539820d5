/* How the hardware serves the accesses of a warp, one row for each machine that explain can count for. Bank and
 * line sizes have a source. Where the source does not say how lanes are split into passes, NVIDIA's rule is assumed;
 * it was compared with the counters of an H200 (results/h200/explain/explain.txt).
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TRACE_MACHINES_H
#define HIP_CPU_TRACE_MACHINES_H

struct machine {
    const char *name;
    unsigned warp_size;
    unsigned banks;  /* of shared memory, 4 bytes wide */
    unsigned pass;   /* bytes that shared memory serves at once if no two lanes use one bank */
    unsigned sector; /* bytes that global memory moves at least */
    unsigned line;   /* bytes of a line of the first cache */
    bool counts;     /* lanes that add 1 to one integer of shared memory do it at once */
    const char *source;
};

static const struct machine machines[] = {
    {"sm_90", 32, 32, 128, 32, 128, true, "CUDA C++ Programming Guide, Compute Capability 9.0; compared with ncu"},
    {"gfx90a", 64, 32, 128, 64, 64, false,
     "CDNA2 ISA guide, LDS: 32 banks; ROCm Compute Profiler: 64-byte lines of the vector L1, memory read by 64 bytes; "
     "Composable Kernel: 8 lanes that store 16 bytes each are a pass; other passes are assumed"},
    {"gfx942", 64, 32, 128, 64, 128, false,
     "CDNA3 ISA guide, LDS: 32 banks; 128-byte lines of the vector L1; Composable Kernel: 8 lanes that store 16 bytes "
     "each are a pass; other passes and sectors of 64 bytes are assumed"},
    {"gfx950", 64, 64, 128, 64, 128, false,
     "Composable Kernel (its transposes in LDS): 64 banks; lines as in CDNA3, passes of 128 bytes "
     "and sectors of 64 bytes are assumed"},
    {"gfx1100", 32, 32, 128, 64, 128, false,
     "RDNA3 ISA guide, LDS: 32 banks for a wave32; 128-byte lines; "
     "passes and sectors of 64 bytes are assumed"},
    {"gfx1250", 32, 64, 128, 64, 128, false,
     "COMGR's list of instruction sets (ROCm/llvm-project, comgr-isa-metadata.def): 64 banks; "
     "lines, passes of 128 bytes and sectors of 64 bytes are assumed"},
};
#define MACHINES (sizeof machines / sizeof *machines)

#endif
