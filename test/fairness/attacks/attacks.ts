import type { Attack } from '../attack.ts';
import { freshRepeats, idleConnections, unreadExports } from './connections.ts';
import { logIns } from './log-ins.ts';
import { manyDomains } from './many-domains.ts';
import { largeSearch, largeUpdates, unchangedBatches, zonesBeyondMemory } from './large-records.ts';
import { checks, dryRunReverts, generatedImports, notedImports, recordExports } from './large-zones.ts';
import { provenAbsences, rolledAgain, signedAgain, silentParents } from './signed-domains.ts';

/** By the word that `--only` takes. */
export const attacks: Readonly<Record<string, Attack>> = {
  largeUpdates,
  generatedImports,
  dryRunReverts,
  unchangedBatches,
  largeSearch,
  zonesBeyondMemory,
  manyDomains,
  notedImports,
  freshRepeats,
  unreadExports,
  idleConnections,
  checks,
  recordExports,
  signedAgain,
  rolledAgain,
  silentParents,
  provenAbsences,
  logIns,
};
