#include "Image.hpp"

namespace {
// Reads numbers of a TIFF structure in its byte order; 0 behind its end.
struct TIFF {
    const uint8_t *bytes;
    size_t count;
    bool little;

    uint32_t number(size_t at, size_t size) const {
        if (at > count || size > count - at) return 0;
        uint32_t value = 0;
        for (size_t i = 0; i < size; i++) value = value << 8 | bytes[at + (little ? size - 1 - i : i)];
        return value;
    }
};
} // namespace

int exif_orientation(const uint8_t *bytes, size_t count) {
    if (count < 8) return 1;
    const bool little = bytes[0] == 'I' && bytes[1] == 'I', big = bytes[0] == 'M' && bytes[1] == 'M';
    const TIFF tiff{bytes, count, little};
    if (!(little || big) || tiff.number(2, 2) != 42) return 1;
    const size_t directory = tiff.number(4, 4);
    const size_t entries = tiff.number(directory, 2);
    for (size_t i = 0; i < entries; i++) {
        const size_t entry = directory + 2 + i * 12;
        if (entry + 12 > count) return 1;
        if (tiff.number(entry, 2) != 0x0112) continue;
        const uint32_t value = tiff.number(entry + 8, 2);
        const bool isShort = tiff.number(entry + 2, 2) == 3 && tiff.number(entry + 4, 4) == 1;
        return isShort && value >= 1 && value <= 8 ? int(value) : 1;
    }
    return 1;
}
