/**
 * Status of sensors and alarms: rules, how windows and silence are held against them, and what of
 * it is kept with a sensor. Uses windows, and a library for YAML where it reads rules.
 */
package io.weir.alarm;
