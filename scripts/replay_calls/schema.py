"""Translates between the values of 93cdc55 and the messages of a build."""

import base64
import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.descriptor import FieldDescriptor

from permitted import TableError


def compile_schema(folder):
    """Compiles every .proto below a folder with grpcio-tools; returns the bytes of a FileDescriptorSet."""
    folder = Path(folder)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.proto"))
    with tempfile.NamedTemporaryFile(suffix=".binpb") as output:
        command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{folder}", "--include_imports"]
        subprocess.run([*command, f"--descriptor_set_out={output.name}", *files], check=True)
        return Path(output.name).read_bytes()


class Schema:
    """The messages and methods of a FileDescriptorSet."""

    def __init__(self, descriptor_set, package):
        self.package, self.pool, self.methods = package, descriptor_pool.DescriptorPool(), {}
        self.files = descriptor_pb2.FileDescriptorSet.FromString(descriptor_set).file
        for file in self.files:
            self.pool.AddSerializedFile(file.SerializeToString())
            if file.package == package:
                for service in file.service:
                    found = self.pool.FindServiceByName(f"{package}.{service.name}")
                    self.methods |= {f"{service.name}/{method.name}": method for method in found.methods}

    def status_details(self, data):
        """Returns the error details of a status, each with its message's name."""
        status = self.make(self.pool.FindMessageTypeByName("google.rpc.Status")).FromString(data)
        names = [detail.type_url.rpartition("/")[2] for detail in status.details]
        kinds = [self.make(self.pool.FindMessageTypeByName(name)) for name in names]
        return [(name, kind.FromString(detail.value)) for name, kind, detail in zip(names, kinds, status.details)]

    def make(self, descriptor):
        """Returns a message's class."""
        return message_factory.GetMessageClass(descriptor)


def check_table(table, then):
    """Rejects a table of permitted differences with names that 93cdc55 does not have."""
    fields, values, zeros = {"Status.code", "Status.message", "Status.details"}, set(), set()
    messages = {f".{file.package}.{message.name}": message for file in then.files for message in file.message_type}
    nested = [inner for message in messages.values() for inner in message.nested_type]
    for message in [*messages.values(), *nested]:
        for field in message.field:
            fields.add(f"{message.name}.{field.name}")
            if inner := messages.get(field.type_name):
                fields |= {f"{message.name}.{field.name}.{part.name}" for part in inner.field}
    for enum in (enum for file in then.files for enum in file.enum_type):
        values |= {value.name for value in enum.value}
        zeros.add(enum.value[0].name)
    methods = {name for method, of in then.methods.items()
               for name in [method, *(f"{method}({field.name})" for field in of.input_type.fields)]}
    unknown = (table.fields.keys() | table.ignored | table.filled) - fields | table.values.keys() - values
    unknown |= table.methods.keys() - methods | table.zeros - zeros
    if unknown:
        raise TableError(f"not of 93cdc55: {', '.join(sorted(unknown))}")


def is_message(field):
    """Returns whether a field holds messages."""
    return field.type == FieldDescriptor.TYPE_MESSAGE


