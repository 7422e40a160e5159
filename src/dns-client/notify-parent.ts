/**
 * Tells the parent zone of a domain that its CDS records have changed (RFC 9859), so that a registry looks at once instead of
 * once a day:
 *
 *     DSYNC records ─▶ addresses of their targets ─▶ NOTIFY(CDS) to one address after another, until one answers
 *
 * A notification says nothing but the name of the domain. Who may be sent one is limited as for all look-ups, see
 * `ParentLookup`; besides, ports below 1024 other than 53 belong to services that are no scanners of CDS records.
 */
import { randomInt } from 'node:crypto';
import { rrType } from '../dns/codes.ts';
import { readMessage } from '../dns/message/read-message.ts';
import { writeQuery } from '../dns/message/write-query.ts';
import { equalDomainNames, lowerDomainName, type DomainName } from '../dns/name.ts';
import { createAskResolvers, type Ask } from './ask-resolvers.ts';
import { DnsFailure } from './dns-failure.ts';
import { findAddresses } from './find-nameservers.ts';
import { findNotifyTargets, type NotifyTarget } from './find-notify-targets.ts';
import { openUdpSocket } from './open-udp-socket.ts';
import type { ParentLookup } from './parent-lookup.ts';
import { isPublicAddress } from './public-address.ts';
import type { ServerAddress } from './server-address.ts';

/** Addresses that are tried for one domain: two targets with an address of each family. */
const MAX_ADDRESSES = 4;

/** The waits for an answer of one address, in milliseconds; each follows a packet. A lost packet is a day at most. */
const answerWaitsMs = [1000, 2000, 4000];

const FIRST_FREE_PORT = 1024;
const DNS_PORT = 53;

/**
 * - `told`: an address has answered, with any code: it is up to the parent zone.
 * - `unwanted`: the parent zone has no DSYNC record for this, or none of an address that may be sent anything.
 * - `silent`: no address has answered.
 */
export type Notified = 'told' | 'unwanted' | 'silent';

/** @throws DnsFailure if no resolver answers; the reason of an aborted signal */
export async function notifyParent(domain: DomainName, lookup: ParentLookup): Promise<Notified> {
  const name = lowerDomainName(domain);
  const ask = createAskResolvers(lookup.resolvers, lookup);
  const targets = await findNotifyTargets(name, ask);
  const addresses: ServerAddress[] = [];
  for (const target of targets) addresses.push(...(await findTargetAddresses(target, ask, lookup)));
  if (addresses.length === 0) return 'unwanted';
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    lookup.signal?.throwIfAborted();
    if (await notify(address, name, lookup.signal)) return 'told';
  }
  return 'silent';
}

async function findTargetAddresses(
  { host, port }: NotifyTarget,
  ask: Ask,
  lookup: ParentLookup,
): Promise<readonly ServerAddress[]> {
  const found = await findAddresses(host, ask, lookup);
  return found.flatMap(({ address }) => {
    if (address === undefined) return [];
    const to = { host: address.host, port };
    if (!isPublicAddress(to.host))
      return lookup.privateServers.some((server) => server.host === to.host && server.port === port)
        ? [to]
        : [];
    return port === DNS_PORT || port >= FIRST_FREE_PORT ? [to] : [];
  });
}

/** Returns whether an answer came. */
async function notify(
  server: ServerAddress,
  name: DomainName,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const id = randomInt(0x10000);
  const packet = writeQuery({
    id,
    name,
    type: rrType.CDS,
    recursionDesired: false,
    payloadOctets: null,
    isNotify: true,
  });
  let socket;
  try {
    socket = await openUdpSocket(server);
  } catch (error) {
    if (error instanceof DnsFailure) return false;
    throw error;
  }
  const open = socket;
  try {
    return await new Promise<boolean>((resolve) => {
      let sent = 0;
      let timer: NodeJS.Timeout | undefined;
      const end = (isAnswered: boolean): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(isAnswered);
      };
      const giveUp = (): void => end(false);
      const send = (): void => {
        const waitMs = answerWaitsMs.at(sent++);
        if (waitMs === undefined) {
          end(false);
          return;
        }
        open.send(packet);
        timer = setTimeout(send, waitMs);
      };
      open.on('message', (bytes: Uint8Array) => {
        const answer = readMessage(bytes);
        if (answer.ok && answer.value.isResponse && answer.value.id === id) end(isAbout(answer.value, name));
      });
      // Nothing listens there.
      open.on('error', giveUp);
      signal?.addEventListener('abort', giveUp, { once: true });
      send();
    });
  } finally {
    open.close();
  }
}

/** Some servers leave the question out. */
function isAbout(
  { question }: { readonly question: { readonly name: DomainName } | undefined },
  name: DomainName,
): boolean {
  return question === undefined || equalDomainNames(question.name, name);
}
