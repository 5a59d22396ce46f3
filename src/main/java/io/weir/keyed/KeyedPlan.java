package io.weir.keyed;

import io.weir.internal.topology.ControlLog;
import io.weir.internal.topology.EventSettings;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Parameters of the topology of handlers.
 *
 * @param topic the input
 * @param handlers creates the handler of a key
 * @param retries of events whose calls fail
 * @param idleMs inactivity after which a key ends
 * @param times limits the time of calls
 * @param begins runs when a task starts, before it emits anything
 * @param stop ends the application with a reason
 * @param control the orders of operators
 * @param events limits, formats and topics, as for all events
 */
record KeyedPlan(
    String topic,
    Supplier<? extends KeyHandler> handlers,
    StartOn startOn,
    OnFailure onFailure,
    Retries retries,
    long idleMs,
    Outputs outputs,
    KeyedLimits limits,
    CallTimes times,
    Runnable begins,
    Consumer<String> stop,
    ControlLog control,
    EventSettings events) {}
