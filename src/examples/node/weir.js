// What a gateway needs besides a Kafka client and protobuf: the partition, the outbox, the checks.

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createHmac, randomInt } from 'node:crypto';
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

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The reading of a JSON line, as bytes; throws where Weir would refuse it. */
export function readingOf(bytes) {
  const line = UTF_8.decode(bytes);
  const { sensor_id: sensorId, timestamp_ms: timestampMs, value, quality = 0 } = JSON.parse(line);
  const valid =
    typeof sensorId === 'string' &&
    sensorId.length > 0 &&
    Buffer.byteLength(sensorId, 'utf8') <= MAX_ID_BYTES &&
    !/\p{Surrogate}/u.test(sensorId) &&
    Number.isSafeInteger(timestampMs) &&
    timestampMs > 0 &&
    Number.isFinite(value) &&
    [0, 1, 2, 3].includes(quality);
  if (!valid) {
    throw new Error(`no reading: ${line}`);
  }
  return { sensorId, timestampMs, value, quality };
}

/** The lines of a stream, as bytes without their end: text that is no UTF-8 must be seen as such. */
export async function* linesOf(input) {
  let left = Buffer.alloc(0);
  for await (const chunk of input) {
    left = left.length === 0 ? chunk : Buffer.concat([left, chunk]);
    for (let end; (end = left.indexOf(10)) >= 0; left = left.subarray(end + 1)) {
      yield left.subarray(0, end);
    }
  }
  if (left.length > 0) {
    yield left;
  }
}

/** Signs each batch as it is sent, with the key file that weir key gateway printed. */
export class Signer {
  #keyId;
  #key;

  constructor(file, gatewayId) {
    const lines = readFileSync(file, 'utf8').split('\n').filter((line) => line.includes('='));
    const fields = new Map(lines.map((line) => /^([^=]*)=(.*?)\s*$/.exec(line).slice(1)));
    if (fields.get('gateway.id') !== gatewayId) {
      throw new Error(`${file} is the key of ${fields.get('gateway.id')}`);
    }
    this.#keyId = fields.get('key.id');
    this.#key = Buffer.from(fields.get('key'), 'base64');
  }

  headers(topic, partition, value) {
    const number = Buffer.alloc(4);
    number.writeInt32BE(partition);
    const hmac = createHmac('sha256', this.#key);
    hmac.update(`weir-batch-v1\0${topic}\0`).update(number).update(value);
    return { 'weir.signature': `v1,${this.#keyId},${hmac.digest('base64')}` };
  }
}

const HEADER_BYTES = 20;

/**
 * A directory with what is not acknowledged, and the last boot_id. For one process at a time.
 *
 * A file holds the batches that were sealed together and is named bootId-number. Each batch is
 * partition, sequence, length and CRC-32, as numbers of 4, 8, 4 and 4 bytes, and the record's
 * value, byte for byte. A file is synced under another name, then renamed, then the directory is
 * synced: whatever is killed when, a file is whole or not there.
 */
export class Outbox {
  #directory;
  #queues = Array.from({ length: PARTITIONS }, () => []);
  #left = new Map();
  #files = 0;
  #damaged = false;

  constructor(directory) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true });
    const names = readdirSync(directory);
    // Of a process that was killed before the rename.
    names.filter((name) => name.endsWith('.new')).forEach((name) => rmSync(join(directory, name)));
    names
      .map((name) => /^(\d+)-(\d+)$/.exec(name))
      .filter((match) => match)
      .map(([file, bootId, number]) => ({ file, bootId: BigInt(bootId), number: Number(number) }))
      .sort((a, b) => Number(a.bootId - b.bootId) || a.number - b.number)
      .forEach(({ file, bootId }) => {
        this.#enqueue(file, bootId, readFileSync(join(directory, file)));
      });
  }

  /** Larger than any before, whatever the clock says; kept before anything is sent. */
  nextBootId() {
    const kept = join(this.#directory, 'boot_id');
    const last = existsSync(kept) ? BigInt(readFileSync(kept, 'utf8')) : 0n;
    const ofClock = (BigInt(Date.now()) << 20n) | BigInt(randomInt(1 << 20));
    const bootId = ofClock > last ? ofClock : last + 1n;
    this.#write('boot_id', Buffer.from(bootId.toString()));
    return bootId;
  }

  /** Keeps the { partition, sequence, value } of one boot; when it returns they are on disk. */
  put(bootId, batches) {
    const content = Buffer.concat(
      batches.flatMap(({ partition, sequence, value }) => {
        const header = Buffer.alloc(HEADER_BYTES);
        header.writeUInt32BE(partition, 0);
        header.writeBigUInt64BE(BigInt(sequence), 4);
        header.writeUInt32BE(value.length, 12);
        header.writeUInt32BE(crc32(value), 16);
        return [header, value];
      }),
    );
    const file = `${bootId}-${this.#files + 1}`;
    this.#write(file, content);
    this.#files++;
    this.#enqueue(file, bootId, content);
  }

  value({ file, offset, length }) {
    return readFileSync(join(this.#directory, file)).subarray(offset, offset + length);
  }

  /** Removes the oldest batch of its partition; its file goes with the last one in it. */
  remove(batch) {
    this.#queues[batch.partition].shift();
    const left = this.#left.get(batch.file) - 1;
    this.#left.set(batch.file, left);
    if (left === 0) {
      this.#left.delete(batch.file);
      rmSync(join(this.#directory, batch.file));
    }
  }

  oldestOfEachPartition() {
    return this.#queues.filter((queue) => queue.length > 0).map((queue) => queue[0]);
  }

  /** Whether everything of earlier starts is acknowledged: "complete" speaks for that too. */
  hasOnly(bootId, partition) {
    const oldest = this.#queues[partition][0];
    return !this.#damaged && (oldest === undefined || oldest.bootId === bootId);
  }

  isEmpty() {
    return this.#queues.every((queue) => queue.length === 0);
  }

  #enqueue(file, bootId, content) {
    let batches = 0;
    for (let at = 0; at < content.length; ) {
      const length = content.readUInt32BE(at + 12);
      const offset = at + HEADER_BYTES;
      if (crc32(content.subarray(offset, offset + length)) === content.readUInt32BE(at + 16)) {
        const partition = content.readUInt32BE(at);
        const sequence = content.readBigUInt64BE(at + 4);
        this.#queues[partition].push({ partition, bootId, sequence, file, offset, length });
        batches++;
      } else {
        console.error(`damaged, skipped: ${file} at ${at}`);
        this.#damaged = true;
      }
      at = offset + length;
    }
    this.#left.set(file, batches);
  }

  #write(name, content) {
    const path = join(this.#directory, name);
    const file = openSync(`${path}.new`, 'w');
    writeFileSync(file, content);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${path}.new`, path);
    const directory = openSync(this.#directory, 'r');
    fsyncSync(directory);
    closeSync(directory);
  }
}

/** CRC-32 as zlib has it; Node's own came with version 22. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return (crc ^ 0xffffffff) >>> 0;
}
