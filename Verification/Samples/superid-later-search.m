@import SuperIDSDK;
@import UIKit;

// No document's: an app's own screen that looks for a face in one of the app's groups.
@interface SearchController : SIDSearchFaceViewController <SIDSearchFaceProtocol>
@property (strong) SIDCameraPreviewView *preview;
@end

@implementation SearchController
- (void)viewDidLoad {
    [super viewDidLoad];
    self.preview = [[SIDCameraPreviewView alloc] init];
    self.preview.frame = self.view.bounds;
    [self.view addSubview:self.preview];
    [self setupSearchFaceManagerWithPreview:self.preview];
}

- (void)viewDidAppear:(BOOL)animated {
    [super viewDidAppear:animated];
    [self startDetectFaceWithSourceId:nil GroupId:@"82c00fe7ab820b6ceb3bf84093a2539d"];
}

- (void)hasGetTheUserFace {
    NSLog(@"seen");
}

- (void)groupCompareResult:(BOOL)isSucceed usersArray:(NSArray *)usersArray {
    NSLog(@"%@", isSucceed ? usersArray : nil);
}

- (void)userCannotPassLivenessDetect {
    NSLog(@"not live");
}
@end
