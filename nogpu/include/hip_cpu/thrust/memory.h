/* Where Thrust's vectors are: in device memory, so that hipMemcpy() takes their addresses, and the tools know them.
 * SPDX-License-Identifier: MIT */
#ifndef HIP_CPU_THRUST_MEMORY_H
#define HIP_CPU_THRUST_MEMORY_H

#include <new>

#include <thrust/mr/new.h>

#include "hip_cpu/api/api.h"

THRUST_NAMESPACE_BEGIN
namespace mr
{
class hip_cpu_resource : public memory_resource<>
{
  public:
    void *do_allocate(std::size_t bytes, std::size_t) override
    {
        void *memory = nullptr;

        if (hipMalloc(&memory, bytes ? bytes : 1) != hipSuccess)
            throw std::bad_alloc();
        return memory;
    }
    void do_deallocate(void *memory, std::size_t, std::size_t) override { (void)hipFree(memory); }
};
} // namespace mr
THRUST_NAMESPACE_END

#define new_delete_resource hip_cpu_resource
#include_next <thrust/system/cpp/memory_resource.h>
#undef new_delete_resource

#endif
