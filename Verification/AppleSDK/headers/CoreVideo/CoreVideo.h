#pragma once
#import <Foundation/Foundation.h>

typedef struct __attribute__((objc_bridge(id))) __CVBuffer *CVBufferRef;
typedef CVBufferRef CVImageBufferRef;
typedef CVImageBufferRef CVPixelBufferRef;
