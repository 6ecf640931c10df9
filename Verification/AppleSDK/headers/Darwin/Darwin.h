#pragma once
// Only what code that is compiled for phones calls. Constants and layouts are those of Darwin, not of Linux.

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long size_t;
typedef long ssize_t;
typedef uint16_t mode_t;
#define bool _Bool
typedef int64_t off_t;
typedef uint32_t uid_t;
typedef int32_t OSStatus;

struct stat {
    mode_t st_mode;
    uid_t st_uid;
    off_t st_size;
};

typedef struct { long signature; char opaque[56]; } pthread_mutex_t;
typedef struct { long signature; char opaque[8]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);

void arc4random_buf(void *bytes, size_t count);
int close(int file);
int fchmod(int file, mode_t mode);
int fstat(int file, struct stat *status);
int fsync(int file);
uid_t geteuid(void);
int link(const char *from, const char *to);
ssize_t read(int file, void *bytes, size_t count);
char *strerror(int number);
int unlink(const char *path);
ssize_t write(int file, const void *bytes, size_t count);

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_NONBLOCK 0x0004
#define O_NOFOLLOW 0x0100
#define O_CREAT 0x0200
#define O_EXCL 0x0800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000

#define ENOENT 2
#define EINTR 4
#define EEXIST 17
#define ELOOP 62
