// Calls of the console's API. Names chosen by clients travel in bodies only, never in a URL.

const TOKEN = "tidegate.admin-token";

/** An answer of the API other than success, or none (status 0); the message is for people. */
export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Sends requests with the admin token, if there is one. On 401 it asks for a token once for all waiting calls, with
 * `askForToken(message)`, which resolves to null if the user declines.
 */
export class Api {
  #askForToken;
  #asking = null;

  constructor(askForToken) {
    this.#askForToken = askForToken;
  }

  /** Posts a body. A root key, where the call needs one, is sent with this call only. */
  async post(path, body, rootKey) {
    const headers = { "Content-Type": "application/json" };
    if (rootKey !== undefined) {
      headers["X-Root-Key"] = rootKey;
    }
    const response = await this.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return response.json();
  }

  async get(path) {
    return (await this.fetch(path)).json();
  }

  /** Returns a successful response, or throws an ApiError. */
  async fetch(path, options = {}) {
    for (;;) {
      const token = sessionStorage.getItem(TOKEN);
      const response = await this.#send(path, options, token);
      if (response.ok) {
        return response;
      }
      const error = await errorOf(response);
      if (error.status !== 401) {
        throw error;
      }
      if (sessionStorage.getItem(TOKEN) === token) {
        await this.#replaceToken(token === null ? null : error.message, error);
      }
    }
  }

  async #send(path, options, token) {
    const headers = { ...options.headers };
    if (token !== null) {
      headers.Authorization = `Bearer ${token}`;
    }
    try {
      return await fetch(new URL(path, import.meta.url), {
        ...options,
        headers,
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
      });
    } catch (error) {
      // Browsers report every failure of the network as a TypeError, with texts of their own.
      throw error instanceof TypeError ? new ApiError(0, "the node does not answer") : error;
    }
  }

  async #replaceToken(message, error) {
    this.#asking ??= this.#askForToken(message).finally(() => {
      this.#asking = null;
    });
    const token = await this.#asking;
    if (token === null) {
      throw error;
    }
    sessionStorage.setItem(TOKEN, token);
  }
}

async function errorOf(response) {
  let message = `${response.status} ${response.statusText}`.trim();
  try {
    message = (await response.json()).error ?? message;
  } catch {
    // Not JSON, such as an answer of a proxy: the status says enough.
  }
  return new ApiError(response.status, message);
}
