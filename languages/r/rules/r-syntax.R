x <- "it's"  # ok
y <- 5 %/% 2  # ok
`a b` <- 1  # ok
`a\x62` <- 2  # expect: r-syntax
z <- (1]  # expect: r-syntax
