// Linux functions beyond POSIX that Swift's Glibc module does not show.
#ifndef CBENCHMARKSYSTEM_H
#define CBENCHMARKSYSTEM_H

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>

// The cores that the calling thread may use, a bit each. 0 or an errno.
int benchmark_get_cores(uint64_t *mask);
int benchmark_set_cores(uint64_t mask);

// Lets the started process inherit no descriptor from `first` on.
int benchmark_add_closefrom(posix_spawn_file_actions_t *actions, int first);

// When this program is told to end or is interrupted, the process ends too; until it is forgotten. At most 64 of them.
void benchmark_end_with_us(int process);
void benchmark_forget(int process);

// Under callgrind: instructions between these two are written down under the name, those of all threads. Else nothing.
void benchmark_begin_counting(void);
void benchmark_end_counting(const char *name);

// Seconds of processor time that a process has used, ended threads included, to the nanosecond; below 0 if there is
// none of this number.
double benchmark_processor_time(int process);

// One datagram, to send or received.
struct benchmark_datagram {
    void *bytes;
    size_t length;
};

// Sends up to `count` datagrams through a connected socket with one system call; how many left, or minus an errno.
int benchmark_send(int socket, const struct benchmark_datagram *datagrams, int count);

// Receives the waiting datagrams, at most `count`; `length` is the room on entry and the received length on return. How
// many, or minus an errno. Does not wait.
int benchmark_receive(int socket, struct benchmark_datagram *datagrams, int count);

#endif
