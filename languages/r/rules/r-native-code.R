.Internal(inspect(1))  # expect: r-native-code
.Call("f", 1)  # expect: r-native-code
p <- .Primitive("c")  # expect: r-native-code
dyn.load("x.so")  # expect: r-native-code
.x <- 1  # ok
.Machine$integer.max  # ok
