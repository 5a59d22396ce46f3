// A gateway but for its serializer: JSON lines from standard input to weir.readings, as docs/gateways.md
// asks for it.
//
//   {"sensor_id": "boiler-3/temperature", "timestamp_ms": 1700000000000, "value": 71.5}
//
//   --gateway-id ID            this gateway's alone
//   --outbox DIR               this gateway's alone: batches that are not acknowledged
//   --bootstrap-servers LIST   --topic NAME   --timeout-ms N
//   --split vib-1=8,...        publish a sensor that is too much for one partition as vib-1/1 to vib-1/8
//   --key-file FILE            sign batches with it; weir key gateway prints it
//   --ordered                  each sensor reports in the order of time, and no other gateway
//                              publishes it: say so, and windows are final without waiting for grace
//
// Ends with its input when all is acknowledged, 0; otherwise 1, and the next start sends what is
// left. Every batch is in the outbox before it is sent and until it is acknowledged.

import { parseArgs } from 'node:util';
import { CompressionTypes, Kafka, logLevel } from 'kafkajs';
import { Outbox, PARTITIONS, Signer, linesOf, partitionOf, readingOf } from './weir.js';

const MAX_READINGS = 1000;
const FLUSH_MS = 20;
const MOST_UNSEALED = 2 * PARTITIONS;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

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
      ordered: { type: 'boolean', default: false },
      'key-file': { type: 'string' },
      split: { type: 'string', default: '' },
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
  #serialize;
  #outbox;
  #bootId;
  #sequences = new Array(PARTITIONS).fill(0);
  #open = new Map();
  #isOrdered;
  #signer;
  #newest = new Map();
  #splits;
  #unsealed = [];
  #sealing = Promise.resolve();
  #pauses = new Map();
  #sleepers = [];
  #endAt = Infinity;

  constructor(args, serialize) {
    this.#id = args['gateway-id'];
    this.#topic = args.topic;
    this.#timeoutMs = Number(args['timeout-ms']);
    this.#isOrdered = args.ordered;
    this.#splits = splitsOf(args.split);
    this.#serialize = serialize;
    this.#signer = args['key-file'] && new Signer(args['key-file'], this.#id);
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
    // What an earlier start has left goes first.
    const sending = [false, true].map((single) => this.#sendAll({ single }));
    const timer = setInterval(() => this.#seal(), FLUSH_MS);
    for await (const line of linesOf(input)) {
      if (line.length === 0) {
        continue;
      }
      try {
        if (this.#add(readingOf(line)) === MAX_READINGS) {
          await this.#seal();
        }
      } catch (error) {
        console.error(`bad line: ${error.message}`);
      }
      // The disk is full, or the registry away: no more is read than fits the memory.
      while (this.#unsealed.length > MOST_UNSEALED) {
        await this.#sleepUntil(Date.now() + FIRST_PAUSE_MS);
      }
    }
    clearInterval(timer);
    await this.#seal();
    const lastTry = Date.now() + this.#timeoutMs;
    while (this.#unsealed.length > 0 && Date.now() < lastTry) {
      await this.#sleepUntil(Date.now() + FIRST_PAUSE_MS);
      await this.#seal();
    }
    if (this.#unsealed.length > 0) {
      console.error(`${this.#unsealed.length} batches lost: they could not be kept`);
    }
    this.#endAt = Date.now() + this.#timeoutMs;
    this.#wakeAll();
    await Promise.all(sending);
    return this.#outbox.isEmpty() && this.#unsealed.length === 0;
  }

  /** How many readings the partition has open. */
  #add(reading) {
    reading.sensorId = this.#publishedAs(reading.sensorId);
    const partition = partitionOf(reading.sensorId);
    const readings = this.#open.get(partition) ?? [];
    this.#open.set(partition, readings);
    return readings.push(reading);
  }

  /** The sensor's id, or that of the part whose turn it is where it is published as several. */
  #publishedAs(sensorId) {
    const split = this.#splits.get(sensorId);
    if (!split) {
      return sensorId;
    }
    split.turn = (split.turn % split.parts) + 1;
    return `${sensorId}/${split.turn}`;
  }

  /**
   * Puts what is open on disk, in the order of sequences and whatever the brokers do: from then on
   * it cannot be lost. What cannot be serialised yet waits for the next call.
   */
  #seal() {
    for (const [partition, readings] of this.#open) {
      const ordered = this.#inOrder(readings) && this.#outbox.hasOnly(this.#bootId, partition);
      const sequence = ++this.#sequences[partition];
      this.#unsealed.push({ partition, sequence, readings, ordered });
    }
    this.#open.clear();
    this.#sealing = this.#sealing.then(() => this.#keep());
    return this.#sealing;
  }

  /** Whether the sensors are ordered, and no reading is older than one of its sensor before it. */
  #inOrder(readings) {
    let inOrder = this.#isOrdered;
    for (const { sensorId, timestampMs } of this.#isOrdered ? readings : []) {
      const newest = this.#newest.get(sensorId) ?? 0;
      inOrder &&= timestampMs >= newest;
      this.#newest.set(sensorId, Math.max(newest, timestampMs));
    }
    return inOrder;
  }

  async #keep() {
    const batches = this.#unsealed;
    if (batches.length === 0) {
      return;
    }
    try {
      const kept = [];
      for (const batch of batches) {
        const whole = { gatewayId: this.#id, bootId: this.#bootId, ...batch };
        batch.value ??= Buffer.from(await this.#serialize(whole));
        kept.push(batch);
      }
      this.#outbox.put(this.#bootId, kept);
      // Others may have come while this waited.
      this.#unsealed = this.#unsealed.slice(kept.length);
      this.#wakeAll();
    } catch (error) {
      console.error(`not kept yet: ${error.message}`);
    }
  }

  /**
   * Sends what one of two senders is for, until the input has ended and all of it is acknowledged,
   * or the time after it is over. One batch of a partition is under way at a time, so that nothing
   * overtakes.
   *
   * The first sends for all partitions that get on, at once. Where that fails they are the second's,
   * which sends for one partition at a time: a batch that is refused, or a partition without a
   * leader, costs no other, and what is acknowledged is removed.
   */
  async #sendAll(sender) {
    while (Date.now() < this.#endAt) {
      const left = this.#outbox.oldestOfEachPartition();
      const own = left.filter(({ partition }) => this.#pauses.has(partition) === sender.single);
      const due = own.filter(({ partition }) => this.#retryAt(partition) <= Date.now());
      const batches = sender.single ? due.slice(0, 1) : due;
      if (batches.length > 0) {
        (await this.#trySend(sender, batches)) ? this.#sent(batches) : this.#failed(batches);
      } else if (left.length === 0 && this.#endAt < Infinity) {
        break;
      } else {
        await this.#sleepUntil(Math.min(...own.map((b) => this.#retryAt(b.partition)), this.#endAt));
      }
    }
    await sender.producer?.disconnect().catch(() => {});
  }

  async #trySend(sender, batches) {
    try {
      sender.producer ??= await this.#connected();
      await sender.producer.send({
        topic: this.#topic,
        acks: -1,
        timeout: this.#timeoutMs,
        compression: CompressionTypes.GZIP,
        messages: batches.map((batch) => this.#message(batch)),
      });
      return true;
    } catch (error) {
      console.error(`not acknowledged: ${error.message}`);
      await sender.producer?.disconnect().catch(() => {});
      sender.producer = undefined; // The next one sends the same bytes.
      return false;
    }
  }

  #message(batch) {
    const { partition } = batch;
    const value = this.#outbox.value(batch);
    const headers = this.#signer?.headers(this.#topic, partition, value);
    return { key: this.#id, partition, value, headers };
  }

  #sent(batches) {
    for (const batch of batches) {
      this.#outbox.remove(batch);
      this.#pauses.delete(batch.partition);
    }
    this.#wakeAll();
  }

  #failed(batches) {
    for (const { partition } of batches) {
      const ms = Math.min(LONGEST_PAUSE_MS, 2 * (this.#pauses.get(partition)?.ms ?? FIRST_PAUSE_MS));
      const first = batches.length > 1;
      this.#pauses.set(partition, { ms, until: first ? 0 : Date.now() + ms * jitter() });
    }
    this.#wakeAll();
  }

  #retryAt(partition) {
    return this.#pauses.get(partition)?.until ?? 0;
  }

  /** Sleeps until that time, or until somebody has something new. */
  async #sleepUntil(time) {
    let timer;
    await new Promise((wake) => {
      this.#sleepers.push(wake);
      if (time < Infinity) {
        timer = setTimeout(wake, Math.max(0, time - Date.now()));
      }
    });
    clearTimeout(timer);
  }

  #wakeAll() {
    this.#sleepers.splice(0).forEach((wake) => wake());
  }

  async #connected() {
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
    });
    await producer.connect();
    return producer;
  }
}

/** vib-1=8,vib-2=4 as a map. */
function splitsOf(text) {
  const pairs = text.split(',').filter((pair) => pair !== '');
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      return [pair.slice(0, at), { parts: Number(pair.slice(at + 1)), turn: 0 }];
    }),
  );
}

/** A share of a pause, so that gateways that failed together do not come back together. */
function jitter() {
  return 0.5 + Math.random() / 2;
}
