/**
 * Events of keys. {@link io.weir.internal.event.EventJudge} accepts or refuses them, {@link
 * io.weir.internal.event.Timers} holds scheduled events, {@link io.weir.internal.event.Folds}
 * merges the events of a key. No Kafka. Uses {@code reading}.
 */
package io.weir.internal.event;
