"""docs/PROTOCOL.md agrees with the schema, and with the limits that a daemon sends."""

import pathlib
import re

import cases
import grpc
import pytest

DOCUMENT = (pathlib.Path(__file__).resolve().parents[2] / "docs/PROTOCOL.md").read_text("utf-8")


def section(number):
    """Returns one section of the document, including its examples."""
    return re.search(rf"^## {number}\. .*?(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)[0]


def first_column(text, heading):
    """Returns the names in the first column of the table with this heading."""
    rows = re.search(rf"^\| {heading} \|.*?\n\n", text, re.MULTILINE | re.DOTALL)[0].splitlines()[2:]
    return [name for row in rows if row for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def names(message, oneof):
    return [field.name for field in message.DESCRIPTOR.oneofs_by_name[oneof].fields]


def test_every_operation_is_in_the_table_and_in_the_pseudo_code(schema):
    operations = names(schema.frames.Operation, "change")
    assert sorted(first_column(section(4), "Operation")) == sorted(operations)
    code = re.search(r"match o:\n(.*?)\n    next\.epoch", section(4), re.DOTALL)[1]
    assert re.findall(r"^ {12}(\w+): ", code, re.MULTILINE) == first_column(section(4), "Operation") + ["unknown"]


def test_every_bit_of_a_changed_row_is_in_the_table_and_in_the_pseudo_code(schema):
    fields = [field.name for field in schema.frames.RowChange.DESCRIPTOR.fields][2:]
    row = next(line for line in section(4).splitlines() if line.startswith("| `rows_changed`"))
    assert [name for name in re.findall(r"`(\w+)`", row) if name in fields] == fields
    assert set(re.findall(r"\bc\.(\w+)", section(4))) - {"mask", "row_id"} == set(fields)


def test_every_subject_of_rows_and_every_command_is_listed(schema):
    assert first_column(section(7), "Subject") == names(schema.types.Subject, "kind")
    commands = {method.name for method in schema.stack.DESCRIPTOR.services_by_name["StackService"].methods}
    assert set(first_column(section(8), "Command")) == commands


@pytest.mark.parametrize("field", ["maximum_request_bytes", "maximum_window_rows", "maximum_response_bytes", "maximum_panes", "stall_timeout_ms"])
def test_the_limits_in_the_example_are_those_of_a_daemon(schema, run_daemon, field):
    with run_daemon() as daemon, grpc.insecure_channel(f"unix:{daemon.path}") as channel:
        subject = schema.types.Subject(section=schema.types.SECTION_TIMELINE)
        hello = schema.frames.Hello(layout=schema.types.Layout(width=80, height=24), subject=subject)
        stream = schema.view_rpc.ViewServiceStub(channel).Watch(schema.view.WatchRequest(hello=hello), timeout=cases.DEADLINE)
        sent = getattr(next(iter(stream)).welcome, field)
        stream.cancel()
    assert int(re.search(rf"{field}: (\d+)", section(13))[1]) == sent
