#!/usr/bin/env python3
"""A gateway: JSON lines from standard input to weir.readings, as GATEWAYS.md asks for it.

    {"sensor_id": "boiler-3/temperature", "timestamp_ms": 1700000000000, "value": 71.5}

Needs confluent_kafka and protobuf (Debian: python3-confluent-kafka, python3-protobuf).
Ends with its input when all is acknowledged, 0; otherwise 1, and the next start sends what is
left. Every batch stands in the outbox before it is sent and until it is acknowledged.
"""

import argparse
import json
import math
import os
import queue
import random
import sys
import threading
import time

from confluent_kafka import KafkaException, Producer

from weir_proto import messages

PARTITIONS = 64
MAX_READINGS = 1000
FLUSH_SECONDS = 0.020
MAX_ID_BYTES = 256


def partition_of(sensor_id):
    """FNV-1a, 32 bits, of the UTF-8 bytes, modulo 64."""
    fnv = 0x811C9DC5
    for byte in sensor_id.encode():
        fnv = ((fnv ^ byte) * 0x01000193) & 0xFFFFFFFF
    return fnv % PARTITIONS


class Outbox:
    """A directory with a file for each batch not acknowledged, and one with the last boot_id.

    A file is named partition-boot_id-sequence and holds the record's value, byte for byte.
    """

    def __init__(self, directory):
        self.directory = directory
        os.makedirs(directory, exist_ok=True)

    def next_boot_id(self):
        """Larger than any before, whatever the clock says."""
        kept = os.path.join(self.directory, "boot_id")
        last = int(open(kept).read()) if os.path.exists(kept) else 0
        boot_id = max(int(time.time() * 1000) << 20 | random.getrandbits(20), last + 1)
        self._write("boot_id", str(boot_id).encode())
        return boot_id

    def put(self, batch, value):
        self._write("%d-%d-%d" % batch, value)

    def remove(self, batch):
        os.remove(os.path.join(self.directory, "%d-%d-%d" % batch))

    def batches(self):
        """What is left, each partition's in the order in which it was made."""
        names = [name for name in os.listdir(self.directory) if name.count("-") == 2]
        for batch in sorted(tuple(map(int, name.split("-"))) for name in names):
            with open(os.path.join(self.directory, "%d-%d-%d" % batch), "rb") as file:
                yield batch, file.read()

    def _write(self, name, content):
        path = os.path.join(self.directory, name)
        with open(path + ".new", "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(path + ".new", path)


class Gateway:
    def __init__(self, args, batch_class):
        self.args = args
        self.batch_class = batch_class
        self.outbox = Outbox(args.outbox)
        self.boot_id = self.outbox.next_boot_id()
        self.sequences = [0] * PARTITIONS
        self.open = {}
        self.broken = False
        self.producer = None
        self.resend()

    def add(self, reading):
        """Takes a reading; the caller ships now and then."""
        partition = partition_of(reading["sensor_id"])
        readings = self.open.setdefault(partition, [])
        readings.append(reading)
        if len(readings) == MAX_READINGS:
            self.ship(partition)

    def ship_all(self):
        for partition in list(self.open):
            self.ship(partition)
        self.producer.poll(0)
        if self.broken:
            self.resend()

    def ship(self, partition):
        self.sequences[partition] += 1
        message = self.batch_class(
            gateway_id=self.args.gateway_id,
            boot_id=self.boot_id,
            sequence=self.sequences[partition],
            readings=self.open.pop(partition),
        )
        batch = (partition, self.boot_id, message.sequence)
        value = message.SerializeToString()
        self.outbox.put(batch, value)
        if not self.broken:
            self.send(batch, value)

    def send(self, batch, value):
        def answered(error, _):
            if error is None:
                self.outbox.remove(batch)
            else:
                self.broken = True  # Nothing may overtake it: see resend.

        while True:
            try:
                self.producer.produce(
                    self.args.topic,
                    value,
                    key=self.args.gateway_id,
                    partition=batch[0],
                    on_delivery=answered,
                )
                return
            except BufferError:
                self.producer.poll(0.1)
            except KafkaException:
                self.broken = True
                return

    def resend(self):
        """Everything that is not acknowledged, in order, through a producer that is new."""
        if self.producer is not None:
            self.producer.purge()
            self.producer.flush(1)
        self.broken = False
        self.producer = Producer(
            {
                "bootstrap.servers": self.args.bootstrap_servers,
                "client.id": self.args.gateway_id,
                "acks": "all",
                "enable.idempotence": True,
                "max.in.flight.requests.per.connection": 1,
                "linger.ms": 0,
                "message.timeout.ms": self.args.timeout_ms,
            }
        )
        for batch, value in self.outbox.batches():
            self.send(batch, value)

    def close(self):
        """Waits for the brokers once; how many batches are left."""
        self.ship_all()
        self.producer.flush(self.args.timeout_ms / 1000 + 1)
        return sum(1 for _ in self.outbox.batches())


def lines_of(stream):
    """The lines of a stream through a queue, so that waiting for one can end; None at its end."""
    lines = queue.Queue(maxsize=10_000)

    def read():
        for line in stream:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def reading_of(line):
    """The reading of a line; an error where Weir would refuse it."""
    fields = json.loads(line)
    sensor_id, timestamp_ms = fields["sensor_id"], fields["timestamp_ms"]
    value, quality = fields["value"], fields.get("quality", 0)
    believable = (
        isinstance(sensor_id, str)
        and 0 < len(sensor_id.encode()) <= MAX_ID_BYTES
        and type(timestamp_ms) is int
        and 0 < timestamp_ms < 2**63
        and type(value) in (int, float)
        and math.isfinite(value)
        and quality in (0, 1, 2, 3)
    )
    if not believable:
        raise ValueError("no reading: " + line.strip())
    return dict(sensor_id=sensor_id, timestamp_ms=timestamp_ms, value=value, quality=quality)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bootstrap-servers", default="localhost:9092")
    parser.add_argument("--topic", default="weir.readings")
    parser.add_argument("--gateway-id", required=True, help="this gateway's alone")
    parser.add_argument("--outbox", required=True, help="directory, this gateway's alone")
    parser.add_argument("--descriptors", required=True, help="see weir_proto.py")
    parser.add_argument("--timeout-ms", type=int, default=30_000)
    args = parser.parse_args()

    batch_class = messages(args.descriptors)["weir.v1.ReadingBatch"]
    gateway = Gateway(args, batch_class)
    sys.stdin.reconfigure(encoding="utf-8")
    lines = lines_of(sys.stdin)
    due = None
    while True:
        try:
            line = lines.get(timeout=None if due is None else max(0, due - time.monotonic()))
        except queue.Empty:
            gateway.ship_all()
            due = None
            continue
        if line is None:
            break
        try:
            gateway.add(reading_of(line))
        except (ValueError, KeyError, TypeError, OverflowError) as error:
            print("bad line: %s" % error, file=sys.stderr)
            continue
        due = due or time.monotonic() + FLUSH_SECONDS
        if time.monotonic() >= due:
            gateway.ship_all()
            due = None
    left = gateway.close()
    if left:
        print("%d batches left in %s; they go first at the next start" % (left, args.outbox),
              file=sys.stderr)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
