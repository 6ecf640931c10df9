// SuperID's document, "头文件声明". The text between the marks is quoted.
// >>> quoted
#import "SuperID.h"
// <<< quoted
