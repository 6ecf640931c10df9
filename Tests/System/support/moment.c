/* Kills the program at one of its steps, for LD_PRELOAD: right before its nth call that changes names or syncs.
 *
 *   DIES_AT   n, from 1; the program runs to its end if it makes fewer such calls
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_int calls;
static int last;

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("DIES_AT");
    last = text ? atoi(text) : 0;
}

static void pass(void) {
    if (atomic_fetch_add(&calls, 1) + 1 == last) kill(getpid(), SIGKILL);
}

#define STEP(name, parameters, arguments) \
    int name parameters { \
        static int (*real) parameters; \
        if (!real) real = dlsym(RTLD_NEXT, #name); \
        pass(); \
        return real arguments; \
    }

STEP(rename, (const char *from, const char *to), (from, to))
STEP(link, (const char *from, const char *to), (from, to))
STEP(unlink, (const char *path), (path))
STEP(mkdir, (const char *path, mode_t mode), (path, mode))
STEP(fsync, (int file), (file))
STEP(fdatasync, (int file), (file))
STEP(ftruncate, (int file, off_t length), (file, length))
