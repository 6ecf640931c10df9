// libpq, found by pkg-config.
#include <libpq-fe.h>
