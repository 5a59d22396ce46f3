/**
 * Tests alarm rules on a recording: windows, status and alarms without Kafka. {@link
 * io.weir.cli.rules.AlarmTrial} applies each reading at its own time. Uses {@code alarm}, {@code
 * reading} and {@code window}.
 */
package io.weir.cli.rules;
