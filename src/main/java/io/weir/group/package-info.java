/**
 * Groups of sensors: what the windows of their sensors come to, and when that is emitted. Uses
 * {@code window}; no Kafka.
 */
package io.weir.group;
