"""The upstream program of the source `far` in a replay. It responds at once, and always the same.

It refuses about a fifth of the commands, chosen by the sum of a post's bytes. The named file keeps the next number over restarts.
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
