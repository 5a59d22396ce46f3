// Messages in, frames out, and the other way: Confluent's own serializer and deserializer with a
// registry in memory. One JSON object on standard input, one on standard output.
'use strict';
const { createFileRegistry, createMutableRegistry, fromBinary, toBinary } = require('@bufbuild/protobuf');
const { FileDescriptorSetSchema } = require('@bufbuild/protobuf/wkt');
// Not the package's index: that wants clients of key management services.
const { SchemaRegistryClient } = require('@confluentinc/schemaregistry/dist/schemaregistry-client');
const { HeaderSchemaIdSerializer, SerdeType } = require('@confluentinc/schemaregistry/dist/serde/serde');
const { ProtobufDeserializer, ProtobufSerializer } = require('@confluentinc/schemaregistry/dist/serde/protobuf');

const bytes = (text) => Buffer.from(text, 'base64');
const text = (buffer) => Buffer.from(buffer).toString('base64');

async function answer({ files, messages, frames }) {
  const types = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes(files)));
  const client = SchemaRegistryClient.newClient({ baseURLs: ['mock://weir'] });
  const registry = createMutableRegistry(types);
  const conf = { autoRegisterSchemas: true, registry };
  const serializer = new ProtobufSerializer(client, SerdeType.VALUE, conf);
  const toHeader = new ProtobufSerializer(client, SerdeType.VALUE, {
    ...conf,
    schemaIdSerializer: HeaderSchemaIdSerializer,
  });
  const deserializer = new ProtobufDeserializer(client, SerdeType.VALUE, {});
  const written = [];
  for (const { topic, type, payload } of messages) {
    const message = fromBinary(types.getMessage(type), bytes(payload));
    const frame = await serializer.serialize(topic, message);
    const headers = {};
    await toHeader.serialize(topic, message, headers);
    const schema = await client.getLatestSchemaMetadata(topic + '-value');
    written.push({
      frame: text(frame),
      header: text(headers.__value_schema_id),
      schema: schema.schema,
      references: schema.references.map(({ name, subject, version }) => [name, subject, String(version)]),
    });
  }
  const read = [];
  for (const { topic, value } of frames) {
    const message = await deserializer.deserialize(topic, bytes(value));
    read.push({ type: message.$typeName, payload: text(toBinary(types.getMessage(message.$typeName), message)) });
  }
  return { written, read };
}

(async () => {
  let input = '';
  for await (const chunk of process.stdin) input += chunk;
  process.stdout.write(JSON.stringify(await answer(JSON.parse(input))));
})();
