/**
 * What rules would have said of a recording: windows, status and alarms without Kafka. Uses
 * readings, windows and alarms.
 */
package io.weir.cli.rules;
