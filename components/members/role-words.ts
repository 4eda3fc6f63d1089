import type { MemberView } from "@/server/members/schema";

export const ROLE_WORDS: Record<MemberView["role"], string> = {
  owner: "Owner: everything, also keys, tools and members",
  editor: "Editor: changes agents, teams and knowledge, and runs them",
  operator: "Operator: starts and stops runs, answers requests",
  viewer: "Viewer: looks only",
};
