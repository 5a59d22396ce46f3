#!/usr/bin/env python3
"""Fills a topic with what is known of sensors, in Weir's partitions, so that joins find it.

Lines from standard input: the sensor id, a tab, and the value; without a tab the sensor is deleted.
The topic has 64 partitions. Needs confluent_kafka (Debian: python3-confluent-kafka).
"""

import argparse
import sys

from confluent_kafka import Producer

PARTITIONS = 64


def partition_of(sensor_id):
    """FNV-1a, 32 bits, of the UTF-8 bytes, modulo 64. No partitioner of librdkafka is the same."""
    fnv = 0x811C9DC5
    for byte in sensor_id.encode():
        fnv = ((fnv ^ byte) * 0x01000193) & 0xFFFFFFFF
    return fnv % PARTITIONS


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bootstrap-servers", default="localhost:9092")
    parser.add_argument("--topic", default="plant.sensors")
    args = parser.parse_args()
    failures = []

    def delivered(error, record):
        if error:
            failures.append(f"{record.key().decode()}: {error}")

    producer = Producer({"bootstrap.servers": args.bootstrap_servers, "enable.idempotence": True})
    found = len(producer.list_topics(args.topic, timeout=30).topics[args.topic].partitions)
    if found != PARTITIONS:
        raise SystemExit(f"{args.topic} has {found} partitions, not {PARTITIONS}")
    for line in sys.stdin:
        sensor_id, tab, value = line.rstrip("\n").partition("\t")
        producer.produce(
            args.topic,
            key=sensor_id,
            value=value if tab else None,
            partition=partition_of(sensor_id),
            on_delivery=delivered,
        )
        producer.poll(0)
    producer.flush()
    if failures:
        raise SystemExit("\n".join(failures))


if __name__ == "__main__":
    main()
