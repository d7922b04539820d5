# SPDX-License-Identifier: MIT
# What a site edits: targets, compilers, flags and libraries. The Makefile reads this file first.
#
# "?=" gives way to the environment, which modules set (CC, CXX, HIPCC, NVCC, CFLAGS, ROCM_PATH, CUDA_HOME ...);
# write "=" instead, and the value below wins. The command line wins over both: make CC=clang.

# ---------------------------------------------------------------------------------------- target
# auto (this machine's GPU, or the CPU), cpu, gfx90a (AMD), sm_90 (NVIDIA), or several: gfx90a gfx942
GPU ?= auto
# The folder for the programs and for build/; no spaces.
OUT ?= .
# Put before every program that run, bench and check start: srun -n1 --gpus=1
LAUNCH ?=

# ------------------------------------------------------------------------------------------ host
# Compiles C and links.
CC ?= cc
# Compiles the kernels for the CPU. If it is not c++, nvcc uses it as its host compiler, too.
CXX ?= c++
# Makes the library of the code that all programs share.
AR ?= ar
# Hides the private symbols of libreduction.
OBJCOPY ?= objcopy
# Added after the project's own flags: for C, for kernels on the CPU, for linking.
CFLAGS ?=
CXXFLAGS ?=
LDFLAGS ?=
# Libraries to link with every program, after the project's own.
LDLIBS ?=
# 1: warnings are errors.
WERROR ?=
# Sanitizers: address, undefined, leak, thread, or several, separated by commas.
SAN ?=

# ------------------------------------------------------------------------------------------- AMD
# The ROCm folder; empty: the one that contains hipcc.
ROCM_PATH ?=
# Empty: the first hipcc in $ROCM_PATH/bin, PATH, /opt/rocm/bin.
HIPCC ?=
# Added after the project's own flags for hipcc.
HIPFLAGS ?=

# ---------------------------------------------------------------------------------------- NVIDIA
# The CUDA toolkit's folder; empty: the one that contains nvcc.
CUDA_HOME ?= $(or $(CUDA_PATH),$(NVHPC_CUDA_HOME))
# Empty: the first nvcc in $CUDA_HOME/bin, PATH, /usr/local/cuda/bin.
NVCC ?=
# Added after the project's own flags for nvcc.
NVCCFLAGS ?=

# ----------------------------------------------------------------------------------------- others
# MPI's compiler, for reduction_multi_gpu. Default: mpicc, on a Cray cc; empty: no MPI.
# MPICC = mpicc
# Python 3.8 or newer, for plots and analysis; building and running do not need it.
PYTHON ?= python3
# The sources are formatted with version 14.
CLANG_FORMAT ?= clang-format
