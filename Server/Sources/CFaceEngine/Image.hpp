#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "CFaceEngine.h"

// An image that is not taken, and why. The only exception that our own code throws.
struct Refusal {
    face_status status;
    std::string text;
};

struct face_image {
    uint32_t width, height;           // upright, as sent
    uint32_t kept_width, kept_height; // upright, as kept
    std::vector<uint8_t> pixels;
};

// Rows of red, green and blue, reduced by a whole factor while they are read. Each kept pixel is the mean of factor ×
// factor. Remaining pixels at the right and at the bottom are dropped.
class Reducer {
public:
    Reducer(uint32_t width, uint32_t height, uint32_t factor);
    void add(const uint8_t *row);

    const uint32_t width, height;
    std::vector<uint8_t> pixels;

private:
    const uint32_t factor;
    uint32_t rows = 0;
    std::vector<uint32_t> sums;
};

// How often `kept` goes into the longest side, at least 1.
uint32_t reduction(uint32_t width, uint32_t height, uint32_t kept);

// Refuses sizes outside of the limits.
void check_size(uint64_t width, uint64_t height, const face_limits &limits);

// The orientation, 1 to 8, that a TIFF structure as in EXIF states; 1 if it states none or is malformed.
int exif_orientation(const uint8_t *bytes, size_t count);

// The result of a reader: reduced, not yet turned.
struct Decoded {
    uint32_t width, height; // as sent
    Reducer rows;
    int orientation;
};

Decoded read_jpeg(const uint8_t *bytes, size_t count, const face_limits &limits);
Decoded read_png(const uint8_t *bytes, size_t count, const face_limits &limits);

// Turns and mirrors as the orientation says.
face_image upright(Decoded &&decoded);
