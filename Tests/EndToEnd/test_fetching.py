"""`stack-client fetch` waits for a source, which may take longer than other calls may."""

from concurrent.futures import ThreadPoolExecutor
import subprocess

import grpc

from conftest import BIN, PATIENCE

CALL_TIMEOUT = 30
"""The deadline of the client's other calls in seconds."""


def test_a_fetch_may_take_longer_than_other_calls(tmp_path):
    remaining = []

    def answer(_, context):
        remaining.append(context.time_remaining())
        return b""

    server = grpc.server(ThreadPoolExecutor(1))
    method = grpc.unary_unary_rpc_method_handler(answer)
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("stack.v1.SourceService", {"FetchMore": method})])
    server.add_insecure_port(f"unix:{tmp_path}/daemon.sock")
    server.start()
    try:
        command = [BIN / "stack-client", "--socket", tmp_path / "daemon.sock", "fetch", "conversation", "1"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    finally:
        server.stop(None)
    assert (result.returncode, result.stderr) == (0, "")
    assert len(remaining) == 1 and remaining[0] > 2 * CALL_TIMEOUT
