"""gRPC's interoperability cases with grpclib, whose HTTP/2 implementation is the pure Python h2 library."""

import asyncio

import cases
import grpclib
import grpclib.client
import pytest
from grpclib.const import Status


class Client:
    """The stubs on one channel, with the metadata and the deadline of every call."""

    def __init__(self, channel, endpoint, stubs):
        self.stubs = stubs
        self.options = {"metadata": dict(endpoint.metadata), "timeout": cases.DEADLINE}
        self.test = stubs.grpclib_test.TestServiceStub(channel)
        self.unimplemented = stubs.grpclib_test.UnimplementedServiceStub(channel)
        self.health = stubs.grpclib_health.HealthStub(channel)

    def payload(self, size):
        return self.stubs.messages.Payload(body=bytes(size))

    def simple_request(self, request_size=0, **fields):
        return self.stubs.messages.SimpleRequest(payload=self.payload(request_size), **fields)

    def streaming_request(self, sizes, request_size=0, interval_us=0, **fields):
        parameters = [self.stubs.messages.ResponseParameters(size=size, interval_us=interval_us) for size in sizes]
        return self.stubs.messages.StreamingOutputCallRequest(
            response_parameters=parameters, payload=self.payload(request_size), **fields
        )

    async def check_alive(self):
        """Checks that the connection still works."""
        assert await self.test.EmptyCall(self.stubs.empty.Empty(), **self.options) == self.stubs.empty.Empty()


@pytest.fixture
def run(endpoint, stubs):
    """Runs a case, an async function of a client, on its own channel."""

    def run(case):
        async def body():
            where = {"path": endpoint.path} if endpoint.path else {"host": endpoint.host, "port": endpoint.port}
            async with grpclib.client.Channel(**where) as channel:
                await asyncio.wait_for(case(Client(channel, endpoint, stubs)), cases.DEADLINE)

        asyncio.run(body())

    return run


async def error_of(awaitable):
    with pytest.raises(grpclib.GRPCError) as raised:
        await awaitable
    return raised.value


def test_empty_unary(run):
    run(lambda client: client.check_alive())


def test_large_unary(run):
    async def case(client):
        request = client.simple_request(cases.LARGE_REQUEST, response_size=cases.LARGE_RESPONSE)
        response = await client.test.UnaryCall(request, **client.options)
        assert response.payload.body == bytes(cases.LARGE_RESPONSE)

    run(case)


def test_client_streaming(run):
    async def case(client):
        request = client.stubs.messages.StreamingInputCallRequest
        requests = [request(payload=client.payload(size)) for size in cases.REQUEST_SIZES]
        response = await client.test.StreamingInputCall(requests, **client.options)
        assert response.aggregated_payload_size == 74922

    run(case)


def test_server_streaming(run):
    async def case(client):
        responses = await client.test.StreamingOutputCall(client.streaming_request(cases.RESPONSE_SIZES), **client.options)
        assert [len(response.payload.body) for response in responses] == cases.RESPONSE_SIZES

    run(case)


def test_a_slow_reader_receives_a_large_stream_completely(run):
    async def case(client):
        responses = await client.test.StreamingOutputCall(client.streaming_request([65536] * 100), **client.options)
        assert sum(len(response.payload.body) for response in responses) == 6553600

    run(case)


def test_ping_pong(run):
    async def case(client):
        async with client.test.FullDuplexCall.open(**client.options) as stream:
            for request_size, response_size in zip(cases.REQUEST_SIZES, cases.RESPONSE_SIZES):
                await stream.send_message(client.streaming_request([response_size], request_size))
                assert len((await stream.recv_message()).payload.body) == response_size
            await stream.end()
            assert await stream.recv_message() is None

    run(case)


def test_half_duplex(run):
    async def case(client):
        requests = [client.streaming_request([size]) for size in cases.RESPONSE_SIZES]
        responses = await client.test.HalfDuplexCall(requests, **client.options)
        assert [len(response.payload.body) for response in responses] == cases.RESPONSE_SIZES

    run(case)


def test_empty_stream(run):
    async def case(client):
        async with client.test.FullDuplexCall.open(**client.options) as stream:
            await stream.send_request()
            await stream.end()
            assert await stream.recv_message() is None

    run(case)


