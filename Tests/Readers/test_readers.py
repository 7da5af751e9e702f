"""Stack reads feeds as most readers do; where it does not, docs/READERS.md says why.

The documents are those of gofeed's tests, the readers XML::Feed, SimplePie, newsboat and sfeed. `scripts/test --all feeds` runs this.
"""

import fnmatch

import pytest

import corpus
import readers

TABLE = readers.HERE.parents[1] / "docs/READERS.md"


def explained():
    """Returns the rows of the table of differences: the documents, as a pattern, and the facts."""
    rows = [line.split("|")[1:3] for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [(document.strip().strip("`"), facts.strip().split(", ")) for document, facts in rows]


def test_what_most_readers_say_is_what_stack_says(tmp_path):
    with corpus.served() as documents:
        assert len(documents) > 450
        others = {name: read(documents, tmp_path) for name, read in readers.OTHERS.items()}
        ours = readers.stack(documents, tmp_path)
    for name, items in others.items():
        print(f"{name} read {len(items)} documents")
    found, compared = readers.differences(ours, list(others.values()))
    print(f"stack-feeds read {len(ours)} documents; {len(found)} of {compared} values differ")
    rows = explained()
    unexplained = [
        f"{path}: {fact}: most say {said!r}, Stack says {own!r}" for path, fact, said, own in found
        if not any(fnmatch.fnmatch(path, pattern) and fact in facts for pattern, facts in rows)
    ]
    assert not unexplained, "\n".join(unexplained)
    idle = [row for row in rows if not any(fnmatch.fnmatch(path, row[0]) and fact in row[1] for path, fact, *_ in found)]
    assert not idle, f"nothing differs there any more: {idle}"


@pytest.mark.parametrize("values, most", [([1, 1, 1, 2], [1]), ([None, None, 3, None], [None]), ([1, 1, 2, 2], []), ([1, 1], [])])
def test_a_majority_is_three(values, most):
    assert readers.majority(values) == most


def test_a_difference_is_seen():
    item = {"id": readers.hashed("a"), "title": "High water\n\nAt noon", "link": None, "date": 5}
    said = {"id": "a", "title": "High <b>water</b>", "link": "", "date": 5}
    assert readers.differences({"x": [item]}, [{"x": [said]}] * 3) == ([], 5)
    for fact, value in (("id", "b"), ("title", "Low water"), ("link", "http://a/"), ("date", None)):
        ((_, found, *_),), _ = readers.differences({"x": [item]}, [{"x": [dict(said, **{fact: value})]}] * 3)
        assert found == fact
    assert readers.differences({}, [{"x": [said]}] * 3)[0] == [("x", "items", 1, 0)]
