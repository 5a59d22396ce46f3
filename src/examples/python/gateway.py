#!/usr/bin/env python3
"""A gateway: JSON lines from standard input to weir.readings, as docs/gateways.md asks for it.

    {"sensor_id": "boiler-3/temperature", "timestamp_ms": 1700000000000, "value": 71.5}

Needs confluent_kafka and protobuf (Debian: python3-confluent-kafka, python3-protobuf).
Ends with its input when all is acknowledged, 0; otherwise 1, and the next start sends what is
left. Every batch is in the outbox before it is sent and until it is acknowledged.
"""

import argparse
import base64
import collections
import fcntl
import hmac
import json
import math
import os
import queue
import random
import re
import struct
import sys
import threading
import time
import zlib

from confluent_kafka import KafkaException, Producer

from weir_proto import messages

PARTITIONS = 64
MAX_READINGS = 1000
TICK_SECONDS = 0.020
MAX_ID_BYTES = 256
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 10

Batch = collections.namedtuple("Batch", "partition boot_id sequence path offset length")


def partition_of(sensor_id):
    """FNV-1a, 32 bits, of the UTF-8 bytes, modulo 64."""
    fnv = 0x811C9DC5
    for byte in sensor_id.encode():
        fnv = ((fnv ^ byte) * 0x01000193) & 0xFFFFFFFF
    return fnv % PARTITIONS


class Signer:
    """Signs each batch as it is sent, with the key file that weir key gateway printed."""

    def __init__(self, file, gateway_id):
        with open(file) as lines:
            fields = dict(line.strip().split("=", 1) for line in lines if "=" in line)
        if fields["gateway.id"] != gateway_id:
            sys.exit("%s is the key of %s" % (file, fields["gateway.id"]))
        self.key_id, self.key = fields["key.id"], base64.b64decode(fields["key"])

    def headers(self, topic, partition, value):
        place = b"weir-batch-v1\0" + topic.encode() + b"\0" + struct.pack(">i", partition)
        code = base64.b64encode(hmac.digest(self.key, place + value, "sha256")).decode()
        return {"weir.signature": "v1,%s,%s" % (self.key_id, code)}


