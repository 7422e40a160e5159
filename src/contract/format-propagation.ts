// The JSON text of the propagation of a serial to the nameservers, as contract rule 37 defines it.
import { formatDate } from './format-date.ts';
import { jsonString } from './json-string.ts';

export interface ShownPropagation {
  readonly domain: string;
  readonly serial: number;
  readonly isCurrent: boolean;
  readonly nameservers: readonly ShownNameserver[];
}

interface ShownNameserver {
  readonly id: string;
  readonly nameserver: string;
  readonly serial: number | null;
  readonly takenAtMs: number | null;
  readonly seenAtMs: number;
  readonly isLive: boolean;
  readonly isCurrent: boolean;
}

/** `{"propagation":{"domain","serial","current","nameservers":[…]}}`. */
export function formatPropagationReply(propagation: ShownPropagation): string {
  const { domain, serial, isCurrent, nameservers } = propagation;
  const rows = nameservers.map(formatNameserver).join(',');
  return `{"propagation":{"domain":"${domain}","serial":${serial},"current":${isCurrent},"nameservers":[${rows}]}}`;
}

/** `{"id","name","serial","date_taken","date_seen","live","current"}`. */
function formatNameserver(shown: ShownNameserver): string {
  const { id, nameserver, serial, takenAtMs, seenAtMs, isLive, isCurrent } = shown;
  const taken = takenAtMs === null ? 'null' : `"${formatMoment(takenAtMs)}"`;
  return `{"id":${jsonString(id)},"name":${jsonString(nameserver)},"serial":${serial},"date_taken":${taken},"date_seen":"${formatMoment(seenAtMs)}","live":${isLive},"current":${isCurrent}}`;
}

function formatMoment(ms: number): string {
  return formatDate(Math.floor(ms / 1000));
}
