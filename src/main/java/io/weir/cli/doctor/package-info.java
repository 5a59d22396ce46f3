/**
 * What is wrong with a cluster and its processes. Uses their pages and Kafka's admin client, and
 * changes nothing.
 */
package io.weir.cli.doctor;
