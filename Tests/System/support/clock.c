/* A wall clock that jumps, for LD_PRELOAD. A program reads the machine's time of day plus a number of seconds, which
 * a test can change at any time. Clocks that only measure go on as they are. The kernel knows the machine's
 * time alone, so a time of day that a program waits for is given to it without these seconds.
 *
 *   CLOCK_OFFSET   file that holds the seconds, a signed number of 64 bits of this machine
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    const char *path = getenv("CLOCK_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) abort();
    close(file);
    offset = page;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    if (!real_clock_gettime) begin();
    int result = real_clock_gettime(clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *offset;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec read;
    int result = clock_gettime(CLOCK_REALTIME, &read);
    now->tv_sec = read.tv_sec;
    now->tv_usec = read.tv_nsec / 1000;
    return result;
}

time_t time(time_t *now) {
    struct timespec read;
    clock_gettime(CLOCK_REALTIME, &read);
    if (now) *now = read.tv_sec;
    return read.tv_sec;
}

/* Converts a time of day to the machine's clock. Times of a monotonic clock stay as they are. */
static struct timespec of_the_machine(const struct timespec *end) {
    struct timespec moved = *end;
    if (moved.tv_sec > 1000000000) moved.tv_sec -= *offset;
    return moved;
}

/* Symbols of more than one version: an old pthread_cond_timedwait knows another pthread_cond_t. */
static void *real(const char *name, const char *version) {
    void *symbol = dlvsym(RTLD_NEXT, name, version);
    return symbol ? symbol : dlsym(RTLD_NEXT, name);
}

int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict end) {
    static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!wait) wait = real("pthread_cond_timedwait", "GLIBC_2.3.2");
    struct timespec moved = of_the_machine(end);
    return wait(condition, mutex, &moved);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict end) {
    static int (*lock)(pthread_mutex_t *, const struct timespec *);
    if (!lock) lock = real("pthread_mutex_timedlock", "GLIBC_2.34");
    struct timespec moved = of_the_machine(end);
    return lock(mutex, &moved);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict end) {
    static int (*wait)(sem_t *, const struct timespec *);
    if (!wait) wait = real("sem_timedwait", "GLIBC_2.34");
    struct timespec moved = of_the_machine(end);
    return wait(semaphore, &moved);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *length, struct timespec *rest) {
    static int (*sleep)(clockid_t, int, const struct timespec *, struct timespec *);
    if (!sleep) sleep = real("clock_nanosleep", "GLIBC_2.17");
    struct timespec moved = clock == CLOCK_REALTIME && flags & TIMER_ABSTIME ? of_the_machine(length) : *length;
    return sleep(clock, flags, &moved, rest);
}
