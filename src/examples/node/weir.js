// What a gateway needs besides a Kafka client and protobuf: the partition, the outbox, the checks.

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';

export const PARTITIONS = 64;
const MAX_ID_BYTES = 256;

/** FNV-1a, 32 bits, of the UTF-8 bytes, modulo 64. */
export function partitionOf(sensorId) {
  let fnv = 0x811c9dc5;
  for (const byte of Buffer.from(sensorId, 'utf8')) {
    fnv = Math.imul(fnv ^ byte, 0x01000193) >>> 0;
  }
  return fnv % PARTITIONS;
}

/** The reading of a JSON line; throws where Weir would refuse it. */
export function readingOf(line) {
  const { sensor_id: sensorId, timestamp_ms: timestampMs, value, quality = 0 } = JSON.parse(line);
  const believable =
    typeof sensorId === 'string' &&
    sensorId.length > 0 &&
    Buffer.byteLength(sensorId, 'utf8') <= MAX_ID_BYTES &&
    !/\p{Surrogate}/u.test(sensorId) &&
    Number.isSafeInteger(timestampMs) &&
    timestampMs > 0 &&
    Number.isFinite(value) &&
    [0, 1, 2, 3].includes(quality);
  if (!believable) {
    throw new Error(`no reading: ${line}`);
  }
  return { sensorId, timestampMs, value, quality };
}

/**
 * A directory with a file for each batch not acknowledged, and one with the last boot_id. A file is
 * named partition-bootId-sequence and holds the record's value, byte for byte.
 */
export class Outbox {
  #directory;
  #queues = Array.from({ length: PARTITIONS }, () => []);

  constructor(directory) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
    readdirSync(directory)
      .map((name) => /^(\d+)-(\d+)-(\d+)$/.exec(name))
      .filter((match) => match)
      .map(([, partition, bootId, sequence]) => ({
        partition: Number(partition),
        bootId: BigInt(bootId),
        sequence: Number(sequence),
      }))
      .sort((a, b) => Number(a.bootId - b.bootId) || a.sequence - b.sequence)
      .forEach((batch) => this.#queues[batch.partition].push(batch));
  }

  /** Larger than any before, whatever the clock says. */
  nextBootId() {
    const kept = join(this.#directory, 'boot_id');
    const last = existsSync(kept) ? BigInt(readFileSync(kept, 'utf8')) : 0n;
    const ofClock = (BigInt(Date.now()) << 20n) | BigInt(randomInt(1 << 20));
    const bootId = ofClock > last ? ofClock : last + 1n;
    this.#write('boot_id', bootId.toString());
    return bootId;
  }

  put(batch, value) {
    this.#write(this.#name(batch), value);
    this.#queues[batch.partition].push(batch);
  }

  value(batch) {
    return readFileSync(join(this.#directory, this.#name(batch)));
  }

  /** Removes the oldest batch of its partition. */
  remove(batch) {
    rmSync(join(this.#directory, this.#name(batch)));
    this.#queues[batch.partition].shift();
  }

  oldestOfEachPartition() {
    return this.#queues.filter((queue) => queue.length > 0).map((queue) => queue[0]);
  }

  #name({ partition, bootId, sequence }) {
    return `${partition}-${bootId}-${sequence}`;
  }

  #write(name, content) {
    const path = join(this.#directory, name);
    const file = openSync(`${path}.new`, 'w');
    writeFileSync(file, content);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${path}.new`, path);
  }
}
