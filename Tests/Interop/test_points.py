"""A client with a proportional font, and measuring in cells and in points, with grpcio and ordinary generated stubs."""

import os
import pathlib
import subprocess
import sys
from xml.etree import ElementTree

import cases
import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/python/points.py"
FAMILY = "👩‍👩‍👧"


@pytest.fixture(scope="module")
def daemon(run_daemon):
    """A daemon with default options."""
    with run_daemon() as daemon:
        yield daemon


@pytest.fixture
def channel(endpoint):
    with grpc.insecure_channel(endpoint.target) as channel:
        yield channel


@pytest.fixture
def measure(endpoint, channel, schema):
    """Measures a text."""
    stub = schema.view_rpc.ViewServiceStub(channel)

    def measure(text, **fields):
        request = schema.view.MeasureRequest(text=text, **fields)
        return stub.Measure(request, metadata=endpoint.metadata, timeout=cases.DEADLINE)

    return measure


def font(schema, **sizes):
    """Metrics of a font: a letter is 10 points wide, an i 4.5, a space 5; lines are 19 high."""
    points = schema.types.PointMetrics(line_height=19, default_advance=640, wide_advance=1216, **sizes)
    points.advances.add(first=0x20, advances=[320])
    points.advances.add(first=ord("i"), advances=[288])
    return points


def test_the_example_in_the_document(measure):
    measured = measure("Ahoy, 漁師!", width=8)
    assert (list(measured.line_ends), list(measured.line_widths)) == ([9, 13], [8, 3])
    assert (measured.text_height, measured.row_height, measured.width, measured.units) == (2, 4, 8, 1)
    assert list(measured.cluster_starts) == [0, 1, 2, 3, 4, 5, 6, 9, 12]
    assert list(measured.cluster_widths) == [1, 1, 1, 1, 1, 1, 2, 2, 1]


@pytest.mark.parametrize("name, width", [("WIDTH_PROFILE_SUM", 6), ("WIDTH_PROFILE_CLUSTER", 2)])
def test_cells_with_either_profile(schema, measure, name, width):
    layout = schema.types.Layout(width_profile=getattr(schema.types, name))
    measured = measure(FAMILY, width=40, layout=layout)
    assert (list(measured.cluster_starts), list(measured.cluster_widths)) == ([0], [width])


def test_points(schema, measure):
    layout = schema.types.Layout(width=1024, height=768, points=font(schema))
    measured = measure("ii w漢e\u0301", layout=layout)
    assert (measured.width, measured.units, list(measured.line_widths)) == (390, 64, [3392])
    assert list(measured.cluster_widths) == [288, 288, 320, 640, 1216, 640]
    assert (measured.text_height, measured.row_height) == (19, 72)
    measured = measure("ii w漢e\u0301", layout=layout, width=29)
    assert (list(measured.line_ends), measured.text_height, measured.row_height) == ([4, 10], 38, 85)
    insets = schema.types.RowInsets(above=20, left=10)
    layout.points.CopyFrom(font(schema, regular=insets, panes=schema.types.PaneSizes(pane=300)))
    layout.points.column.maximum_width = 250
    measured = measure("w", layout=layout)
    assert (measured.width, measured.row_height) == (240, 39)


def test_invalid_metrics(schema, measure):
    points = font(schema)
    points.advances[1].first = 0x20
    with pytest.raises(grpc.RpcError) as raised:
        measure("a", width=5, layout=schema.types.Layout(points=points))
    assert raised.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "layout.points.advances[1].first is 32, which is not after the previous run; name each" in raised.value.details()
    bad = error_details_pb2.BadRequest()
    assert any(detail.Unpack(bad) for detail in rpc_status.from_call(raised.value).details)
    assert [violation.field for violation in bad.field_violations] == ["layout.points.advances[1].first"]


def test_the_example_program_draws_the_layout(daemon, schema):
    with grpc.insecure_channel(f"unix:{daemon.path}") as channel:
        posts = schema.timeline_rpc.TimelineServiceStub(channel)
        text = "A fine morning to set sail, said the harbour master to nobody in particular, and went in again."
        request = schema.timeline.ComposeRequest(text=text, visibility=schema.types.VISIBILITY_PUBLIC)
        posts.Compose(request, timeout=cases.DEADLINE)
    command = [sys.executable, EXAMPLE, "--socket", daemon.path]
    environment = {**os.environ, "PYTHONPATH": str(schema.folder)}
    drawn = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=cases.DEADLINE).stdout
    svg = "{http://www.w3.org/2000/svg}"
    pane, *_ = ElementTree.fromstring(drawn).findall(f"{svg}rect")
    assert (pane.get("x"), pane.get("width"), pane.get("height"), pane.get("rx")) == ("200", "477", "85", "6")
    lines = [line.text for line in ElementTree.fromstring(drawn).findall(f"{svg}text")][1:]
    assert len(lines) == 2 and " ".join(lines) == text
