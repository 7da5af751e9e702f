"""Calls of a daemon without stack-client.

What a test needs before it begins (accounts, tokens, posts) is made this way: a call takes a few milliseconds, and a start of
stack-client, built for debugging, fifty.
"""

import asyncio
import functools
import pathlib
import subprocess

from google.protobuf import descriptor_pb2, message_factory
from grpclib.client import Channel, UnaryUnaryMethod

PATIENCE = 30  # seconds to wait for an answer
PROTO = pathlib.Path(__file__).resolve().parents[2] / "Proto"


@functools.cache
def messages():
    """Returns the message classes of the schema, by name."""
    names = [str(path.relative_to(PROTO)) for path in sorted(PROTO.glob("stack/v1/*.proto"))]
    compiled = subprocess.run(
        ["protoc", f"-I{PROTO}", "--include_imports", "--descriptor_set_out=/dev/stdout", *names], stdout=subprocess.PIPE, check=True)
    return message_factory.GetMessages(descriptor_pb2.FileDescriptorSet.FromString(compiled.stdout).file)


def call(address, method, token="", **fields):
    """Calls a method, such as "TimelineService/Compose", and returns its answer. `address` is the path of a socket, or HOST:PORT.

    Raises OSError if no daemon listens there or the answer does not come in time, and GRPCError if the daemon refuses.
    """

    async def ask():
        path = pathlib.Path(address)
        host, _, port = str(address).rpartition(":")
        channel = Channel(path=str(path)) if path.is_absolute() else Channel(host, int(port))
        request, answer = (messages()[f"stack.v1.{method.partition('/')[2]}{kind}"] for kind in ("Request", "Response"))
        try:
            return await UnaryUnaryMethod(channel, f"/stack.v1.{method}", request, answer)(
                request(**fields), metadata={"authorization": f"Bearer {token}"} if token else {})
        finally:
            channel.close()

    return asyncio.run(asyncio.wait_for(ask(), PATIENCE))