class Outbox:
    """A directory with what is not acknowledged, and the last boot_id. For one process at a time.

    A file holds the batches that were sealed together and is named boot_id-number. Each batch is
    partition, sequence, length and CRC-32, as numbers of 4, 8, 4 and 4 bytes, and the record's
    value, byte for byte. A file is synced under another name, then renamed, then the directory is
    synced: whatever is killed when, a file is whole or not there.
    """

    HEADER = struct.Struct(">IQII")
    FILE = re.compile(r"(\d+)-(\d+)")

    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory, exist_ok=True)
        self.lock = open(os.path.join(directory, "lock"), "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit("another process uses the outbox %s" % directory)
        for name in os.listdir(directory):
            if name.endswith(".new"):  # Of a process that was killed before the rename.
                os.remove(os.path.join(directory, name))
        self.files = 0
        self.left = {}
        self.damaged = False

    def next_boot_id(self):
        """Larger than any before, whatever the clock says; kept before anything is sent."""
        kept = os.path.join(self.directory, "boot_id")
        last = int(open(kept).read()) if os.path.exists(kept) else 0
        boot_id = max(int(time.time() * 1000) << 20 | random.getrandbits(20), last + 1)
        self._write("boot_id", str(boot_id).encode())
        return boot_id

    def put(self, boot_id, values):
        """Keeps (partition, sequence, value) of one boot; their batches when all are on disk."""
        name = "%d-%d" % (boot_id, self.files + 1)
        content = b"".join(
            self.HEADER.pack(partition, sequence, len(value), zlib.crc32(value)) + value
            for partition, sequence, value in values
        )
        self._write(name, content)
        self.files += 1
        return self._batches(name, boot_id, content)

    def batches(self):
        """What is left of earlier starts, each partition's in the order in which it was made."""
        names = [match for match in map(self.FILE.fullmatch, os.listdir(self.directory)) if match]
        for match in sorted(names, key=lambda match: (int(match[1]), int(match[2]))):
            with open(os.path.join(self.directory, match[0]), "rb") as file:
                yield from self._batches(match[0], int(match[1]), file.read())

    def value(self, batch):
        with open(batch.path, "rb") as file:
            file.seek(batch.offset)
            return file.read(batch.length)

    def remove(self, batch):
        """The batch is acknowledged; its file goes with the last one in it."""
        self.left[batch.path] -= 1
        if self.left[batch.path] == 0:
            del self.left[batch.path]
            os.remove(batch.path)

    def _batches(self, name, boot_id, content):
        path, offset, batches = os.path.join(self.directory, name), 0, []
        while offset < len(content):
            partition, sequence, length, crc = self.HEADER.unpack_from(content, offset)
            offset += self.HEADER.size
            if zlib.crc32(content[offset : offset + length]) != crc:
                print("damaged, skipped: %s at %d" % (path, offset), file=sys.stderr)
                self.damaged = True
            else:
                batches.append(Batch(partition, boot_id, sequence, path, offset, length))
            offset += length
        self.left[path] = len(batches)
        return batches

    def _write(self, name, content):
        path = os.path.join(self.directory, name)
        with open(path + ".new", "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)
        directory = os.open(self.directory, os.O_RDONLY)
        os.fsync(directory)
        os.close(directory)


class Lane:
    """A partition's batches in their order. One is in flight at a time: nothing overtakes, and a
    partition that does not get on, for want of a leader or for a batch too large, costs no other."""

    def __init__(self):
        self.waiting = collections.deque()
        self.in_flight = False
        self.retry_at = 0
        self.pause = FIRST_PAUSE_SECONDS

    def failed(self):
        self.retry_at = time.monotonic() + self.pause * random.uniform(0.5, 1)
        self.pause = min(LONGEST_PAUSE_SECONDS, 2 * self.pause)


class Gateway:
    def __init__(self, args, batch_class):
        self.args = args
        self.batch_class = batch_class
        self.signer = Signer(args.key_file, args.gateway_id) if args.key_file else None
        self.outbox = Outbox(args.outbox)
        self.boot_id = self.outbox.next_boot_id()
        self.sequences = [0] * PARTITIONS
        self.open = {}
        self.newest = {}
        self.turns = dict.fromkeys(args.split, 0)
        self.unkept = []
        self.lanes = [Lane() for _ in range(PARTITIONS)]
        self.producer = None
        for batch in self.outbox.batches():
            self.lanes[batch.partition].waiting.append(batch)

    def add(self, reading):
        """Takes a reading; the caller seals now and then."""
        reading["sensor_id"] = self.published_as(reading["sensor_id"])
        partition = partition_of(reading["sensor_id"])
        readings = self.open.setdefault(partition, [])
        readings.append(reading)
        if len(readings) == MAX_READINGS:
            self.seal()

    def published_as(self, sensor_id):
        """The sensor's id, or that of the part whose turn it is where it is published as several."""
        if sensor_id not in self.turns:
            return sensor_id
        self.turns[sensor_id] = self.turns[sensor_id] % self.args.split[sensor_id] + 1
        return "%s/%d" % (sensor_id, self.turns[sensor_id])

    def seal(self):
        """Puts what is open on disk, whatever the brokers do; from then on it cannot be lost. False
        where the disk does not take it: then nothing more is to be read."""
        for partition, readings in self.open.items():
            self.sequences[partition] += 1
            message = self.message_of(partition, readings)
            self.unkept.append((partition, message.sequence, message.SerializeToString()))
        self.open = {}
        if self.unkept:
            try:
                batches = self.outbox.put(self.boot_id, self.unkept)
            except OSError as error:
                print("not kept yet: %s" % error, file=sys.stderr)
                return False
            self.unkept = []
            for batch in batches:
                self.lanes[batch.partition].waiting.append(batch)
        return True

    def message_of(self, partition, readings):
        in_order = self.in_order(readings)
        return self.batch_class(
            gateway_id=self.args.gateway_id,
            boot_id=self.boot_id,
            sequence=self.sequences[partition],
            readings=readings,
            ordered=self.args.ordered and in_order and self.may_attest(partition),
        )

    def in_order(self, readings):
        """Whether no reading is older than one of its sensor before it."""
        in_order = True
        for reading in readings if self.args.ordered else ():
            sensor_id, timestamp_ms = reading["sensor_id"], reading["timestamp_ms"]
            in_order = in_order and timestamp_ms >= self.newest.get(sensor_id, 0)
            self.newest[sensor_id] = max(timestamp_ms, self.newest.get(sensor_id, 0))
        return in_order

    def may_attest(self, partition):
        """Whether everything of earlier starts is acknowledged: "complete" speaks for that too."""
        waiting = self.lanes[partition].waiting
        return not self.outbox.damaged and (not waiting or waiting[0].boot_id == self.boot_id)

    def unacknowledged(self):
        return sum(len(lane.waiting) for lane in self.lanes)

    def send(self, seconds):
        """Sends what may go, and waits for so long for what became of it."""
        if self.producer is None:
            self.producer = self.new_producer()
        now = time.monotonic()
        for lane in self.lanes:
            if lane.waiting and not lane.in_flight and now >= lane.retry_at:
                self.send_first(lane)
        self.producer.poll(seconds)

    def send_first(self, lane):
        batch = lane.waiting[0]
        producer = self.producer

        def answered(error, _):
            lane.in_flight = False
            if error is None:
                self.outbox.remove(lane.waiting.popleft())
                lane.pause = FIRST_PAUSE_SECONDS
                return
            print("partition %d: %s" % (batch.partition, error), file=sys.stderr)
            lane.failed()
            if error.fatal() and self.producer is producer:
                self.producer = None  # The next turn makes another, which sends the same bytes.

        try:
            lane.in_flight = True
            value = self.outbox.value(batch)
            topic, signer = self.args.topic, self.signer
            producer.produce(
                topic,
                value,
                headers=signer.headers(topic, batch.partition, value) if signer else None,
                key=self.args.gateway_id,
                partition=batch.partition,
                on_delivery=answered,
            )
        except (BufferError, KafkaException) as error:
            lane.in_flight = False
            lane.failed()
            print("partition %d: %s" % (batch.partition, error), file=sys.stderr)

    def new_producer(self):
        for lane in self.lanes:
            lane.in_flight = False
        return Producer(
            {
                "bootstrap.servers": self.args.bootstrap_servers,
                "client.id": self.args.gateway_id,
                "acks": "all",
                "enable.idempotence": True,
                "max.in.flight.requests.per.connection": 1,
                "allow.auto.create.topics": False,
                "linger.ms": 0,
                "message.timeout.ms": self.args.timeout_ms,
            }
        )

    def close(self):
        """Waits for disk and brokers once; how many batches are left."""
        end = time.monotonic() + self.args.timeout_ms / 1000
        while not self.seal() and time.monotonic() < end:
            self.send(FIRST_PAUSE_SECONDS)
        while self.unacknowledged() and time.monotonic() < end:
            self.send(TICK_SECONDS)
        if self.unkept:
            print("%d batches lost: the disk did not take them" % len(self.unkept), file=sys.stderr)
        return self.unacknowledged() + len(self.unkept)


def lines_of(stream):
    """The lines of a stream through a queue, so that waiting for one can end; None at its end."""
    lines = queue.Queue(maxsize=10_000)

    def read():
        try:
            for line in stream:
                lines.put(line)
        finally:
            lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def reading_of(line):
    """The reading of a line, as bytes; an error where Weir would refuse it."""
    fields = json.loads(line.decode())
    sensor_id, timestamp_ms = fields["sensor_id"], fields["timestamp_ms"]
    value, quality = fields["value"], fields.get("quality", 0)
    valid = (
        isinstance(sensor_id, str)
        and 0 < len(sensor_id.encode()) <= MAX_ID_BYTES
        and type(timestamp_ms) is int
        and 0 < timestamp_ms < 2**63
        and type(value) in (int, float)
        and math.isfinite(value)
        and type(quality) is int
        and quality in (0, 1, 2, 3)
    )
    if not valid:
        raise ValueError("no reading: %s" % line)
    return dict(
        sensor_id=sensor_id, timestamp_ms=timestamp_ms, value=float(value), quality=quality
    )


def splits(text):
    """vib-1=8,vib-2=4 as a dictionary."""
    pairs = (pair.rpartition("=") for pair in text.split(",") if pair)
    return {sensor_id: int(parts) for sensor_id, _, parts in pairs}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bootstrap-servers", default="localhost:9092")
    parser.add_argument("--topic", default="weir.readings")
    parser.add_argument("--gateway-id", required=True, help="this gateway's alone")
    parser.add_argument("--outbox", required=True, help="directory, this gateway's alone")
    parser.add_argument("--descriptors", required=True, help="see weir_proto.py")
    parser.add_argument(
        "--ordered",
        action="store_true",
        help="each sensor reports in the order of time, and no other gateway publishes it: say so, "
        "and windows are final without waiting for grace",
    )
    parser.add_argument(
        "--split",
        type=splits,
        default={},
        help="vib-1=8,...: publish a sensor that is too much for one partition as vib-1/1 to vib-1/8",
    )
    parser.add_argument("--key-file", help="sign batches with it; weir key gateway prints it")
    parser.add_argument("--timeout-ms", type=int, default=30_000)
    args = parser.parse_args()

    gateway = Gateway(args, messages(args.descriptors)["weir.v1.ReadingBatch"])
    lines = lines_of(sys.stdin.buffer)
    due = None
    while True:
        # Sending goes on where no line comes: what failed is tried again by itself.
        busy = gateway.open or gateway.unacknowledged()
        try:
            line = lines.get(timeout=TICK_SECONDS if busy else None)
        except queue.Empty:
            line = b""
        if line is None:
            break
        try:
            if line.strip():
                gateway.add(reading_of(line))
                due = due or time.monotonic() + TICK_SECONDS
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            print("bad line: %s" % error, file=sys.stderr)
        if not line or (due and time.monotonic() >= due):
            while not gateway.seal():  # The disk is full: what is acknowledged makes room.
                gateway.send(FIRST_PAUSE_SECONDS)
            gateway.send(0)
            due = None
    left = gateway.close()
    if left:
        print("%d batches left in %s; they go first at the next start" % (left, args.outbox),
              file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
