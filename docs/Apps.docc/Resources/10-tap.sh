benji phone tap phone-1
