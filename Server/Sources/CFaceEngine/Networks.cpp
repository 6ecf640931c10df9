#include "Networks.hpp"

#include <algorithm>
#include <cmath>

#include <opencv2/imgproc.hpp>

Network::Network(const char *name, const face_model &model, std::vector<std::string> outputs)
    : name(name), outputs(std::move(outputs)) {
    try {
        net = cv::dnn::readNetFromONNX(reinterpret_cast<const char *>(model.bytes), model.count);
    } catch (const cv::Exception &error) {
        throw Refusal{FACE_MODEL_UNUSABLE, this->name + " cannot be read: " + error.err};
    }
    if (net.empty()) throw Refusal{FACE_MODEL_UNUSABLE, this->name + " is empty"};
    net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
    net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
}

std::vector<cv::Mat> Network::run(const cv::Mat &input, const std::vector<size_t> &sizes) {
    std::vector<cv::Mat> results;
    net.setInput(input);
    net.forward(results, outputs);
    for (size_t i = 0; i < sizes.size(); i++) {
        if (i >= results.size() || results[i].total() != sizes[i] || results[i].type() != CV_32F) {
            throw Refusal{FACE_MODEL_UNUSABLE, name + " gives something else than expected"};
        }
        if (!cv::checkRange(results[i])) throw Refusal{FACE_ENGINE_FAILED, name + " gives numbers that are none"};
    }
    return results;
}

cv::Mat pixels_of(const face_image &image) {
    return cv::Mat(int(image.kept_height), int(image.kept_width), CV_8UC3, const_cast<uint8_t *>(image.pixels.data()));
}

cv::Matx23f similarity(const face_point *points, const cv::Point2f *wanted, size_t count) {
    cv::Point2d from(0, 0), to(0, 0);
    for (size_t i = 0; i < count; i++) {
        from += cv::Point2d(points[i].x, points[i].y);
        to += cv::Point2d(wanted[i]);
    }
    from /= double(count);
    to /= double(count);
    double along = 0, across = 0, square = 0;
    for (size_t i = 0; i < count; i++) {
        const cv::Point2d p = cv::Point2d(points[i].x, points[i].y) - from, q = cv::Point2d(wanted[i]) - to;
        along += p.dot(q);
        across += p.cross(q);
        square += p.dot(p);
    }
    if (square < 1e-6) throw Refusal{FACE_ENGINE_FAILED, "the points of the face are all in one place"};
    const double a = along / square, b = across / square;
    return {float(a), float(-b), float(to.x - a * from.x + b * from.y),
            float(b), float(a), float(to.y - b * from.x - a * from.y)};
}

cv::Mat sample(const cv::Mat &pixels, const cv::Matx23f &similarity, int size) {
    cv::Matx23f matrix = similarity;
    cv::Mat source = pixels;
    const float scale = std::hypot(matrix(0, 0), matrix(1, 0));
    const int factor = int(std::min(1 / std::max(scale, 1e-6f), 1e6f));
    if (factor > 1 && std::min(pixels.cols, pixels.rows) >= factor) {
        const int width = pixels.cols / factor, height = pixels.rows / factor;
        cv::resize(pixels(cv::Rect(0, 0, width * factor, height * factor)), source, {width, height}, 0, 0,
                   cv::INTER_AREA);
        // The centre of a reduced pixel is that of the ones it was made of.
        const float centre = float(factor - 1) / 2;
        for (int row = 0; row < 2; row++) {
            matrix(row, 2) += (matrix(row, 0) + matrix(row, 1)) * centre;
            matrix(row, 0) *= float(factor);
            matrix(row, 1) *= float(factor);
        }
    }
    cv::Mat result;
    cv::warpAffine(source, result, matrix, {size, size}, cv::INTER_LINEAR);
    return result;
}

cv::Mat cut(const cv::Mat &pixels, const cv::Rect2f &part, int size) {
    const cv::Rect inside = cv::Rect(part) & cv::Rect(0, 0, pixels.cols, pixels.rows);
    if (inside.empty()) throw Refusal{FACE_ENGINE_FAILED, "the face is outside of the image"};
    cv::Mat result;
    cv::resize(pixels(inside), result, {size, size}, 0, 0, inside.width > size ? cv::INTER_AREA : cv::INTER_LINEAR);
    return result;
}

cv::Mat aligned(const face_image &image, const face_detection &face) {
    // Where SFace was trained to find them.
    static const cv::Point2f wanted[] = {
        {38.2946f, 51.6963f}, {73.5318f, 51.5014f}, {56.0252f, 71.7366f}, {41.5493f, 92.3655f}, {70.7299f, 92.2041f}};
    return sample(pixels_of(image), similarity(face.points, wanted, 5), 112);
}
