#!/usr/bin/env node
// Fills a topic with what is known of sensors, in Weir's partitions, so that joins find it.
//
// Lines from standard input: the sensor id, a tab, and the value; without a tab the sensor is deleted.
//
//   --bootstrap-servers LIST   --topic NAME   of 64 partitions

import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { PARTITIONS, partitionOf } from './weir.js';

const { values: args } = parseArgs({
  options: {
    'bootstrap-servers': { type: 'string', default: 'localhost:9092' },
    topic: { type: 'string', default: 'plant.sensors' },
  },
});
const brokers = args['bootstrap-servers'].split(',');
const kafka = new Kafka({ brokers, logLevel: logLevel.ERROR });
const admin = kafka.admin();
await admin.connect();
const { topics } = await admin.fetchTopicMetadata({ topics: [args.topic] });
await admin.disconnect();
if (topics[0].partitions.length !== PARTITIONS) {
  throw new Error(`${args.topic} has ${topics[0].partitions.length} partitions, not ${PARTITIONS}`);
}

const messages = [];
for await (const line of createInterface({ input: process.stdin })) {
  const tab = line.indexOf('\t');
  const key = tab < 0 ? line : line.slice(0, tab);
  messages.push({
    key,
    value: tab < 0 ? null : line.slice(tab + 1),
    partition: partitionOf(key),
  });
}
const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
await producer.connect();
await producer.send({ topic: args.topic, acks: -1, messages });
await producer.disconnect();
