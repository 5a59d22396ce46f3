package io.weir.keyed;

import io.weir.topology.EventSettings;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the topology of handlers is built from.
 *
 * @param topic the input
 * @param handlers makes the object of a key
 * @param idleMs silence after which a key ends
 * @param times for how long calls may run
 * @param begins is run when a task begins, before it emits anything
 * @param stop ends the application, for a reason
 * @param events limits, formats and topics, as for all events
 */
record KeyedPlan(
    String topic,
    Supplier<? extends KeyHandler> handlers,
    StartOn startOn,
    OnFailure onFailure,
    long idleMs,
    Outputs outputs,
    KeyedLimits limits,
    CallTimes times,
    Runnable begins,
    Consumer<String> stop,
    EventSettings events) {}
