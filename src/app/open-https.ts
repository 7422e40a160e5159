import { systemClock } from '../base/clock.ts';
import type { TlsFiles } from '../http/tls-files.ts';
import type { HttpsListener } from '../http/tls-listener.ts';
import type { TlsPair } from '../http/tls-pair.ts';
import { watchCertificate } from '../metrics/watch-certificate.ts';
import { tlsPathsOf } from './check-tls-files.ts';
import type { RunningParts } from './running-parts.ts';
import type { StartOptions } from './service-options.ts';
import type { FoundProblem, ServiceProblems } from './service-problems.ts';

/**
 * Follows the certificate of HTTPS, and reports it in `/readyz`, the metrics and the log. Files that cannot be used keep
 * neither plain HTTP nor DNS from starting; HTTPS works as soon as they can.
 *
 * @returns undefined without TLS
 */
export async function openHttps(
  { config, sockets, log, metrics }: StartOptions,
  problems: ServiceProblems,
  parts: RunningParts,
): Promise<HttpsListener | undefined> {
  const paths = tlsPathsOf(config);
  if (config.https === null || paths === undefined) return undefined;
  const { TlsFiles: Files } = await import('../http/tls-files.ts');
  const files = await Files.open(paths, log);
  parts.add(() => files.close());
  problems.add('certificate_unusable', () => describeUnusable(files));
  problems.add('certificate_expiring', () => describeExpiry(files.current, systemClock.nowMs()));
  watchCertificate(metrics.registry, () => {
    const { current } = files;
    return current === undefined ? null : (current.validToMs - systemClock.nowMs()) / 1000;
  });
  return { address: config.https, descriptor: sockets.https, files };
}

function describeUnusable({
  problem,
  current,
}: Pick<TlsFiles, 'problem' | 'current'>): FoundProblem | undefined {
  if (problem === undefined) return undefined;
  const effect = current === undefined ? 'HTTPS cannot be used' : 'the certificate before it stays in use';
  return { message: `${sentence(problem)}; ${effect}`, isSevere: false };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const DAY_MS = 86_400_000;

/**
 * Tools renew a certificate when a third of its lifetime is left. At half of that, renewing has failed for a while, and for
 * one that is renewed by hand, two weeks are enough.
 */
const EXPIRING_SHARE = 1 / 6;
const EXPIRING_MS = 14 * DAY_MS;

export function describeExpiry(pair: TlsPair | undefined, nowMs: number): FoundProblem | undefined {
  if (pair === undefined) return undefined;
  const { validFromMs, validToMs } = pair;
  const leftMs = validToMs - nowMs;
  if (validFromMs > nowMs)
    return { message: `The certificate of HTTPS is valid only from ${dateOf(validFromMs)}`, isSevere: false };
  if (leftMs <= 0)
    return { message: `The certificate of HTTPS has expired on ${dateOf(validToMs)}`, isSevere: false };
  if (leftMs > Math.min(EXPIRING_MS, (validToMs - validFromMs) * EXPIRING_SHARE)) return undefined;
  return { message: `The certificate of HTTPS expires on ${dateOf(validToMs)}`, isSevere: false };
}

function dateOf(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace('T', ' at ')} UTC`;
}
