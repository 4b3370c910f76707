t = "{0.__in" + x
print(t.format(1))  # expect: python-unseen-template
TEMPLATE = "{} and {}"
print(TEMPLATE.format(1, 2))  # ok
"{}".format(1)  # ok
("a {}" " b {}").format(1, 2)  # ok
str.format(t, 1)  # expect: python-unseen-template
map(t.format, [1])  # expect: python-unseen-template
map("{}".format, [1])  # ok
f"{t}".format(1)  # expect: python-unseen-template
"%s" % t  # ok
x.format_map(y)  # expect: python-introspection
