"""django-oauth-toolkit on a bare Django: python3 django.py FOLDER

Prints a line of JSON (port, clients) and serves until its standard input ends. POST /late ages all codes. GET /me needs a token.
"""

import json
import pathlib
import sys
import threading
import wsgiref.simple_server

# This file has the name of the library.
sys.path = [path for path in sys.path if pathlib.Path(path or ".").resolve() != pathlib.Path(__file__).resolve().parent]
import django  # noqa: E402
from django.conf import settings  # noqa: E402

FOLDER = pathlib.Path(sys.argv[1])
settings.configure(
    ALLOWED_HOSTS=["*"], DEBUG=False, SECRET_KEY="only for tests", ROOT_URLCONF=__name__, USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "django.db"}},
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.messages", "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware", f"{__name__}.signed_in",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    OAUTH2_PROVIDER={
        "SCOPES": {"read": "Read", "write": "Write"}, "PKCE_REQUIRED": False, "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https", "urn"],
    },
)


def signed_in(get_response):
    """Everyone is ann."""

    def answer(request):
        request.user = User.objects.get(username="ann")
        return get_response(request)

    return answer


django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse, JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.utils import timezone  # noqa: E402
from django.views.decorators.csrf import csrf_exempt  # noqa: E402
from oauth2_provider.decorators import protected_resource  # noqa: E402
from oauth2_provider.models import Application, Grant  # noqa: E402


@protected_resource(scopes=["read"])
def me(request):
    return JsonResponse({"name": "ann"})


@csrf_exempt
def late(request):
    Grant.objects.update(expires=timezone.now() - timezone.timedelta(hours=1))
    return HttpResponse(status=204)


urlpatterns = [path("oauth/", include("oauth2_provider.urls", namespace="oauth2_provider")), path("me", me), path("late", late)]


class Quiet(wsgiref.simple_server.WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main():
    call_command("migrate", verbosity=0)
    ann = User.objects.create_user("ann")
    clients = []
    for name in ("Tests", "Others"):
        Application.objects.create(
            name=name, user=ann, client_id=f"{name}-id", client_secret=f"{name}-secret", client_type="confidential",
            authorization_grant_type="authorization-code", redirect_uris="http://127.0.0.1/callback urn:ietf:wg:oauth:2.0:oob")
        clients.append([f"{name}-id", f"{name}-secret"])
    server = wsgiref.simple_server.make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"port": server.server_port, "clients": clients}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    # The settings name this module, which is known as __main__ only.
    sys.modules.setdefault("django_town", sys.modules["__main__"])
    main()
