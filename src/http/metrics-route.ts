// The route that Prometheus scrapes. In a process that also serves the interface it needs a key of scope admin; in one that
// only serves DNS it is open.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { authorise, type AccessRule } from '../operations/authorise.ts';
import type { OperationContext } from '../operations/operation-context.ts';
import type { Admission } from './admission.ts';
import { answerError, type Answer } from './answer.ts';
import { noteRefused } from './note-refused.ts';
import { sendAnswer } from './send-answer.ts';

export const METRICS_PATH = '/metrics';

/** Metrics cover all accounts together. */
const metricsRule: AccessRule & { readonly id: string } = {
  id: 'getMetrics',
  needs: 'metrics:read',
};

export interface MetricsText {
  readonly contentType: string;
  /** Returns the current values of all metrics. */
  render(): Promise<string>;
}

/** A process that serves the interface, too, lets in only some keys, and notes whom it refuses. */
interface MetricsAccess {
  readonly admission: Admission;
  readonly context: Pick<OperationContext, 'trail' | 'sought'>;
}

/** @param access if absent, no key is needed */
export function registerMetricsRoute(
  app: FastifyInstance,
  options: { readonly metrics: MetricsText; readonly log: Log; readonly access?: MetricsAccess },
): void {
  const { metrics, log, access } = options;
  app.get(METRICS_PATH, async (request, reply) => {
    const refusal = access && (await findRefusal(access, request));
    const { contentType } = metrics;
    const answer = refusal ?? { status: 200, contentType, body: await metrics.render() };
    sendAnswer(request, reply, answer, log);
  });
}

async function findRefusal(
  { admission, context }: MetricsAccess,
  request: FastifyRequest,
): Promise<Answer | undefined> {
  const { caller, address, quota, refusal } = await admission.admit(request.raw);
  request.caller = caller;
  request.clientAddress = address;
  request.quota = quota;
  if (refusal !== undefined || caller === null) return refusal;
  const forbidden = authorise(caller, metricsRule);
  if (forbidden === undefined) return undefined;
  const answer = answerError(forbidden);
  noteRefused(context, request, metricsRule, answer);
  return answer;
}
