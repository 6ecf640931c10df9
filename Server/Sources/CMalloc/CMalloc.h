// The settings of the C library's allocator (mallopt(3)), which Swift's Glibc leaves out.

#if defined(__linux__)
#include <malloc.h>
#endif
