// The files of Catalogue/Tables as they are, inside the program: it stays one file.
//
// clang's #embed does this, and not the manifest's embedInCode as for smaller files. That writes one Swift literal for
// each byte, and of these 270 kB the compiler has for 28 seconds (Swift 6.3.1); #embed takes none.
#ifndef CCATALOGUETABLES_H
#define CCATALOGUETABLES_H

#include <stddef.h>

// One file. `name` is without folder and ending; the text is not ended by a zero byte.
struct catalogue_table {
    const char *_Nonnull name;
    const unsigned char *_Nonnull text;
    size_t count;
};

size_t catalogue_table_count(void);

// The file with this number, from 0 and below the count.
struct catalogue_table catalogue_table(size_t number);

#endif
