"""python3-mastodon (Mastodon.py) reads or moves the marker of ann's home timeline: marker.py ORIGIN [STATUS]

Prints the marker. Debian's Python runs it, which has the library.
"""

import sys

from mastodon_py import sign_in

api = sign_in(sys.argv[1])
if len(sys.argv) > 2:
    api.markers_set(["home"], [int(sys.argv[2])])
print(api.markers_get(["home"]).home.last_read_id)
