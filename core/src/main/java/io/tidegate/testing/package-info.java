/**
 * What tests of limits need, ours and yours: time that moves when told to, and an origin at hand.
 */
package io.tidegate.testing;
