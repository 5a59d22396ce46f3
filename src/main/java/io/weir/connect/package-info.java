/**
 * Summaries as structs of Kafka Connect; a jar of its own. Uses {@code summary}; needs connect-api.
 */
package io.weir.connect;
