Sys.getenv()  # expect: r-environment
Sys.getenv(n)  # expect: r-environment
Sys.getenv("LANG")  # ok
Sys.time()  # ok
