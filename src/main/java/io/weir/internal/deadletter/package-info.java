/**
 * Records of refused or late readings. {@link io.weir.internal.deadletter.DeadLetterHeaders}
 * defines their headers. Uses Kafka's headers and nothing else of Weir.
 */
package io.weir.internal.deadletter;
