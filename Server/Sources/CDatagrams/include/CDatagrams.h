// Many UDP datagrams with one system call, which Swift's Glibc does not offer. It keeps nothing and decides nothing.
#ifndef CDATAGRAMS_H
#define CDATAGRAMS_H

#include <stddef.h>
#include <stdint.h>

// An address and port of IPv4 or IPv6.
typedef struct {
    // In network order; of IPv4 the first four bytes count.
    uint8_t address[16];
    uint16_t port;
    // Whether it is IPv6.
    uint8_t is_v6;
} datagrams_peer;

// One datagram that came in.
typedef struct {
    datagrams_peer peer;
    // Where it lies in the room that was given, and its bytes.
    uint32_t offset;
    uint32_t length;
} datagrams_arrival;

// Datagrams of equal length to one peer, one behind another; the last may be shorter.
typedef struct {
    datagrams_peer peer;
    const uint8_t *bytes;
    uint32_t length;
    // Bytes of each.
    uint16_t segment;
} datagrams_burst;

enum {
    // Datagrams that one call reads at most.
    DATAGRAMS_MOST_READ = 64,
    // Bytes of the room for each, the longest packet. A longer one is cut off.
    DATAGRAMS_ROOM = 4096,
    // Datagrams of one burst at most (Linux's UDP_MAX_SEGMENTS, before 6.9).
    DATAGRAMS_MOST_SEGMENTS = 64,
};

// Reads what waits, without waiting. `room` has DATAGRAMS_MOST_READ times DATAGRAMS_ROOM bytes. Answers how many came,
// or an error's number, negative.
int datagrams_receive(int socket, uint8_t *room, datagrams_arrival *arrivals);

// Sends bursts, each as one segmented datagram (UDP_SEGMENT, Linux 4.18); where the kernel or the interface refuses
// that, as single ones. Waits for room in the socket's buffer for at most `patience` milliseconds in all.
void datagrams_send(int socket, const datagrams_burst *bursts, size_t count, int patience);

#endif
