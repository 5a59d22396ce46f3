/**
 * Diagnoses a cluster and its processes. Uses {@code app}, {@code deadletter}, {@code fetch},
 * {@code sink}, {@code summary}, {@code text}, {@code topic} and {@code wire}, pages of processes
 * and Kafka's admin client, and changes nothing.
 */
package io.weir.cli.doctor;
