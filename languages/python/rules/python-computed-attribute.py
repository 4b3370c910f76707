getattr(x, name)  # expect: python-computed-attribute
getattr(x, "value")  # ok
getattr(x, "value", None)  # ok
getattr(x, "__glo" + "bals__")  # expect: python-special-name
setattr(x, name, 1)  # expect: python-computed-attribute
g = getattr  # expect: python-computed-attribute
hasattr(x, name)  # ok
import os, operator
getattr(os, "sys" + "tem")("id")  # expect: python-process
operator.attrgetter("name")  # ok
operator.attrgetter("__self__")  # expect: python-special-name
operator.attrgetter(name)  # expect: python-computed-attribute
object.__setattr__(x, name, 1)  # expect: python-computed-attribute
object.__setattr__(x, "value", 1)  # ok
