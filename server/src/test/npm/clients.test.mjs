// Runs the clients of the npm registry against a server. NpmClientsTest starts both and says where the server is.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Overrides, Ratelimit } from "@unkey/ratelimit";
import * as newest from "@unkey/api";
import * as newestErrors from "@unkey/api/models/errors";
import * as wrapped from "unkey-api-2.2"; // the one that @unkey/ratelimit uses
import * as wrappedErrors from "unkey-api-2.2/models/errors";

const url = process.env.TIDEGATE_URL;
const prefixedUrl = process.env.TIDEGATE_PREFIXED_URL;
const prefixedKey = process.env.TIDEGATE_PREFIXED_KEY;
const rootKey = process.env.TIDEGATE_KEY;
const limitOnlyKey = process.env.TIDEGATE_LIMIT_ONLY_KEY;
const throttledKey = process.env.TIDEGATE_THROTTLED_KEY;

const MONTH = 2_592_000_000; // so that no window ends meanwhile

// How often a client asked the server.
let calls = 0;
const realFetch = globalThis.fetch;
globalThis.fetch = (...request) => {
  calls++;
  return realFetch(...request);
};

async function failure(promise) {
  try {
    await promise;
  } catch (e) {
    return e;
  }
  throw new assert.AssertionError({ message: "expected a failure" });
}

// 2.2 returns the answer itself, later ones a page that knows the next one.
const answerOf = (listed) => listed.result ?? listed;

describe("@unkey/ratelimit", () => {
  const limiter = (options) =>
    new Ratelimit({ rootKey, baseUrl: url, namespace: "npm", limit: 3, duration: "30d", ...options });

  test("counts down", async () => {
    const before = Date.now();
    const first = await limiter().limit("counts");
    assert.equal(first.success, true);
    assert.equal(first.limit, 3);
    assert.equal(first.remaining, 2);
    assert.ok(first.reset > before && first.reset <= before + MONTH);
    assert.equal("overrideId" in first, false);
    assert.equal((await limiter().limit("counts", { cost: 2 })).remaining, 0);
    assert.equal((await limiter().limit("counts", { cost: 0 })).success, true);
  });

  test("is told its own limit for one request", async () => {
    const answer = await limiter().limit("own", { limit: { limit: 7, duration: "1h" }, cost: 3 });
    assert.equal(answer.limit, 7);
    assert.equal(answer.remaining, 4);
  });

  test("remembers a denial until its reset, and asks no more", async () => {
    const remembering = limiter();
    await remembering.limit("denied", { cost: 3 });
    const denied = await remembering.limit("denied");
    assert.equal(denied.success, false);
    assert.equal(denied.remaining, 0);
    assert.ok(denied.reset > Date.now());
    calls = 0;
    assert.deepEqual(await remembering.limit("denied"), denied);
    assert.deepEqual(await remembering.limit("denied", { cost: 0 }), denied);
    assert.equal(calls, 0);
    assert.equal((await remembering.limit("another")).success, true);
    assert.equal(calls, 1);
  });

  test("asks again after the reset", async () => {
    const short = limiter({ limit: 1, duration: "1s" });
    let denied;
    do {
      denied = await short.limit("short"); // a window may end between two
    } while (denied.success);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, denied.reset - Date.now()) + 1));
    calls = 0;
    await short.limit("short");
    assert.equal(calls, 1);
  });

  test("hands errors to onError, or throws them", async () => {
    const broken = { rootKey: "nobody" };
    assert.equal((await failure(limiter(broken).limit("x"))).statusCode, 401);
    const otherwise = { success: true, limit: 0, remaining: 0, reset: 0 };
    const seen = [];
    const answer = await limiter({
      ...broken,
      onError: (error, identifier) => {
        seen.push([error.message, identifier]);
        return otherwise;
      },
    }).limit("x");
    assert.equal(answer, otherwise);
    assert.equal(seen.length, 1);
    assert.equal(seen[0][1], "x");
  });

  test("works behind a path prefix", async () => {
    for (const baseUrl of [prefixedUrl, prefixedUrl + "/"]) {
      assert.equal((await limiter({ baseUrl, rootKey: prefixedKey }).limit("prefix")).success, true);
    }
    const overrides = new Overrides({ rootKey: prefixedKey, baseUrl: prefixedUrl });
    const listed = await overrides.listOverrides({ namespace: "npm" });
    assert.ok(Array.isArray(answerOf(listed).data));
  });

  test("sets, gets, lists and deletes overrides", async () => {
    const namespace = "npm overrides";
    const overrides = new Overrides({ rootKey, baseUrl: url });
    const overridden = limiter({ namespace });
    await overridden.limit("vip");

    const set = await overrides.setOverride({ namespace, identifier: "v*", limit: 50, duration: MONTH });
    const overrideId = set.data.overrideId;
    assert.match(overrideId, /^rlor_/);
    const answer = await overridden.limit("vip");
    assert.equal(answer.limit, 50);
    assert.equal(answer.overrideId, overrideId);

    const expected = { overrideId, identifier: "v*", limit: 50, duration: MONTH };
    assert.deepEqual((await overrides.getOverride({ namespace, identifier: "v*" })).data, expected);
    assert.deepEqual((await overrides.getOverride({ namespace, identifier: "vip" })).data, expected);
    const listed = await overrides.listOverrides({ namespace });
    assert.deepEqual(answerOf(listed).data, [expected]);
    assert.equal(answerOf(listed).pagination.hasMore, false);

    await overrides.deleteOverride({ namespace, identifier: "v*" });
    assert.equal((await failure(overrides.getOverride({ namespace, identifier: "v*" }))).statusCode, 404);
    assert.equal((await overridden.limit("vip")).limit, 3);
  });
});

