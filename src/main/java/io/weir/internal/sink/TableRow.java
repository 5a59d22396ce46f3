package io.weir.internal.sink;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A row.
 *
 * @param record its record
 * @param generation generation of the record's topic
 * @param key its primary key
 * @param bytes in the format of COPY; not to be changed
 * @param day day of its partition, in days since 1970-01-01 (UTC)
 * @param rank order of rows with one key: the largest is the newest
 */
record TableRow(
    ConsumerRecord<byte[], byte[]> record,
    int generation,
    RowKey key,
    byte[] bytes,
    int day,
    long rank) {}
