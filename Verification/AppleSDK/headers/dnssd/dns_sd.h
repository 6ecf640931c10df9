#pragma once
#include <Darwin/Darwin.h>

typedef int32_t DNSServiceErrorType;
