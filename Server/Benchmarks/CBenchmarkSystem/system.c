#define _GNU_SOURCE
#include "CBenchmarkSystem.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
// Without valgrind's header nothing is counted.
#define CALLGRIND_DUMP_STATS_AT(name) (void)(name)
#endif

enum { MOST = 256, CHILDREN = 64 };

int benchmark_get_cores(uint64_t *mask) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return errno;
    *mask = 0;
    for (int core = 0; core < 64; core++)
        if (CPU_ISSET(core, &set)) *mask |= (uint64_t)1 << core;
    return 0;
}

int benchmark_set_cores(uint64_t mask) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int core = 0; core < 64; core++)
        if (mask >> core & 1) CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? 0 : errno;
}

int benchmark_add_closefrom(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static volatile sig_atomic_t children[CHILDREN];

static void end_all(int number) {
    for (int index = 0; index < CHILDREN; index++)
        if (children[index] > 0) kill((pid_t)children[index], SIGKILL);
    _exit(128 + number);
}

static void replace(int from, int to) {
    for (int index = 0; index < CHILDREN; index++)
        if (children[index] == from) {
            children[index] = to;
            return;
        }
}

void benchmark_end_with_us(int process) {
    const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) signal(numbers[index], end_all);
    replace(0, process);
}

void benchmark_forget(int process) { replace(process, 0); }

// A dump sets the counts of all threads to zero; callgrind's request for zeros does so with the calling thread's alone.
void benchmark_begin_counting(void) { CALLGRIND_DUMP_STATS_AT("between"); }

void benchmark_end_counting(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }

double benchmark_processor_time(int process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int prepare(struct mmsghdr *messages, struct iovec *parts, const struct benchmark_datagram *datagrams,
                   int count) {
    if (count > MOST) count = MOST;
    memset(messages, 0, sizeof *messages * (size_t)count);
    for (int index = 0; index < count; index++) {
        parts[index].iov_base = datagrams[index].bytes;
        parts[index].iov_len = datagrams[index].length;
        messages[index].msg_hdr.msg_iov = &parts[index];
        messages[index].msg_hdr.msg_iovlen = 1;
    }
    return count;
}

int benchmark_send(int socket, const struct benchmark_datagram *datagrams, int count) {
    struct mmsghdr messages[MOST];
    struct iovec parts[MOST];
    count = prepare(messages, parts, datagrams, count);
    int sent = sendmmsg(socket, messages, (unsigned)count, MSG_DONTWAIT);
    return sent < 0 ? -errno : sent;
}

int benchmark_receive(int socket, struct benchmark_datagram *datagrams, int count) {
    struct mmsghdr messages[MOST];
    struct iovec parts[MOST];
    count = prepare(messages, parts, datagrams, count);
    int received = recvmmsg(socket, messages, (unsigned)count, MSG_DONTWAIT, NULL);
    if (received < 0) return -errno;
    for (int index = 0; index < received; index++) datagrams[index].length = messages[index].msg_len;
    return received;
}
