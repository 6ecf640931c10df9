#pragma once

#include <cstdio>
#include <exception>
#include <new>

#include "Image.hpp"

inline face_status told(face_status status, const char *text, face_message *message) {
    if (message) std::snprintf(message->text, sizeof message->text, "%s", text);
    return status;
}

// Runs the body of a C function; whatever it throws becomes a status. `failed` is what an exception of a library means.
template <typename Body> face_status call(face_message *message, face_status failed, Body body) noexcept {
    try {
        body();
        return told(FACE_OK, "", message);
    } catch (const Refusal &refusal) {
        return told(refusal.status, refusal.text.c_str(), message);
    } catch (const std::bad_alloc &) {
        return told(FACE_NO_MEMORY, "no memory", message);
    } catch (const std::exception &error) {
        return told(failed, error.what(), message);
    } catch (...) {
        return told(failed, "an unknown exception", message);
    }
}
