/**
 * Jobs of Apache Flink that make Weir's windows, to be measured beside it: not a part of Weir.
 * Elements that Flink passes on are its POJOs: public, with public fields and an empty constructor.
 */
package io.weir.peers;
