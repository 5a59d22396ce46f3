/**
 * Diagnoses a cluster and its processes. {@link io.weir.cli.doctor.Doctor} runs the checks; each
 * implements {@link io.weir.cli.doctor.Check} and returns findings with a severity and a remedy.
 * Nothing is changed. Uses {@code app}, {@code deadletter}, {@code fetch}, {@code sink}, {@code
 * summary}, {@code text}, {@code topic} and {@code wire}, pages of processes and Kafka's admin
 * client.
 */
package io.weir.cli.doctor;
