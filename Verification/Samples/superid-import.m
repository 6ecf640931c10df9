// SuperID's document, "头文件声明". What stands between the marks is quoted.
// >>> quoted
#import "SuperID.h"
// <<< quoted
