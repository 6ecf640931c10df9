#include <algorithm>
#include <cmath>

#include <opencv2/imgproc.hpp>

#include "Call.hpp"
#include "Networks.hpp"

namespace {
// Age and gender were trained on dlib's face chips. This is where our five points are in those, measured as the mean of
// the test portraits and made symmetrical. dlib's own points are corners of the eyes and the nose's lower end.
cv::Mat chip(const face_image &image, const face_detection &face, float size) {
    const cv::Point2f wanted[] = {{0.29f * size, 0.283f * size},
                                  {0.71f * size, 0.283f * size},
                                  {0.5f * size, 0.502f * size},
                                  {0.317f * size, 0.699f * size},
                                  {0.683f * size, 0.699f * size}};
    return sample(pixels_of(image), similarity(face.points, wanted, 5), int(size));
}

cv::Mat chip_input(const cv::Mat &chip) {
    return cv::dnn::blobFromImage(chip, 1 / 256.0, {}, cv::Scalar(122.781998, 117.000999, 104.298));
}

// The surroundings of a face as MiniFASNet was trained on them: the box enlarged, moved into the image where it leaves
// it.
cv::Rect2f surroundings(const face_image &image, const face_detection &face, float scale) {
    const float width = float(image.kept_width - 1), height = float(image.kept_height - 1);
    scale = std::min({scale, width / face.width, height / face.height});
    const cv::Size2f size(face.width * scale, face.height * scale);
    const float left = face.left + face.width / 2 - size.width / 2, top = face.top + face.height / 2 - size.height / 2;
    const auto inside = [](float place, float most) { return std::clamp(place, 0.f, std::max(most, 0.f)); };
    return {inside(left, width - size.width), inside(top, height - size.height), size.width + 1, size.height + 1};
}

float real(Network &network, const face_image &image, const face_detection &face, float scale) {
    const cv::Mat part = cut(pixels_of(image), surroundings(image, face, scale), 80);
    // Of its three classes the second is a live face. It sees blue, green, red.
    return network.run(cv::dnn::blobFromImage(part, 1, {}, {}, true), {3})[0].ptr<float>()[1];
}
} // namespace

face_status face_engine_embed(
    face_engine *engine, const face_image *image, const face_detection *face, float embedding[FACE_EMBEDDING_SIZE],
    face_message *message) {
    return call(message, FACE_ENGINE_FAILED, [=] {
        const cv::Mat input = cv::dnn::blobFromImage(aligned(*image, *face));
        const cv::Mat output = engine->embedding.run(input, {FACE_EMBEDDING_SIZE})[0];
        const double length = cv::norm(output);
        if (!(length > 0)) throw Refusal{FACE_ENGINE_FAILED, "the embedding has no length"};
        const float *values = output.ptr<float>();
        for (int i = 0; i < FACE_EMBEDDING_SIZE; i++) embedding[i] = float(values[i] / length);
    });
}

face_status face_engine_attributes(
    face_engine *engine, const face_image *image, const face_detection *face, face_attributes *attributes,
    face_message *message) {
    return call(message, FACE_ENGINE_FAILED, [=] {
        constexpr int ages = 81;
        const cv::Mat age = engine->age.run(chip_input(chip(*image, *face, 64)), {ages})[0];
        attributes->age = 0;
        // The first class stands for a quarter of a year, each other for as many years as its number.
        for (int i = 0; i < ages; i++) attributes->age += (i == 0 ? 0.25f : float(i)) * age.ptr<float>()[i];
        attributes->male = engine->gender.run(chip_input(chip(*image, *face, 32)), {2})[0].ptr<float>()[1];

        const float side = std::max(face->width, face->height);
        const cv::Rect2f part(
            face->left + (face->width - side) / 2, face->top + (face->height - side) / 2, side, side);
        cv::Mat grey;
        cv::cvtColor(cut(pixels_of(*image), part, 64), grey, cv::COLOR_RGB2GRAY);
        const cv::Mat input = cv::dnn::blobFromImage(grey, 2 / 255.0, {}, cv::Scalar(127.5));
        const cv::Mat expressions = engine->expression.run(input, {FACE_EXPRESSIONS})[0];
        std::copy_n(expressions.ptr<float>(), FACE_EXPRESSIONS, attributes->expressions);
    });
}

face_status face_engine_liveness(
    face_engine *engine, const face_image *image, const face_detection *face, face_liveness *liveness,
    face_message *message) {
    return call(message, FACE_ENGINE_FAILED, [=] {
        liveness->near = real(engine->liveness_near, *image, *face, 2.7f);
        liveness->wide = real(engine->liveness_wide, *image, *face, 4.0f);
    });
}

