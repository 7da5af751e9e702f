"""gRPC's interoperability cases with grpcio, whose HTTP/2 implementation is gRPC's C core."""

import cases
import grpc
import pytest


class Client:
    """The stubs on one channel, with the metadata and the deadline of every call."""

    def __init__(self, channel, endpoint, stubs):
        self.channel = channel
        self.stubs = stubs
        self.options = {"metadata": endpoint.metadata, "timeout": cases.DEADLINE}
        self.test = stubs.grpcio_test.TestServiceStub(channel)
        self.unimplemented = stubs.grpcio_test.UnimplementedServiceStub(channel)
        self.health = stubs.grpcio_health.HealthStub(channel)

    def payload(self, size):
        return self.stubs.messages.Payload(body=bytes(size))

    def simple_request(self, request_size=0, **fields):
        return self.stubs.messages.SimpleRequest(payload=self.payload(request_size), **fields)

    def streaming_request(self, sizes, request_size=0, interval_us=0, **fields):
        parameters = [self.stubs.messages.ResponseParameters(size=size, interval_us=interval_us) for size in sizes]
        return self.stubs.messages.StreamingOutputCallRequest(
            response_parameters=parameters, payload=self.payload(request_size), **fields
        )


@pytest.fixture
def client(endpoint, stubs):
    with grpc.insecure_channel(endpoint.target) as channel:
        yield Client(channel, endpoint, stubs)


def error_of(call):
    with pytest.raises(grpc.RpcError) as raised:
        call()
    return raised.value


def test_empty_unary(client):
    assert client.test.EmptyCall(client.stubs.empty.Empty(), **client.options) == client.stubs.empty.Empty()


def test_large_unary(client):
    request = client.simple_request(cases.LARGE_REQUEST, response_size=cases.LARGE_RESPONSE)
    assert client.test.UnaryCall(request, **client.options).payload.body == bytes(cases.LARGE_RESPONSE)


def test_client_streaming(client):
    requests = (client.stubs.messages.StreamingInputCallRequest(payload=client.payload(s)) for s in cases.REQUEST_SIZES)
    assert client.test.StreamingInputCall(requests, **client.options).aggregated_payload_size == 74922


def test_server_streaming(client):
    responses = client.test.StreamingOutputCall(client.streaming_request(cases.RESPONSE_SIZES), **client.options)
    assert [len(response.payload.body) for response in responses] == cases.RESPONSE_SIZES


def test_a_slow_reader_receives_a_large_stream_completely(client):
    sizes = [65536] * 100
    responses = client.test.StreamingOutputCall(client.streaming_request(sizes), **client.options)
    assert sum(len(response.payload.body) for response in responses) == 6553600


def test_ping_pong(client):
    received = []

    def requests():
        for index, size in enumerate(cases.RESPONSE_SIZES):
            assert len(received) == index, "a request is sent only after the previous response has arrived"
            yield client.streaming_request([size], cases.REQUEST_SIZES[index])
            turn.acquire(timeout=cases.DEADLINE)

    import threading

    turn = threading.Semaphore(0)
    for response in client.test.FullDuplexCall(requests(), **client.options):
        received.append(len(response.payload.body))
        turn.release()
    assert received == cases.RESPONSE_SIZES


def test_half_duplex(client):
    requests = (client.streaming_request([size]) for size in cases.RESPONSE_SIZES)
    responses = client.test.HalfDuplexCall(requests, **client.options)
    assert [len(response.payload.body) for response in responses] == cases.RESPONSE_SIZES


def test_empty_stream(client):
    assert list(client.test.FullDuplexCall(iter(()), **client.options)) == []


@pytest.mark.parametrize("shape", ["unary", "full duplex"])
def test_custom_metadata(client, shape):
    options = dict(client.options)
    options["metadata"] += ((cases.INITIAL_KEY, cases.INITIAL_VALUE), (cases.TRAILING_KEY, cases.TRAILING_VALUE))
    if shape == "unary":
        request = client.simple_request(cases.LARGE_REQUEST, response_size=cases.LARGE_RESPONSE)
        _, call = client.test.UnaryCall.with_call(request, **options)
    else:
        request = client.streaming_request([cases.LARGE_RESPONSE], cases.LARGE_REQUEST)
        call = client.test.FullDuplexCall(iter([request]), **options)
        assert [len(response.payload.body) for response in call] == [cases.LARGE_RESPONSE]
    assert (cases.INITIAL_KEY, cases.INITIAL_VALUE) in call.initial_metadata()
    assert (cases.TRAILING_KEY, cases.TRAILING_VALUE) in call.trailing_metadata()


