import Link from "next/link";
import { aboutHref, entityName, VALUE_TYPE_WORDS, valueWords } from "@/components/runs/context-words";
import { CopyButton } from "@/components/ui/copy-button";
import { entityKey, type RunContext, typeOfValue } from "@/server/engine/run-context";

/** What an agent run is about as it stands: its variables, and its entities with the way to the runs about each. */
export function AgentContext({ context: { variables, entities } }: { context: RunContext }) {
  return (
    <>
      {variables.length > 0 && (
        <section>
          <h3 className="section-label">Variables, {variables.length}</h3>
          <dl className="context-facts">
            {variables.map(({ name, value }) => (
              <div className="kv" key={name}>
                <dt className="mono">{name}</dt>
                <dd>
                  <span className="prewrap">{valueWords(value)}</span> {/* Of a yes its type is plain. */}
                  {typeof value !== "boolean" && (
                    <span className="t3 fs12">{VALUE_TYPE_WORDS[typeOfValue(value)].toLowerCase()} </span>
                  )}
                  <CopyButton text={String(value)} what={`value of ${name}`} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {entities.length > 0 && (
        <section>
          <h3 className="section-label">Entities, {entities.length}</h3>
          <dl className="context-facts">
            {entities.map((entity) => (
              <div className="kv" key={entityKey(entity)}>
                <dt className="mono">{entity.type}</dt>
                <dd>
                  <Link
                    href={aboutHref(entity)}
                    prefetch={false}
                    className="linkbtn"
                    title={`Runs about ${entityKey(entity)}`}
                  >
                    {entityName(entity)}
                  </Link>
                  {entity.label !== undefined && <span className="mono t3 fs12 block">{entity.id}</span>}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  );
}
