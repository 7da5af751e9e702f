"""The schema over reflection: by grpcio's own client, which speaks v1alpha, and by grpclib's stubs, which speak v1."""

import asyncio
import pathlib

import cases
import grpc
import grpclib.client
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from grpc_reflection.v1alpha import proto_reflection_descriptor_database
from grpclib.reflection.v1 import reflection_grpc, reflection_pb2

SERVICES = [
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
    "grpc.testing.TestService",
]


class WithMetadata(grpc.StreamStreamClientInterceptor):
    """Adds the token to the calls of grpcio's reflection client, which takes no metadata."""

    def __init__(self, metadata):
        self.metadata = metadata

    def intercept_stream_stream(self, continuation, details, requests):
        return continuation(details._replace(metadata=self.metadata, timeout=cases.DEADLINE), requests)


@pytest.fixture
def channel(endpoint):
    with grpc.insecure_channel(endpoint.target) as channel:
        yield channel


@pytest.fixture
def database(endpoint, channel):
    intercepted = grpc.intercept_channel(channel, WithMetadata(endpoint.metadata))
    return proto_reflection_descriptor_database.ProtoReflectionDescriptorDatabase(intercepted)


def test_services_are_listed(database):
    assert list(database.get_services()) == SERVICES


def test_a_call_is_made_from_what_reflection_tells(endpoint, channel, database):
    pool = descriptor_pool.DescriptorPool(database)
    method = pool.FindServiceByName("grpc.testing.TestService").FindMethodByName("UnaryCall")
    request = message_factory.GetMessageClass(method.input_type)(response_size=5)
    answer = message_factory.GetMessageClass(method.output_type)
    call = channel.unary_unary(
        "/grpc.testing.TestService/UnaryCall", lambda message: message.SerializeToString(), answer.FromString
    )
    assert call(request, metadata=endpoint.metadata, timeout=cases.DEADLINE).payload.body == bytes(5)


def test_the_whole_schema_resolves(database):
    pool = descriptor_pool.DescriptorPool(database)
    root = pathlib.Path(__file__).resolve().parents[2] / "Proto"
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*.proto"))
    assert "stack/v1/view_service.proto" in names
    for name in names:
        assert pool.FindFileByName(name).name == name
    attach = pool.FindServiceByName("stack.v1.ViewService").FindMethodByName("Attach")
    assert (attach.input_type.full_name, attach.output_type.full_name) == ("stack.v1.ClientFrame", "stack.v1.ServerFrame")
    assert pool.FindMessageTypeByName("google.rpc.ErrorInfo").fields_by_name["reason"].number == 1


def test_what_is_not_there_is_not_found(database):
    for find in (database.FindFileByName, database.FindFileContainingSymbol):
        with pytest.raises(KeyError):
            find("no.such.thing")
    # The library's own answer to an error.
    assert database.FindFileContainingExtension("grpc.testing.Empty", 1) is None
    assert list(database.FindAllExtensionNumbers("grpc.testing.Empty")) == []


def test_v1_answers_many_questions_in_one_call(endpoint):
    async def ask(requests):
        where = {"path": endpoint.path} if endpoint.path else {"host": endpoint.host, "port": endpoint.port}
        async with grpclib.client.Channel(**where) as channel:
            stub = reflection_grpc.ServerReflectionStub(channel)
            return await stub.ServerReflectionInfo(requests, metadata=dict(endpoint.metadata), timeout=cases.DEADLINE)

    Request = reflection_pb2.ServerReflectionRequest
    services, file, symbol, missing = asyncio.run(
        ask(
            [
                Request(list_services="*"),
                Request(file_by_filename="grpc/testing/test.proto"),
                Request(file_containing_symbol="grpc.testing.TestService.EmptyCall"),
                Request(file_containing_symbol="no.such.thing", host="here"),
            ]
        )
    )
    assert [service.name for service in services.list_services_response.service] == SERVICES
    assert file.file_descriptor_response == symbol.file_descriptor_response
    files = [descriptor_pb2.FileDescriptorProto.FromString(f) for f in file.file_descriptor_response.file_descriptor_proto]
    assert [f.name for f in files] == ["grpc/testing/test.proto", "grpc/testing/empty.proto", "grpc/testing/messages.proto"]
    comments = [place.leading_comments for place in files[0].source_code_info.location if place.leading_comments]
    assert " An empty response to an empty request.\n" in comments
    assert (missing.error_response.error_code, missing.valid_host) == (5, "here")
