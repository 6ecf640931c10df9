// The page designer's files inside the program, as CCatalogueTables has the catalogue's. They are its page, the page
// engine as WebAssembly, and the example pages with their pictures.
#ifndef CPAGEDESIGNER_H
#define CPAGEDESIGNER_H

#include <stddef.h>

// One file. `name` is its address below the designer's; the bytes are not ended by a zero.
struct page_designer_file {
    const char *_Nonnull name;
    const unsigned char *_Nonnull bytes;
    size_t count;
};

size_t page_designer_file_count(void);

// The file with this number, from 0 and below the count.
struct page_designer_file page_designer_file(size_t number);

#endif
