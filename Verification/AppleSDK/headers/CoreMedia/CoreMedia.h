#pragma once
#import <CoreVideo/CoreVideo.h>

CF_ASSUME_NONNULL_BEGIN
typedef struct __attribute__((objc_bridge(id))) opaqueCMSampleBuffer *CMSampleBufferRef;
__attribute__((cf_returns_not_retained)) CVImageBufferRef _Nullable
    CMSampleBufferGetImageBuffer(CMSampleBufferRef buffer);
CF_ASSUME_NONNULL_END
