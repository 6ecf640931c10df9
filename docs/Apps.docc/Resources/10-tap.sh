export PATH="$PWD/Server/.build/debug:$PATH"
benji phone tap phone-1
