/**
 * What a consumer takes from brokers, and how much of it at once. Uses Kafka's clients and nothing
 * of Weir.
 */
package io.weir.fetch;
