eval(parse(text = "1"))  # expect: r-dynamic-code
f <- str2lang  # expect: r-dynamic-code
body(f) <- quote(1)  # expect: r-dynamic-code
as.call(list(1))  # expect: r-dynamic-code
q <- quote(a + b)  # ok
all.vars(q)  # ok
evaluate <- function(x) x  # ok
evaluate(3)  # ok
