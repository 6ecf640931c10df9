// HTTP over TLS for a benchmark. It chooses for each transport whether connections are kept and sessions resumed, and
// counts both. libcurl's functions take variable arguments, which Swift cannot call.
#ifndef CBENCHMARKCURL_H
#define CBENCHMARKCURL_H

#include <stddef.h>

struct benchmark_transport;

enum benchmark_transport_use { BENCHMARK_TRANSPORT_NEW, BENCHMARK_TRANSPORT_RESUMED, BENCHMARK_TRANSPORT_KEPT };

// A transport that leaves by `source`, an address of this machine, and trusts the certificates in the file `authority`.
// NULL without memory. The caller frees it; one exchange at a time.
struct benchmark_transport *benchmark_transport_make(const char *source, const char *authority,
                                                     enum benchmark_transport_use use);
void benchmark_transport_free(struct benchmark_transport *transport);

struct benchmark_answer {
    // The content: the caller frees it with free().
    char *bytes;
    size_t length;
    long status;
    // Whether a connection was made for it, and whether that resumed a session: 0 or 1.
    int connected;
    int resumed;
};

// Posts `body` and waits for the whole answer. `headers` are lines, the last one NULL. NULL, or what libcurl says is
// wrong.
const char *benchmark_transport_post(
    struct benchmark_transport *transport, const char *url, const char *const *headers, const void *body, size_t length,
    struct benchmark_answer *answer
);

#endif
