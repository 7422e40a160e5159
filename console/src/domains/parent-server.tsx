import type { DelegationJson } from '../../../src/contract/delegation-shape.ts';
import { asSentence } from '../text/as-sentence.ts';
import { text } from '../text/en.ts';
import { Comparison } from './comparison.tsx';

const words = text.delegation;

interface ParentServerProps {
  readonly server: DelegationJson['servers'][number];
  readonly expected: DelegationJson['expected'];
}

/** One server of the parent zone, with what it has of the domain. */
export function ParentServer({ server, expected }: ParentServerProps) {
  const lines = [
    [words.nameservers, server.nameservers, expected.nameservers],
    [words.glue, textsOf(server.glue), textsOf(expected.glue)],
    [words.ds, server.ds, expected.ds],
  ] as const;
  return (
    <li>
      <div className="mono">
        <strong>{server.server}</strong> <span className="muted">{server.address}</span>
      </div>
      {server.problem !== null && <p>{asSentence(server.problem)}</p>}
      <dl className="facts">
        {lines.map(([label, has, wanted]) => {
          // Nothing is there, and nothing has to be.
          if (has === null || (has.length === 0 && wanted.length === 0)) return null;
          return (
            <div className="pair" key={label}>
              <dt>{label}</dt>
              <dd>
                <Comparison has={has} wanted={wanted} />
              </dd>
            </div>
          );
        })}
      </dl>
    </li>
  );
}

function textsOf(glue: DelegationJson['expected']['glue']): readonly string[];
function textsOf(glue: DelegationJson['servers'][number]['glue']): readonly string[] | null;
function textsOf(glue: DelegationJson['servers'][number]['glue']): readonly string[] | null {
  return glue && glue.map(({ name, address }) => `${name} ${address}`);
}
