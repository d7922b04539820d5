/* <nv/target>: code for the host or for the device. In functions for the device alone nogpu/translate writes
 * NV_ANY_TARGET or NV_NO_TARGET for the other names.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_TARGET_H
#define HIP_CPU_TARGET_H

#define NV_ANY_TARGET      1
#define NV_NO_TARGET       0
#define NV_IS_HOST         1
#define NV_IS_DEVICE       0
#define NV_PROVIDES_SM_50  0
#define NV_PROVIDES_SM_60  0
#define NV_PROVIDES_SM_70  0
#define NV_PROVIDES_SM_75  0
#define NV_PROVIDES_SM_80  0
#define NV_PROVIDES_SM_86  0
#define NV_PROVIDES_SM_89  0
#define NV_PROVIDES_SM_90  0
#define NV_PROVIDES_SM_100 0

/* The texts stand in parentheses, which go; of a dispatch the first that holds, up to three. */
#define HIP_CPU_TARGET_TEXT(...)              __VA_ARGS__
#define HIP_CPU_TARGET_1(yes, no)             HIP_CPU_TARGET_TEXT yes
#define HIP_CPU_TARGET_0(yes, no)             HIP_CPU_TARGET_TEXT no
#define HIP_CPU_TARGET_AS(holds, yes, no)     HIP_CPU_TARGET_##holds(yes, no)
#define HIP_CPU_TARGET_IF(c, yes, no, ...)    HIP_CPU_TARGET_AS(c, yes, no)
#define NV_IF_TARGET(condition, ...)          HIP_CPU_TARGET_IF(condition, __VA_ARGS__, (), )
#define NV_IF_ELSE_TARGET(condition, yes, no) HIP_CPU_TARGET_IF(condition, yes, no, )
#define HIP_CPU_TARGET_THIRD(c, yes, ...)     HIP_CPU_TARGET_AS(c, yes, ())
#define HIP_CPU_TARGET_SECOND(c, yes, ...)    HIP_CPU_TARGET_BEHIND(c, yes, (HIP_CPU_TARGET_THIRD(__VA_ARGS__)))
#define HIP_CPU_TARGET_BEHIND(holds, yes, no) HIP_CPU_TARGET_##holds(yes, no)
#define HIP_CPU_TARGET_FIRST(holds, yes, no)  HIP_CPU_TARGET_##holds(yes, no)
#define HIP_CPU_TARGET_ANY(c, yes, ...)       HIP_CPU_TARGET_FIRST(c, yes, (HIP_CPU_TARGET_SECOND(__VA_ARGS__)))
#define NV_DISPATCH_TARGET(...)               HIP_CPU_TARGET_ANY(__VA_ARGS__, 0, (), 0, (), 0, (), )

#endif
