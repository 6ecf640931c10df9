// A target has a source file. All of this one is declarations.
#include "CPKCS11.h"
