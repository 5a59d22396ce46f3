/**
 * The topics and their partitions. Programs use {@link io.weir.topic.SensorPartition}, the
 * partition of a sensor. In Weir, {@link io.weir.topic.Topic} declares each topic with its
 * settings, readers and writers; {@link io.weir.topic.TopicAdmin} creates and compares them. Uses
 * {@code reading}, messages and Kafka's admin client.
 */
package io.weir.topic;
