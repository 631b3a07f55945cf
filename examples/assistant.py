"""Solver tools of `ordojo mcp`, called by the Model Context Protocol's own client.

check, equivalent, explain, repair, run_program, solve, structure, suspects, whatif, whynot, worth
bakery is infeasible (2 rows, 2 columns, 4 nonzeros; highs ...)
...
"""

import asyncio
import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

BAKERY = """Maximize
 value: 3 bread + 5 cake
Subject To
 oven: 2 bread + 3 cake <= 60
 orders: 2 bread + 3 cake >= 75
End
"""


async def main() -> None:
    Path("bakery.lp").write_text(BAKERY)
    start = ["-m", "ordojo", "mcp", "--allow", "."]
    server = StdioServerParameters(command=sys.executable, args=start)
    async with stdio_client(server) as streams, ClientSession(*streams) as client:
        await client.initialize()
        print(*sorted(tool.name for tool in (await client.list_tools()).tools), sep=", ")
        done = await client.call_tool("explain", {"model": "bakery.lp"})
        print(done.content[0].text)


asyncio.run(main())
