/** What is wrong with a cluster and its processes. Looks at both, and changes neither. */
package io.weir.cli.doctor;
