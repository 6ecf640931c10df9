/* A disk with a memory, for LD_PRELOAD. It records every change that a program makes to the files of one folder, and
 * every sync, so that disk.py can reconstruct the folder after a power cut at any moment. On request its syncs lie or
 * fail, or its writes fail or get lost.
 *
 *   DISK_FOLDER   the folder that is watched, absolute and without links
 *   DISK_LOG      file that the records are added to; not in that folder
 *   DISK_CONTROL  file whose first byte is the mode, read at each call, so that a test can change it at any time
 *
 * A change is recorded after it was made and before the call returns. The record of a sync that succeeded is written
 * before that call returns. So each later output of the program has its reason in the log.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum mode { HONEST = 0, LYING = 1, FAILING_SYNC = 2, READ_ONLY = 3, IGNORING = 4 };
enum { FILES = 65536 };

struct record {
    uint64_t nanoseconds; /* CLOCK_MONOTONIC, which is the clock of a history too */
    uint64_t file;        /* inode, or for a sync the number that joins its beginning and its end */
    int64_t offset;
    uint32_t length; /* of what follows */
    uint32_t kind;
};

static int log_file = -1;
static volatile const char *control;
static char watched[PATH_MAX];
static size_t watched_length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t syncs;
static char is_watched[FILES]; /* 1 a file, 2 the folder itself */

#define REAL(type, name, ...) static type (*real_##name)(__VA_ARGS__)
REAL(int, open, const char *, int, ...);
REAL(int, close, int);
REAL(ssize_t, write, int, const void *, size_t);
REAL(ssize_t, writev, int, const struct iovec *, int);
REAL(ssize_t, pwrite, int, const void *, size_t, off_t);
REAL(int, ftruncate, int, off_t);
REAL(int, fsync, int);
REAL(int, fdatasync, int);
REAL(int, rename, const char *, const char *);
REAL(int, unlink, const char *);

__attribute__((constructor)) static void begin(void) {
#define FIND(name) real_##name = dlsym(RTLD_NEXT, #name)
    FIND(open), FIND(close), FIND(write), FIND(writev), FIND(pwrite), FIND(ftruncate), FIND(fsync), FIND(fdatasync);
    FIND(rename), FIND(unlink);
    const char *folder = getenv("DISK_FOLDER"), *log = getenv("DISK_LOG");
    const char *mode = getenv("DISK_CONTROL");
    if (!folder || !log || !mode) return;
    int file = real_open(mode, O_RDONLY | O_CLOEXEC);
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0);
    log_file = real_open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (page == MAP_FAILED || log_file < 0) {
        fprintf(stderr, "disk: the control file or the log cannot be opened\n");
        abort();
    }
    if (file >= 0) real_close(file);
    control = page;
    snprintf(watched, sizeof watched, "%s", folder);
    watched_length = strlen(watched);
}

static enum mode mode(void) { return control ? (enum mode)*control : HONEST; }

/* Called with the lock held. */
static void put(char kind, uint64_t file, int64_t offset, const void *data, size_t length) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct record head = {(uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec, file, offset, (uint32_t)length,
                          (uint32_t)kind};
    struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
    if (real_writev(log_file, parts, 2) != (ssize_t)(sizeof head + length)) abort();
}

static uint64_t inode(int file) {
    struct stat status;
    return fstat(file, &status) == 0 ? status.st_ino : 0;
}

/* Whether a path lies in the folder; `full` then has it whole. A file that does not exist yet is found by its
 * folder. */
