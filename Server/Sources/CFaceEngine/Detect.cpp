#include <algorithm>

#include <opencv2/imgproc.hpp>

#include "Call.hpp"
#include "Networks.hpp"

namespace {
// Sides to which an image is reduced before faces are looked for: faces that fill the larger are found in the smaller.
constexpr int sides[] = {640, 320};
constexpr float overlap = 0.3f;

struct Candidates {
    std::vector<face_detection> faces;
    std::vector<cv::Rect2d> boxes;
    std::vector<float> scores;
};

// YuNet's output for each cell of three grids: whether there is a face, how sure the box is, the box, and five points.
void collect(const std::vector<cv::Mat> &outputs, int grid, int stride, int columns, int rows, float score,
             Candidates &found) {
    const float *sure = outputs[grid].ptr<float>(), *object = outputs[3 + grid].ptr<float>();
    const float *box = outputs[6 + grid].ptr<float>(), *points = outputs[9 + grid].ptr<float>();
    for (int cell = 0; cell < columns * rows; cell++) {
        const auto part = [](float value) { return std::clamp(value, 0.f, 1.f); };
        const float value = std::sqrt(part(sure[cell]) * part(object[cell]));
        if (value < score) continue;
        const int column = cell % columns, row = cell / columns;
        face_detection face{};
        face.score = value;
        face.width = std::exp(box[cell * 4 + 2]) * stride;
        face.height = std::exp(box[cell * 4 + 3]) * stride;
        // An attacker who draws the picture also controls these numbers. Sizes that no face in it can have are skipped.
        const float most = 4.f * float(stride * std::max(columns, rows));
        if (!(face.width > 1 && face.height > 1 && face.width < most && face.height < most)) continue;
        face.left = (column + box[cell * 4]) * stride - face.width / 2;
        face.top = (row + box[cell * 4 + 1]) * stride - face.height / 2;
        for (int i = 0; i < 5; i++) {
            face.points[i] = {(column + points[cell * 10 + i * 2]) * stride,
                              (row + points[cell * 10 + i * 2 + 1]) * stride};
        }
        found.faces.push_back(face);
        found.boxes.emplace_back(face.left, face.top, face.width, face.height);
        found.scores.push_back(value);
    }
}

std::vector<face_detection> detect(Network &detector, const cv::Mat &pixels, int side, float score) {
    const float scale = std::min(1.f, float(side) / float(std::max(pixels.cols, pixels.rows)));
    const int width = std::max(int(pixels.cols * scale), 1), height = std::max(int(pixels.rows * scale), 1);
    // The grids need multiples of 32; the added pixels are black.
    const int padded_width = (width + 31) / 32 * 32, padded_height = (height + 31) / 32 * 32;
    cv::Mat input(padded_height, padded_width, CV_8UC3, cv::Scalar::all(0));
    cv::resize(pixels, input(cv::Rect(0, 0, width, height)), {width, height}, 0, 0,
               scale < 1 ? cv::INTER_AREA : cv::INTER_LINEAR);
    std::vector<size_t> sizes;
    for (size_t numbers : {1, 1, 4, 10}) {
        for (int stride : {8, 16, 32})
            sizes.push_back(size_t(padded_width / stride) * (padded_height / stride) * numbers);
    }
    // YuNet sees blue, green, red.
    const auto outputs = detector.run(cv::dnn::blobFromImage(input, 1, {}, {}, true), sizes);
    Candidates found;
    for (int grid = 0; grid < 3; grid++) {
        const int stride = 8 << grid;
        collect(outputs, grid, stride, padded_width / stride, padded_height / stride, score, found);
    }
    std::vector<int> kept;
    cv::dnn::NMSBoxes(found.boxes, found.scores, score, overlap, kept);
    std::vector<face_detection> faces;
    const float across = float(pixels.cols) / width, down = float(pixels.rows) / height;
    for (int index : kept) {
        face_detection face = found.faces[index];
        face.left *= across, face.width *= across, face.top *= down, face.height *= down;
        for (face_point &point : face.points) point = {point.x * across, point.y * down};
        faces.push_back(face);
    }
    return faces;
}
} // namespace

face_status face_engine_detect(
    face_engine *engine, const face_image *image, float score, face_detection *faces, size_t capacity, size_t *count,
    face_message *message) {
    *count = 0;
    return call(message, FACE_ENGINE_FAILED, [=] {
        std::vector<face_detection> found;
        for (int side : sides) {
            found = detect(engine->detector, pixels_of(*image), side, score);
            if (!found.empty()) break;
        }
        std::sort(found.begin(), found.end(), [](const auto &one, const auto &other) {
            return one.width * one.height > other.width * other.height;
        });
        *count = std::min(found.size(), capacity);
        std::copy_n(found.begin(), *count, faces);
    });
}

face_status face_engine_turns(
    face_engine *engine, const face_image *image, float score, const face_detection *subject, float scores[4],
    face_message *message) {
    return call(message, FACE_ENGINE_FAILED, [=] {
        // Reduced before it is turned: which way up a face is shows in the smaller picture too.
        const int side = sides[std::size(sides) - 1];
        cv::Mat pixels = pixels_of(*image);
        const float scale = std::min(1.f, float(side) / float(std::max(pixels.cols, pixels.rows)));
        const cv::Size size(std::max(int(pixels.cols * scale), 1), std::max(int(pixels.rows * scale), 1));
        if (scale < 1) cv::resize(pixels, pixels, size, 0, 0, cv::INTER_AREA);
        for (int quarters = 0; quarters < 4; quarters++) {
            // Into a picture of its own: half a turn would fit into the same one, and spoil it.
            cv::Mat turned;
            if (quarters > 0) cv::rotate(pixels, turned, quarters - 1);
            else turned = pixels;
            scores[quarters] = 0;
            // Where the middle of the subject's face is after the turn.
            cv::Point2f middle;
            if (subject) {
                const float x = (subject->left + subject->width / 2) * scale;
                const float y = (subject->top + subject->height / 2) * scale;
                const float width = float(pixels.cols), height = float(pixels.rows);
                const cv::Point2f places[4] = {{x, y}, {height - y, x}, {width - x, height - y}, {y, width - x}};
                middle = places[quarters];
            }
            for (const face_detection &face : detect(engine->detector, turned, side, score)) {
                if (subject && !cv::Rect2f(face.left, face.top, face.width, face.height).contains(middle)) continue;
                scores[quarters] = std::max(scores[quarters], face.score);
            }
        }
    });
}
