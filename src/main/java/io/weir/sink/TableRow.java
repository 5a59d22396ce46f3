package io.weir.sink;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A row to be written.
 *
 * @param record that it was made of
 * @param generation of the record's topic
 * @param key its primary key
 * @param bytes as COPY takes them; not to be changed
 * @param day whose partition it belongs to, in days since 1970-01-01 (UTC)
 * @param rank of rows with one key the one with the largest is the newest
 */
record TableRow(
    ConsumerRecord<byte[], byte[]> record,
    int generation,
    RowKey key,
    byte[] bytes,
    int day,
    long rank) {}
