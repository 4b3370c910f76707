x = 1  # ok
y = (2 $ 3)  # expect: python-syntax
