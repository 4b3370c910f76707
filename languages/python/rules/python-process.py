import os
os.system("id")  # expect: python-process
s = os.popen  # expect: python-process
from os import execv as e  # expect: python-process
x.system("id")  # expect: python-process
__import__("os").system("id")  # expect: python-process
import platform
platform.system()  # ok
import asyncio
asyncio.create_subprocess_exec("id")  # expect: python-process
asyncio.run(main())  # ok
match x:
    case object(system=s):  # expect: python-process
        pass
