"""What the servers do differently, as far as a client sees it. README.md says where each difference is documented."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Flavour:
    """One kind of server. The defaults are those of Mastodon 4.5."""

    name: str
    version: str  # as in the instance document
    title: str
    ids: str = "snowflake"
    dates_ids_by_writing: bool = True  # a remote post that arrives late has an identifier of when it was written
    home_limit: int = 800  # posts that a home timeline keeps
    page_most: int = 40
    min_id_skips: bool = False  # min_id is treated as since_id: the newest page above it, not the next one
    link_at_end: bool = True  # the last, partly filled page of a timeline has a `next` link too
    instance_v2: bool = True
    api_version: int = 0  # api_versions.mastodon; 0: there is none
    oauth_metadata: bool = False  # RFC 8414
    pkce: bool = False  # code_challenge is checked; otherwise it is ignored
    redirect_list: bool = False  # registration answers with redirect_uris
    token_expires: int = 0  # seconds; 0: tokens do not expire, and answers do not say so
    idempotency: int = 3600  # seconds for which an Idempotency-Key is remembered; 0: it is ignored
    edits: bool = True
    local_posts: bool = False  # posts of visibility `local` are for the accounts of the server
    many_by_id: tuple = ()  # names of the parameter of GET /api/v1/statuses; none: there is no such method
    streams: tuple = ("websocket", "sse")
    stream_bearer: bool = True  # a WebSocket takes the token from Authorization
    deletes_to_all: bool = False  # every stream is told of every deletion
    filters: int = 2  # the highest version of filters; 0: an empty list
    media_later: bool = True  # POST /api/v2/media may answer 202, and the file is ready later
    media_accepted: bool = False  # it always answers 202
    media_without_url: bool = False  # its answer has no address of the file, ready or not
    media_scope: str = "write:media"  # to ask for an uploaded file
    drops_files: bool = False  # a post is made without files that are not there; otherwise it is refused
    quotes: bool = False
    # Rate limits: the form of X-RateLimit-Reset ("iso" or "unix"), on every answer or only on refusals, and Retry-After.
    reset_form: str = "iso"
    limit_fields: bool = True
    retry_after: bool = False
    max_characters: int = 500
    unauthorized: tuple = (401, "The access token is invalid")
    not_found: str = "Record not found"
    paragraph: bool = True  # texts are in <p>


MASTODON_4_2 = Flavour(name="mastodon-4.2", version="4.2.10", title="Mastodon", drops_files=True)
MASTODON_4_5 = Flavour(
    name="mastodon-4.5", version="4.5.0", title="Mastodon", api_version=7, oauth_metadata=True, pkce=True, redirect_list=True,
    many_by_id=("id",), quotes=True,
)
GOTOSOCIAL = Flavour(
    name="gotosocial", version="0.19.1+git-1a2b3c4", title="GoToSocial", ids="ulid", home_limit=1_000_000, page_most=80,
    idempotency=0, oauth_metadata=True, streams=("websocket",), deletes_to_all=True, media_later=False, max_characters=5000,
    unauthorized=(401, "Unauthorized: token not supplied or not valid"), not_found="Not Found: target status not found",
)
AKKOMA = Flavour(
    name="akkoma", version="2.7.2 (compatible; Akkoma 3.13.2)", title="Akkoma", ids="flake", dates_ids_by_writing=False,
    home_limit=1_000_000, instance_v2=False, token_expires=3_155_760_000, idempotency=21_600, many_by_id=("ids", "id"),
    streams=("websocket",), stream_bearer=False, media_accepted=True, media_scope="read:media", filters=1, limit_fields=False, drops_files=True,
    max_characters=5000, local_posts=True, unauthorized=(403, "Invalid credentials."), not_found="Record not found", paragraph=False,
)
PIXELFED = Flavour(
    name="pixelfed", version="3.5.3 (compatible; Pixelfed 0.12.4)", title="Pixelfed", dates_ids_by_writing=False,
    home_limit=1_000_000, min_id_skips=True, link_at_end=False, pkce=True, token_expires=31_536_000, idempotency=0, edits=False,
    streams=(), filters=0, media_later=False, media_accepted=True, media_without_url=True, media_scope="read", reset_form="unix", limit_fields=True, retry_after=True,
    unauthorized=(401, "Unauthenticated."), not_found="Resource not found", paragraph=False,
)
FLAVOURS = {flavour.name: flavour for flavour in (MASTODON_4_2, MASTODON_4_5, GOTOSOCIAL, AKKOMA, PIXELFED)}
