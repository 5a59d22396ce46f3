/**
 * Readings, the rules that accept or refuse them, and the reasons for refusal. Programs use {@link
 * io.weir.reading.Reading}. In Weir, {@link io.weir.reading.ReadingJudge} judges a reading, and
 * {@link io.weir.reading.Gateways} judges a batch by its gateway, boot id and sequence. Uses plain
 * Java only.
 */
package io.weir.reading;
