/** What tests of limits need, ours and yours: time that moves when told to. */
package io.tidegate.testing;
