// Validating resolvers that live as long as a rollover and enter each stage with data of the stage before, each with other
// data: keys of one stage then meet signatures and DS records of the other in every combination. After each stage everything
// is forgotten, as it is in the service, where a TTL passes between two steps.
//
//   a cache of its own:      Unbound, which validates ─▶ nameservers
//   the cache of another:    Unbound, which validates and has forgotten everything ─▶ Unbound, which caches ─▶ nameservers
//
// Unbound validates everything before it keeps it, also for queries with CD, and never again: only the cache of another can
// hold signatures that are validated with keys of a later stage.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  startValidatingResolver,
  type ResolverPlan,
  type ValidatingResolver,
} from '../../interop/moving/validating-resolver.ts';
import type { Question } from './nasty-zone.ts';

interface CacheKind {
  readonly name: string;
  /** The questions that are asked before a stage. */
  readonly asks: (
    questions: readonly Question[],
    apex: string,
  ) => readonly (readonly [name: string, type: string])[];
  /** True: it is the resolver's own cache. */
  readonly isOwn: boolean;
}

const keyTypes: readonly string[] = ['DNSKEY', 'CDS', 'CDNSKEY'];

const cacheKinds: readonly CacheKind[] = [
  {
    name: 'its own cache, with the keys and half of the answers',
    asks: (questions) => questions.filter((_, i) => i % 2 === 0).map(({ name, type }) => [name, type]),
    isOwn: true,
  },
  {
    name: "another's cache, with half of the answers and no keys",
    asks: (questions) =>
      questions
        .filter(({ type }, i) => i % 2 === 1 && !keyTypes.includes(type))
        .map(({ name, type }) => [name, type]),
    isOwn: false,
  },
  { name: 'its own cache, with the DS records alone', asks: (_, apex) => [[apex, 'DS']], isOwn: true },
  {
    name: "another's cache, with the key sets alone",
    asks: (_, apex) => keyTypes.map((type) => [apex, type]),
    isOwn: false,
  },
];

export interface Cache {
  readonly name: string;
  /** It validates. */
  readonly resolver: ValidatingResolver;
  /** Has the nameservers of a zone asked at another address. */
  redirect(zone: string, address: string): Promise<void>;
  /** Forgets everything about a zone and those below, and asks the questions of its kind. */
  prepare(zone: string, content: readonly CachedZone[]): Promise<void>;
  stop(): Promise<void>;
}

export interface CachedZone {
  readonly apex: string;
  readonly questions: readonly Question[];
}

export function startCaches(plan: ResolverPlan): Promise<Cache[]> {
  return Promise.all(cacheKinds.map((kind, i) => startCache(kind, join(plan.folder, `cache-${i}`), plan)));
}

async function startCache(
  { name, asks, isOwn }: CacheKind,
  folder: string,
  plan: ResolverPlan,
): Promise<Cache> {
  mkdirSync(folder);
  const cache = await startValidatingResolver({ ...plan, folder, validates: isOwn });
  const behind = join(folder, 'behind');
  mkdirSync(behind);
  const resolver = isOwn
    ? cache
    : await startValidatingResolver({ ...plan, folder: behind, zones: { forwarder: cache.address } });
  const all = new Set([cache, resolver]);
  return {
    name,
    resolver,
    redirect: (zone, address) => cache.redirect(zone, address),
    async prepare(zone, content) {
      for (const each of all) await each.flush(zone);
      const asked = content.flatMap(({ apex, questions }) => asks(questions, apex));
      const answers = await cache.lookUp(asked);
      const failed = answers.find(({ status }) => status !== 'NOERROR' && status !== 'NXDOMAIN');
      if (failed !== undefined) throw new Error(`${name}: a question has failed before\n${failed.text}`);
    },
    async stop() {
      for (const each of all) await each.stop();
    },
  };
}
