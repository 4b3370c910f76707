print("{0.__init__.__globals__}".format(x))  # expect: python-format-field
"{0.name}".format(x)  # ok
"{0:{1.__globals__}}".format(1, x)  # expect: python-format-field
T = "{.gi_frame}"
T.format(x)  # expect: python-format-field
"{__name__}"  # ok
