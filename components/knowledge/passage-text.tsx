import "./citation.css";
import { useMemo } from "react";
import remarkGfm from "remark-gfm";
import { MarkdownText } from "@/components/runs/run-markdown";
import { Found } from "./found";
import { isConverted, markFound } from "./passage-marks";

type Props = {
  text: string;
  documentName: string;
  /** It was written here, in Markdown. */
  isEntry?: boolean;
  search?: string;
};

/**
 * A passage as people read it. Word and web files are kept as Markdown, whose marks are ours and not the author's: they are
 * shown as what they mean, as are those of an entry. Any other text stands as it is in its file.
 */
export function PassageText({ text, documentName, isEntry = false, search = "" }: Props) {
  const plugins = useMemo(() => [remarkGfm, [markFound, search] as [typeof markFound, string]], [search]);
  if (isEntry || isConverted(documentName)) return <MarkdownText text={text} plugins={plugins} />;
  return (
    <div className="as-written">
      <Found text={text} search={search} />
    </div>
  );
}
