#include "TYRZSDKTypes.h"

#if defined(__APPLE__) && defined(__OBJC__)
@implementation UAAuthViewController

- (void)setupUI {
}

- (void)viewDidLoad {
    [super viewDidLoad];
    [self setupUI];
}

- (void)viewDidAppear:(BOOL)animated {
    [super viewDidAppear:animated];
    if (_firstAppearance == 0) {
        _firstAppearance = [[NSDate date] timeIntervalSince1970];
    }
}

@end
#endif
