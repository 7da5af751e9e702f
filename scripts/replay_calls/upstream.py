"""The program that speaks for the source `far` in a replay: at once, and always the same.

It refuses what the bytes of the post add up to, a fifth or so. Which number comes next is kept in the file named, over restarts.
"""

import json
import os
import sys

made = os.path.getsize(sys.argv[1]) if os.path.exists(sys.argv[1]) else 0
for line in sys.stdin:
    command = json.loads(line)
    answer = {"id": command["id"], "ok": sum((command.get("text") or command["post"]).encode()) % 5 > 0}
    if not answer["ok"]:
        answer["reason"] = "it will not"
    elif command["do"] in ("post", "repost"):
        made += 1
        with open(sys.argv[1], "ab") as file:
            file.write(b".")
        answer["native_id"] = f"n{made}"
    print(json.dumps(answer), flush=True)
