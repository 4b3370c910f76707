sapply(1:3, paste0("s", "in"))  # expect: r-function-by-name
f <- paste0("s", "in")
sapply(1:3, f)  # expect: r-function-by-name
do.call(get_name(), list(1))  # expect: r-function-by-name
g <- lapply  # expect: r-function-by-name
as("sin", "function")  # expect: r-function-by-name
square <- function(x) x^2  # ok
sapply(1:3, square)  # ok
sapply(1:3, function(v) f(v))  # ok
vapply(1:3, sqrt, 0)  # ok
Reduce(`+`, 1:3)  # ok
1:3 |> sapply(square)  # ok
as(1L, "numeric")  # ok
