e <- globalenv()  # expect: r-introspection
get("x")  # expect: r-introspection
.GlobalEnv$x  # expect: r-introspection
asNamespace("base")  # expect: r-introspection
methods::getFunction("f")  # expect: r-introspection
e <- new.env()  # ok
e$get <- 1  # ok
get <- 3  # ok
exists("x")  # ok