face_status face_engine_mesh(
    face_engine *engine, const face_image *image, const face_detection *face, face_mesh *mesh, face_message *message) {
    return call(message, FACE_ENGINE_FAILED, [=] {
        constexpr int size = 192;
        // As MediaPipe has it: a square half as large again as the box, turned so that the eyes are level.
        const float scale = size / (1.5f * std::max(face->width, face->height));
        const float angle = std::atan2(face->points[1].y - face->points[0].y, face->points[1].x - face->points[0].x);
        const float a = scale * std::cos(angle), b = scale * std::sin(angle);
        const float x = face->left + face->width / 2, y = face->top + face->height / 2, half = size / 2.f;
        const cv::Matx23f there(a, b, half - a * x - b * y, -b, a, half + b * x - a * y);
        const cv::Mat input = cv::dnn::blobFromImage(sample(pixels_of(*image), there, size), 1 / 255.0);
        const auto outputs = engine->mesh.run(input, {FACE_MESH_POINTS * 3, 1, FACE_MESH_FEATURES});
        const float *points = outputs[0].ptr<float>();
        const float square = scale * scale;
        for (int i = 0; i < FACE_MESH_POINTS; i++) {
            const float across = points[i * 3] - half, down = points[i * 3 + 1] - half;
            mesh->points[i][0] = x + (a * across - b * down) / square;
            mesh->points[i][1] = y + (b * across + a * down) / square;
            mesh->points[i][2] = points[i * 3 + 2] / scale;
        }
        mesh->score = 1 / (1 + std::exp(-outputs[1].ptr<float>()[0]));
        std::copy_n(outputs[2].ptr<float>(), FACE_MESH_FEATURES, mesh->features);
    });
}

face_status face_engine_eyes(
    face_engine *engine, const face_image *image, const face_point corners[4], face_eyes *eyes, face_message *message) {
    return call(message, FACE_ENGINE_FAILED, [=] {
        constexpr int size = 64, points = 71;
        std::fill_n(eyes->features, FACE_EYE_FEATURES, 0.f);
        for (int eye = 0; eye < 2; eye++) {
            const face_point &left = corners[eye * 2], &right = corners[eye * 2 + 1];
            const float dx = right.x - left.x, dy = right.y - left.y, width = std::hypot(dx, dy);
            if (!(width > 1)) throw Refusal{FACE_ENGINE_FAILED, "an eye has no width"};
            // As MediaPipe has it: a square of 2.3 times the width, turned so that the corners are level.
            const float scale = size / (2.3f * width), a = scale * dx / width, b = scale * dy / width;
            const float x = (left.x + right.x) / 2, y = (left.y + right.y) / 2, half = size / 2.f;
            cv::Mat part = sample(pixels_of(*image), {a, b, half - a * x - b * y, -b, a, half + b * x - a * y}, size);
            // The network knows the eye on the picture's right.
            if (eye == 0) cv::flip(part, part, 1);
            const auto outputs =
                engine->eyes.run(cv::dnn::blobFromImage(part, 1 / 255.0), {points * 3, FACE_EYE_FEATURES});
            for (int i = 0; i < FACE_EYE_FEATURES; i++) eyes->features[i] += outputs[1].ptr<float>()[i] / 2;
            const auto apart = [at = outputs[0].ptr<float>()](int one, int other) {
                return std::hypot(at[one * 3] - at[other * 3], at[one * 3 + 1] - at[other * 3 + 1]);
            };
            // 0 and 8 are the corners; 1 to 7 the lower lid, 9 to 15 the upper one, both from the outer corner on.
            const float across = apart(0, 8);
            if (!(across > 0)) throw Refusal{FACE_ENGINE_FAILED, "an eye has no width"};
            eyes->openings[eye] = (apart(3, 11) + apart(4, 12) + apart(5, 13)) / 3 / across;
        }
    });
}

face_status face_image_light(
    const face_image *image, const face_detection *face, face_light *light, face_message *message) {
    return call(message, FACE_ENGINE_FAILED, [=] {
        cv::Mat grey, edges;
        // Without hair and background: from the brows to the chin, from cheek to cheek.
        cv::cvtColor(aligned(*image, *face)(cv::Rect(24, 32, 64, 72)), grey, cv::COLOR_RGB2GRAY);
        cv::Scalar mean, deviation, blank;
        cv::Laplacian(grey, edges, CV_32F);
        cv::meanStdDev(edges, blank, deviation);
        light->sharpness = float(deviation[0] * deviation[0]);
        cv::meanStdDev(grey, mean, deviation);
        light->brightness = float(mean[0] / 255);
        light->contrast = float(deviation[0] / 255);
        const int clipped = cv::countNonZero(grey < 8) + cv::countNonZero(grey > 247);
        light->clipped = float(clipped) / float(grey.total());
        const double left = cv::mean(grey.colRange(0, 32))[0], right = cv::mean(grey.colRange(32, 64))[0];
        light->imbalance = float(std::abs(left - right) / 255);
    });
}