static int lies_inside(const char *path, char full[PATH_MAX]) {
    if (log_file < 0) return 0;
    char copy[PATH_MAX], folder[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    char *slash = strrchr(copy, '/');
    if (slash) *slash = 0;
    if (!realpath(slash ? (slash == copy ? "/" : copy) : ".", folder)) return 0;
    if (strcmp(folder, watched) != 0) return 0;
    return snprintf(full, PATH_MAX, "%s/%s", folder, slash ? slash + 1 : path) < PATH_MAX;
}

static int open_watched(const char *path, int flags, mode_t rights) {
    char full[PATH_MAX];
    int inside = lies_inside(path, full), before;
    if (!inside) {
        int file = real_open(path, flags, rights);
        char whole[PATH_MAX];
        if (file >= 0 && file < FILES)
            is_watched[file] = log_file >= 0 && realpath(path, whole) && strcmp(whole, watched) == 0 ? 2 : 0;
        return file;
    }
    struct stat status;
    pthread_mutex_lock(&lock);
    before = stat(full, &status);
    if (mode() == READ_ONLY && ((flags & O_CREAT && before != 0) || (flags & O_ACCMODE) != O_RDONLY)) {
        pthread_mutex_unlock(&lock);
        return errno = EROFS, -1;
    }
    int file = real_open(path, flags, rights), error = errno;
    if (file >= 0) {
        if (file >= FILES) abort();
        is_watched[file] = 1;
        if (before != 0 && flags & O_CREAT) put('C', inode(file), 0, full, strlen(full));
        if (before == 0 && flags & O_TRUNC) put('T', inode(file), 0, NULL, 0);
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return file;
}

#define RIGHTS(flags)                                                                                                  \
    mode_t rights = 0;                                                                                                 \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                             \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        rights = va_arg(more, mode_t);                                                                                 \
        va_end(more);                                                                                                  \
    }

int open(const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_watched(path, flags, rights);
}

int open64(const char *path, int flags, ...) {
    RIGHTS(flags)
    return open_watched(path, flags, rights);
}

int close(int file) {
    if (file >= 0 && file < FILES) is_watched[file] = 0;
    return real_close(file);
}

static int is_file(int file) { return log_file >= 0 && file >= 0 && file < FILES && is_watched[file] == 1; }

ssize_t write(int file, const void *data, size_t length) {
    if (!is_file(file)) return real_write(file, data, length);
    if (mode() == READ_ONLY) return errno = EROFS, -1;
    if (mode() == IGNORING) return (ssize_t)length;
    pthread_mutex_lock(&lock);
    ssize_t count = real_write(file, data, length);
    int error = errno;
    if (count > 0) put('W', inode(file), lseek(file, 0, SEEK_CUR) - count, data, (size_t)count);
    pthread_mutex_unlock(&lock);
    errno = error;
    return count;
}

/* Calls that the program and its libraries do not use on files must not pass unseen. */
ssize_t writev(int file, const struct iovec *parts, int count) {
    if (is_file(file)) abort();
    return real_writev(file, parts, count);
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) {
    if (!is_file(file)) return real_pwrite(file, data, length, offset);
    if (mode() == READ_ONLY) return errno = EROFS, -1;
    if (mode() == IGNORING) return (ssize_t)length;
    pthread_mutex_lock(&lock);
    ssize_t count = real_pwrite(file, data, length, offset);
    int error = errno;
    if (count > 0) put('W', inode(file), offset, data, (size_t)count);
    pthread_mutex_unlock(&lock);
    errno = error;
    return count;
}

ssize_t pwrite64(int file, const void *data, size_t length, off_t offset) { return pwrite(file, data, length, offset); }

int ftruncate(int file, off_t length) {
    if (!is_file(file)) return real_ftruncate(file, length);
    if (mode() == READ_ONLY) return errno = EROFS, -1;
    pthread_mutex_lock(&lock);
    int result = real_ftruncate(file, length), error = errno;
    if (result == 0) put('T', inode(file), length, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int ftruncate64(int file, off_t length) { return ftruncate(file, length); }

/* A sync covers only data that was written before it began. The lock is not held meanwhile: others may write. */
static int sync_with(int (*real)(int), int file) {
    if (log_file < 0 || file < 0 || file >= FILES || !is_watched[file]) return real(file);
    if (mode() == LYING) return 0;
    pthread_mutex_lock(&lock);
    uint64_t number = ++syncs;
    put(is_watched[file] == 2 ? 'D' : 'B', number, (int64_t)inode(file), NULL, 0);
    pthread_mutex_unlock(&lock);
    int fails = mode() == FAILING_SYNC;
    int result = fails ? -1 : real(file), error = fails ? EIO : errno;
    pthread_mutex_lock(&lock);
    put(result == 0 ? 'E' : 'F', number, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int fsync(int file) { return sync_with(real_fsync, file); }
int fdatasync(int file) { return sync_with(real_fdatasync, file); }

int rename(const char *from, const char *to) {
    char one[PATH_MAX], two[PATH_MAX], both[2 * PATH_MAX];
    if (!lies_inside(from, one) || !lies_inside(to, two)) return real_rename(from, to);
    if (mode() == READ_ONLY) return errno = EROFS, -1;
    pthread_mutex_lock(&lock);
    int result = real_rename(from, to), error = errno;
    if (result == 0) put('R', 0, 0, both, (size_t)snprintf(both, sizeof both, "%s\n%s", one, two));
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int unlink(const char *path) {
    char full[PATH_MAX];
    if (!lies_inside(path, full)) return real_unlink(path);
    if (mode() == READ_ONLY) return errno = EROFS, -1;
    pthread_mutex_lock(&lock);
    int result = real_unlink(path), error = errno;
    if (result == 0) put('U', 0, 0, full, strlen(full));
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}
