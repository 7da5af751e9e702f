"""Error details as read by Google's own library."""

import cases
import grpc
import pytest
from google.protobuf import any_pb2
from google.rpc import error_details_pb2
from grpc_status import rpc_status


@pytest.fixture
def channel(endpoint):
    with grpc.insecure_channel(endpoint.target) as channel:
        yield channel


def status_of(channel, path, request=b"", metadata=()):
    """Returns the google.rpc.Status of a failing call; grpc_status checks that it agrees with code and message."""
    with pytest.raises(grpc.RpcError) as raised:
        channel.unary_unary(path)(request, metadata=metadata, timeout=cases.DEADLINE)
    return rpc_status.from_call(raised.value)


def detail(status, kind):
    """Returns the only detail of a type."""
    found = [any for any in status.details if any.Is(kind.DESCRIPTOR)]
    assert len(found) == 1
    message = kind()
    assert any_pb2.Any.Unpack(found[0], message)
    return message


def test_an_unknown_method_has_a_reason(endpoint, channel):
    status = status_of(channel, "/grpc.testing.TestService/NoSuchMethod", metadata=endpoint.metadata)
    assert grpc.StatusCode.UNIMPLEMENTED.value[0] == status.code
    info = detail(status, error_details_pb2.ErrorInfo)
    assert (info.reason, info.domain) == ("NOT_OFFERED", "stack")


def test_a_limit_has_a_reason(endpoint, channel):
    status = status_of(channel, "/grpc.health.v1.Health/Check", bytes(100_000), metadata=endpoint.metadata)
    assert detail(status, error_details_pb2.ErrorInfo).reason == "LIMIT_REACHED"


def test_a_wrong_token_is_not_repeated(daemon):
    with grpc.insecure_channel(daemon.endpoint("tcp").target) as channel:
        status = status_of(channel, "/grpc.testing.TestService/EmptyCall", metadata=(("authorization", "Bearer guessed"),))
    assert detail(status, error_details_pb2.ErrorInfo).reason == "BAD_TOKEN"
    assert b"guessed" not in status.SerializeToString()
