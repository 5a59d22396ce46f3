/** Records of refused or late readings. Uses Kafka's headers and nothing else of Weir. */
package io.weir.internal.deadletter;
