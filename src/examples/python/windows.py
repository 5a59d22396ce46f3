#!/usr/bin/env python3
"""The latest summaries of all windows on weir.windows, as JSON lines: read committed, the last record wins.

Needs confluent_kafka and protobuf (Debian: python3-confluent-kafka, python3-protobuf).
"""

import argparse
import json
import sys

from confluent_kafka import Consumer, TopicPartition

from weir_proto import messages, payload


def latest_summaries(bootstrap_servers, topic, summary_class):
    """The last summary of each (sensor, start, end) up to the topic's present end."""
    consumer = Consumer({
        "bootstrap.servers": bootstrap_servers,
        "group.id": "windows",  # Asked for by the client; nothing is committed.
        "enable.auto.commit": False,
        "isolation.level": "read_committed",
        "enable.partition.eof": True,
    })
    partitions = consumer.list_topics(topic).topics[topic].partitions
    consumer.assign([TopicPartition(topic, partition, 0) for partition in partitions])
    open_partitions, windows = set(partitions), {}
    while open_partitions:
        record = consumer.poll(1.0)
        if record is None:
            continue
        if record.error():
            if record.error().name() != "_PARTITION_EOF":
                raise SystemExit(str(record.error()))
            open_partitions.discard(record.partition())
            continue
        window = summary_class.FromString(payload(record.value()))
        windows[window.sensor_id, window.window_start_ms, window.window_end_ms] = window
    consumer.close()
    return windows


def as_json(message):
    """The fields of a message as plain values; optional and repeated ones only where they are there."""
    fields = {}
    for field in message.DESCRIPTOR.fields:
        optional = field.message_type is not None or field.containing_oneof is not None
        if field.label == field.LABEL_REPEATED:
            values = list(getattr(message, field.name))
            if values:
                fields[field.name] = values
        elif not optional or message.HasField(field.name):
            value = getattr(message, field.name)
            fields[field.name] = as_json(value) if field.message_type is not None else value
    return fields


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bootstrap-servers", default="localhost:9092")
    parser.add_argument("--topic", default="weir.windows")
    parser.add_argument("--descriptors", required=True, help="see weir_proto.py")
    args = parser.parse_args()
    summary_class = messages(args.descriptors)["weir.v1.WindowSummary"]
    sys.stdout.reconfigure(encoding="utf-8")
    for window in latest_summaries(args.bootstrap_servers, args.topic, summary_class).values():
        print(json.dumps(as_json(window), ensure_ascii=False))


if __name__ == "__main__":
    main()
