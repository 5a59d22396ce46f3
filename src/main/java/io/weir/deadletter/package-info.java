/** Records of what was refused or late. Uses Kafka's headers and nothing of Weir. */
package io.weir.deadletter;