@pytest.mark.parametrize("message", ["test status message", cases.SPECIAL_MESSAGE], ids=["plain", "special"])
def test_status_code_and_message(client, message):
    status = client.stubs.messages.EchoStatus(code=2, message=message)
    unary = error_of(lambda: client.test.UnaryCall(client.simple_request(response_status=status), **client.options))
    request = client.streaming_request([], response_status=status)
    duplex = error_of(lambda: list(client.test.FullDuplexCall(iter([request]), **client.options)))
    for error in (unary, duplex):
        assert (error.code(), error.details()) == (grpc.StatusCode.UNKNOWN, message)


def test_unimplemented_method(client):
    error = error_of(lambda: client.test.UnimplementedCall(client.stubs.empty.Empty(), **client.options))
    assert error.code() == grpc.StatusCode.UNIMPLEMENTED


def test_unimplemented_service(client):
    error = error_of(lambda: client.unimplemented.UnimplementedCall(client.stubs.empty.Empty(), **client.options))
    assert error.code() == grpc.StatusCode.UNIMPLEMENTED


def test_cancel_after_begin(client):
    never = iter(lambda: client.stubs.messages.StreamingInputCallRequest(payload=client.payload(1)), None)
    call = client.test.StreamingInputCall.future(never, **client.options)
    call.cancel()
    assert call.code() == grpc.StatusCode.CANCELLED
    test_empty_unary(client)


def test_cancel_after_first_response(client):
    import threading

    done = threading.Event()

    def requests():
        yield client.streaming_request([31415], 27182)
        done.wait(cases.DEADLINE)

    call = client.test.FullDuplexCall(requests(), **client.options)
    assert len(next(call).payload.body) == 31415
    call.cancel()
    assert call.code() == grpc.StatusCode.CANCELLED
    done.set()
    test_empty_unary(client)


def test_timeout_on_sleeping_server(client):
    options = {**client.options, "timeout": 0.001}
    request = client.streaming_request([31415], 27182, interval_us=10_000_000)
    error = error_of(lambda: list(client.test.FullDuplexCall(iter([request]), **options)))
    assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED


def test_compression_is_refused(client):
    call = lambda: client.test.UnaryCall(client.simple_request(1000), compression=grpc.Compression.Gzip, **client.options)
    assert error_of(call).code() == grpc.StatusCode.UNIMPLEMENTED


def test_a_request_above_the_limit_is_refused(client):
    error = error_of(lambda: client.test.UnaryCall(client.simple_request(5 << 20), **client.options))
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    test_empty_unary(client)


def test_large_headers_are_refused(client):
    options = {**client.options, "metadata": client.options["metadata"] + (("x-large", "x" * 12000),)}
    error = error_of(lambda: client.test.EmptyCall(client.stubs.empty.Empty(), **options))
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    test_empty_unary(client)


def test_many_calls_at_once(client):
    futures = [
        client.test.UnaryCall.future(client.simple_request(1000, response_size=size), **client.options)
        for size in range(500)
    ]
    assert [len(future.result().payload.body) for future in futures] == list(range(500))


def test_health(client):
    messages = client.stubs.health
    for service in ("", "grpc.testing.TestService", "grpc.health.v1.Health"):
        response = client.health.Check(messages.HealthCheckRequest(service=service), **client.options)
        assert response.status == messages.HealthCheckResponse.SERVING
    unknown = messages.HealthCheckRequest(service="no.such.Service")
    assert error_of(lambda: client.health.Check(unknown, **client.options)).code() == grpc.StatusCode.NOT_FOUND
    watch = client.health.Watch(unknown, **client.options)
    assert next(watch).status == messages.HealthCheckResponse.SERVICE_UNKNOWN
    watch.cancel()


@pytest.mark.parametrize("metadata", [(), (("authorization", "Bearer wrong"),), (("authorization", "Basic x"),)])
def test_tcp_needs_the_token(daemon, stubs, metadata):
    endpoint = daemon.endpoint("tcp")
    with grpc.insecure_channel(endpoint.target) as channel:
        stub = stubs.grpcio_test.TestServiceStub(channel)
        error = error_of(lambda: stub.EmptyCall(stubs.empty.Empty(), metadata=metadata, timeout=cases.DEADLINE))
    assert error.code() == grpc.StatusCode.UNAUTHENTICATED
