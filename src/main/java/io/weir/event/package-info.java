/**
 * Events of keys: what is accepted of them, when scheduled ones are due, what many of them come to.
 * Uses {@code reading}; no Kafka.
 */
package io.weir.event;
