"""One daemon for the whole suite, on a Unix socket and on TCP, and the generated stubs of its clients.

Nothing here sleeps: the daemon reports when it is ready, and every call has its own deadline.
"""

import contextlib
import dataclasses
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The folder of the programs under test.
BUILD = pathlib.Path(os.environ.get("STACK_BUILD", ROOT / ".build/debug"))
PROTOS = [
    "grpc/health/v1/health.proto",
    "grpc/testing/empty.proto",
    "grpc/testing/messages.proto",
    "grpc/testing/test.proto",
]


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """The address a client connects to, and the metadata that authenticates it."""

    path: str | None
    host: str | None
    port: int | None
    metadata: tuple[tuple[str, str], ...]

    @property
    def target(self) -> str:
        """The address in grpcio's notation."""
        return f"unix:{self.path}" if self.path else f"{self.host}:{self.port}"


@dataclasses.dataclass(frozen=True)
class Daemon:
    """The running daemon."""

    path: str
    host: str
    port: int
    token: str

    def endpoint(self, kind: str) -> Endpoint:
        if kind == "unix":
            return Endpoint(self.path, None, None, ())
        return Endpoint(None, self.host, self.port, (("authorization", f"Bearer {self.token}"),))


@contextlib.contextmanager
def running(*options, program="stack-daemon"):
    """Starts a program of this build, and checks that it exits with code 0 when it is terminated.

    `{folder}` in an option stands for a folder that is removed afterwards.
    """
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stack-interop-")))
        command = [BUILD / program, *(option.replace("{folder}", str(folder)) for option in options)]
        command += ["--socket", folder / "run/daemon.sock", "--listen", "127.0.0.1:0", "--token-file", folder / "state/token"]
        process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        address = process.stdout.readline().removeprefix("listening on ").strip()
        assert process.stdout.readline().strip() == "ready"
        host, port = address.rsplit(":", 1)
        token = (folder / "state/token").read_text().strip()
        try:
            yield Daemon(str(folder / "run/daemon.sock"), host, int(port), token)
        finally:
            process.terminate()  # also if a test fails: its end is awaited
        assert process.wait(timeout=60) == 0


@pytest.fixture(scope="session")
def run_daemon():
    """Returns a function that starts a separate daemon."""
    return lambda *options: running("--store", "{folder}/store.db", *options)


@pytest.fixture(scope="session")
def run_on():
    """Returns a function that starts a daemon on a persistent store."""
    return lambda store, *options: running("--store", str(store), *options)


@pytest.fixture(scope="session")
def daemon():
    """A server with the service of gRPC's interoperability tests."""
    with running(program="stack-interop-server") as daemon:
        yield daemon


@pytest.fixture(params=["unix", "tcp"])
def endpoint(request, daemon) -> Endpoint:
    """Each kind of socket in turn."""
    return daemon.endpoint(request.param)


@dataclasses.dataclass(frozen=True)
class Stubs:
    """Generated modules: the messages, and the services of each of the two libraries."""

    empty: object
    messages: object
    health: object
    grpcio_test: object
    grpcio_health: object
    grpclib_test: object
    grpclib_health: object


@pytest.fixture(scope="session")
def stubs(tmp_path_factory) -> Stubs:
    """Runs protoc with both libraries' plugins over a copy of the schema with the folder `grpc` renamed to `interop`.

    Otherwise Python would import the library `grpc.testing` instead of the generated module.
    """
    folder = tmp_path_factory.mktemp("stubs")
    source = folder / "proto"
    files = []
    for proto in PROTOS:
        file = proto.replace("grpc/", "interop/", 1)
        files.append(file)
        (source / file).parent.mkdir(parents=True, exist_ok=True)
        roots = [ROOT / "Proto", ROOT / "Tests/Interop/Proto"]
        text = next(root / proto for root in roots if (root / proto).is_file()).read_text()
        (source / file).write_text(text.replace('import "grpc/', 'import "interop/'))
    plugin = pathlib.Path(sys.executable).parent / "protoc-gen-grpclib_python"
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{source}", f"--plugin=protoc-gen-grpclib_python={plugin}"]
    command += [f"--{kind}_out={folder}" for kind in ("python", "grpc_python", "grpclib_python")]
    subprocess.run(command + files, check=True)
    sys.path.insert(0, str(folder))
    load = importlib.import_module
    return Stubs(
        empty=load("interop.testing.empty_pb2"),
        messages=load("interop.testing.messages_pb2"),
        health=load("interop.health.v1.health_pb2"),
        grpcio_test=load("interop.testing.test_pb2_grpc"),
        grpcio_health=load("interop.health.v1.health_pb2_grpc"),
        grpclib_test=load("interop.testing.test_grpc"),
        grpclib_health=load("interop.health.v1.health_grpc"),
    )


@pytest.fixture(scope="session")
def schema(tmp_path_factory):
    """The stubs of stack.v1 and their `folder`: messages as `view`, grpcio's services as `view_rpc`, grpclib's as
    `view_grpclib`."""
    folder = tmp_path_factory.mktemp("stack-stubs")
    files = [str(path.relative_to(ROOT / "Proto")) for path in sorted((ROOT / "Proto/stack/v1").glob("*.proto"))]
    plugin = pathlib.Path(sys.executable).parent / "protoc-gen-grpclib_python"
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{ROOT / 'Proto'}", f"--plugin=protoc-gen-grpclib_python={plugin}"]
    command += [f"--{kind}_out={folder}" for kind in ("python", "grpc_python", "grpclib_python")]
    subprocess.run(command + files, check=True)
    sys.path.insert(0, str(folder))
    modules = {"types": "types_pb2", "frames": "frames_pb2"}
    for name in ("account", "daemon", "list", "source", "stack", "timeline", "view"):
        modules |= {name: f"{name}_service_pb2", f"{name}_rpc": f"{name}_service_pb2_grpc", f"{name}_grpclib": f"{name}_service_grpc"}
    return types.SimpleNamespace(
        folder=folder, **{name: importlib.import_module(f"stack.v1.{module}") for name, module in modules.items()})
