/**
 * Groups of sensors. {@link io.weir.internal.group.Groups} merges the windows of a group's sensors
 * and emits them after a quiet period. No Kafka. Uses {@code window}.
 */
package io.weir.internal.group;
