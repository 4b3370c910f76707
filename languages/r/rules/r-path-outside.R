read.csv("../x.csv")  # expect: r-path-outside
x <- "/etc/passwd"  # expect: r-path-outside
writeLines("a", "~/.Rprofile")  # expect: r-path-outside
readLines(file.path("/", "data", "x"))  # expect: r-path-outside
read.csv("data/x.csv")  # ok
writeLines("a", "/tmp/out.txt")  # ok
cat("/etc is a folder\n")  # ok
