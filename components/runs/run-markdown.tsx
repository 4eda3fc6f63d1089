import "./run.css";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import Markdown, { type Components, type Options } from "react-markdown";
import remarkGfm from "remark-gfm";
import { markCitations } from "@/components/runs/run-citations";

type Openable = {
  /** Marks whose passage is kept: they become buttons. */
  marks: readonly string[];
  onOpen: (mark: string) => void;
};
const OpenableContext = createContext<Openable | null>(null);

/**
 * Text of a model as Markdown. It is not trusted: HTML in it stays text, links go to the web only and carry no
 * referrer, and images are named instead of loaded, so that showing an answer calls nobody.
 */
export function RunMarkdown({ text, openable = null }: { text: string; openable?: Openable | null }) {
  const marks = openable?.marks;
  const plugins = useMemo<Options["remarkPlugins"]>(() => [remarkGfm, [markCitations, marks ?? []]], [marks]);
  return (
    <OpenableContext value={openable}>
      <MarkdownText text={text} plugins={plugins} />
    </OpenableContext>
  );
}

/** Markdown nobody vouches for, read with the plugins given. */
export function MarkdownText({ text, plugins }: { text: string; plugins: Options["remarkPlugins"] }) {
  return (
    <div className="prose">
      <Markdown remarkPlugins={plugins} components={COMPONENTS}>
        {text}
      </Markdown>
    </div>
  );
}

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

/** Where a sentence comes from: file and place. A button when its passage can be opened, else the path on hover. */
function CitationMark({ source }: { source: string }) {
  const openable = useContext(OpenableContext);
  if (openable?.marks.includes(source)) {
    return (
      <cite>
        <button
          type="button"
          className="cited open"
          aria-label={`Open the passage ${source}`}
          title={`Open the passage ${source}`}
          aria-haspopup="dialog"
          onClick={() => openable.onOpen(source)}
        >
          {source}
        </button>
      </cite>
    );
  }
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
