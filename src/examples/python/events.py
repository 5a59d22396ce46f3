#!/usr/bin/env python3
"""Events: JSON lines from standard input to weir.events and weir.scheduled, as docs/events.md says.

    {"key": "line-1", "type": "batch.started", "timestamp_ms": 1700000000000, "fields": {"recipe": "B7"}}
    {"key": "line-1", "id": "cleaning", "due_ms": 1800000000000, "fields": {"tank": 3}}
    {"key": "line-1", "id": "cleaning", "cancel": true}

Needs confluent_kafka and protobuf (Debian: python3-confluent-kafka, python3-protobuf). Each topic
has an outbox, a boot_id and sequences of its own, those of gateway.py: every batch is on disk
before it is sent and until it is acknowledged. Ends with its input when all is acknowledged, 0;
otherwise 1, and the next start sends what is left.
"""

import argparse
import json
import os
import queue
import sys
import time

from gateway import FIRST_PAUSE_SECONDS, MAX_READINGS, TICK_SECONDS, Gateway, lines_of, partition_of
from weir_proto import messages

MAX_TEXT_BYTES, MAX_FIELDS, MAX_EVENT_BYTES, MIN_EVERY_MS = 256, 1000, 262_144, 1000
MAX_BATCH_BYTES = 700_000
TEXTS = ("key", "subject", "type", "id")
NUMBERS = ("timestamp_ms", "due_ms", "every_ms")
FLAGS = ("cancel", "start")


class Events(Gateway):
    """What gateway.py does for readings: batches of one partition, sequences, outbox, resends."""

    def __init__(self, args, topic, directory, batch_class):
        outbox = os.path.join(args.outbox, directory)
        own = dict(topic=topic, outbox=outbox, ordered=False, split={}, key_file=None)
        whole = argparse.Namespace(**{**vars(args), **own})
        super().__init__(whole, batch_class)
        self.bytes = 0

    def add(self, event):
        """Takes an event; the caller seals now and then."""
        size = event.ByteSize()
        if self.bytes + size > MAX_BATCH_BYTES:
            self.seal()
        self.bytes += size
        events = self.open.setdefault(partition_of(event.key), [])
        events.append(event)
        if len(events) == MAX_READINGS:
            self.seal()

    def seal(self):
        self.bytes = 0
        return super().seal()

    def message_of(self, partition, events):
        return self.batch_class(
            gateway_id=self.args.gateway_id,
            boot_id=self.boot_id,
            sequence=self.sequences[partition],
            events=events,
        )


def set_value(value, plain):
    """A plain value of JSON as a Value. True and False are ints in Python, and come first."""
    if plain is None:
        value.null_value = True
    elif isinstance(plain, bool):
        value.bool_value = plain
    elif isinstance(plain, int) and -(2**63) <= plain < 2**63:
        value.int64_value = plain
    elif isinstance(plain, (int, float)):
        value.double_value = float(plain)
    elif isinstance(plain, str):
        value.string_value = plain
    else:
        raise ValueError("a field that is no number, text, true, false or null: %r" % plain)


def require(fits, why):
    if not fits:
        raise ValueError(why)


def no_number(text):
    raise ValueError("%s is no number of JSON" % text)


def event_of(line, event_class):
    """The event of a line, as bytes; an error where Weir would refuse it."""
    plain = json.loads(line.decode(), parse_constant=no_number)
    require(isinstance(plain, dict), "no JSON object")
    fields = plain.pop("fields", {})
    require(isinstance(fields, dict), "fields is no JSON object")
    for name, value in plain.items():
        wanted = str if name in TEXTS else int if name in NUMBERS else bool if name in FLAGS else None
        require(type(value) is wanted, "%s is not known, or not of its type" % name)
    event = event_class(**plain)
    for name, value in fields.items():
        set_value(event.fields[name], value)
    require_accepted(event)
    return event


def require_accepted(event):
    texts = [getattr(event, name) for name in TEXTS] + list(event.fields)
    require(event.key, "no key")
    require(all(len(text.encode()) <= MAX_TEXT_BYTES for text in texts), "a text is too long")
    require(len(event.fields) <= MAX_FIELDS, "too many fields")
    require(event.ByteSize() <= MAX_EVENT_BYTES, "too large")
    if is_scheduled(event):
        require(event.cancel or (event.due_ms > 0 and event.timestamp_ms >= 0), "no time when due")
        require(event.cancel or event.every_ms in (0, max(MIN_EVERY_MS, event.every_ms)), "every_ms")
    else:
        require(event.timestamp_ms > 0, "no timestamp_ms")


def is_scheduled(event):
    return event.due_ms != 0 or event.cancel


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bootstrap-servers", default="localhost:9092")
    parser.add_argument("--gateway-id", required=True, help="this gateway's alone")
    parser.add_argument("--outbox", required=True, help="directory, this gateway's alone")
    parser.add_argument("--descriptors", required=True, help="proto/weir/v1/weir.v1.binpb")
    parser.add_argument("--timeout-ms", type=int, default=30_000)
    args = parser.parse_args()

    classes = messages(args.descriptors)
    event_class, batch_class = classes["weir.v1.Event"], classes["weir.v1.EventBatch"]
    happened = Events(args, "weir.events", "events", batch_class)
    scheduled = Events(args, "weir.scheduled", "scheduled", batch_class)
    both = (happened, scheduled)
    lines = lines_of(sys.stdin.buffer)
    due = None
    while True:
        # Sending goes on where no line comes: what failed is tried again by itself.
        busy = any(topic.open or topic.unacknowledged() for topic in both)
        try:
            line = lines.get(timeout=TICK_SECONDS if busy else None)
        except queue.Empty:
            line = b""
        if line is None:
            break
        try:
            if line.strip():
                event = event_of(line, event_class)
                (scheduled if is_scheduled(event) else happened).add(event)
                due = due or time.monotonic() + TICK_SECONDS
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            print("bad line: %s" % error, file=sys.stderr)
        if not line or (due and time.monotonic() >= due):
            for topic in both:
                while not topic.seal():  # The disk is full: what is acknowledged makes room.
                    topic.send(FIRST_PAUSE_SECONDS)
                topic.send(0)
            due = None
    left = sum([topic.close() for topic in both])
    if left:
        print("%d batches left in %s; they go first at the next start" % (left, args.outbox),
              file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
