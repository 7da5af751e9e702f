"""The schema over reflection (grpc.reflection.v1), with two libraries; Google's descriptor pool is built from the responses."""

import asyncio
import pathlib

import cases
import grpc
import grpclib.client
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool
from grpclib.reflection.v1 import reflection_grpc, reflection_pb2

SERVICES = ["grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.testing.TestService"]
METHOD = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
Request = reflection_pb2.ServerReflectionRequest


@pytest.fixture
def ask(endpoint):
    """Returns a function that sends requests in one call of grpcio and returns the responses."""
    with grpc.insecure_channel(endpoint.target) as channel:
        call = channel.stream_stream(
            METHOD,
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )
        yield lambda *requests: list(call(iter(requests), metadata=endpoint.metadata, timeout=cases.DEADLINE))


def files_of(response):
    """Returns the files of a response."""
    return [descriptor_pb2.FileDescriptorProto.FromString(file) for file in response.file_descriptor_response.file_descriptor_proto]


def test_services_are_listed(ask):
    (response,) = ask(Request(list_services="*"))
    assert [service.name for service in response.list_services_response.service] == SERVICES


def test_the_whole_schema_resolves(ask):
    root = pathlib.Path(__file__).resolve().parents[2] / "Proto"
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*.proto"))
    assert "stack/v1/view_service.proto" in names
    responses = ask(*[Request(file_by_filename=name) for name in names])
    assert [files_of(response)[0].name for response in responses] == names
    pool = descriptor_pool.DescriptorPool()
    known = set()
    for response in responses:
        # A file precedes its imports; a pool needs the reverse order.
        for file in reversed(files_of(response)):
            if file.name not in known:
                known.add(file.name)
                pool.Add(file)
    for name in names:
        assert pool.FindFileByName(name).name == name
    attach = pool.FindServiceByName("stack.v1.ViewService").FindMethodByName("Attach")
    assert (attach.input_type.full_name, attach.output_type.full_name) == ("stack.v1.ClientFrame", "stack.v1.ServerFrame")
    assert pool.FindMessageTypeByName("google.rpc.ErrorInfo").fields_by_name["reason"].number == 1


def test_missing_names_are_not_found(ask):
    extension = Request(file_containing_extension={"containing_type": "stack.v1.Row", "extension_number": 1})
    name, symbol, number, numbers = ask(
        Request(file_by_filename="no.such.thing"),
        Request(file_containing_symbol="no.such.thing"),
        extension,
        Request(all_extension_numbers_of_type="stack.v1.Row"),
    )
    assert [response.error_response.error_code for response in (name, symbol, number)] == [5, 5, 5]
    assert list(numbers.all_extension_numbers_response.extension_number) == []


def test_many_requests_in_one_call(endpoint):
    async def ask(requests):
        where = {"path": endpoint.path} if endpoint.path else {"host": endpoint.host, "port": endpoint.port}
        async with grpclib.client.Channel(**where) as channel:
            stub = reflection_grpc.ServerReflectionStub(channel)
            return await stub.ServerReflectionInfo(requests, metadata=dict(endpoint.metadata), timeout=cases.DEADLINE)

    services, file, symbol, missing = asyncio.run(
        ask(
            [
                Request(list_services="*"),
                Request(file_by_filename="stack/v1/frames.proto"),
                Request(file_containing_symbol="stack.v1.Operation"),
                Request(file_containing_symbol="no.such.thing", host="here"),
            ]
        )
    )
    assert [service.name for service in services.list_services_response.service] == SERVICES
    assert file.file_descriptor_response == symbol.file_descriptor_response
    assert [f.name for f in files_of(file)] == ["stack/v1/frames.proto", "stack/v1/types.proto"]
    assert (missing.error_response.error_code, missing.valid_host) == (5, "here")
