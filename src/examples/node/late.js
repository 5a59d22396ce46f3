#!/usr/bin/env node
// Counts the readings on weir.late and weir.dead-letters, each once, in both forms of a batch.
//
//   --bootstrap-servers LIST   --topics NAME,...
//   --proto DIR                where weir/v1/readings.proto is
//
// KafkaJS reads no codec but gzip: weir run --output-compression gzip.

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import protobuf from 'protobufjs';

const SOURCE = ['topic', 'partition', 'offset'].map((part) => `__streams.errors.${part}`);
const FRAME_BYTES = 6;

/** Sensor, time and value of each reading: of rows, and of columns, which gateways send. */
function* readingsOf(batch) {
  for (const { sensorId, timestampMs, value } of batch.readings) {
    yield [sensorId, BigInt(String(timestampMs)), value];
  }
  for (const { sensorId, startTimestampMs, timestampDeltaMs, value } of batch.series) {
    let time = BigInt(String(startTimestampMs));
    for (let i = 0; i < value.length; i++) {
      time += BigInt(String(timestampDeltaMs[i]));
      yield [sensorId, time, value[i]];
    }
  }
}

/** A value that begins with a 0 byte is in Confluent's wire format. */
function payload(value) {
  return value[0] === 0 ? value.subarray(FRAME_BYTES) : value;
}

/** Passes each committed record up to the topic's present end. KafkaJS reads committed by default. */
async function readAll(kafka, topic, onRecord) {
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  const open = new Map(
    offsets
      .filter(({ low, high }) => BigInt(low) < BigInt(high))
      .map(({ partition, high }) => [partition, BigInt(high)]),
  );
  if (open.size === 0) {
    return;
  }
  const consumer = kafka.consumer({ groupId: `late-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await new Promise((resolve, reject) => {
    // The last offset may be that of a commit marker, for which no message comes.
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { partition, lastOffset } }) => {
      if (open.has(partition) && BigInt(lastOffset) + 1n >= open.get(partition)) {
        open.delete(partition);
        if (open.size === 0) {
          resolve();
        }
      }
    });
    consumer.on(consumer.events.CRASH, ({ payload: { error } }) => reject(error));
    consumer
      .run({ autoCommit: false, eachMessage: async ({ message }) => onRecord(message) })
      .catch(reject);
  });
  await consumer.disconnect();
}

function counted(keys) {
  const counts = new Map();
  for (const key of keys) {
    const [reason] = JSON.parse(key);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort();
}

const { values: args } = parseArgs({
  options: {
    'bootstrap-servers': { type: 'string', default: 'localhost:9092' },
    topics: { type: 'string', default: 'weir.late,weir.dead-letters' },
    proto: { type: 'string', default: 'proto' },
  },
});
const root = await protobuf.load(`${args.proto}/weir/v1/readings.proto`);
const ReadingBatch = root.lookupType('weir.v1.ReadingBatch');
const brokers = args['bootstrap-servers'].split(',');
const kafka = new Kafka({ brokers, logLevel: logLevel.ERROR });

for (const topic of args.topics.split(',')) {
  const seen = new Set();
  const undecodable = new Set();
  await readAll(kafka, topic, ({ value, headers }) => {
    const header = (name) => headers[name]?.toString() ?? null;
    const reason = header('weir.reason') ?? 'LATE';
    // After a reset of Weir there is a copy, with the same source.
    const source = SOURCE.map(header);
    let readings;
    try {
      readings = [...readingsOf(ReadingBatch.decode(payload(value ?? Buffer.alloc(0))))];
    } catch {
      undecodable.add(JSON.stringify([reason, source])); // What a gateway sent, as it was.
      return;
    }
    const same = new Map();
    for (const [sensor, time, number] of readings) {
      const text = Object.is(number, -0) ? '-0' : String(number);
      const reading = JSON.stringify([sensor, String(time), text]);
      same.set(reading, (same.get(reading) ?? 0) + 1);
      seen.add(JSON.stringify([reason, source, reading, same.get(reading)]));
    }
  });
  for (const [reason, count] of counted(seen)) {
    console.log(topic, reason, count, 'readings');
  }
  for (const [reason, count] of counted(undecodable)) {
    console.log(topic, reason, count, 'records');
  }
}
