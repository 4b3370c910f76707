import some_package_nobody_listed  # expect: python-unknown-module
from another_one.deep import thing  # expect: python-unknown-module
from .sibling import thing  # expect: python-unknown-module
import numpy as np  # ok
import json  # ok
