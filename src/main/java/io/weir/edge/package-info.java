/**
 * The publisher that gateways embed. It needs kafka-clients, protobuf-java, micrometer-core and
 * slf4j-api, and nothing else.
 */
package io.weir.edge;
