/**
 * The table of what a hostile writer may send: each part of a record, an outbox row, a request and
 * an MQTT message at its limits, alone and in pairs; and a scripted MQTT broker. Uses {@code
 * deadletter}, {@code topic} and {@code wire}, for names, and nothing else.
 */
package io.weir.lab.hostile;
