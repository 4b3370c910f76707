library(parallel)  # expect: r-blocked-package
httr::GET("x")  # expect: r-blocked-package
require("Rcpp")  # expect: r-blocked-package
library(stats)  # ok
MASS::ginv(m)  # ok
parallel <- TRUE  # ok
