import { load } from "cheerio";
import TurndownService from "turndown";
import { ExtractionFailure } from "./extraction-failure";

/** Nothing people read as the page's text. */
const LEFT_OUT =
  "script, style, noscript, template, nav, iframe, object, embed, svg, canvas, form button, select, [hidden], [aria-hidden=true]";

/** No page that people write lies deeper, and the parser takes the square of it. */
const DEEPEST = 3_000;
const TAG = /<(\/?)([a-z][a-z0-9-]*)/gi;
/** Tags that are never closed, or may be left open without nesting what follows. */
const NOT_NESTING =
  /^(area|base|body|br|col|colgroup|dd|dt|embed|head|hr|html|img|input|li|link|meta|optgroup|option|p|param|source|tbody|td|tfoot|th|thead|tr|track|wbr)$/i;

/** A page's text as Markdown: headings, lists, tables and code are kept; scripts, menus, pictures and addresses are not. */
export function extractHtml(html: string): string {
  if (isTooDeep(html)) throw new ExtractionFailure("broken_html");
  try {
    const $ = load(html);
    const title = $("head title").first().text().trim();
    $(LEFT_OUT).remove();
    const body = converter().turndown($("body").html() ?? "");
    const hasHeading = $("h1").length > 0 || title === "";
    return hasHeading ? body : `# ${title.replace(/\s+/g, " ")}\n\n${body}`;
  } catch (error) {
    // Recursion over a tree that is deeper than any page.
    throw new ExtractionFailure("broken_html", { cause: error });
  }
}

function isTooDeep(html: string): boolean {
  let depth = 0;
  for (const [, closes, name = ""] of html.matchAll(TAG)) {
    if (NOT_NESTING.test(name)) continue;
    depth = closes ? Math.max(depth - 1, 0) : depth + 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

function converter(): TurndownService {
  const turndown = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    hr: "---",
  });
  // The text is searched and cited, never rendered again: a backslash before each underscore would only hide words.
  turndown.escape = (text) => text;
  turndown.addRule("link", { filter: "a", replacement: (content) => content });
  turndown.addRule("picture", {
    filter: "img",
    replacement: (_, node) => ("getAttribute" in node ? (node.getAttribute("alt") ?? "") : ""),
  });
  turndown.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) => `${content.replace(/\s+/g, " ").trim()} | `,
  });
  turndown.addRule("row", {
    filter: "tr",
    replacement: (content) => `| ${content.trim()}\n`,
  });
  turndown.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  turndown.addRule("table section", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  return turndown;
}
