#pragma once

#include <array>
#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/dnn.hpp>

#include "Image.hpp"

// A network together with the names of what it gives.
class Network {
public:
    Network(const char *name, const face_model &model, std::vector<std::string> outputs);

    // Runs it; throws a Refusal unless each output has as many numbers as `sizes` says.
    std::vector<cv::Mat> run(const cv::Mat &input, const std::vector<size_t> &sizes);

private:
    const std::string name;
    const std::vector<std::string> outputs;
    cv::dnn::Net net;
};

struct face_engine {
    Network detector, embedding, age, gender, expression, liveness_near, liveness_wide, mesh, eyes;
};

// The pixels of an image, in red, green and blue; valid as long as the image.
cv::Mat pixels_of(const face_image &image);

// The similarity (turn, scale, shift) that brings points nearest to where they should be, by least squares.
cv::Matx23f similarity(const face_point *points, const cv::Point2f *wanted, size_t count);

// The part of the image that the similarity maps to a square of `size` pixels. If the square has far fewer pixels, the
// image is reduced first. So the result does not depend on which pixels happen to be hit.
cv::Mat sample(const cv::Mat &pixels, const cv::Matx23f &similarity, int size);

// A part of the image in a square of `size` pixels, stretched if the part is not one.
cv::Mat cut(const cv::Mat &pixels, const cv::Rect2f &part, int size);

// The 112 × 112 pixels that the embedding sees: eyes, nose and mouth where they are in every face.
cv::Mat aligned(const face_image &image, const face_detection &face);
