import { monotonicClock } from '../base/clock.ts';
import { ResolverQuestions } from '../dns-client/resolver-questions.ts';
import type { AskedResolvers } from '../operations/asked-answer.ts';
import type { Config } from './config-settings.ts';

/** Undefined if customers can have nobody asked. */
export function askedResolversOf({
  askedResolvers: allowed,
}: Pick<Config, 'askedResolvers'>): AskedResolvers | undefined {
  return allowed === 'none' ? undefined : new ResolverQuestions({ allowed, monotonic: monotonicClock });
}
