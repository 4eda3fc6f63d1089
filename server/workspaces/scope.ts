/**
 * Proof that the caller may act in a workspace. Minted only by the session gate (server/trpc/procedures.ts),
 * the worker's claim, seeds and test factories; every query takes one.
 */
declare const proven: unique symbol;
export type WorkspaceId = string & { readonly [proven]: "workspace" };

export type Role = "owner" | "editor" | "operator" | "viewer";

export type Scope = {
  workspaceId: WorkspaceId;
  userId: string;
  userName: string;
  role: Role;
};

export function provenWorkspace(id: string): WorkspaceId {
  return id as WorkspaceId;
}
