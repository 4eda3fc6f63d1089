import type { RunContext } from "@/server/engine/run-context";
import type { ModelMessage, ModelRequest } from "@/server/models/model";
import { type Next, type PastCall, pastCalls } from "@/server/models/rehearsal";
import { composeAnswer } from "@/server/models/rehearsal-agent";
import type { Direction } from "./example-desk";

/** A run in which agents keep a todo list, tasks and letters, and one asks another. Its supervisor is played from here. */

export const EDITOR = "Editor";
export const REPORTER = "Reporter";

/** What the desk is asked. */
export const PAGE_REQUEST =
  "Write a page for whoever looks after an installation, however it is installed: how a backup is taken, what an upgrade does, and how one goes back.";

/** What the page is for. */
export const PAGE_CONTEXT: RunContext = {
  variables: [
    { name: "audience", value: "who looks after an installation" },
    { name: "cited", value: true },
  ],
  entities: [{ type: "page", id: "backups-and-upgrades", label: "Backups and upgrades" }],
};

const PARTS = [
  {
    title: "Taking a backup",
    task: {
      subject: "Find how a backup is taken",
      agent: "Librarian",
      prompt: "How is a backup taken while Troupe runs, and what is in it? Quote what is said, with citations.",
    },
  },
  {
    title: "Upgrading",
    task: {
      subject: "Find what an upgrade does",
      agent: REPORTER,
      prompt: "What does an upgrade do to the database, and in which order? Quote what is said, with citations.",
    },
  },
  {
    title: "Going back",
    task: {
      subject: "Find how one goes back after an upgrade",
      description: "Only once it is known what an upgrade keeps.",
      blocked_by: ["2"],
      agent: "Librarian",
      prompt:
        "How does one go back to the version before an upgrade with a backup? Quote what is said, with citations.",
    },
  },
];
const PLAN = ["Put what has to be looked up into the queue", "Collect what was found", "Write the page"];

/** Plays one run. Whoever is not played from here follows the rules of the rehearsal model. */
export function playWritingDesk(): Direction {
  const letters = signal();
  return async (request) => {
    const past = pastCalls(request.messages);
    switch (nameIn(request)) {
      case EDITOR:
        // It goes on when its letters are on their way: only now may anybody look for them, whatever the machine's pace.
        if (made(past, "agent__send_message").length > 0) letters.give();
        return editorsNext(request.messages, past);
      case REPORTER:
        await letters.given;
        return reportersNext(past) ?? "answers";
      case "Librarian":
        await letters.given;
        return past.length === 0 ? { text: "Is there anything for me?", calls: [INBOX] } : "answers";
      default:
        return "answers";
    }
  };
}

const INBOX = { name: "agent__check_inbox", arguments: {} };
const done = (id: number) => ({ name: "todo__done", arguments: { id } });

function editorsNext(messages: readonly ModelMessage[], past: readonly PastCall[]): Next {
  const question = questionIn(messages, past);
  if (question) {
    const reply = { reply: "Both", reason: "The request says: however it is installed." };
    return {
      text: "The request answers that.",
      calls: [{ name: "agent__reply_escalation", arguments: { escalation_id: question, ...reply } }],
    };
  }
  if (made(past, "todo__init").length === 0) return plan();
  const tasks = made(past, "agent__task_create");
  if (tasks.length === 0) {
    return {
      text: "Backups and upgrades can be looked up at the same time; going back only after the upgrade is understood.",
      calls: PARTS.map(({ task }) => ({ name: "agent__task_create", arguments: task })),
    };
  }
  const started = tasks.flatMap(({ result }) => textIn(field(result, "auto_dispatch"), "id") ?? []);
  if (made(past, "agent__send_message").length === 0) return introduce(started);
  const collected = made(past, "agent__collect").filter(({ result }) => textIn(result, "status") === "completed");
  const of = (handle: string) => collected.find(({ result }) => textIn(result, "id") === handle);
  const owners = ownersIn(made(past, "agent__task_list").at(-1)?.result);
  const missing = [...started, ...owners].filter((handle) => !of(handle));
  if (missing.length > 0) {
    return {
      text: "Taking what is ready, and waiting for the rest.",
      calls: [...new Set(missing)].map((id) => ({ name: "agent__collect", arguments: { id } })),
    };
  }
  if (owners.length === 0)
    return { text: "Who looks up how one goes back?", calls: [{ name: "agent__task_list", arguments: {} }] };
  if (made(past, INBOX.name).length === 0)
    return { text: "All three parts are there. Did anybody write?", calls: [done(2), INBOX] };
  if (made(past, "todo__done").length < PLAN.length) return { text: "The page can be written.", calls: [done(3)] };
  return {
    text: PARTS.map((part, i) => section(part, textIn(of(owners[i] ?? "")?.result, "output"))).join("\n\n"),
  };
}

