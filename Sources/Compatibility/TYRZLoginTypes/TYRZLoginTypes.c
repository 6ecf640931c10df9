// A header alone is no target: this gives the package manager something to compile.
#include "TYRZLoginTypes.h"
