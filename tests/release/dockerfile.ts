import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  Cmd,
  Copy,
  DockerfileParser,
  Healthcheck,
  type Instruction,
  JSONInstruction,
  PropertyInstruction,
} from "dockerfile-ast";
import { root } from "@/server/launcher/settings";

export type CopyLine = { from: string | null; sources: string[]; to: string };

export type Stage = {
  name: string;
  /** With its tag. */
  image: string;
  workdir: string;
  /** COPY and RUN, in order. */
  steps: ({ copy: CopyLine } | { run: string })[];
  env: Record<string, string>;
  user: string | null;
  /** Null unless in exec form. */
  command: string[] | null;
  healthcheck: string[] | null;
  stopSignal: string | null;
  volumes: string[];
};

/** The stages of our Dockerfile, as far as it uses the language. Throws on an instruction nobody taught it. */
export function readDockerfile(text = readFileSync(join(root, "Dockerfile"), "utf8")): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const args = instruction.getArguments().map((argument) => argument.getValue());
    if (instruction.getKeyword() === "FROM") stages.push(emptyStage(args));
    else apply(stages.at(-1), instruction, args);
  }
  return stages;
}

function emptyStage([image = "", , name = ""]: string[]): Stage {
  return {
    name,
    image,
    workdir: "/",
    steps: [],
    env: {},
    user: null,
    command: null,
    healthcheck: null,
    stopSignal: null,
    volumes: [],
  };
}

function apply(stage: Stage | undefined, instruction: Instruction, args: string[]): void {
  const keyword = instruction.getKeyword();
  if (!stage) throw new Error(`${keyword} stands before the first FROM`);
  if (instruction instanceof Copy) {
    const from = instruction.getFromFlag()?.getValue() ?? null;
    stage.steps.push({ copy: { from, sources: args.slice(0, -1), to: args.at(-1) ?? "" } });
  } else if (keyword === "RUN") stage.steps.push({ run: unfolded(instruction) });
  else if (keyword === "WORKDIR") stage.workdir = args[0] ?? "";
  else if (keyword === "USER") stage.user = args[0] ?? null;
  else if (keyword === "STOPSIGNAL") stage.stopSignal = args[0] ?? null;
  else if (keyword === "VOLUME") stage.volumes.push(...args);
  else if (instruction instanceof Cmd) stage.command = execForm(instruction);
  else if (instruction instanceof Healthcheck) stage.healthcheck = healthcheckOf(instruction);
  else if (instruction instanceof PropertyInstruction) {
    for (const property of instruction.getProperties()) stage.env[property.getName()] = property.getValue() ?? "";
  } else if (keyword !== "EXPOSE") throw new Error(`the check does not know ${keyword}`);
}

const unfolded = (instruction: Instruction) => (instruction.getArgumentsContent() ?? "").replace(/\\\n/g, " ");

function execForm(instruction: Instruction): string[] | null {
  if (!(instruction instanceof JSONInstruction)) return null;
  const strings = instruction.getJSONStrings().map((part) => part.getJSONValue());
  return strings.length > 0 ? strings : null;
}

function healthcheckOf(instruction: Healthcheck): string[] | null {
  const command = /CMD\s+(\[.*\])\s*$/s.exec(unfolded(instruction))?.[1];
  return command ? (JSON.parse(command) as string[]) : null;
}

/** Whether .dockerignore lets a path of the checkout into the build: ours excludes everything and names what may. */
export function reachesBuild(path: string): boolean {
  const [first = ""] = path.split("/");
  return ignoreLines().includes(`!${first}`) && !isLeftOut(path);
}

/** What .dockerignore leaves out again below what it lets in. */
export function isLeftOut(path: string): boolean {
  const name = path.split("/").at(-1) ?? "";
  return (
    path === "prisma/generated" ||
    path.startsWith("prisma/generated/") ||
    name.startsWith(".env") ||
    name.endsWith(".test.ts")
  );
}

export function ignoreLines(): string[] {
  const text = readFileSync(join(root, ".dockerignore"), "utf8");
  return text.split("\n").filter((line) => line && !line.startsWith("#"));
}

/** What `COPY . .` would send. */
export const contextEntries = () =>
  readdirSync(root).filter((name) => reachesBuild(name) && existsSync(join(root, name)));
