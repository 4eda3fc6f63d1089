import type { ReactNode } from "react";
import Markdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { markCitations } from "@/components/runs/run-citations";

/**
 * Text of a model as Markdown. It is not trusted: HTML in it stays text, links go to the web only and carry no
 * referrer, and images are named instead of loaded, so that showing an answer calls nobody.
 */
export function RunMarkdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Markdown remarkPlugins={PLUGINS} components={COMPONENTS}>
        {text}
      </Markdown>
    </div>
  );
}

const PLUGINS = [remarkGfm, markCitations];

const COMPONENTS: Components = {
  a({ href, children }) {
    if (!href || !/^https?:\/\//i.test(href)) return <>{children}</>;
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    );
  },
  img({ alt }) {
    return <span className="t3">[image{alt ? `: ${alt}` : ""}, not loaded]</span>;
  },
  cite({ children }) {
    return <CitationMark source={textOf(children)} />;
  },
  // Headings of an answer must not join the outline of the page.
  h1: ({ children }) => <p className="prose-h">{children}</p>,
  h2: ({ children }) => <p className="prose-h">{children}</p>,
  h3: ({ children }) => <p className="prose-h">{children}</p>,
  h4: ({ children }) => <p className="prose-h">{children}</p>,
  input: ({ checked }) => <span>{checked ? "☑" : "☐"}</span>,
  table: ({ children }) => (
    <div className="scroll">
      <table>{children}</table>
    </div>
  ),
};

/** Where a sentence comes from: file and section, the whole path on hover. */
function CitationMark({ source }: { source: string }) {
  return (
    <cite className="cited" title={source}>
      <span className="sr">Source: </span>
      {source.slice(source.lastIndexOf("/") + 1)}
    </cite>
  );
}

function textOf(children: ReactNode): string {
  if (typeof children === "string") return children;
  return Array.isArray(children) ? children.map(textOf).join("") : "";
}
