#include <memory>

#include "Call.hpp"
#include "Networks.hpp"

face_status face_engine_create(const face_models *models, face_engine **engine, face_message *message) {
    *engine = nullptr;
    return call(message, FACE_MODEL_UNUSABLE, [=] {
        // An engine is one thread: how many work at a time is what the pool decides.
        cv::setNumThreads(1);
        std::vector<std::string> grids;
        for (const char *kind : {"cls_", "obj_", "bbox_", "kps_"}) {
            for (const char *stride : {"8", "16", "32"}) grids.push_back(std::string(kind) + stride);
        }
        *engine = new face_engine{
            Network("the detector", models->detector, grids),
            Network("the embedding", models->embedding, {"fc1"}),
            Network("the age model", models->age, {"probabilities"}),
            Network("the gender model", models->gender, {"probabilities"}),
            Network("the expression model", models->expression, {"prob"}),
            Network("the near liveness model", models->liveness_near, {"prob"}),
            Network("the wide liveness model", models->liveness_wide, {"prob"}),
            // Besides their answers the last layers before them. OpenCV puts this before the names that
            // scripts/face/graph.py gives.
            Network("the mesh", models->mesh, {"mesh", "flag", "onnx_node!v81"}),
            Network("the eye model", models->eyes, {"eye", "onnx_node!v163"}),
        };
    });
}

void face_engine_free(face_engine *engine) { delete engine; }
