#pragma once
// The C side, for the vendors' samples. Swift has the classes of interfaces/Dispatch.swiftinterface.
#include <ObjectiveC/Attributes.h>

NS_ASSUME_NONNULL_BEGIN
typedef struct dispatch_queue_s *dispatch_queue_t NS_SWIFT_UNAVAILABLE("use DispatchQueue");
typedef void (^dispatch_block_t)(void) NS_SWIFT_UNAVAILABLE("use DispatchQueue");
NS_SWIFT_UNAVAILABLE("use DispatchQueue") dispatch_queue_t dispatch_get_main_queue(void);
NS_SWIFT_UNAVAILABLE("use DispatchQueue") void dispatch_async(dispatch_queue_t queue, dispatch_block_t block);
NS_ASSUME_NONNULL_END
