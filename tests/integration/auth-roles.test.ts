import type { AnyTRPCProcedure } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createInnerContext } from "@/server/trpc/context";
import { asOwner, router } from "@/server/trpc/procedures";
import { appRouter } from "@/server/trpc/root";
import { DATABASE_KINDS } from "../support/databases";
import { callTrpc, createOwner, OWNER, type Product, readTrpc, startProduct } from "../support/product";
import type { Visitor } from "../support/web";

/** Mutations that need no role: they make people, or are about the person alone. */
const WITHOUT_ROLE = [
  "users.createOwner",
  "users.changePassword",
  "users.updateProfile",
  "members.lookAtInvite",
  "members.acceptInvite",
  "members.joinWithInvite",
  // One's own; sharing one takes an editor (runs-views.test.ts).
  "runViews.save",
  "runViews.change",
  "runViews.remove",
];
/** Reads that are sent as mutations because their input does not fit an address. */
const READS = ["teams.preview", "workspace.previewPrivacy"];

describe.each(DATABASE_KINDS)("roles (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let mutations: string[];
  beforeAll(async () => {
    product = await startProduct(kind);
    ada = product.visitor();
    await createOwner(ada);
    await ada.signIn(OWNER.email, OWNER.password);
    mutations = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyTRPCProcedure>)
      .filter(([path, procedure]) => procedure._def.type === "mutation" && ![...WITHOUT_ROLE, ...READS].includes(path))
      .map(([path]) => path);
  });
  afterAll(() => product?.stop());

  const become = (role: "owner" | "editor" | "operator" | "viewer") => product.db.member.updateMany({ data: { role } });

  test("a viewer changes nothing: every mutation is refused, whatever is sent", async () => {
    expect(mutations).toEqual(expect.arrayContaining(["runs.start", "runs.stop", "requests.answer"]));
    await become("viewer");
    for (const path of mutations) {
      const { status, error } = await readTrpc(await callTrpc(ada, path, {}));
      expect({ path, status, code: error?.code }).toEqual({ path, status: 403, code: "NOT_ALLOWED" });
    }
  });

  test.each(["owner", "editor", "operator"] as const)("the role %s gets past the role check at once", async (role) => {
    await become(role);
    for (const path of ["runs.start", "runs.stop", "requests.answer"]) {
      // Nothing sent: the next thing that looks at it is the input's schema.
      const { status, error } = await readTrpc(await callTrpc(ada, path, {}));
      expect({ path, status, code: error?.code }).toEqual({ path, status: 400, code: "INVALID" });
    }
  });

  test("the owner's own matters are the owner's", async () => {
    const user = await product.db.user.findFirstOrThrow({ select: { id: true, name: true, email: true } });
    const caller = router({ rename: asOwner.mutation(() => "done") }).createCaller(createInnerContext({ user }));
    for (const role of ["editor", "operator", "viewer"] as const) {
      await become(role);
      await expect(caller.rename()).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    await become("owner");
    await expect(caller.rename()).resolves.toBe("done");
  });
});