for (const [name, { Unkey }, errors] of [
  ["2.5", newest, newestErrors],
  ["2.2", wrapped, wrappedErrors],
]) {
  describe(`@unkey/api ${name}`, () => {
    const client = (key = rootKey) => new Unkey({ rootKey: key, serverURL: url }).ratelimit;
    const namespace = `api ${name}`;
    const request = (identifier, others) => ({ namespace, identifier, limit: 3, duration: MONTH, ...others });

    test("limits", async () => {
      const answer = await client().limit(request("limits"));
      assert.match(answer.meta.requestId, /^req_/);
      assert.equal(answer.data.success, true);
      assert.equal(answer.data.remaining, 2);
      const denied = await client().limit(request("limits", { cost: 3 }));
      assert.equal(denied.data.success, false);
    });

    test("limits several at once, all or nothing", async () => {
      const passed = await client().multiLimit([request("a"), request("b", { cost: 3 })]);
      assert.equal(passed.data.passed, true);
      assert.deepEqual(passed.data.limits.map((limit) => limit.remaining), [2, 0]);
      assert.deepEqual(passed.data.limits.map((limit) => limit.identifier), ["a", "b"]);
      assert.deepEqual(passed.data.limits.map((limit) => limit.namespace), [namespace, namespace]);
      const denied = await client().multiLimit([request("a"), request("b")]);
      assert.equal(denied.data.passed, false);
      assert.deepEqual(denied.data.limits.map((limit) => limit.passed), [true, false]);
      assert.deepEqual(denied.data.limits.map((limit) => limit.remaining), [2, 0]);
    });

    test("goes through the pages of a list", async () => {
      const ids = [];
      for (let i = 0; i < 5; i++) {
        const set = await client().setOverride({ namespace, identifier: `page ${i}`, limit: i, duration: 1000 });
        ids.push(set.data.overrideId);
      }
      ids.sort();
      const listed = [];
      let cursor;
      do {
        const page = answerOf(await client().listOverrides({ namespace, limit: 2, cursor }));
        assert.ok(page.data.length <= 2);
        listed.push(...page.data.map((override) => override.overrideId));
        cursor = page.pagination.cursor;
        assert.equal(page.pagination.hasMore, cursor !== undefined);
      } while (cursor);
      assert.deepEqual(listed, ids);

      const first = await client().listOverrides({ namespace, limit: 2 });
      if (Symbol.asyncIterator in first) {
        const iterated = [];
        for await (const page of first) {
          iterated.push(...page.result.data.map((override) => override.overrideId));
        }
        assert.deepEqual(iterated, ids);
      }
      for (let i = 0; i < 5; i++) {
        await client().deleteOverride({ namespace, identifier: `page ${i}` });
      }
      assert.equal(answerOf(await client().listOverrides({ namespace })).data.length, 0);
    });

    test("tells errors apart by their types", async () => {
      const bad = await failure(client().limit(request("bad", { duration: 999 })));
      assert.ok(bad instanceof errors.BadRequestErrorResponse, String(bad));
      assert.equal(bad.error.errors[0].location, "body.duration");

      const unknown = await failure(client("nobody").limit(request("unknown")));
      assert.ok(unknown instanceof errors.UnauthorizedErrorResponse, String(unknown));

      const set = { namespace, identifier: "x", limit: 1, duration: 1000 };
      const forbidden = await failure(client(limitOnlyKey).setOverride(set));
      assert.ok(forbidden instanceof errors.ForbiddenErrorResponse, String(forbidden));
      assert.match(forbidden.error.detail, /^Missing one of these permissions: /);

      const missing = await failure(client().getOverride({ namespace, identifier: "missing" }));
      assert.ok(missing instanceof errors.NotFoundErrorResponse, String(missing));
      assert.match(missing.meta.requestId, /^req_/);

      const gone = await failure(client().limit({ ...request("gone"), namespace: "npm deleted" }));
      assert.ok(gone instanceof errors.GoneErrorResponse, String(gone));

      // These ask for application/json and know this one as application/problem+json only.
      const throttled = await failure(client(throttledKey).limit(request("throttled")));
      assert.ok(throttled instanceof errors.UnkeyError, String(throttled));
      assert.equal(throttled.statusCode, 429);
    });
  });
}
