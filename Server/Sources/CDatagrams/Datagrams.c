#define _GNU_SOURCE
#include "CDatagrams.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#ifndef SOL_UDP
#define SOL_UDP 17
#endif
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

enum { AT_ONCE = 64 };

typedef union {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} address;

int datagrams_receive(int socket, uint8_t *room, datagrams_arrival *arrivals) {
    struct mmsghdr headers[DATAGRAMS_MOST_READ];
    struct iovec places[DATAGRAMS_MOST_READ];
    address senders[DATAGRAMS_MOST_READ];
    for (int index = 0; index < DATAGRAMS_MOST_READ; index++) {
        places[index] = (struct iovec){room + (size_t)index * DATAGRAMS_ROOM, DATAGRAMS_ROOM};
        headers[index].msg_hdr = (struct msghdr){
            .msg_name = &senders[index], .msg_namelen = sizeof senders[index],
            .msg_iov = &places[index], .msg_iovlen = 1};
    }
    int count;
    do {
        count = recvmmsg(socket, headers, DATAGRAMS_MOST_READ, MSG_DONTWAIT, NULL);
    } while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    for (int index = 0; index < count; index++) {
        datagrams_arrival *arrival = &arrivals[index];
        *arrival = (datagrams_arrival){.offset = (uint32_t)index * DATAGRAMS_ROOM, .length = headers[index].msg_len};
        if (senders[index].any.sa_family == AF_INET) {
            memcpy(arrival->peer.address, &senders[index].v4.sin_addr, 4);
            arrival->peer.port = ntohs(senders[index].v4.sin_port);
        } else {
            memcpy(arrival->peer.address, &senders[index].v6.sin6_addr, 16);
            arrival->peer.port = ntohs(senders[index].v6.sin6_port);
            arrival->peer.is_v6 = 1;
        }
    }
    return count;
}

static socklen_t to_address(const datagrams_peer *peer, address *address) {
    memset(address, 0, sizeof *address);
    if (peer->is_v6) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons(peer->port);
        memcpy(&address->v6.sin6_addr, peer->address, 16);
        return sizeof address->v6;
    }
    address->v4.sin_family = AF_INET;
    address->v4.sin_port = htons(peer->port);
    memcpy(&address->v4.sin_addr, peer->address, 4);
    return sizeof address->v4;
}

// Sends all messages but those that the kernel refuses. Answers the first that it refuses, or `count`; EAGAIN refuses
// none.
static size_t send_all(int socket, struct mmsghdr *headers, size_t count, int *patience) {
    size_t sent = 0;
    while (sent < count) {
        int done = sendmmsg(socket, headers + sent, (unsigned)(count - sent), MSG_DONTWAIT);
        if (done > 0) {
            sent += (size_t)done;
            continue;
        }
        if (done < 0 && errno == EINTR) continue;
        if (done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) && *patience > 0) {
            struct pollfd full = {.fd = socket, .events = POLLOUT};
            // ENOBUFS is a device's full queue, and no event reports when it has room again.
            poll(&full, errno == ENOBUFS ? 0 : 1, 1);
            *patience -= 1;
            continue;
        }
        return sent;
    }
    return sent;
}

// One by one, but those that the kernel refuses.
static void send_singly(int socket, const datagrams_burst *burst, struct msghdr *whole, int *patience) {
    struct mmsghdr headers[DATAGRAMS_MOST_SEGMENTS];
    struct iovec places[DATAGRAMS_MOST_SEGMENTS];
    size_t count = 0;
    for (uint32_t offset = 0; offset < burst->length && count < DATAGRAMS_MOST_SEGMENTS; offset += burst->segment) {
        uint32_t rest = burst->length - offset;
        places[count] = (struct iovec){(void *)(burst->bytes + offset), rest < burst->segment ? rest : burst->segment};
        headers[count].msg_hdr = (struct msghdr){
            .msg_name = whole->msg_name, .msg_namelen = whole->msg_namelen, .msg_iov = &places[count], .msg_iovlen = 1};
        count++;
    }
    for (size_t first = 0; first < count; first++) first += send_all(socket, headers + first, count - first, patience);
}

void datagrams_send(int socket, const datagrams_burst *bursts, size_t count, int patience) {
    for (size_t start = 0; start < count; start += AT_ONCE) {
        struct mmsghdr headers[AT_ONCE];
        struct iovec places[AT_ONCE];
        address receivers[AT_ONCE];
        union {
            struct cmsghdr header;
            char bytes[CMSG_SPACE(sizeof(uint16_t))];
        } controls[AT_ONCE];
        size_t here = count - start < AT_ONCE ? count - start : AT_ONCE;
        for (size_t index = 0; index < here; index++) {
            const datagrams_burst *burst = &bursts[start + index];
            places[index] = (struct iovec){(void *)burst->bytes, burst->length};
            headers[index].msg_hdr = (struct msghdr){
                .msg_name = &receivers[index],
                .msg_namelen = to_address(&burst->peer, &receivers[index]),
                .msg_iov = &places[index],
                .msg_iovlen = 1};
            if (burst->length <= burst->segment) continue;
            struct msghdr *message = &headers[index].msg_hdr;
            memset(&controls[index], 0, sizeof controls[index]);
            message->msg_control = &controls[index];
            message->msg_controllen = sizeof controls[index];
            struct cmsghdr *control = CMSG_FIRSTHDR(message);
            control->cmsg_level = SOL_UDP;
            control->cmsg_type = UDP_SEGMENT;
            control->cmsg_len = CMSG_LEN(sizeof(uint16_t));
            memcpy(CMSG_DATA(control), &burst->segment, sizeof burst->segment);
        }
        for (size_t first = 0; first < here;) {
            first += send_all(socket, headers + first, here - first, &patience);
            if (first == here) break;
            // Refused. A segmented one may pass in pieces: through a kernel without UDP_SEGMENT, an interface without
            // checksums.
            send_singly(socket, &bursts[start + first], &headers[first].msg_hdr, &patience);
            first++;
        }
    }
}
