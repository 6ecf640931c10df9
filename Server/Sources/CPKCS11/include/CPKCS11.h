// PKCS#11 as p11-kit declares it (Debian's libp11-kit-dev): types and constants alone, nothing is linked. What speaks
// it is a module that an operator names, which is loaded when it is asked for.
//
// The path is whole, so that no target needs a flag for the folder. The header includes nothing of p11-kit's.
#ifndef BENJI_CPKCS11_H
#define BENJI_CPKCS11_H

#include "/usr/include/p11-kit-1/p11-kit/pkcs11.h"

#endif