class Translator:
    """Reads and writes a build's messages under the names of 93cdc55.

    A message is a dictionary of its set fields; enum values are names, bytes are base64. Fields that are not compared have the prefix
    "~"; fields that may be set now though they were unset then have the prefix "?".
    """

    def __init__(self, then, build, permitted):
        self.then, self.build, self.permitted = then, build, permitted
        self.plans, self.unset = {}, {}
        self.now_values = {now: then for then, now in permitted.values.items()}

    def method(self, name, request=()):
        """Returns (old method, method of this build) for an old method name and a request."""
        now = name if self.build is self.then else self.permitted.method(name, dict(request))
        if now not in self.build.methods:
            raise KeyError(f"{now} is not a method of this build; add the new name of {name} to the table of permitted differences")
        return self.then.methods[name], self.build.methods[now]

    def paths(self, message, name):
        """Returns the possible paths of an old field in this build."""
        return [[name]] if self.build is self.then else self.permitted.paths(message, name)

    # Writing.

    def write(self, descriptor, values, now):
        """Returns a message of this build's descriptor `now` with the values of an old message."""
        message = self.build.make(now)()
        self.fill(descriptor, values, message)
        return message

    def fill(self, descriptor, values, message):
        """Sets the fields of a message of this build."""
        for name, value in (dict(self.zeros(descriptor, descriptor)) | values).items():
            path, target = next(iter(self.paths(descriptor.name, name)), None), message
            if path is None or not value and path[0] not in target.DESCRIPTOR.fields_by_name:
                continue  # Gone, or a default value.
            for step in path[:-1]:
                target = getattr(target, step)
                target.SetInParent()
            field, last = descriptor.fields_by_name[name], path[-1]
            if last not in target.DESCRIPTOR.fields_by_name:
                raise KeyError(
                    f"{target.DESCRIPTOR.name} has no field {last}; add the new place of {descriptor.name}.{name} to the table of "
                    "permitted differences")
            if is_message(field):
                self.fill_message(field, value, target, last)
            elif field.is_repeated:
                getattr(target, last).extend(self.scalar(field, item, target, last) for item in value)
            else:
                setattr(target, last, self.scalar(field, value, target, last))

    def fill_message(self, field, value, target, name):
        """Sets a field that holds messages."""
        if field.is_repeated:
            for item in value:
                self.fill(field.message_type, item, getattr(target, name).add())
        else:
            getattr(target, name).SetInParent()
            self.fill(field.message_type, value, getattr(target, name))

    def scalar(self, field, value, target, name):
        """Converts a value to this build."""
        if field.type == FieldDescriptor.TYPE_BYTES:
            return base64.b64decode(value)
        if field.type == FieldDescriptor.TYPE_STRING:
            return str(value)
        if field.type != FieldDescriptor.TYPE_ENUM or isinstance(value, int):
            return value
        enum = target.DESCRIPTOR.fields_by_name[name].enum_type
        known = value if self.build is self.then else self.permitted.values.get(value, value)
        if known not in enum.values_by_name:
            raise KeyError(f"{enum.name} has no value {known}; add the new name of {value} to the table of permitted differences")
        return enum.values_by_name[known].number

    # Reading.

    def read(self, descriptor, message):
        """Returns the values of a message of this build, under the names of the old message `descriptor`."""
        plan = self.plan(descriptor, message.DESCRIPTOR)
        values = {}
        for field, value in message.ListFields():
            step = plan.get(field.name)
            if step is None and field.name not in plan:
                values["+" + field.name] = str(value)
            elif isinstance(step, dict):
                for inner in value if field.is_repeated else [value]:
                    self.read_moved(step, inner, values)
            else:
                self.read_field(step, field, value, values)
        for name, value in self.zeros(descriptor, message.DESCRIPTOR):
            values.setdefault(name, value)
        return values

    def zeros(self, then, build):
        """Returns the fields of a message whose zero had another meaning, each with the value that unset stands for."""
        key = then.full_name, build.full_name
        if key not in self.unset:
            fields = [field for field in then.fields if field.enum_type and not field.is_repeated
                      and field.enum_type.values[0].name in self.permitted.zeros and field.name in build.fields_by_name]
            self.unset[key] = [(field.name, self.value(build.fields_by_name[field.name].enum_type.values_by_number, 0)) for field in fields]
        return self.unset[key]

    def read_moved(self, step, message, values):
        """Reads fields that belonged to the outer message in 93cdc55."""
        for field, value in message.ListFields():
            if inner := step.get(field.name):
                self.read_moved(inner, value, values) if isinstance(inner, dict) else self.read_field(inner, field, value, values)
            else:
                values["+" + field.name] = str(value)

    def read_field(self, then, field, value, values):
        """Reads a field that is set. `then` has its name and the old field; it is None if the field may be new."""
        if then is None:
            return
        name, then, *outer = then
        if outer:
            values = values.setdefault(outer[0], [{}])[-1]
        items = list(value) if field.is_repeated else [value]
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            items = [self.read(then.message_type, item) for item in items]
        elif field.type == FieldDescriptor.TYPE_ENUM:
            items = [self.value(field.enum_type.values_by_number, item) for item in items]
        elif field.type == FieldDescriptor.TYPE_BYTES:
            items = [base64.b64encode(item).decode() for item in items]
        if then.is_repeated and not field.is_repeated:
            values.setdefault(name, []).extend(items)
        else:
            values[name] = items if field.is_repeated else items[0]

    def value(self, names, number):
        """Returns the old name of an enum's value."""
        if number not in names:
            return number
        name = names[number].name
        return name if self.build is self.then else self.now_values.get(name, name)

    def plan(self, then, now):
        """Returns the old counterpart of each field of a message of this build; cached per pair."""
        key = then.full_name, now.full_name
        if key not in self.plans:
            plan = self.plans[key] = {}
            for field in then.fields:
                self.place(plan, then, field)
            if self.build is not self.then:
                for outer, inner, name in self.permitted.inside(then.name):
                    plan[name] = inner, then.fields_by_name[outer].message_type.fields_by_name[inner], outer
                plan |= {field.name: None for field in now.fields
                         if field.name not in plan and self.permitted.permits_new(now.name, field.name)}
        return self.plans[key]

    def place(self, plan, then, field):
        """Adds an old field to a plan."""
        for path in self.paths(then.name, field.name):
            inner = plan
            for step in path[:-1]:
                inner = inner.setdefault(step, {})
            inner[path[-1]] = (self.permitted.mark(then.name, field.name) + field.name, field)

    # Statuses.

    def status_details(self, data, code, request):
        """Returns the details of a status as values. Old details are translated to the present ones for this request."""
        details = self.build.status_details(data)
        if self.build is self.then:
            details = self.translated(details, code, request)
        for _, message in details:
            for violation in getattr(message, "field_violations", ()):
                if "FieldViolation.description" in self.permitted.ignored:
                    violation.description = ""
        fields = [(name, message.DESCRIPTOR.name, {field.name: str(value) for field, value in message.ListFields()})
                  for name, message in details]
        return sorted(({"is": name} | self.permitted.compared(kind, values) for name, kind, values in fields), key=str)

    def translated(self, details, code, request):
        """Translates an old status: to the present reason, which may have no field, and the present paths of fields."""
        names_a_field = True
        for _, message in details:
            if now := self.permitted.reasons.get(f"{code}.{getattr(message, 'reason', None)}"):
                message.reason, names_a_field = now, False
            for violation in getattr(message, "field_violations", ()):
                violation.field = self.field_path(request, violation.field)
        return [(name, message) for name, message in details if names_a_field or not hasattr(message, "field_violations")]

    def field_path(self, descriptor, path):
        """Returns the present path of a field of an old request."""
        steps = []
        for step in path.split("."):
            name, bracket, index = step.partition("[")
            field = descriptor.fields_by_name.get(name) if descriptor else None
            *before, last = next(iter(self.permitted.paths(descriptor.name, name)), [name]) if field else [name]
            steps += [*before, last + bracket + index]
            descriptor = field.message_type if field else None
        return ".".join(steps)
