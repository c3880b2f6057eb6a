// The console of a node: connects the stream of states with the panels.

import { Api, ApiError } from "./api.js";
import { DecisionsPanel } from "./decisions.js";
import { DenialsPanel } from "./denials.js";
import { byId } from "./dom.js";
import { StateStream } from "./events.js";
import { RootKey, WorkspaceFields } from "./fields.js";
import { FleetPanel } from "./fleet.js";
import { Header } from "./header.js";
import { IdentifierPanel } from "./identifier.js";
import { Model } from "./model.js";
import { NamespacesPanel } from "./namespaces.js";
import { OverridesPanel } from "./overrides.js";
import { RulesPanel } from "./rules.js";
import { askForToken, prepareTokenDialog } from "./token.js";
import { TryPanel } from "./tryit.js";

const header = new Header();
const model = new Model();
const rootKey = new RootKey();
const api = new Api((message) => {
  header.connection("unauthorized", new ApiError(401, "the node asks for its admin token"));
  return askForToken(message);
});

const overrides = new OverridesPanel(api, rootKey);
const tryIt = new TryPanel(api, rootKey);
const identifier = new IdentifierPanel(api, (subject) => overrides.edit(subject));

function openIdentifier(subject) {
  identifier.open(subject);
  overrides.show(subject);
  tryIt.fill(subject);
}

function openOverrides(subject) {
  overrides.show(subject);
  byId("overrides").scrollIntoView({ block: "nearest" });
}

const panels = [
  header,
  new WorkspaceFields(),
  new FleetPanel(),
  new DecisionsPanel(),
  new NamespacesPanel(openIdentifier, openOverrides),
  new DenialsPanel(openIdentifier),
  new RulesPanel(),
];

let frame = null;

/** Renders once per frame, however many states arrive. A panel that fails does not stop the others. */
function accept(state) {
  model.accept(state);
  frame ??= requestAnimationFrame(() => {
    frame = null;
    for (const panel of panels) {
      try {
        panel.update(model);
      } catch (error) {
        reportError(error);
      }
    }
  });
}

prepareTokenDialog();
const stream = new StateStream(api, accept, (state, error) => header.connection(state, error));
byId("enter-token").addEventListener("click", () => stream.restart());
stream.start();
