// Sends one datagram of noise again and again, as fast as the kernel takes it.
// flood SECONDS SOURCE TARGET PORT: addresses of IPv4 or IPv6; the source port is the system's choice.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, SIZE = 60 };

static socklen_t place(struct sockaddr_storage *address, const char *text, int port) {
    struct sockaddr_in *v4 = (struct sockaddr_in *)address;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons((unsigned short)port);
        return sizeof *v4;
    }
    if (inet_pton(AF_INET6, text, &v6->sin6_addr) == 1) {
        v6->sin6_family = AF_INET6;
        v6->sin6_port = htons((unsigned short)port);
        return sizeof *v6;
    }
    return 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **words) {
    struct sockaddr_storage source, target;
    if (count != 5) return 64;
    socklen_t size = place(&source, words[2], 0);
    if (size == 0 || place(&target, words[3], atoi(words[4])) != size) return 64;
    int line = socket(source.ss_family, SOCK_DGRAM, 0);
    if (line < 0 || bind(line, (struct sockaddr *)&source, size) != 0
        || connect(line, (struct sockaddr *)&target, size) != 0) {
        fprintf(stderr, "flood: %s\n", strerror(errno));
        return 1;
    }
    char noise[SIZE];
    memset(noise, 0x5a, sizeof noise);
    struct iovec piece = {noise, sizeof noise};
    struct mmsghdr messages[BATCH];
    memset(messages, 0, sizeof messages);
    for (int i = 0; i < BATCH; i++) messages[i].msg_hdr = (struct msghdr){.msg_iov = &piece, .msg_iovlen = 1};
    long sent = 0;
    for (double end = now() + atof(words[1]); now() < end;) {
        int done = sendmmsg(line, messages, BATCH, 0);
        if (done > 0) sent += done;
    }
    printf("%ld\n", sent);
    close(line);
    return 0;
}
