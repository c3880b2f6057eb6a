// The dialog that asks for the admin token.

import { byId, setMessage } from "./dom.js";

/** Resolves to a token, or to null if the user cancels. */
export function askForToken(message) {
  const dialog = byId("token-dialog");
  const input = byId("token-input");
  setMessage(byId("token-error"), message);
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener(
      "close",
      () => {
        const token = dialog.returnValue === "token" ? input.value.trim() : null;
        input.value = "";
        resolve(token);
      },
      { once: true },
    );
  });
}

/** Connects the buttons of the dialog. A header cannot carry other characters than visible ASCII. */
export function prepareTokenDialog() {
  byId("token-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (/^[\x21-\x7E]+$/.test(byId("token-input").value.trim())) {
      byId("token-dialog").close("token");
    } else {
      setMessage(byId("token-error"), "Enter the token: printable ASCII characters without spaces.");
    }
  });
  byId("token-cancel").addEventListener("click", () => byId("token-dialog").close());
}
