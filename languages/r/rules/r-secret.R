Sys.getenv("AWS_SECRET_ACCESS_KEY")  # expect: r-secret
Sys.getenv("HOME")  # ok
