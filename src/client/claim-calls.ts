import type { ClaimJson } from '../contract/claim-shape.ts';
import { getOne } from './get-one.ts';
import { domainPath } from './list-pages.ts';
import { memberOf } from './read-answer.ts';
import type { Endpoint } from './send-request.ts';
import { sendWrite } from './send-write.ts';

/** The calls of `client.domains` that are about who controls a domain. */
export interface ClaimCalls {
  /** Returns whether control of the domain was shown, and how to show it. */
  claim(domain: string): Promise<ClaimJson>;
  /** Looks now whether control was shown; the domain is served from then on. */
  checkClaim(domain: string): Promise<ClaimJson>;
  /** Looks until control was shown, or the time is up. */
  waitForClaim(domain: string, wait: ClaimWait): Promise<ClaimJson>;
  /** Vouches for an account that controls the domain; needs an admin key. */
  verify(domain: string, account: string): Promise<ClaimJson>;
}

export interface ClaimWait {
  readonly timeoutSeconds: number;
  /** Called with every answer except the last. */
  readonly onUnverified?: (claim: ClaimJson) => void;
}

/** Between two looks: a change at a registry takes minutes, one at a nameserver seconds. */
const WAIT_STEP_SECONDS = 10;

export function createClaimCalls(endpoint: Endpoint): ClaimCalls {
  const post = (path: string): Promise<ClaimJson> =>
    sendWrite(endpoint, 'POST', path, {}, undefined, (answer) => memberOf(answer, 'claim') as ClaimJson);
  const check = (domain: string): Promise<ClaimJson> => post(`${domainPath(domain)}/claim/check`);
  return {
    claim: (domain) => getOne(endpoint, `${domainPath(domain)}/claim`, 'claim'),
    checkClaim: check,
    waitForClaim: async (domain, { timeoutSeconds, onUnverified }) => {
      let claim = await check(domain);
      for (let leftSeconds = timeoutSeconds; claim.state === 'unverified' && leftSeconds > 0;) {
        onUnverified?.(claim);
        const seconds = Math.min(WAIT_STEP_SECONDS, leftSeconds);
        leftSeconds -= seconds;
        await endpoint.sleep(seconds * 1000);
        claim = await check(domain);
      }
      return claim;
    },
    verify: (domain, account) => post(`/accounts/${encodeURIComponent(account)}${domainPath(domain)}/verify`),
  };
}
