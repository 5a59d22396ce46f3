/**
 * What rules would have said of a recording: windows, status and alarms without Kafka. Uses {@code
 * alarm}, {@code reading} and {@code window}.
 */
package io.weir.cli.rules;
