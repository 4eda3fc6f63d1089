/** What a secret looks like wherever it may have been written: as it is, in JSON, HTML, addresses, forms, base64 and hexadecimal, or in part. */
export function formsOf(secret: string): string[] {
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    // What is put into a page twice, as JSON that holds JSON is.
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    inHtml(secret),
    encodeURIComponent(secret),
    new URLSearchParams({ "": secret }).toString().slice(1),
    Buffer.from(secret).toString("hex"),
    // What is left where only its ends were taken out.
    secret.slice(Math.floor(secret.length / 3), Math.ceil((secret.length * 2) / 3)),
    ...[0, 1, 2].flatMap((before) => {
      const encoded = Buffer.from(`${"-".repeat(before)}${secret}`).toString("base64");
      // Its first and last characters hold bits of what lies around it.
      const own = encoded.slice(before === 0 ? 0 : 4, -4);
      return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
    }),
  ];
  return [...new Set(forms)];
}

/** As a browser writes text and attributes out again. */
const inHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
