library(somepackage)  # expect: r-unknown-package
library(p, character.only = TRUE)  # expect: r-unknown-package
evil::run(1)  # expect: r-unknown-package
library(survival)  # ok
suppressPackageStartupMessages(library("nlme"))  # ok
