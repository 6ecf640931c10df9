// SuperID's document, "登录接口说明". The text between the marks is quoted.
@import SuperIDSDK;
@import UIKit;

@interface ViewController : UIViewController
@end
// >>> quoted
@interface ViewController()<SuperIDDelegate>{

    SuperID      *superIdSdk;                //SuperID 实例对象

}

@end
// <<< quoted
