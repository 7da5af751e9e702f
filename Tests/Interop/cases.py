"""The constants of gRPC's interoperability test descriptions, shared by the suites of both libraries.

The cases are those of doc/interop-test-descriptions.md of https://github.com/grpc/grpc. Left out are:

- cacheable_unary: needs a caching proxy between client and server, which a local daemon does not have; gRPC has dropped it.
- client_compressed_unary, client_compressed_streaming, server_compressed_*: the daemon does not compress, since its clients
  are on the same machine. The required refusal with UNIMPLEMENTED is tested.
- compute_engine_creds, jwt_token_creds, oauth2_auth_token, per_rpc_creds, google_default_credentials: Google's authentication,
  which the daemon does not use. Its own token is tested.
- rpc_soak, channel_soak, orca_*, xds_*: load and load balancing, not the protocol.
- concurrent_large_unary: not described beyond its name.
"""

LARGE_REQUEST = 271828
LARGE_RESPONSE = 314159
REQUEST_SIZES = [27182, 8, 1828, 45904]
RESPONSE_SIZES = [31415, 9, 2653, 58979]
SPECIAL_MESSAGE = "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n"
INITIAL_KEY = "x-grpc-test-echo-initial"
INITIAL_VALUE = "test_initial_metadata_value"
TRAILING_KEY = "x-grpc-test-echo-trailing-bin"
TRAILING_VALUE = b"\xab\xab\xab"

# Seconds within which every case must end; only a broken case takes that long.
DEADLINE = 60
