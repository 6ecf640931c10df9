// Instructions of the processor that Swift does not offer.

// Fetches memory that is needed soon.
static inline void prefetch(const void *address) { __builtin_prefetch(address); }

// Waits for a moment, in a loop that waits for another processor.
static inline void pause_spinning(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}
