import { useQuery } from '@tanstack/react-query';
import type { DomainJson, PropagationJson } from '../../../src/contract/response-shapes.ts';
import { isNewerSerial } from '../../../src/dns/serial.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';

/** While a nameserver is behind, at first; each look doubles it. */
const BEHIND_MS = 1_000;
/** While all are current, or one stays behind, such as one that was taken away. */
const CURRENT_MS = 30_000;

const propagationKey = (domain: string) => ['propagation', domain] as const;

/** Which nameservers have the latest change. */
export function usePropagation(domain: string) {
  return useQuery({
    queryKey: propagationKey(domain),
    queryFn: () => service.domains.propagation(domain),
    refetchInterval: ({ state: { data, status, dataUpdateCount } }) =>
      status === 'success' && data?.current === false
        ? Math.min(BEHIND_MS * 2 ** (dataUpdateCount - 1), CURRENT_MS)
        : CURRENT_MS,
  });
}

/** Reads the domain itself. It can be withheld while somebody looks. */
export function useDomain(domain: string) {
  return useQuery({
    queryKey: ['domain', domain],
    queryFn: () => service.domains.get(domain),
    refetchInterval: CURRENT_MS,
  });
}

export interface LiveReport {
  readonly serial: number;
  readonly current: boolean;
  /** Nameservers that serve the serial, and have reported it within the last seconds. */
  readonly live: readonly string[];
  /** Those that report, and do not serve it yet. */
  readonly behind: readonly string[];
  /** Those of which nothing is known now. */
  readonly silent: readonly string[];
}

/**
 * Tells where a domain is live, as its nameservers say. Undefined: nothing is known now, or the domain is withheld, so that nobody serves it.
 *
 * @param serial asked about; absent: the latest one
 */
export function useLiveReport(domain: string, serial?: number): LiveReport | undefined {
  const { data, isError } = usePropagation(domain);
  const { data: facts } = useDomain(domain);
  if (data === undefined || isError || facts === undefined || isWithheld(facts)) return undefined;
  // The nameservers were asked about a serial before.
  if (serial !== undefined && isNewerSerial(serial, data.serial)) return undefined;
  const namesOf = (isAsked: (server: PropagationJson['nameservers'][number]) => boolean): string[] =>
    data.nameservers.filter(isAsked).map(({ name }) => name);
  return {
    serial: data.serial,
    current: data.current,
    live: namesOf(({ live, current }) => live && current),
    behind: namesOf(({ live, current }) => live && !current),
    silent: namesOf(({ live }) => !live),
  };
}

function isWithheld({ withheld = [] }: DomainJson): boolean {
  return withheld.length > 0;
}

/** Call after a write: what was known is about the serial before. */
export function lookAtPropagation(domain: string): void {
  void queryClient.resetQueries({ queryKey: propagationKey(domain) });
}
