// libcurl sets options and reads results through functions with variable arguments, which Swift cannot call.
// Each wrapper fixes the type of one kind of argument.
#ifndef BENJI_CCURL_H
#define BENJI_CCURL_H

#include <curl/curl.h>

static inline CURLcode benji_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode benji_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode benji_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode benji_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode benji_curl_set_receiver(
    CURL *handle, CURLoption option, size_t (*receiver)(char *bytes, size_t size, size_t count, void *context)
) {
    return curl_easy_setopt(handle, option, receiver);
}

/// For CURLOPT_SOCKOPTFUNCTION.
static inline CURLcode benji_curl_set_socket_setup(
    CURL *handle, int (*setup)(void *context, curl_socket_t socket, curlsocktype purpose)
) {
    return curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, setup);
}

/// `POST` content of `count` bytes, asked for piece by piece; never from the start again.
static inline CURLcode benji_curl_set_content(
    CURL *handle, size_t count, void *context,
    size_t (*reader)(char *buffer, size_t size, size_t count, void *context)
) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    if (code != CURLE_OK) return code;
    // Without content there is nothing to read; a body of no bytes still sends `Content-Length`.
    if (count == 0) return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, "");
    code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, reader);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_READDATA, context) : code;
}

static inline CURLcode benji_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

/// The text belongs to the handle.
static inline CURLcode benji_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, (char **)value);
}

/// The result of the one transfer that a multi handle has ended, or -1 while none has.
static inline int benji_curl_ended(CURLM *multi) {
    int left = 0;
    CURLMsg *message = 0;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) return (int)message->data.result;
    }
    return -1;
}

#endif
