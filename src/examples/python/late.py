#!/usr/bin/env python3
"""Counts the readings on weir.late and weir.dead-letters, each once, in both forms of a batch.

Needs confluent_kafka and protobuf (Debian: python3-confluent-kafka, python3-protobuf).
"""

import argparse
from collections import Counter

from confluent_kafka import Consumer, TopicPartition

from weir_proto import messages, payload

SOURCE = [f"__streams.errors.{part}" for part in ("topic", "partition", "offset")]


def readings(batch):
    """(sensor, time, value as text) of each reading: of rows, and of columns, which gateways send."""
    for row in batch.readings:
        yield row.sensor_id, row.timestamp_ms, repr(row.value)
    for series in batch.series:
        time = series.start_timestamp_ms
        for delta, value in zip(series.timestamp_delta_ms, series.value):
            time += delta
            yield series.sensor_id, time, repr(value)


def records(bootstrap_servers, topic):
    """The committed records up to the topic's present end."""
    consumer = Consumer({
        "bootstrap.servers": bootstrap_servers,
        "group.id": "late",  # Asked for by the client; nothing is committed.
        "enable.auto.commit": False,
        "isolation.level": "read_committed",
        "enable.partition.eof": True,
    })
    partitions = consumer.list_topics(topic).topics[topic].partitions
    consumer.assign([TopicPartition(topic, partition, 0) for partition in partitions])
    open_partitions = set(partitions)
    while open_partitions:
        record = consumer.poll(1.0)
        if record is None:
            continue
        if record.error():
            if record.error().name() != "_PARTITION_EOF":
                raise SystemExit(str(record.error()))
            open_partitions.discard(record.partition())
            continue
        yield record
    consumer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bootstrap-servers", default="localhost:9092")
    parser.add_argument("--topics", nargs="+", default=["weir.late", "weir.dead-letters"])
    parser.add_argument("--descriptors", required=True, help="see weir_proto.py")
    args = parser.parse_args()
    batch_class = messages(args.descriptors)["weir.v1.ReadingBatch"]
    for topic in args.topics:
        seen, undecodable = set(), set()
        for record in records(args.bootstrap_servers, topic):
            headers = dict(record.headers() or [])
            # After a reset of Weir there is a copy, with the same source.
            source = tuple(headers.get(name) for name in SOURCE)
            reason = headers.get("weir.reason", b"LATE").decode()
            try:
                batch = batch_class.FromString(payload(record.value() or b""))
            except Exception:  # protobuf's DecodeError: what a gateway sent, as it was.
                undecodable.add((reason, source))
                continue
            same = Counter()
            for reading in readings(batch):
                same[reading] += 1
                seen.add((reason, source, reading, same[reading]))
        counts = Counter(reason for reason, *_ in seen)
        for reason, count in sorted(counts.items()):
            print(topic, reason, count, "readings")
        for reason, count in sorted(Counter(reason for reason, _ in undecodable).items()):
            print(topic, reason, count, "records")


if __name__ == "__main__":
    main()
