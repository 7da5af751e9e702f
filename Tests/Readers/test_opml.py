"""Lists of subscriptions go to and come from other programs: newsboat, and XML::OPML."""

import json
import subprocess
import xml.etree.ElementTree

import readers  # noqa: F401  (finds the modules of Tests/EndToEnd)
from conftest import BIN

FEEDS = [
    ("https://a.example/feed.xml?x=1&y=2", "A & B", ["News"]),
    ("http://b.example/", "Grüße <aus> \"Köln\"", ["News", "Harbour"]),
    ("https://c.example/atom", "c", []),
]
LINES = "".join("\t".join([url, title, "", *lists]) + "\n" for url, title, lists in FEEDS)


def ours(mode, text):
    return subprocess.run([BIN / "stack-feeds", mode], input=text.encode(), capture_output=True, check=True).stdout.decode()


def newsboat(folder, *words):
    files = [word for option, name in (("-u", "urls"), ("-c", "cache.db"), ("-C", "config")) for word in (option, folder / name)]
    (folder / "config").touch()
    return subprocess.run(["newsboat", *files, *words], capture_output=True, text=True, check=True).stdout


def perl(script, text):
    command = ["perl", "-CSD", "-MXML::OPML", "-MJSON::PP", "-e", script]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def test_newsboat_reads_ours(tmp_path):
    (tmp_path / "ours.opml").write_text(ours("write-opml", LINES), encoding="utf-8")
    (tmp_path / "urls").touch()
    newsboat(tmp_path, "-i", tmp_path / "ours.opml")
    assert {line.split()[0] for line in (tmp_path / "urls").read_text("utf-8").splitlines()} == {url for url, *_ in FEEDS}


def test_ours_reads_newsboats(tmp_path):
    (tmp_path / "urls").write_text("".join(f"{url}\n" for url, *_ in FEEDS), encoding="utf-8")
    read = ours("read-opml", newsboat(tmp_path, "-e"))
    assert [line.split("\t")[0] for line in read.splitlines()] == [url for url, *_ in FEEDS]
    # What newsboat keeps as its own list, and what Stack makes of it.
    urls = "".join(f'{url} "~{title.replace(chr(34), "")}" {" ".join(lists)}\n' for url, title, lists in FEEDS)
    (tmp_path / "urls").write_text(urls, encoding="utf-8")
    read = [line.split("\t") for line in ours("read-opml", (tmp_path / "urls").read_text("utf-8")).splitlines()]
    assert [(url, lists) for url, _, _, *lists in read] == [(url, lists) for url, _, lists in FEEDS]


READ = r"""
    binmode STDIN, ':raw'; local $/;
    my $opml = XML::OPML->new; $opml->parse(<STDIN>);
    my @found;
    sub outlines {
      for my $outline (@_) {
        push @found, [$outline->{xmlUrl}, $outline->{text}] if $outline->{xmlUrl};
        outlines(map { ref $_ eq 'HASH' ? $_ : () } values %$outline);
      }
    }
    outlines(@{ $opml->outline });
    print JSON::PP->new->encode([sort { $a->[0] cmp $b->[0] } @found]);
"""

WRITE = r"""
    my $opml = XML::OPML->new(version => '1.1');
    $opml->head(title => 'mine');
    $opml->add_outline(text => 'A & B', type => 'rss', xmlUrl => 'https://a.example/feed.xml?x=1&y=2');
    $opml->add_outline(text => 'c', type => 'rss', xmlUrl => 'https://c.example/atom');
    print $opml->as_string;
"""


def test_perl_reads_ours():
    document = ours("write-opml", LINES)
    expected = {(url, title) for url, title, _ in FEEDS}
    assert {tuple(pair) for pair in json.loads(perl(READ, document))} == expected
    # The same by an XML parser alone.
    outlines = xml.etree.ElementTree.fromstring(document).iter("outline")
    assert {(outline.get("xmlUrl"), outline.get("text")) for outline in outlines if outline.get("xmlUrl")} == expected


def test_ours_reads_perls():
    assert ours("read-opml", perl(WRITE, "")) == "https://a.example/feed.xml?x=1&y=2\tA & B\t\nhttps://c.example/atom\tc\t\n"
