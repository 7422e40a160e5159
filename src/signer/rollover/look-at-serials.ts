/**
 * Looks at the serials that the nameservers of a domain serve: those of this service tell theirs to the store, and every
 * nameserver in the zone of the domain, secondaries included, is asked over DNS.
 */
import { askSerials, type ServerSerial } from '../../dns-client/ask-serials.ts';
import { DnsFailure } from '../../dns-client/dns-failure.ts';
import type { ParentLookup } from '../../dns-client/parent-lookup.ts';
import type { DomainName } from '../../dns/name.ts';
import type { Domain } from '../../model/domain.ts';
import type { ServedSerial, Store } from '../../store/store.ts';
import type { SerialLook } from './obstacles.ts';

export interface SerialLookOptions {
  readonly store: Pick<Store, 'servedSerials'>;
  /** Undefined: nobody is asked over DNS, and only the service's own nameservers count. */
  readonly lookup: Omit<ParentLookup, 'signal'> | undefined;
}

/** A silent server takes four seconds, and so may the resolver before it. */
const DEADLINE_MS = 8000;

/** A silent server takes four times as long, see `DnsClient`. */
const ANSWER_TIMEOUT_MS = 1000;

/**
 * Own nameservers that are away count as well: they answer from their copies without the database, and catch up later.
 *
 * @param name the domain, in lower case
 * @throws StoreUnavailable
 */
export async function lookAtSerials(
  domain: Domain,
  name: DomainName,
  { store, lookup }: SerialLookOptions,
): Promise<SerialLook> {
  const own = (await store.servedSerials(domain)).map(toServerSerial);
  if (lookup === undefined) return { kind: 'asked', servers: own };
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DnsFailure('timeout', 'it did not answer in time')),
    DEADLINE_MS,
  );
  try {
    const options = { timeoutMs: ANSWER_TIMEOUT_MS, ...lookup, signal: deadline.signal };
    return { kind: 'asked', servers: [...own, ...(await askSerials(name, options))] };
  } catch (error) {
    if (error instanceof DnsFailure) return { kind: 'unknown', reason: error.message };
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function toServerSerial({ nameserver, serial }: ServedSerial): ServerSerial {
  if (serial !== null) return { name: nameserver, address: undefined, serial };
  const problem = { kind: 'refused', message: 'it does not serve the domain yet' } as const;
  return { name: nameserver, address: undefined, problem };
}