function plan(): Next {
  return {
    text: "Three steps, then the page is there.",
    calls: [
      { name: "todo__init", arguments: { goal: "A page on backups, upgrades and going back, every statement cited" } },
      ...PLAN.map((task) => ({ name: "todo__add", arguments: { task } })),
    ],
  };
}

/** Agents do not know of one another until somebody tells them. */
function introduce([librarian = "", reporter = ""]: readonly string[]): Next {
  const letter = (id: string, message: string) => ({ name: "agent__send_message", arguments: { id, message } });
  return {
    text: "Both should know what the other one reads.",
    calls: [
      done(1),
      letter(librarian, `${REPORTER} (${reporter}) reads about upgrades. Leave those out, and keep to backups.`),
      letter(reporter, `The Librarian (${librarian}) reads about backups. Leave those out, and keep to upgrades.`),
    ],
  };
}

function reportersNext(past: readonly PastCall[]): Next | null {
  if (made(past, INBOX.name).length === 0) return { text: "Is there anything for me?", calls: [INBOX] };
  if (made(past, "user__ask").length === 0) {
    const question = "Shall I look at upgrades of a container, of a service, or of both?";
    const reason = "The steps differ, and the task does not say which are meant.";
    return {
      text: "The task can be read in two ways.",
      calls: [{ name: "user__ask", arguments: { question, options: ["Container", "Service", "Both"], reason } }],
    };
  }
  if (made(past, "agent__send_message").length > 0) return null;
  const message = "An upgrade takes a backup of its own first. The page need not ask for another one.";
  return {
    text: "That concerns the whole page.",
    calls: [{ name: "agent__send_message", arguments: { id: "parent", message } }],
  };
}

function section({ title, task }: (typeof PARTS)[number], findings = ""): string {
  return `## ${title}\n\n${composeAnswer(`In short.\nRequest: ${task.prompt}\nFindings:\n${findings}`)}`;
}

/** A question of an agent below that it has not answered yet. */
function questionIn(messages: readonly ModelMessage[], past: readonly PastCall[]): string | undefined {
  const told = messages.filter(({ role }) => role === "user" || role === "tool");
  const asked = told.flatMap(({ content }) => content?.match(/\besc_[0-9a-f]{8}\b/g) ?? []);
  const answered = made(past, "agent__reply_escalation").map(({ arguments: args }) => args.escalation_id);
  return asked.find((id) => !answered.includes(id));
}

/** Ids of the agent runs that work on the tasks, in order of the tasks. */
function ownersIn(listed: unknown): string[] {
  const tasks = field(listed, "tasks");
  return Array.isArray(tasks) ? tasks.flatMap((task) => textIn(task, "owner") ?? []) : [];
}

const made = (past: readonly PastCall[], name: string) => past.filter((call) => call.name === name);

function field(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}

function textIn(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === "string" ? found : undefined;
}

/** Every agent is told its name first. */
function nameIn({ messages }: ModelRequest): string | undefined {
  return /^You are (.+?)\./.exec(messages[0]?.content ?? "")?.[1];
}

function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
