import { IconArrowRight, IconMail } from "@tabler/icons-react";
import { AgentLink } from "@/components/runs/inspector/agent-link";
import type { TabProps } from "@/components/runs/inspector/overview-tab";
import { MAIL_WORDS, mailsAt } from "@/components/runs/run-mails";
import { CopyButton } from "@/components/ui/copy-button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Mail } from "@/server/engine/events";
import { isTerminal } from "@/server/engine/state";

/** Letters between agents, oldest first; at the root those of the whole run. */
export function MailTab(props: TabProps) {
  const { state, node } = props;
  if (node.item.type !== "agent") return null;
  return (
    <div className="letters">
      {mailsAt(state, node.item.agent).map((mail) => (
        <Letter
          key={mail.id}
          {...props}
          mail={mail}
          here={node.item.type === "agent" ? node.item.agent.id : undefined}
        />
      ))}
    </div>
  );
}

function Letter({ state, onSelect, mail, here }: TabProps & { mail: Mail; here?: string }) {
  const what = MAIL_WORDS[mail.kind];
  const receiver = state.agents.find(({ id }) => id === mail.toId);
  return (
    <article className="letter">
      <header className="part-head">
        <h3 className="letter-way">
          <AgentLink state={state} onSelect={onSelect} id={mail.fromId} tab="mail" here={here} />
          <IconArrowRight size={13} className="t3" role="img" aria-label="to" />
          <AgentLink state={state} onSelect={onSelect} id={mail.toId} tab="mail" here={here} />
          {what && <span className="tag">{what}</span>}
          {mail.readAt === null && (
            <span className="tag" title="It reads its letters when it looks into its inbox.">
              <IconMail size={11} aria-hidden />
              {receiver && isTerminal(receiver.status) ? "Never read" : "Not read yet"}
            </span>
          )}
        </h3>
        <span className="row part-tools">
          <RelativeTime at={mail.sentAt} className="t3 fs12" />
          <CopyButton text={mail.text} what="letter" />
        </span>
      </header>
      <p className="prewrap">{mail.text}</p>
    </article>
  );
}
