// Puts a scripted carrier behind the static calls of a facade, so that an app's tests need no network.
