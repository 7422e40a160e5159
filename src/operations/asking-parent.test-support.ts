import { onTestFinished } from 'vitest';
import type { Answerer } from '../dns-client/nameserver.test-support.ts';
import { startParent, withDs, withoutDs } from '../dns-client/parent.test-support.ts';
import { readDs } from '../signer/match-ds.ts';
import { ParentLooks } from '../signer/parent-looks.ts';
import type { OperationContext } from './operation-context.ts';

/** A service that asks the parent zone `test.example`, whose servers have these DS records; undefined: the server is silent. */
export async function askingParent(
  context: OperationContext,
  domain: string,
  ...servers: readonly (readonly string[] | undefined)[]
): Promise<OperationContext> {
  const answerer =
    (set: readonly string[] | undefined): Answerer =>
    () => {
      if (set === undefined) return undefined;
      const answers = set.map((text) => {
        const { tag: keyTag, digest, ...others } = readDs(text);
        const data = { keyTag, ...others, digest: Buffer.from(digest, 'hex') };
        return { name: domain, type: 'DS', class: 'IN', ttl: 3600, data };
      });
      return answers.length === 0 ? withoutDs('test.example') : { ...withDs(domain), answers };
    };
  const named = Object.fromEntries(servers.map((set, at) => [`${'abc'[at]}.servers.net`, answerer(set)]));
  const lookup = await startParent({ zone: 'test.example', servers: named });
  const { clock, monotonic } = context;
  const looks = new ParentLooks({ lookup, clock, monotonic, shortestTurnMs: 0, deadlineMs: 500 });
  onTestFinished(() => looks.close());
  return { ...context, parentLooks: looks };
}
