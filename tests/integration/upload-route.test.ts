import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sweepUploads } from "@/server/files/store-file";
import { provenWorkspace, type Role } from "@/server/workspaces/scope";
import { DATABASE_KINDS } from "../support/databases";
import { aTeam } from "../support/factories";
import { aBase } from "../support/knowledge";
import { type Product, signedInOwner, startProduct, type UploadBody, uploadFile } from "../support/product";
import { aCutDocx, aDocx, aPdf, aPng, aZip, textFile } from "../support/sample-files";
import type { Visitor } from "../support/web";

const MB = 1024 * 1024;

describe.each(DATABASE_KINDS)("uploads (%s)", (kind) => {
  let product: Product;
  let ada: Visitor;
  let workspaceId: string;
  let baseId: string;

  beforeAll(async () => {
    product = await startProduct(kind);
    ada = await signedInOwner(product);
    workspaceId = (await product.db.workspace.findFirstOrThrow()).id;
    baseId = await aBase(product.db, workspaceId);
  });
  afterAll(() => product?.stop());
  afterEach(async () => {
    expect(product.web.crashes).toEqual([]);
    // Whatever was refused left nothing behind, and every file that stayed is a document's.
    expect(await product.db.file.count({ where: { documents: { none: {} } } })).toBe(0);
    expect(await product.db.filePart.count()).toBe(await partsExpected());
    await product.db.member.updateMany({ data: { role: "owner" } });
    await product.db.document.deleteMany();
    await product.db.file.deleteMany();
  });

  async function partsExpected(): Promise<number> {
    const files = await product.db.file.findMany({ select: { sizeBytes: true } });
    return files.reduce((sum, { sizeBytes }) => sum + Math.ceil(Number(sizeBytes) / MB), 0);
  }

  async function aConversation(inWorkspace: string): Promise<string> {
    const { teamId } = await aTeam(product.db, provenWorkspace(inWorkspace));
    const id = crypto.randomUUID();
    await product.db.conversation.create({ data: { id, workspaceId: inWorkspace, title: "A talk", teamId } });
    return id;
  }

  const upload = (
    name: string,
    body: UploadBody,
    options: { query?: string; headers?: Record<string, string>; visitor?: Visitor } = {},
  ) => uploadFile(options.visitor ?? ada, options.query ?? `baseId=${baseId}`, name, body, options.headers);

  const become = (role: Role) => product.db.member.updateMany({ data: { role } });

  test("a file becomes a queued document of the base, in parts, and can be downloaded as it was", async () => {
    const content = `${"A line of text. \n".repeat(150_000)}the end`;
    const answer = await upload("notes.md", textFile(content));
    expect(answer).toMatchObject({
      status: 200,
      outcome: "added",
      document: { name: "notes.md", mediaType: "text/markdown", sizeBytes: content.length, status: "queued" },
    });
    expect(await product.db.filePart.count()).toBe(3);

    const response = await ada.fetch(`/api/files/${answer.document?.fileId}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(content);
    expect(response.headers.get("content-length")).toBe(String(content.length));
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="notes.md"; filename*=UTF-8''notes.md`,
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
  });

  test("every type is told by its bytes", async () => {
    const files: [string, Uint8Array<ArrayBuffer>, string][] = [
      ["a.pdf", await aPdf([["Text."]]), "application/pdf"],
      ["no-extension", await aPdf([["Other text."]]), "application/pdf"],
      ["a.docx", await aDocx(["Text."]), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
      ["a.html", textFile("<!doctype html><p>Hi"), "text/html"],
      ["a.csv", textFile("a,b\n1,2"), "text/csv"],
      ["a.TXT", textFile("plain"), "text/plain"],
      ["a.py", textFile("# code"), "text/plain"],
      ["latin.txt", Uint8Array.from(Buffer.from("Grüße aus Köln", "latin1")), "text/plain"],
    ];
    for (const [name, body, mediaType] of files) {
      const { status, document } = await upload(name, body);
      expect({ name, status, mediaType: document?.mediaType }).toEqual({ name, status: 200, mediaType });
    }
  });

  test("a file that is not what its name says is refused in words that say what it is", async () => {
    const zip = aZip({ "a.txt": "hello" });
    const files: [string, Uint8Array<ArrayBuffer>, RegExp][] = [
      ["report.pdf", zip, /“report.pdf” is a ZIP archive/],
      ["report.docx", zip, /is a ZIP archive/],
      ["cut.docx", await aCutDocx(), /^“cut.docx” is damaged or incomplete\. Open it in Word/],
      ["notes.txt", aPng(), /is a PNG picture/],
      ["drawing.pdf", textFile('<?xml version="1.0"?>\n<svg xmlns="x"><script>1</script></svg>'), /is an SVG picture/],
      ["picture.png", textFile("<!doctype html><script>1</script>"), /is an HTML page/],
      ["page.pdf", textFile("<html><script>1</script>"), /is an HTML page.*ends in \.pdf/],
      ["text.txt", await aPdf([["Text."]]), /is a PDF, although.*Rename it/],
      ["sheet.docx", aZip({ "[Content_Types].xml": "", "xl/workbook.xml": "" }), /Excel workbook/],
      ["data.txt", Uint8Array.from(randomBytes(5_000)), /neither a document nor a text/],
      ["later.txt", textFile(`${"fine ".repeat(300_000)}\0not fine`), /neither a document nor a text/],
      ["program.txt", Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0]), /a program/],
      ["polyglot.pdf", textFile("GIF89a%PDF-1.7"), /a GIF picture/],
    ];
    for (const [name, body, message] of files) {
      const { status, error } = await upload(name, body);
      expect({ name, status, code: error?.code }).toEqual({ name, status: 400, code: "INVALID" });
      expect(error?.message).toMatch(message);
    }
  });

  test("an empty file is refused", async () => {
    const { status, error } = await upload("empty.txt", textFile(""));
    expect(status).toBe(400);
    expect(error?.message).toBe("“empty.txt” is empty. Choose a file with something in it.");
  });

  test("60 MB are refused, whether the length was announced or not, and the 50 MB before them are gone", async () => {
    const announced = await upload("big.txt", new Uint8Array(60 * MB).fill(65));
    expect(announced).toMatchObject({ status: 413, error: { code: "INVALID" } });
    expect(announced.error?.message).toContain("larger than 50 MB");

    let sent = 0;
    const streamed = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= 60 * MB) return controller.close();
        sent += MB;
        controller.enqueue(new Uint8Array(MB).fill(65));
      },
    });
    expect(await upload("big.txt", streamed)).toMatchObject({ status: 413 });
    expect(await product.db.file.count()).toBe(0);
  });

  test("the bytes travel alone: JSON, forms and anything else are 415 and nothing in them is read", async () => {
    const types = ["application/json", "multipart/form-data; boundary=x", "text/plain", "application/pdf", ""];
    for (const type of types) {
      const body = textFile('{"files":[{"filepath":"/etc/passwd"}]}');
      const { status } = await upload("x.txt", body, { headers: { "content-type": type } });
      expect({ type, status }).toEqual({ type, status: 415 });
    }
  });

  test("a name is confined, whatever path it carries", async () => {
    const names: [string, string][] = [
      ["../../../etc/passwd.txt", "passwd.txt"],
      ["C:\\secret\\a.txt", "a.txt"],
      ["b\0.txt", "b.txt"],
      ["\u202etxt.exe.txt", "txt.exe.txt"],
      ["/abs/c.txt", "c.txt"],
      ["zip/../../d.txt", "d.txt"],
    ];
    for (const [sent, kept] of names) {
      const { status, document } = await upload(sent, textFile(`The content of ${kept}`));
      expect({ sent, status, name: document?.name }).toEqual({ sent, status: 200, name: kept });
    }
    for (const sent of ["..", "/", "\0", "...", "\u202e"]) {
      expect(await upload(sent, textFile("x"))).toMatchObject({ status: 400, error: { code: "INVALID" } });
    }
    const long = await upload(`${"n".repeat(5_000)}.md`, textFile("long"));
    expect(long.document?.name).toHaveLength(200);
  });

  test("the same bytes again are a duplicate, under whatever name", async () => {
    const first = await upload("a.txt", textFile("same"));
    for (const name of ["a.txt", "b.txt"]) {
      const again = await upload(name, textFile("same"));
      expect(again).toMatchObject({
        status: 200,
        outcome: "duplicate",
        document: { id: first.document?.id, name: "a.txt" },
      });
    }
    expect(await product.db.document.count()).toBe(1);
  });

  test("the same name with other bytes replaces: a new revision, and only the new file", async () => {
    const first = await upload("a.txt", textFile("one"));
    const second = await upload("a.txt", textFile("two"));
    expect(second).toMatchObject({ outcome: "replaced", document: { id: first.document?.id, status: "queued" } });
    const document = await product.db.document.findFirstOrThrow();
    expect(document).toMatchObject({ revision: 2, fileId: second.document?.fileId, workerId: null });
    expect((await ada.fetch(`/api/files/${first.document?.fileId}`)).status).toBe(404);
  });

  test("what failed may be uploaded again, bytes and all", async () => {
    const first = await upload("a.txt", textFile("one"));
    await product.db.document.updateMany({ data: { status: "failed", statusReason: "internal: It broke." } });
    expect(await upload("a.txt", textFile("one"))).toMatchObject({
      outcome: "replaced",
      document: { id: first.document?.id, status: "queued", problem: null },
    });
  });

  test("uploads of one file at the same time become one document", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload("a.txt", textFile("same"))));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(["added", ...Array(4).fill("duplicate")]);
    const versions = await Promise.all([1, 2, 3].map((n) => upload("b.txt", textFile(`version ${n}`))));
    expect(versions.map(({ outcome }) => outcome).sort()).toEqual(["added", "replaced", "replaced"]);
    expect(await product.db.document.count()).toBe(2);
  });

  test("who may: editors fill bases, operators attach to conversations, viewers look, strangers nothing", async () => {
    const conversationId = await aConversation(workspaceId);
    const toConversation = { query: `conversationId=${conversationId}` };
    for (const [role, base, conversation] of [
      ["viewer", 403, 403],
      ["operator", 403, 200],
      ["editor", 200, 200],
    ] as const) {
      await become(role);
      expect((await upload(`${role}.txt`, textFile(`${role} to a base`))).status, role).toBe(base);
      const attached = await upload(`${role}.txt`, textFile(`${role} to a conversation`), toConversation);
      expect(attached.status, role).toBe(conversation);
    }
    const stranger = product.visitor();
    expect(await upload("x.txt", textFile("x"), { visitor: stranger })).toMatchObject({
      status: 401,
      error: { code: "NOT_SIGNED_IN" },
    });
    const hidden = await product.db.knowledgeBase.findFirstOrThrow({ where: { conversationId } });
    expect(hidden.name).toBe("Attachments");
    // Reached through its conversation only.
    await become("owner");
    expect((await upload("x.txt", textFile("x"), { query: `baseId=${hidden.id}` })).status).toBe(404);
  });

  test("what belongs to another workspace is not there", async () => {
    const other = await product.db.workspace.create({ data: { id: crypto.randomUUID(), name: "Other" } });
    const theirs = await aBase(product.db, other.id);
    const conversation = await aConversation(other.id);
    for (const query of [`baseId=${theirs}`, `conversationId=${conversation}`, `baseId=${crypto.randomUUID()}`]) {
      expect(await upload("x.txt", textFile("x"), { query })).toMatchObject({
        status: 404,
        error: { code: "NOT_FOUND" },
      });
    }
    const file = await product.db.file.create({
      data: { id: crypto.randomUUID(), workspaceId: other.id, name: "x", mediaType: "text/plain", status: "stored" },
    });
    for (const id of [file.id, crypto.randomUUID(), "not-an-id"]) {
      expect((await ada.fetch(`/api/files/${id}`)).status).toBe(404);
    }
    await product.db.file.delete({ where: { id: file.id } });
  });

  test.each(["", "name=", "baseId=x", "baseId=%00", "workspaceId=1"])("the target %j is refused", async (query) => {
    expect((await upload("x.txt", textFile("x"), { query })).status).toBe(400);
    const both = { query: `baseId=${baseId}&conversationId=${baseId}` };
    expect((await upload("x.txt", textFile("x"), both)).status).toBe(400);
  });

  test("pages of other sites cannot upload", async () => {
    for (const [header, value] of [
      ["origin", "https://evil.example"],
      ["sec-fetch-site", "cross-site"],
    ] as const) {
      expect(await upload("x.txt", textFile("x"), { headers: { [header]: value } })).toMatchObject({
        status: 403,
        error: { code: "NOT_ALLOWED" },
      });
    }
  });

  test("an upload that is broken off leaves nothing, and the next attempt works", async () => {
    const gone = new AbortController();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(MB).fill(65));
        if (sent < 4) return;
        await expect.poll(() => product.db.filePart.count()).toBeGreaterThan(0);
        gone.abort();
      },
    });
    const query = `baseId=${baseId}&name=cut.txt`;
    const headers = { "content-type": "application/octet-stream" };
    const init = { method: "POST", headers, body, duplex: "half", signal: gone.signal } as RequestInit;
    await expect(ada.fetch(`/api/upload?${query}`, init)).rejects.toThrow();
    await expect.poll(() => product.db.file.count(), { timeout: 10_000 }).toBe(0);
    expect(await upload("cut.txt", textFile("whole"))).toMatchObject({ status: 200, outcome: "added" });
  });

  test("what a dead server left is swept away once it has been silent for long, and not before", async () => {
    const file = (touchedAt: Date) => ({
      id: crypto.randomUUID(),
      workspaceId,
      name: "left.txt",
      mediaType: "application/octet-stream",
      touchedAt,
      parts: { create: [{ part: 0, content: textFile("half") }] },
    });
    const old = file(new Date(Date.now() - 11 * 60_000));
    const fresh = file(new Date());
    await product.db.file.create({ data: old });
    await product.db.file.create({ data: fresh });
    expect(await sweepUploads(10 * 60_000)).toBe(1);
    expect(await product.db.file.findMany({ select: { id: true } })).toEqual([{ id: fresh.id }]);
    expect(await product.db.filePart.count()).toBe(1);
    await product.db.file.deleteMany();
  });
});
