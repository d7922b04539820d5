# SPDX-License-Identifier: MIT
# What a site edits: targets, compilers, flags and libraries. The Makefile reads this file first.
#
# "?=" gives way to the environment, as modules set it (CC, CXX, HIPCC, NVCC, CFLAGS, ROCM_PATH, CUDA_HOME ...);
# with "=" in its place the value below wins. The command line wins over both: make CC=clang.

# ---------------------------------------------------------------------------------------- target
# auto (the GPU of this machine, else the CPU), cpu, gfx90a (AMD), sm_90 (NVIDIA), or several: gfx90a gfx942
GPU ?= auto
# The folder for the programs and for build/; its name has no space.
OUT ?= .
# Precedes every program that run, bench and check start: srun -n1 --gpus=1
LAUNCH ?=

# ------------------------------------------------------------------------------------------ host
# Compiles C and links.
CC ?= cc
# Compiles the kernels for the CPU. A name other than c++ is also nvcc's host compiler.
CXX ?= c++
# Makes the library of what all programs share.
AR ?= ar
# Hides what is not public in libreduction.
OBJCOPY ?= objcopy
# Come after the project's own flags: for C, for kernels on the CPU, for linking.
CFLAGS ?=
CXXFLAGS ?=
LDFLAGS ?=
# Libraries that every program is linked with, after the project's own.
LDLIBS ?=
# 1: a warning is an error.
WERROR ?=
# Sanitizers: address, undefined, leak, thread, or several with commas.
SAN ?=

# ------------------------------------------------------------------------------------------- AMD
# The folder of ROCm; empty: the one that hipcc belongs to.
ROCM_PATH ?=
# Empty: the first hipcc in $ROCM_PATH/bin, PATH, /opt/rocm/bin.
HIPCC ?=
# Come after the project's own flags for hipcc.
HIPFLAGS ?=

# ---------------------------------------------------------------------------------------- NVIDIA
# The folder of the CUDA toolkit; empty: the one that nvcc belongs to.
CUDA_HOME ?= $(or $(CUDA_PATH),$(NVHPC_CUDA_HOME))
# Empty: the first nvcc in $CUDA_HOME/bin, PATH, /usr/local/cuda/bin.
NVCC ?=
# Come after the project's own flags for nvcc.
NVCCFLAGS ?=

# ----------------------------------------------------------------------------------------- others
# The compiler of MPI, for processes of reduction_multi_gpu: without this line mpicc, on a Cray cc; empty: no MPI.
# MPICC = mpicc
# Python 3.8 or newer: for plots and for the tools that inspect; building and running need none.
PYTHON ?= python3
# Version 14 formats as the project does.
CLANG_FORMAT ?= clang-format
