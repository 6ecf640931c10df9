#define _GNU_SOURCE
#include "CBenchmarkCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct benchmark_transport {
    CURL *handle;
    struct benchmark_answer *answer;
};

static size_t take(char *bytes, size_t size, size_t count, void *context) {
    struct benchmark_answer *answer = ((struct benchmark_transport *)context)->answer;
    size_t length = size * count;
    char *longer = realloc(answer->bytes, answer->length + length + 1);
    if (!longer) return 0;
    memcpy(longer + answer->length, bytes, length);
    answer->bytes = longer;
    answer->length += length;
    return length;
}

// With the first line of an answer: the connection is there, and may be gone when the exchange has ended.
static size_t look(char *bytes, size_t size, size_t count, void *context) {
    struct benchmark_transport *transport = context;
    struct curl_tlssessioninfo *session = NULL;
    (void)bytes;
    // libcurl is linked to it, so it is there; this program need not be.
    int (*is_resumed)(const void *) = (int (*)(const void *))dlsym(RTLD_DEFAULT, "SSL_session_reused");
    if (is_resumed && curl_easy_getinfo(transport->handle, CURLINFO_TLS_SSL_PTR, &session) == CURLE_OK && session
        && session->backend == CURLSSLBACKEND_OPENSSL && session->internals)
        transport->answer->resumed = is_resumed(session->internals);
    return size * count;
}

struct benchmark_transport *benchmark_transport_make(const char *source, const char *authority,
                                                     enum benchmark_transport_use use) {
    struct benchmark_transport *transport = calloc(1, sizeof *transport);
    if (!transport) return NULL;
    CURL *handle = transport->handle = curl_easy_init();
    if (!handle) {
        free(transport);
        return NULL;
    }
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_INTERFACE, source);
    curl_easy_setopt(handle, CURLOPT_CAINFO, authority);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT, 10L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, transport);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, look);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, transport);
    curl_easy_setopt(handle, CURLOPT_SSL_SESSIONID_CACHE, use == BENCHMARK_TRANSPORT_RESUMED ? 1L : 0L);
    if (use != BENCHMARK_TRANSPORT_KEPT) {
        curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
        curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
    }
    return transport;
}

void benchmark_transport_free(struct benchmark_transport *transport) {
    curl_easy_cleanup(transport->handle);
    free(transport);
}

const char *benchmark_transport_post(
    struct benchmark_transport *transport, const char *url, const char *const *headers, const void *body, size_t length,
    struct benchmark_answer *answer
) {
    struct curl_slist *lines = NULL;
    long connections = 0;
    memset(answer, 0, sizeof *answer);
    transport->answer = answer;
    for (; *headers; headers++) lines = curl_slist_append(lines, *headers);
    curl_easy_setopt(transport->handle, CURLOPT_URL, url);
    curl_easy_setopt(transport->handle, CURLOPT_HTTPHEADER, lines);
    curl_easy_setopt(transport->handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
    curl_easy_setopt(transport->handle, CURLOPT_COPYPOSTFIELDS, body);
    CURLcode code = curl_easy_perform(transport->handle);
    curl_easy_getinfo(transport->handle, CURLINFO_RESPONSE_CODE, &answer->status);
    curl_easy_getinfo(transport->handle, CURLINFO_NUM_CONNECTS, &connections);
    answer->connected = connections > 0;
    answer->resumed = answer->connected && answer->resumed;
    curl_easy_setopt(transport->handle, CURLOPT_HTTPHEADER, NULL);
    curl_slist_free_all(lines);
    return code == CURLE_OK ? NULL : curl_easy_strerror(code);
}
