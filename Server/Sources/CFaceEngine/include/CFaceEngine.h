// Decoding an untrusted image and looking at the faces in it, behind C functions. Nothing is decided here: the caller
// (FaceMatching) decides which face is meant and which picture is good enough.
//
// No C++ exception leaves a function of this header. A status other than FACE_OK comes with a sentence for the log in
// `message`; it holds nothing of the image.
#ifndef CFACEENGINE_H
#define CFACEENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum face_status {
    FACE_OK = 0,
    FACE_IMAGE_EMPTY,            // no bytes
    FACE_IMAGE_TOO_MANY_BYTES,
    FACE_IMAGE_UNKNOWN_FORMAT,   // neither JPEG nor PNG
    FACE_IMAGE_UNSUPPORTED,      // a form of JPEG or PNG that no camera sends: CMYK, 16 bits, animated, interlaced
    FACE_IMAGE_TOO_MANY_PIXELS,
    FACE_IMAGE_TOO_SMALL,        // also 0 × 0
    FACE_IMAGE_TOO_MANY_SCANS,
    FACE_IMAGE_DAMAGED,          // cut off, or a decoder complained
    FACE_NO_MEMORY,
    FACE_MODEL_UNUSABLE,         // a model that OpenCV does not read, or that gives something else
    FACE_ENGINE_FAILED           // anything else; a defect
} face_status;

typedef struct face_message {
    char text[200];
} face_message;

typedef struct face_limits {
    size_t bytes;
    uint64_t pixels;        // width × height as the header says
    uint32_t shortest_side; // in pixels, at least
    uint32_t scans;         // of a progressive JPEG
    uint32_t kept_side;     // larger images are reduced while they are read; the longest side stays below twice this
} face_limits;

// An upright image, 8 bits for each of red, green and blue.
typedef struct face_image face_image;

// Reads a JPEG or a PNG and turns it as its EXIF orientation says.
face_status face_image_decode(
    const uint8_t *bytes, size_t count, const face_limits *limits, face_image **image, face_message *message);
void face_image_free(face_image *image);

typedef struct face_size {
    uint32_t width, height;           // upright, as sent
    uint32_t kept_width, kept_height; // upright, as kept; coordinates below are in these pixels
} face_size;
face_size face_image_size(const face_image *image);
// kept_width × kept_height × 3 bytes, row by row.
const uint8_t *face_image_pixels(const face_image *image);

typedef struct face_point {
    float x, y;
} face_point;

typedef struct face_detection {
    float left, top, width, height;
    float score; // 0 to 1
    // As seen in the picture: left eye, right eye, tip of the nose, left and right corner of the mouth.
    face_point points[5];
} face_detection;

// A model as its file has it. Read during the call only.
typedef struct face_model {
    const uint8_t *bytes;
    size_t count;
} face_model;

typedef struct face_models {
    face_model detector, embedding, age, gender, expression, liveness_near, liveness_wide, mesh, eyes;
} face_models;

// One set of networks. An engine serves one thread at a time.
typedef struct face_engine face_engine;

face_status face_engine_create(const face_models *models, face_engine **engine, face_message *message);
void face_engine_free(face_engine *engine);

// Finds faces, the largest first, at most `capacity`; `score` is the least that counts as a face.
face_status face_engine_detect(
    face_engine *engine, const face_image *image, float score, face_detection *faces, size_t capacity, size_t *count,
    face_message *message);

// The best face's score (0 where there is none) in the image, and in the image turned clockwise by one, two and three
// quarters. With a `subject` only faces over the middle of that one count; it may be NULL.
face_status face_engine_turns(
    face_engine *engine, const face_image *image, float score, const face_detection *subject, float scores[4],
    face_message *message);

#define FACE_EMBEDDING_SIZE 128
// The embedding of a face, of length 1.
face_status face_engine_embed(
    face_engine *engine, const face_image *image, const face_detection *face, float embedding[FACE_EMBEDDING_SIZE],
    face_message *message);

#define FACE_EXPRESSIONS 7
typedef struct face_attributes {
    float age;  // in years
    float male; // 0 to 1
    // Angry, disgusted, afraid, happy, sad, surprised, neutral; together 1.
    float expressions[FACE_EXPRESSIONS];
} face_attributes;
face_status face_engine_attributes(
    face_engine *engine, const face_image *image, const face_detection *face, face_attributes *attributes,
    face_message *message);

// How much the picture looks like one of a live person rather than of a print or a screen, 0 to 1. Two networks judge
// it: one sees the face closely, the other its surroundings too.
typedef struct face_liveness {
    float near, wide;
} face_liveness;
face_status face_engine_liveness(
    face_engine *engine, const face_image *image, const face_detection *face, face_liveness *liveness,
    face_message *message);

#define FACE_MESH_POINTS 468
#define FACE_MESH_FEATURES 1152
typedef struct face_mesh {
    float points[FACE_MESH_POINTS][3]; // x, y, z; z in the same unit, less is nearer
    float score;                       // 0 to 1: whether there is a face at all
    // The features by which the network judges the face, 128 for each of 3 × 3 parts of it.
    float features[FACE_MESH_FEATURES];
} face_mesh;
face_status face_engine_mesh(
    face_engine *engine, const face_image *image, const face_detection *face, face_mesh *mesh, face_message *message);

#define FACE_EYE_FEATURES 512
typedef struct face_eyes {
    float openings[2]; // how far each eye is open, height to width
    // The features by which the network judges the eyes, the mean of both.
    float features[FACE_EYE_FEATURES];
} face_eyes;
// By a network that looks at one eye alone.
//   corners: the outer and inner one of the eye on the picture's left, the inner and outer one of the other.
face_status face_engine_eyes(
    face_engine *engine, const face_image *image, const face_point corners[4], face_eyes *eyes, face_message *message);

// The light and focus of a face, measured on the 112 × 112 pixels that the embedding uses.
typedef struct face_light {
    float sharpness;  // variance of the Laplacian
    float brightness; // mean, 0 to 1
    float contrast;   // standard deviation, 0 to 0.5
    float clipped;    // part of the pixels that are black or white, 0 to 1
    float imbalance;  // difference of the halves' means, 0 to 1
} face_light;
face_status face_image_light(
    const face_image *image, const face_detection *face, face_light *light, face_message *message);

#ifdef __cplusplus
}
#endif

#endif
