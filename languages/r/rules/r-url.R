read.csv("https://example.org/x.csv")  # expect: r-url
readLines("ftp://example.org/x")  # expect: r-url
cat("see https://example.org\n")  # ok
