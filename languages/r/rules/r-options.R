options(device = "f")  # expect: r-options
options(pager = p)  # expect: r-options
options(list(a = 1))  # expect: r-options
old <- options(digits = 3, scipen = 999)  # ok
options(old)  # ok
