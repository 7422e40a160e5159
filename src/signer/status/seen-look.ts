/** The parent zone as the watch of rollovers sees it, for sentences about the next step. */
import { hasAnswer, type ParentLook } from '../parent-looks.ts';
import { findDsObstacles, type DsExchange, type Obstacle } from '../rollover/obstacles.ts';
import { hostedLook } from './hosted-look.ts';
import type { StepFacts } from './step-facts.ts';

/** The parent zone that the account has here counts where none of its servers answers. */
export function seenLook({ look, hosted }: Pick<StepFacts, 'look' | 'hosted'>): ParentLook {
  return hosted === undefined || hasAnswer(look) ? look : hostedLook(hosted, 0);
}

/** The names of servers of the parent zone of which an address has answered. */
export function findAnswering(facts: StepFacts): readonly string[] {
  const look = seenLook(facts);
  const servers = look.kind === 'asked' ? look.sight.servers : [];
  return [...new Set(servers.flatMap((server) => ('ds' in server ? [server.name] : [])))];
}

/** Why the parent zone does not have exactly the DS records that it has to have. */
export function findSeenObstacles(
  facts: StepFacts,
  { incoming, outgoing }: Omit<DsExchange, 'name'>,
): readonly Obstacle[] {
  return findDsObstacles(seenLook(facts), { name: facts.name, incoming, outgoing });
}

/** The names of the servers that an obstacle of the kind is about. */
export function serversOf(obstacles: readonly Obstacle[], kind: 'ds_missing' | 'ds_left'): readonly string[] {
  const names = obstacles.flatMap((obstacle) =>
    obstacle.kind === kind && 'server' in obstacle ? [obstacle.server] : [],
  );
  return [...new Set(names)];
}
