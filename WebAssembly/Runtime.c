// The few functions of the C library that Embedded Swift asks for, and nothing that reaches outside.
typedef __SIZE_TYPE__ size_t;

extern unsigned char __heap_base;

// Freed blocks wait in lists by size, powers of two from 32 bytes. In front of a block, 16 bytes hold its list's
// number.
static struct block { struct block *next; } *waiting[32];
static size_t top;

static unsigned list_of(size_t size) {
    unsigned list = 5;
    while (((size_t)1 << list) < size) list++;
    return list;
}

int posix_memalign(void **out, size_t alignment, size_t size) {
    if (alignment > 16 || size > (size_t)1 << 30) return 12;
    unsigned list = list_of(size + 16);
    struct block *block = waiting[list];
    if (block) {
        waiting[list] = block->next;
    } else {
        size_t whole = (size_t)1 << list, pages;
        if (!top) top = ((size_t)&__heap_base + 15) & ~(size_t)15;
        pages = (top + whole + 65535) / 65536;
        if (pages > __builtin_wasm_memory_size(0) &&
            __builtin_wasm_memory_grow(0, pages - __builtin_wasm_memory_size(0)) == (size_t)-1)
            return 12;
        block = (struct block *)top;
        top += whole;
    }
    *(unsigned *)block = list;
    *out = (unsigned char *)block + 16;
    return 0;
}

void free(void *memory) {
    if (!memory) return;
    struct block *block = (struct block *)((unsigned char *)memory - 16);
    unsigned list = *(unsigned *)block;
    block->next = waiting[list];
    waiting[list] = block;
}

void *memcpy(void *to, const void *from, size_t count) {
    unsigned char *a = to;
    const unsigned char *b = from;
    while (count--) *a++ = *b++;
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    unsigned char *a = to;
    const unsigned char *b = from;
    if (a < b) while (count--) *a++ = *b++;
    else while (count--) a[count] = b[count];
    return to;
}

void *memset(void *to, int value, size_t count) {
    unsigned char *a = to;
    while (count--) *a++ = (unsigned char)value;
    return to;
}

int memcmp(const void *one, const void *other, size_t count) {
    const unsigned char *a = one, *b = other;
    for (; count--; a++, b++) if (*a != *b) return *a - *b;
    return 0;
}

size_t strlen(const char *text) {
    size_t count = 0;
    while (text[count]) count++;
    return count;
}

// Seeds the hashing of sets and dictionaries. A constant suffices: the page has none that untrusted input fills.
void arc4random_buf(void *out, size_t count) { memset(out, 7, count); }

int putchar(int character) { return character; }
void *__stack_chk_guard;
void __stack_chk_fail(void) { __builtin_trap(); }

// 128 bits from 64 × 64, by halves, as the machine has no such multiplication.
typedef unsigned long long u64;
typedef union { __int128 whole; struct { u64 low, high; } part; } wide;

__int128 __multi3(__int128 one, __int128 other) {
    wide x = {one}, y = {other}, product;
    u64 xl = x.part.low & 0xffffffff, xh = x.part.low >> 32, yl = y.part.low & 0xffffffff, yh = y.part.low >> 32;
    u64 low = xl * yl, middle = xh * yl + (low >> 32), second = xl * yh + (middle & 0xffffffff);
    product.part.low = second << 32 | (low & 0xffffffff);
    product.part.high = xh * yh + (middle >> 32) + (second >> 32) + x.part.high * y.part.low + x.part.low * y.part.high;
    return product.whole;
}
