#include "Image.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jpeglib.h>

#include <jerror.h>

// libjpeg reports by a jump, which may not skip destructors. So each method below that calls it has no object in it,
// and what must be released belongs to the reader.
namespace {
// More than 25 million pixels of a progressive file need; libjpeg then refuses what wants more.
constexpr long most_memory = 256L << 20;

class Reader {
public:
    Reader(const uint8_t *bytes, size_t count, const face_limits &limits) : limits(limits) {
        info.err = jpeg_std_error(&errors);
        errors.error_exit = [](j_common_ptr info) { from(info).fail(); };
        // A warning says that something was guessed.
        errors.emit_message = [](j_common_ptr info, int level) {
            if (level < 0) from(info).fail();
        };
        errors.output_message = [](j_common_ptr) {};
        info.client_data = this;
        progress.progress_monitor = [](j_common_ptr common) {
            auto info = reinterpret_cast<j_decompress_ptr>(common);
            Reader &reader = from(common);
            if (info->input_scan_number > int(reader.scans)) {
                reader.fail(FACE_IMAGE_TOO_MANY_SCANS, "the JPEG has too many scans");
            }
        };
        if (!open(bytes, count)) refuse();
    }
    ~Reader() { jpeg_destroy_decompress(&info); }
    Reader(const Reader &) = delete;

    void read_header() {
        if (!header()) refuse();
    }
    // Each scan passes over the whole image: the larger it is, the fewer it may have, down to 16, which no camera
    // reaches.
    void limit_scans() {
        const uint64_t pixels = std::max<uint64_t>(uint64_t(info.image_width) * info.image_height, 1);
        scans = uint32_t(std::min<uint64_t>(limits.scans, 16 * limits.pixels / pixels));
    }
    void start(uint32_t denominator) {
        if (!begin(denominator)) refuse();
    }
    void read(Reducer &rows, uint8_t *row) {
        if (!all(rows, row)) refuse();
    }

    jpeg_decompress_struct info{};

private:
    static Reader &from(j_common_ptr info) { return *static_cast<Reader *>(info->client_data); }

    // Fails with libjpeg's error.
    [[noreturn]] void fail() {
        char said[JMSG_LENGTH_MAX], words[sizeof text];
        errors.format_message(reinterpret_cast<j_common_ptr>(&info), said);
        std::snprintf(words, sizeof words, "JPEG: %.150s", said);
        switch (errors.msg_code) {
        case JERR_OUT_OF_MEMORY: fail(FACE_NO_MEMORY, words);
        case JERR_NO_BACKING_STORE: fail(FACE_IMAGE_TOO_MANY_PIXELS, "the JPEG needs too much memory");
        default: fail(FACE_IMAGE_DAMAGED, words);
        }
    }
    [[noreturn]] void fail(face_status why, const char *words) {
        status = why;
        std::snprintf(text, sizeof text, "%s", words);
        longjmp(back, 1);
    }
    [[noreturn]] void refuse() const { throw Refusal{status, text}; }

    bool open(const uint8_t *bytes, size_t count) {
        if (setjmp(back)) return false;
        jpeg_create_decompress(&info);
        info.progress = &progress;
        info.mem->max_memory_to_use = most_memory;
        jpeg_mem_src(&info, bytes, count);
        jpeg_save_markers(&info, JPEG_APP0 + 1, 0xffff);
        return true;
    }
    bool header() {
        if (setjmp(back)) return false;
        jpeg_read_header(&info, TRUE);
        return true;
    }
    bool begin(uint32_t denominator) {
        if (setjmp(back)) return false;
        info.out_color_space = JCS_RGB;
        info.scale_num = 1;
        info.scale_denom = denominator;
        jpeg_start_decompress(&info);
        return true;
    }
    bool all(Reducer &rows, uint8_t *row) {
        if (setjmp(back)) return false;
        while (info.output_scanline < info.output_height) {
            jpeg_read_scanlines(&info, &row, 1);
            rows.add(row);
        }
        jpeg_finish_decompress(&info);
        return true;
    }

    const face_limits &limits;
    uint32_t scans = 0;
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    jmp_buf back;
    face_status status = FACE_IMAGE_DAMAGED;
    char text[200] = "";
};

int orientation_of(const jpeg_decompress_struct &info) {
    static const uint8_t mark[] = {'E', 'x', 'i', 'f', 0, 0};
    for (auto marker = info.marker_list; marker; marker = marker->next) {
        if (marker->data_length < sizeof mark || std::memcmp(marker->data, mark, sizeof mark) != 0) continue;
        return exif_orientation(marker->data + sizeof mark, marker->data_length - sizeof mark);
    }
    return 1;
}
} // namespace

Decoded read_jpeg(const uint8_t *bytes, size_t count, const face_limits &limits) {
    Reader reader(bytes, count, limits);
    reader.read_header();
    const auto &info = reader.info;
    check_size(info.image_width, info.image_height, limits);
    reader.limit_scans();
    const bool known = info.jpeg_color_space == JCS_GRAYSCALE || info.jpeg_color_space == JCS_YCbCr ||
                       info.jpeg_color_space == JCS_RGB;
    if (!known) throw Refusal{FACE_IMAGE_UNSUPPORTED, "the JPEG is neither grey nor in colour as cameras write it"};
    if (info.arith_code || info.data_precision != 8) {
        throw Refusal{FACE_IMAGE_UNSUPPORTED, "the JPEG is coded in a form that no camera writes"};
    }
    // The decoder's own reduction, by a power of two, costs less than none.
    const uint32_t wanted = reduction(info.image_width, info.image_height, limits.kept_side);
    const uint32_t denominator = wanted >= 8 ? 8 : wanted >= 4 ? 4 : wanted >= 2 ? 2 : 1;
    const uint32_t width = info.image_width, height = info.image_height;
    const int orientation = orientation_of(info);
    reader.start(denominator);
    const uint32_t rest = reduction(info.output_width, info.output_height, limits.kept_side);
    Decoded decoded{width, height, Reducer(info.output_width, info.output_height, rest), orientation};
    std::vector<uint8_t> row(size_t(info.output_width) * 3);
    reader.read(decoded.rows, row.data());
    return decoded;
}
