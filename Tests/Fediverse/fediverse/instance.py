"""What a server says of itself: instance v1 and v2, OAuth metadata, WebFinger, host-meta and NodeInfo."""

IMAGE_BYTES = 16_777_216
TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"]
DESCRIPTION = "A server of the tests."


def configuration(flavour):
    return {
        "accounts": {"max_featured_tags": 10},
        "statuses": {
            "max_characters": flavour.max_characters, "max_media_attachments": 4, "characters_reserved_per_url": 23,
        },
        "media_attachments": {
            "supported_mime_types": TYPES, "image_size_limit": IMAGE_BYTES, "image_matrix_limit": 33_177_600,
            "video_size_limit": 103_809_024, "video_frame_rate_limit": 120, "video_matrix_limit": 8_294_400,
        },
        "polls": {"max_options": 4, "max_characters_per_option": 50, "min_expiration": 300, "max_expiration": 2_629_746},
    }


def instance_v1(shapes, stream_url):
    world, flavour = shapes.world, shapes.flavour
    document = {
        "uri": world.host, "title": flavour.title, "short_description": DESCRIPTION, "description": DESCRIPTION,
        "email": "admin@example.org", "version": flavour.version, "urls": {"streaming_api": stream_url},
        "stats": {"user_count": len(world.local_accounts()), "status_count": len(world.statuses), "domain_count": 1},
        "thumbnail": f"{shapes.origin}/preview.png", "languages": ["en"], "registrations": False, "approval_required": False,
        "invites_enabled": False, "configuration": configuration(flavour), "contact_account": None, "rules": [],
    }
    match shapes.kind:
        case "akkoma":
            # It has none of Mastodon's configuration, and limits of its own.
            for name in ("configuration", "invites_enabled", "contact_account", "rules"):
                del document[name]
            document |= {
                "max_toot_chars": flavour.max_characters, "description_limit": 5000, "upload_limit": 16_000_000,
                "poll_limits": {"max_options": 20, "max_option_chars": 200, "min_expiration": 0, "max_expiration": 31_536_000},
                "pleroma": {"metadata": {"features": ["mastodon_api", "mastodon_api_streaming", "multifetch", "editing"]}},
            }
        case "gotosocial":
            document |= {"max_toot_chars": flavour.max_characters, "account_domain": world.host}
        case "pixelfed":
            document["urls"] = {"streaming_api": ""}
            document["configuration"]["statuses"] |= {"max_media_attachments": 20}
    return document


def instance_v2(shapes, stream_url):
    world, flavour = shapes.world, shapes.flavour
    settings = configuration(flavour)
    settings["urls"] = {"streaming": stream_url}
    settings["translation"] = {"enabled": False}
    document = {
        "domain": world.host, "title": flavour.title, "version": flavour.version, "source_url": "https://example.org/source",
        "description": DESCRIPTION, "usage": {"users": {"active_month": len(world.local_accounts())}},
        "thumbnail": {"url": f"{shapes.origin}/preview.png"}, "languages": ["en"], "configuration": settings,
        "registrations": {"enabled": False, "approval_required": False, "message": None, "url": None},
        "contact": {"email": "admin@example.org", "account": None}, "rules": [],
    }
    if flavour.api_version:
        document["icon"] = []
        document["api_versions"] = {"mastodon": flavour.api_version}
        settings["vapid"] = {"public_key": "BCk-QqERU0q-CfYZjcuB6lnyyOYfJ2AifKqfeGIm7Z-HiTU5T9eTG5GxVA0_OH5mMlI4UkkDTpaZwozy0TzdZ2M="}
        settings["accounts"] |= {"max_pinned_statuses": 5}
        settings["media_attachments"] |= {"description_limit": 1500}
        settings["timelines_access"] = {name: {"local": "public", "remote": "public"} for name in ("live_feeds", "hashtag_feeds")}
    if shapes.kind == "pixelfed":
        settings["urls"]["streaming"] = None
    return document


def oauth_metadata(origin, scopes, has_pkce):
    """RFC 8414, section 2."""
    document = {
        "issuer": f"{origin}/", "authorization_endpoint": f"{origin}/oauth/authorize", "token_endpoint": f"{origin}/oauth/token",
        "revocation_endpoint": f"{origin}/oauth/revoke", "scopes_supported": scopes,
        "response_types_supported": ["code"], "response_modes_supported": ["query", "fragment", "form_post"],
        "grant_types_supported": ["authorization_code", "client_credentials"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "app_registration_endpoint": f"{origin}/api/v1/apps",
    }
    return document | ({"code_challenge_methods_supported": ["S256"]} if has_pkce else {})


def webfinger(shapes, account):
    return {
        "subject": f"acct:{account.name}@{shapes.world.host}", "aliases": [shapes.url(account)],
        "links": [{"rel": "self", "type": "application/activity+json", "href": shapes.uri(account)}],
    }


def host_meta(origin):
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">\n'
        f'  <Link rel="lrdd" template="{origin}/.well-known/webfinger?resource={{uri}}"/>\n</XRD>\n'
    )
