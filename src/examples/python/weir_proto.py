"""Weir's messages from a descriptor set, so that no generated code has to fit the runtime.

    protoc -I proto --descriptor_set_out=weir.binpb weir/v1/readings.proto weir/v1/windows.proto
"""

from google.protobuf import descriptor_pb2, message_factory


def messages(descriptor_set):
    """The message classes of a descriptor set's file, by full name."""
    with open(descriptor_set, "rb") as file:
        files = descriptor_pb2.FileDescriptorSet.FromString(file.read()).file
    return message_factory.GetMessages(files)


def payload(value):
    """The message in a record's value: bare, or behind Confluent's frame of the first message."""
    framed = value[:1] == b"\0"  # No message begins with 0. Then 4 bytes of id and [0] as one 0.
    return value[6:] if framed else value
