import type { Domain } from '../../model/domain.ts';
import { LIVE_SECONDS, type ServedSerial } from '../store.ts';
import type { ReadConnections } from './read-connections.ts';

/**
 * Determines the serial of a domain that each nameserver process serves, from its reported position in the feed, the last
 * change of the domain up to there and the first change after.
 */
export async function readServedSerials(
  connections: ReadConnections,
  { id }: Domain,
): Promise<readonly ServedSerial[]> {
  const rows = await connections.query<ServedSerialRow>(SERVED_SERIALS_QUERY, [id, LIVE_SECONDS]);
  return rows.map(([nameserverId, nameserver, seenAtMs, isLive, isWithheld, serial, takenAtMs]) => ({
    id: nameserverId,
    nameserver,
    serial: isWithheld ? null : serial,
    takenAtMs: isWithheld ? null : takenAtMs,
    seenAtMs,
    isLive,
    isWithheld,
  }));
}

type ServedSerialRow = [
  id: string,
  nameserver: string,
  seenAtMs: number,
  isLive: boolean,
  isWithheld: boolean,
  serial: number | null,
  takenAtMs: number | null,
];

/**
 * Nothing is served that is in doubt: of a process that is still copying, whose digest differs, or that says so.
 *
 * For a position without a change of the domain up to it (pruned, or there never was one). If there is no later change, the
 * process serves the stored serial. If the first later change creates or restores the domain (it has no former SOA fields),
 * the process does not serve it yet. Otherwise it serves the serial before that change (modulo 2^32, RFC 1982).
 *
 * Withholding and releasing a domain leave its serial as it is; a process knows of the last time from `withheld_seq` on.
 */
const SERVED_SERIALS_QUERY = `
  SELECT nameservers.id, nameservers.name, (extract(epoch FROM seen_at) * 1000)::bigint,
    seen_at > now() - make_interval(secs => $2),
    proof.is_given AND domains.withheld IS NOT NULL AND nameservers.seq >= coalesce(domains.withheld_seq, 0),
    CASE
      WHEN NOT proof.is_given THEN NULL
      WHEN domains.withheld IS NULL AND domains.withheld_seq > nameservers.seq THEN NULL
      WHEN done.kind = 'domainDelete' THEN NULL
      WHEN done.serial IS NOT NULL THEN done.serial
      WHEN coming.serial IS NULL THEN domains.serial
      WHEN coming.kind = 'domainWithhold' THEN coming.serial
      WHEN coming.kind = 'domainRestore' OR coming.kind = 'domainPut' AND coming.soa_before IS NULL THEN NULL
      ELSE (coming.serial + 4294967295) % 4294967296
    END,
    (SELECT at FROM nameserver_reports
     WHERE nameserver_id = nameservers.id AND nameserver_reports.seq >= done.seq
       AND proof.is_given AND done.kind <> 'domainDelete'
     ORDER BY nameserver_reports.seq LIMIT 1)
  FROM nameservers
  LEFT JOIN batches ON batches.last_seq = nameservers.seq AND batches.has_changes
  CROSS JOIN LATERAL (SELECT coalesce(
    nameservers.seq > 0 AND nameservers.doubt IS DISTINCT FROM 'all' AND $1 <> ALL (coalesce(doubted, '{}'))
    AND (nameservers.digest = batches.digest OR nameservers.digest IS NULL OR batches.digest IS NULL), false)) AS proof (is_given)
  LEFT JOIN domains ON domains.id = $1
  LEFT JOIN LATERAL (
    SELECT seq, serial, kind FROM changes WHERE domain_id = $1 AND seq <= nameservers.seq ORDER BY seq DESC LIMIT 1) done ON true
  LEFT JOIN LATERAL (
    SELECT serial, kind, soa_before FROM changes WHERE domain_id = $1 AND seq > nameservers.seq ORDER BY seq LIMIT 1) coming ON true
  ORDER BY nameservers.name, nameservers.id`;
