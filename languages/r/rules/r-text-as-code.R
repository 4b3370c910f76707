lm(as.formula("y ~ f(x)"), d)  # expect: r-text-as-code
as.formula(paste("y ~", v))  # expect: r-text-as-code
lm("y ~ f(x)", d)  # expect: r-text-as-code
as.formula("y ~ x + z")  # ok
lm(y ~ log(x), data = d)  # ok
