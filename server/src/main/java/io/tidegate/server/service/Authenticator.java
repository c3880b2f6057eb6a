package io.tidegate.server.service;

import io.tidegate.server.catalog.Caller;
import io.tidegate.server.catalog.CatalogFollower;
import io.tidegate.server.service.Refusal.Reason;

/** Finds the caller of a request by its root key. Never waits. Safe for use by many threads. */
final class Authenticator {

  private final CatalogFollower catalog;

  Authenticator(CatalogFollower catalog) {
    this.catalog = catalog;
  }

  Step<Caller> authenticate(ServiceRequest request) {
    RootKeySecret rootKey = request.rootKey();
    if (rootKey == null) {
      return refuse(Reason.MISSING_KEY);
    }
    if (!catalog.isKnown()) {
      return refuse(Reason.CATALOG_NOT_READ);
    }
    Caller caller = catalog.directory().find(rootKey.hash());
    if (caller == null) {
      return refuse(Reason.UNKNOWN_KEY);
    }
    if (!caller.enabled()) {
      return refuse(Reason.KEY_DISABLED);
    }
    return caller.workspace().enabled()
        ? Step.finished(new ServiceResult.Success<>(caller, null))
        : refuse(Reason.WORKSPACE_DISABLED);
  }

  private static Step<Caller> refuse(Reason reason) {
    return Step.finished(new ServiceResult.Refused<>(reason, null));
  }
}