@pytest.mark.parametrize("shape", ["unary", "full duplex"])
def test_custom_metadata(run, shape):
    async def case(client):
        options = dict(client.options)
        options["metadata"] |= {cases.INITIAL_KEY: cases.INITIAL_VALUE, cases.TRAILING_KEY: cases.TRAILING_VALUE}
        method = client.test.UnaryCall if shape == "unary" else client.test.FullDuplexCall
        async with method.open(**options) as stream:
            if shape == "unary":
                request = client.simple_request(cases.LARGE_REQUEST, response_size=cases.LARGE_RESPONSE)
            else:
                request = client.streaming_request([cases.LARGE_RESPONSE], cases.LARGE_REQUEST)
            await stream.send_message(request, end=True)
            assert len((await stream.recv_message()).payload.body) == cases.LARGE_RESPONSE
            await stream.recv_trailing_metadata()
        assert stream.initial_metadata[cases.INITIAL_KEY] == cases.INITIAL_VALUE
        assert stream.trailing_metadata[cases.TRAILING_KEY] == cases.TRAILING_VALUE

    run(case)


@pytest.mark.parametrize("message", ["test status message", cases.SPECIAL_MESSAGE], ids=["plain", "special"])
def test_status_code_and_message(run, message):
    async def case(client):
        status = client.stubs.messages.EchoStatus(code=2, message=message)
        unary = client.test.UnaryCall(client.simple_request(response_status=status), **client.options)
        request = client.streaming_request([], response_status=status)
        duplex = client.test.FullDuplexCall([request], **client.options)
        for call in (unary, duplex):
            error = await error_of(call)
            assert (error.status, error.message) == (Status.UNKNOWN, message)

    run(case)


def test_unimplemented_method(run):
    async def case(client):
        call = client.test.UnimplementedCall(client.stubs.empty.Empty(), **client.options)
        assert (await error_of(call)).status == Status.UNIMPLEMENTED

    run(case)


def test_unimplemented_service(run):
    async def case(client):
        call = client.unimplemented.UnimplementedCall(client.stubs.empty.Empty(), **client.options)
        assert (await error_of(call)).status == Status.UNIMPLEMENTED

    run(case)


def test_cancel_after_begin(run):
    async def case(client):
        async with client.test.StreamingInputCall.open(**client.options) as stream:
            await stream.send_request()
            await stream.cancel()
        await client.check_alive()

    run(case)


def test_cancel_after_first_response(run):
    async def case(client):
        async with client.test.FullDuplexCall.open(**client.options) as stream:
            await stream.send_message(client.streaming_request([31415], 27182))
            assert len((await stream.recv_message()).payload.body) == 31415
            await stream.cancel()
        await client.check_alive()

    run(case)


def test_timeout_on_sleeping_server(run):
    async def case(client):
        options = {**client.options, "timeout": 0.001}
        request = client.streaming_request([31415], 27182, interval_us=10_000_000)
        with pytest.raises((asyncio.TimeoutError, grpclib.GRPCError)) as raised:
            await client.test.FullDuplexCall([request], **options)
        # grpclib's own timeout may fire first; if the server's does, it must report DEADLINE_EXCEEDED.
        assert getattr(raised.value, "status", Status.DEADLINE_EXCEEDED) == Status.DEADLINE_EXCEEDED
        await client.check_alive()

    run(case)


def test_a_request_above_the_limit_is_refused(run):
    async def case(client):
        call = client.test.UnaryCall(client.simple_request(5 << 20), **client.options)
        assert (await error_of(call)).status == Status.RESOURCE_EXHAUSTED
        await client.check_alive()

    run(case)


def test_many_calls_at_once(run):
    async def case(client):
        calls = [
            client.test.UnaryCall(client.simple_request(1000, response_size=size), **client.options)
            for size in range(100)
        ]
        assert [len(response.payload.body) for response in await asyncio.gather(*calls)] == list(range(100))

    run(case)


def test_health(run):
    async def case(client):
        messages = client.stubs.health
        for service in ("", "grpc.testing.TestService", "grpc.health.v1.Health"):
            response = await client.health.Check(messages.HealthCheckRequest(service=service), **client.options)
            assert response.status == messages.HealthCheckResponse.SERVING
        unknown = messages.HealthCheckRequest(service="no.such.Service")
        assert (await error_of(client.health.Check(unknown, **client.options))).status == Status.NOT_FOUND
        async with client.health.Watch.open(**client.options) as stream:
            await stream.send_message(unknown, end=True)
            assert (await stream.recv_message()).status == messages.HealthCheckResponse.SERVICE_UNKNOWN
            await stream.cancel()

    run(case)


@pytest.mark.parametrize("metadata", [{}, {"authorization": "Bearer wrong"}, {"authorization": "Basic x"}])
def test_tcp_needs_the_token(daemon, stubs, metadata):
    endpoint = daemon.endpoint("tcp")

    async def body():
        async with grpclib.client.Channel(endpoint.host, endpoint.port) as channel:
            stub = stubs.grpclib_test.TestServiceStub(channel)
            call = stub.EmptyCall(stubs.empty.Empty(), metadata=metadata, timeout=cases.DEADLINE)
            assert (await error_of(call)).status == Status.UNAUTHENTICATED

    asyncio.run(body())
