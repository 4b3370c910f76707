system("id")  # expect: r-blocked-function
f <- system2  # expect: r-blocked-function
base::system("id")  # expect: r-blocked-function
"system"("id")  # expect: r-blocked-function
`system`("id")  # expect: r-blocked-function
sapply("id", "system")  # expect: r-blocked-function
system.time(1 + 1)  # ok
x <- list(system = 1)  # ok
x$system  # ok
x[["system"]]  # ok
url <- "data"  # ok
nchar(url)  # ok
