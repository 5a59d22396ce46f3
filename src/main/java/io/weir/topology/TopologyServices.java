package io.weir.topology;

import io.weir.store.ThreadStores;
import java.util.function.LongSupplier;

/**
 * What the topology needs of the process that runs it.
 *
 * @param measures is told what becomes of every record
 * @param elapsedMs a monotonic clock, in milliseconds from anywhere; it decides when to ask for
 *     ticks, and nothing else
 * @param ticks appends ticks
 * @param input tells whether the state belongs to the topic of readings
 * @param control tells what the operators ordered
 * @param stores of each thread, which the producers tell how transactions end
 * @param progress is told what each partition has come to
 */
public record TopologyServices(
    Measures measures,
    LongSupplier elapsedMs,
    Ticks ticks,
    InputLog input,
    ControlLog control,
    ThreadStores stores,
    Progress progress) {}
