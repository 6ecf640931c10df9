#include "Image.hpp"

#include <algorithm>

Reducer::Reducer(uint32_t width, uint32_t height, uint32_t factor)
    : width(std::max(width / factor, 1u)), height(std::max(height / factor, 1u)), factor(factor),
      sums(factor > 1 ? size_t(this->width) * 3 : 0) {
    pixels.reserve(size_t(this->width) * this->height * 3);
}

void Reducer::add(const uint8_t *row) {
    if (pixels.size() >= size_t(width) * height * 3) return;
    if (factor == 1) {
        pixels.insert(pixels.end(), row, row + size_t(width) * 3);
        return;
    }
    for (uint32_t x = 0; x < width; x++) {
        for (uint32_t i = 0; i < factor; i++) {
            const uint8_t *pixel = row + (size_t(x) * factor + i) * 3;
            for (int channel = 0; channel < 3; channel++) sums[size_t(x) * 3 + channel] += pixel[channel];
        }
    }
    if (++rows < factor) return;
    rows = 0;
    const uint32_t count = factor * factor;
    for (uint32_t &sum : sums) {
        pixels.push_back(uint8_t((sum + count / 2) / count));
        sum = 0;
    }
}

uint32_t reduction(uint32_t width, uint32_t height, uint32_t kept) {
    return std::max(std::max(width, height) / std::max(kept, 1u), 1u);
}

void check_size(uint64_t width, uint64_t height, const face_limits &limits) {
    // Divided, not multiplied: a PNG may name sides of 31 bits.
    if (width > 0 && height > limits.pixels / width) {
        throw Refusal{FACE_IMAGE_TOO_MANY_PIXELS, "the image has too many pixels"};
    }
    // The side that is left of a narrow image must still show something.
    const uint64_t factor = reduction(uint32_t(width), uint32_t(height), limits.kept_side);
    if (std::min(width, height) < std::max<uint64_t>(uint64_t(limits.shortest_side) * factor, 1)) {
        throw Refusal{FACE_IMAGE_TOO_SMALL, "a side of the image is too short"};
    }
}

face_image upright(Decoded &&decoded) {
    const uint32_t width = decoded.rows.width, height = decoded.rows.height;
    if (decoded.rows.pixels.size() != size_t(width) * height * 3) {
        throw Refusal{FACE_IMAGE_DAMAGED, "the image has fewer rows than its header says"};
    }
    const int orientation = decoded.orientation;
    const bool swaps = orientation >= 5;
    face_image image{
        swaps ? decoded.height : decoded.width, swaps ? decoded.width : decoded.height,
        swaps ? height : width, swaps ? width : height, {}};
    if (orientation == 1) {
        image.pixels = std::move(decoded.rows.pixels);
        return image;
    }
    // EXIF 2.3, tag 0x0112: where the first row and the first column of the stored image belong.
    const bool right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
    const bool bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
    image.pixels.resize(decoded.rows.pixels.size());
    for (uint32_t y = 0; y < image.kept_height; y++) {
        for (uint32_t x = 0; x < image.kept_width; x++) {
            const uint32_t along = swaps ? y : x, down = swaps ? x : y;
            const uint32_t column = right ? width - 1 - along : along, row = bottom ? height - 1 - down : down;
            const uint8_t *from = &decoded.rows.pixels[(size_t(row) * width + column) * 3];
            std::copy(from, from + 3, &image.pixels[(size_t(y) * image.kept_width + x) * 3]);
        }
    }
    return image;
}
