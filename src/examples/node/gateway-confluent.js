#!/usr/bin/env node
// A gateway that writes Confluent's wire format with Confluent's own serializer. See run.js for its
// options; two more:
//
//   --descriptors FILE   protoc -I proto --descriptor_set_out=FILE weir/v1/readings.proto
//   --registry URL       the schema registry; mock:// needs none, and gives ids that nobody checks

import { readFileSync } from 'node:fs';
import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { ProtobufSerializer, SchemaRegistryClient, SerdeType } from '@confluentinc/schemaregistry';
import { run } from './run.js';

const options = {
  descriptors: { type: 'string', default: 'weir.binpb' },
  registry: { type: 'string', default: 'mock://' },
};
await run(options, async ({ descriptors, registry, topic }) => {
  const files = createFileRegistry(fromBinary(FileDescriptorSetSchema, readFileSync(descriptors)));
  const schema = files.getMessage('weir.v1.ReadingBatch');
  const serializer = new ProtobufSerializer(
    SchemaRegistryClient.newClient({ baseURLs: [registry] }),
    SerdeType.VALUE,
    { autoRegisterSchemas: true },
  );
  serializer.registry.add(schema);
  return ({ gatewayId, bootId, sequence, readings, ordered }) =>
    serializer.serialize(
      topic,
      create(schema, {
        gatewayId,
        bootId,
        sequence: BigInt(sequence),
        readings: readings.map((r) => ({ ...r, timestampMs: BigInt(r.timestampMs) })),
        ordered,
      }),
    );
});
