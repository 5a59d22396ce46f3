/** Consumers with bounded memory. Uses Kafka's clients and nothing of Weir. */
package io.weir.internal.fetch;
