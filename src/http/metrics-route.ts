// The route that Prometheus scrapes. In a process that also serves the interface it needs a key of scope admin; in one that
// only serves DNS it is open.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { authorise, type AccessRule } from '../operations/authorise.ts';
import type { Admission } from './admission.ts';
import { answerError, type Answer } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

export const METRICS_PATH = '/metrics';

/** Metrics cover all accounts together. */
const metricsRule: AccessRule = {
  needs: 'metrics:read',
};

export interface MetricsText {
  readonly contentType: string;
  /** Returns the current values of all metrics. */
  render(): Promise<string>;
}

/** @param admission if absent, no key is needed */
export function registerMetricsRoute(
  app: FastifyInstance,
  options: { readonly metrics: MetricsText; readonly log: Log; readonly admission?: Admission | undefined },
): void {
  const { metrics, log, admission } = options;
  app.get(METRICS_PATH, async (request, reply) => {
    const refusal = admission && (await findRefusal(admission, request));
    const { contentType } = metrics;
    const answer = refusal ?? { status: 200, contentType, body: await metrics.render() };
    sendAnswer(request, reply, answer, log);
  });
}

async function findRefusal(admission: Admission, request: FastifyRequest): Promise<Answer | undefined> {
  const { caller, quota, refusal } = await admission.admit(request.raw);
  request.caller = caller;
  request.quota = quota;
  if (refusal !== undefined || caller === null) return refusal;
  const forbidden = authorise(caller, metricsRule);
  return forbidden && answerError(forbidden);
}
