stats:::f(1)  # expect: r-package-internals
x <- base:::y  # expect: r-package-internals
stats::sd(1:3)  # ok
