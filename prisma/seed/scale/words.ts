import type { Random } from "./random";

/** Words the scale seed tells its stories with. */

export const FIELDS = [
  "Billing",
  "Returns",
  "Warehouse",
  "Contracts",
  "Onboarding",
  "Security",
  "Payroll",
  "Shipping",
  "Catalogue",
  "Support",
] as const;
export const LEADS = ["desk lead", "coordinator", "shift supervisor"] as const;
export const WORKERS = ["researcher", "analyst", "reviewer", "writer", "fact-checker", "planner"] as const;
export const TEAM_KINDS = ["desk", "office", "task force", "night shift"] as const;

const SUBJECTS = [
  "a damaged parcel",
  "an invoice that was paid twice",
  "the notice period of a supplier",
  "a locked account",
  "the stock count of the north hall",
  "an export licence",
  "a late delivery",
  "the holiday pay of part-time staff",
  "a duplicate customer record",
  "the warranty of refurbished devices",
] as const;
const ACTS = [
  "Check",
  "Explain",
  "Compare",
  "Summarise",
  "Settle",
  "Look up",
  "Prepare a note on",
  "Draft a reply about",
] as const;
const RULES = [
  "is refunded within 30 days when a photo is attached",
  "needs the signature of two people above 5,000 euros",
  "is kept for ten years and then deleted",
  "goes to the shift lead before noon",
  "is answered within two working days",
  "must name the order and the customer",
  "is closed when nobody objects for a week",
  "costs nothing below 25 kilograms",
] as const;
const PARTS = ["Scope", "Steps", "Exceptions", "Deadlines", "Who decides", "Records", "Examples"] as const;
export const REASONS = [
  "The rule is most likely in the handbook.",
  "The last search found only part of it.",
  "Two passages contradict each other, and a third may settle it.",
  "The ticket says what the customer was promised.",
  "The note is asked for and nothing is missing any more.",
  "It is quicker than asking a person.",
] as const;

export const taskOf = (random: Random) =>
  `${random.pick(ACTS)} ${random.pick(SUBJECTS)} (case ${random.between(1_000, 99_999)})`;
export const ruleOf = (random: Random) => `${sentenceCase(random.pick(SUBJECTS))} ${random.pick(RULES)}.`;

/** A page of a handbook, with headings, about as long as asked. */
export function pageOf(random: Random, { title, characters }: { title: string; characters: number }): string {
  const lines = [`# ${title}`, ""];
  let length = 0;
  for (let section = 1; length < characters; section++) {
    lines.push(`## ${section}. ${random.pick(PARTS)}`, "");
    for (let paragraph = random.between(1, 3); paragraph > 0; paragraph--) {
      const text = Array.from({ length: random.between(2, 5) }, () => ruleOf(random)).join(" ");
      length += text.length;
      lines.push(text, "");
    }
  }
  return lines.join("\n");
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
