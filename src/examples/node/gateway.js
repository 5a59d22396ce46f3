#!/usr/bin/env node
// A gateway that writes bare protobuf. See run.js for its options; one more:
//
//   --proto DIR   where weir/v1/readings.proto is

import protobuf from 'protobufjs';
import { run } from './run.js';

await run({ proto: { type: 'string', default: 'proto' } }, async ({ proto }) => {
  const root = await protobuf.load(`${proto}/weir/v1/readings.proto`);
  const ReadingBatch = root.lookupType('weir.v1.ReadingBatch');
  // 64 bits are more than a number holds: boot_id goes as text.
  return ({ bootId, ...batch }) =>
    ReadingBatch.encode(ReadingBatch.fromObject({ ...batch, bootId: `${bootId}` })).finish();
});
