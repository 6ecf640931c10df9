#include "Image.hpp"

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <png.h>

// As with libjpeg: errors come by a jump, so the methods that call libpng hold no object.
namespace {
uint32_t number(const uint8_t *bytes) {
    return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

struct Header {
    uint32_t width, height;
    uint8_t depth, color, compression, filter, interlace;
    int orientation = 1;
};

// Walks over the chunks before anything is decoded. libpng checks their sums later.
Header survey(const uint8_t *bytes, size_t count) {
    constexpr size_t signature = 8, frame = 12;
    Header header{};
    size_t at = signature;
    for (bool first = true;; first = false) {
        if (count - at < frame) throw Refusal{FACE_IMAGE_DAMAGED, "the PNG is cut off"};
        const size_t length = number(bytes + at);
        const uint8_t *name = bytes + at + 4, *content = bytes + at + 8;
        if (length > count - at - frame) throw Refusal{FACE_IMAGE_DAMAGED, "a chunk of the PNG is cut off"};
        const auto is = [name](const char *wanted) { return std::memcmp(name, wanted, 4) == 0; };
        if (first != is("IHDR") || (first && length != 13)) {
            throw Refusal{FACE_IMAGE_DAMAGED, "the PNG does not begin with its header"};
        }
        if (first) {
            header = {number(content), number(content + 4), content[8],
                      content[9],      content[10],         content[11], content[12]};
        }
        if (is("acTL")) throw Refusal{FACE_IMAGE_UNSUPPORTED, "the PNG is animated"};
        if (is("eXIf")) header.orientation = exif_orientation(content, length);
        if (is("IEND")) return header;
        at += frame + length;
    }
}

class Reader {
public:
    Reader(const uint8_t *bytes, size_t count) : bytes(bytes), left(count) {
        const auto failed = [](png_structp png, png_const_charp words) {
            Reader &reader = *static_cast<Reader *>(png_get_error_ptr(png));
            std::snprintf(reader.text, sizeof reader.text, "PNG: %.150s", words);
            longjmp(reader.back, 1);
        };
        if (!open(failed)) refuse();
    }
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
    Reader(const Reader &) = delete;

    void start(const face_limits &limits) {
        if (!begin(limits)) refuse();
    }
    void read(Reducer &rows, uint8_t *row, uint32_t height) {
        if (!all(rows, row, height)) refuse();
    }
    size_t row_size() const { return png_get_rowbytes(png, info); }

private:
    [[noreturn]] void refuse() const { throw Refusal{png ? FACE_IMAGE_DAMAGED : FACE_NO_MEMORY, text}; }

    bool open(png_error_ptr failed) {
        if (setjmp(back)) return false;
        // A warning says that something was guessed.
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, failed, failed);
        if (!png) return false;
        info = png_create_info_struct(png);
        if (!info) png_error(png, "no memory");
        png_set_read_fn(png, this, [](png_structp png, png_bytep to, size_t wanted) {
            Reader &reader = *static_cast<Reader *>(png_get_io_ptr(png));
            if (wanted > reader.left) png_error(png, "cut off");
            std::memcpy(to, reader.bytes, wanted);
            reader.bytes += wanted;
            reader.left -= wanted;
        });
        return true;
    }

    bool begin(const face_limits &limits) {
        if (setjmp(back)) return false;
        // Colour profiles, texts and the like are not even unpacked.
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
        png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
        png_set_user_limits(png, uint32_t(limits.pixels), uint32_t(limits.pixels));
        png_read_info(png, info);
        png_set_expand(png);
        png_set_gray_to_rgb(png);
        // Transparent pixels become white, so that a face cannot be hidden in pixels that people do not see.
        png_color_16 white{};
        white.red = white.green = white.blue = white.gray = 255;
        png_set_background(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1.0);
        png_read_update_info(png, info);
        return true;
    }

    bool all(Reducer &rows, uint8_t *row, uint32_t height) {
        if (setjmp(back)) return false;
        for (uint32_t y = 0; y < height; y++) {
            png_read_row(png, row, nullptr);
            rows.add(row);
        }
        png_read_end(png, nullptr);
        return true;
    }

    png_structp png = nullptr;
    png_infop info = nullptr;
    jmp_buf back;
    const uint8_t *bytes;
    size_t left;
    char text[200] = "PNG: no memory";
};
} // namespace

Decoded read_png(const uint8_t *bytes, size_t count, const face_limits &limits) {
    const Header header = survey(bytes, count);
    check_size(header.width, header.height, limits);
    if (header.depth == 16) throw Refusal{FACE_IMAGE_UNSUPPORTED, "the PNG has 16 bits for a colour"};
    // An interlaced image cannot be reduced while it is read.
    if (header.interlace != 0) throw Refusal{FACE_IMAGE_UNSUPPORTED, "the PNG is interlaced"};
    Reader reader(bytes, count);
    reader.start(limits);
    if (reader.row_size() != size_t(header.width) * 3) {
        throw Refusal{FACE_IMAGE_DAMAGED, "the PNG's rows are not as long as its header says"};
    }
    const uint32_t factor = reduction(header.width, header.height, limits.kept_side);
    Decoded decoded{header.width, header.height, Reducer(header.width, header.height, factor), header.orientation};
    std::vector<uint8_t> row(reader.row_size());
    reader.read(decoded.rows, row.data(), header.height);
    return decoded;
}
