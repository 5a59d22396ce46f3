/**
 * Faults by seed on real processes, and the oracle that says whether everything stayed exact. Uses
 * everything but commands.
 */
package io.weir.lab.chaos;
