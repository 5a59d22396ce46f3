/**
 * The topics as declarations, their settings and checks, and the partition of a sensor. Uses {@code
 * reading}, messages and Kafka's admin client.
 */
package io.weir.topic;
