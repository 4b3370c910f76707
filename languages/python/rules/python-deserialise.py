import pickle, yaml, numpy as np
pickle.loads(data)  # expect: python-deserialise
from pickle import load  # expect: python-deserialise
pickle.dumps(1)  # ok
yaml.load(data)  # expect: python-deserialise
yaml.safe_load(data)  # ok
np.load("x.npy")  # ok
np.load("x.npy", allow_pickle=True)  # expect: python-deserialise
