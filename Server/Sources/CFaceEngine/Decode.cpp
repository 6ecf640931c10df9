#include <algorithm>
#include <memory>

#include "Call.hpp"

face_status face_image_decode(
    const uint8_t *bytes, size_t count, const face_limits *limits, face_image **image, face_message *message) {
    *image = nullptr;
    return call(message, FACE_ENGINE_FAILED, [=] {
        static const uint8_t jpeg[] = {0xff, 0xd8, 0xff}, png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
        const auto begins = [=](const auto &mark) {
            return count >= std::size(mark) && std::equal(std::begin(mark), std::end(mark), bytes);
        };
        if (count == 0) throw Refusal{FACE_IMAGE_EMPTY, "there are no bytes"};
        if (count > limits->bytes) throw Refusal{FACE_IMAGE_TOO_MANY_BYTES, "the image has too many bytes"};
        if (begins(jpeg)) {
            *image = std::make_unique<face_image>(upright(read_jpeg(bytes, count, *limits))).release();
        } else if (begins(png)) {
            *image = std::make_unique<face_image>(upright(read_png(bytes, count, *limits))).release();
        } else {
            throw Refusal{FACE_IMAGE_UNKNOWN_FORMAT, "the image is neither a JPEG nor a PNG"};
        }
    });
}

void face_image_free(face_image *image) { delete image; }

face_size face_image_size(const face_image *image) {
    return {image->width, image->height, image->kept_width, image->kept_height};
}

const uint8_t *face_image_pixels(const face_image *image) { return image->pixels.data(); }
