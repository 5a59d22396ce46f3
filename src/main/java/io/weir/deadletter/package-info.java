/** Records of what was refused or late. */
package io.weir.deadletter;
