// A gateway but for its serializer: JSON lines from standard input to weir.readings, as GATEWAYS.md
// asks for it.
//
//   {"sensor_id": "boiler-3/temperature", "timestamp_ms": 1700000000000, "value": 71.5}
//
//   --gateway-id ID            this gateway's alone
//   --outbox DIR               this gateway's alone: batches that are not acknowledged
//   --bootstrap-servers LIST   --topic NAME   --timeout-ms N
//
// Ends with its input when all is acknowledged, 0; otherwise 1, and the next start sends what is
// left. Every batch stands in the outbox before it is sent and until it is acknowledged.

import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { Outbox, PARTITIONS, partitionOf, readingOf } from './weir.js';

const MAX_READINGS = 1000;
const FLUSH_MS = 20;

/**
 * Runs a gateway to the end of its input, and ends the process.
 *
 * @param options more options, for the serializer
 * @param serializer from all options to a function from a batch to bytes, which may be a promise
 */
export async function run(options, serializer) {
  const { values: args } = parseArgs({
    options: {
      'gateway-id': { type: 'string' },
      outbox: { type: 'string' },
      'bootstrap-servers': { type: 'string', default: 'localhost:9092' },
      topic: { type: 'string', default: 'weir.readings' },
      'timeout-ms': { type: 'string', default: '30000' },
      ...options,
    },
  });
  if (!args['gateway-id'] || !args.outbox) {
    console.error('--gateway-id and --outbox are needed');
    process.exit(2);
  }
  const gateway = new Gateway(args, await serializer(args));
  const complete = await gateway.readAll(process.stdin);
  if (!complete) {
    console.error(`batches left in ${args.outbox}; they go first at the next start`);
  }
  process.exit(complete ? 0 : 1);
}

class Gateway {
  #id;
  #topic;
  #timeoutMs;
  #kafka;
  #producer;
  #serialize;
  #outbox;
  #bootId;
  #sequences = new Array(PARTITIONS).fill(0);
  #open = new Map();
  #unsealed = [];
  #shipping = Promise.resolve();

  constructor(args, serialize) {
    this.#id = args['gateway-id'];
    this.#topic = args.topic;
    this.#timeoutMs = Number(args['timeout-ms']);
    this.#serialize = serialize;
    this.#outbox = new Outbox(args.outbox);
    this.#bootId = this.#outbox.nextBootId();
    this.#kafka = new Kafka({
      clientId: this.#id,
      brokers: args['bootstrap-servers'].split(','),
      logLevel: logLevel.NOTHING,
      connectionTimeout: this.#timeoutMs,
      requestTimeout: this.#timeoutMs,
      retry: { retries: 3 },
    });
  }

  /** Whether the brokers have everything. */
  async readAll(input) {
    this.#ship(); // What an earlier start has left goes first.
    let timer;
    for await (const line of createInterface({ input })) {
      try {
        if (this.#add(readingOf(line)) === MAX_READINGS) {
          await this.#ship();
        }
      } catch (error) {
        console.error(`bad line: ${error.message}`);
      }
      timer ??= setTimeout(() => {
        timer = undefined;
        this.#ship();
      }, FLUSH_MS);
    }
    clearTimeout(timer);
    const complete = await this.#ship();
    await this.#producer?.disconnect();
    return complete;
  }

  /** How many readings the partition has open. */
  #add(reading) {
    const partition = partitionOf(reading.sensorId);
    const readings = this.#open.get(partition) ?? [];
    this.#open.set(partition, readings);
    return readings.push(reading);
  }

  /** Seals what is open, in the order of sequences, and sends the outbox, one call at a time. */
  #ship() {
    for (const [partition, readings] of this.#open) {
      this.#unsealed.push({ partition, sequence: ++this.#sequences[partition], readings });
    }
    this.#open.clear();
    this.#shipping = this.#shipping.then(async () => {
      try {
        await this.#seal();
        await this.#send();
        return true;
      } catch (error) {
        console.error(`not acknowledged: ${error.message}`);
        await this.#producer?.disconnect().catch(() => {});
        this.#producer = undefined; // The next one sends what this one left.
        return false;
      }
    });
    return this.#shipping;
  }

  /** Puts batches into the outbox; one that cannot be serialised yet waits for the next call. */
  async #seal() {
    for (let batch; (batch = this.#unsealed[0]); this.#unsealed.shift()) {
      const { partition, sequence } = batch;
      const bootId = this.#bootId;
      const value = await this.#serialize({ gatewayId: this.#id, bootId, ...batch });
      this.#outbox.put({ partition, bootId, sequence }, value);
    }
  }

  /**
   * Each turn takes the oldest batch of every partition and waits for the brokers, so that nothing
   * overtakes.
   */
  async #send() {
    for (let turn; (turn = this.#outbox.oldestOfEachPartition()).length > 0; ) {
      this.#producer ??= await this.#connected();
      await this.#producer.send({
        topic: this.#topic,
        acks: -1,
        timeout: this.#timeoutMs,
        compression: CompressionTypes.GZIP,
        messages: turn.map((batch) => ({
          key: this.#id,
          partition: batch.partition,
          value: this.#outbox.value(batch),
        })),
      });
      turn.forEach((batch) => this.#outbox.remove(batch));
    }
  }

  async #connected() {
    const producer = this.#kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
    await producer.connect();
    return producer;
  }
}
