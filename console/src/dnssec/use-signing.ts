import { useMutation, useQuery } from '@tanstack/react-query';
import type { SigningStatusJson } from '../../../src/contract/signing-status-shape.ts';
import { relistDomain } from '../domains/use-domains.ts';
import { lookAtPropagation, useDomain } from '../domains/use-propagation.ts';
import { queryClient } from '../service/query-client.ts';
import { service } from '../service/service-client.ts';

const signingKey = (domain: string) => ['dnssec', domain] as const;

/** While signatures are made, and while a step waits for the parent zone, which the service asks once a minute. */
const WORK_MS = 2_000;
const WAIT_MS = 60_000;

const waiting: ReadonlySet<SigningStatusJson['state']> = new Set([
  'waiting_for_ds',
  'rolling',
  'going_insecure',
  'moving_away',
]);

/** How a domain is signed, and what its parent zone has. */
export function useSigning(domain: string) {
  return useQuery({
    queryKey: signingKey(domain),
    queryFn: () => service.domains.dnssecStatus(domain),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (data.progress !== null || data.state === 'signing') return WORK_MS;
      return waiting.has(data.state) ? WAIT_MS : false;
    },
  });
}

/** The keys of a signed domain, with their DNSKEY records. */
export function useZoneKeys(domain: string, isSigned = true) {
  return useQuery({
    queryKey: [...signingKey(domain), 'keys'],
    queryFn: () => service.domains.zoneKeys(domain),
    enabled: isSigned,
  });
}

/** Whether another signer has signed the domain, so that only a newly signed file changes it. False while that is not known. */
export function useIsPresigned(domain: string): boolean {
  const { data } = useDomain(domain);
  const keys = useZoneKeys(domain, data?.dns_sec === 'enabled');
  return keys.data !== undefined && isPresigned({ keys: keys.data });
}

/** Call after each write that changes how a domain is signed. */
export async function reloadSigning(domain: string): Promise<void> {
  lookAtPropagation(domain);
  // The list is right a moment later, or when it is read again.
  void relistDomain(domain).catch(() => undefined);
  void queryClient.invalidateQueries({ queryKey: ['delegation', domain] });
  void queryClient.invalidateQueries({ queryKey: ['domain', domain] });
  await queryClient.invalidateQueries({ queryKey: signingKey(domain) });
}

/** A write that changes how a domain is signed. @param onDone called afterwards */
export function useSigningWrite<T = void>(
  domain: string,
  send: (input: T) => Promise<unknown>,
  onDone: () => void = () => undefined,
) {
  return useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await reloadSigning(domain);
      onDone();
    },
  });
}

/** Whether the domain is signed, or is being signed. One that was can be rejected by resolvers because of its DS record. */
export function isSigned({ keys, state }: SigningStatusJson): boolean {
  return keys.length > 0 || state === 'signing';
}

/** Whether another signer has signed the zone: it is served as it is. */
export function isPresigned({
  keys,
}: {
  readonly keys: readonly Pick<SigningStatusJson['keys'][number], 'origin'>[];
}): boolean {
  return keys.some(({ origin }) => origin === 'file');
}

/** Whether the parent zone has a DS record of the domain; undefined: it is not known. */
export function hasDs({ state, ds: { seen } }: SigningStatusJson): boolean | undefined {
  const known = seen.filter(({ ds }) => ds !== null);
  if (known.some(({ ds }) => ds?.length !== 0)) return true;
  if (known.length > 0) return false;
  return isHosted({ state, ds: { seen } }) ? state !== 'waiting_for_ds' : undefined;
}

/** Whether the parent zone is a domain of the same account that no server was asked about: its records say what it has. */
export function isHosted({
  state,
  ds,
}: Pick<SigningStatusJson, 'state'> & { readonly ds: Pick<SigningStatusJson['ds'], 'seen'> }): boolean {
  const isKnown = state === 'secure' || state === 'bogus' || state === 'waiting_for_ds';
  return isKnown && ds.seen.length === 0;
}

/** Whether a step waits for the parent zone while no server of it answers: its owner can say then what it has. */
export function needsOwnersWord({ rollover, ds: { seen } }: SigningStatusJson): boolean {
  const isAsked = rollover?.step === 'announced' || rollover?.step === 'withdrawing';
  return isAsked && seen.every(({ ds, address }) => ds === null || address === null);
}

/** Why signing must not stop at once: resolvers would reject the domain, which they do not do now. */
export function isStopBlocked(status: SigningStatusJson): boolean {
  return hasDs(status) === true && status.state !== 'bogus';
}
