import asyncio, pandas as pd
asyncio.open_connection("h", 1)  # expect: python-network
asyncio.start_server(f, "h", 1)  # expect: python-network
loop.create_connection(f)  # expect: python-network
pd.read_csv("http://example.com/x.csv")  # expect: python-network
pd.read_csv("x.csv")  # ok
