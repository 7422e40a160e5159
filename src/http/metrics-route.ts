// What Prometheus scrapes. Where customers come in too, it is for keys of scope admin; else for whoever gets there.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../base/log.ts';
import { findMetricsRefusal } from '../operations/authorise.ts';
import type { Admission } from './admission.ts';
import { answerDone, type Answer } from './answer.ts';
import { sendAnswer } from './send-answer.ts';

export const metricsPath = '/metrics';

export interface MetricsText {
  readonly contentType: string;
  /** All metrics, as they are now. */
  render(): Promise<string>;
}

/** @param admission left out: open */
export function registerMetricsRoute(
  app: FastifyInstance,
  options: { readonly metrics: MetricsText; readonly log: Log; readonly admission?: Admission | undefined },
): void {
  const { metrics, log, admission } = options;
  app.get(metricsPath, async (request, reply) => {
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
  const refused = findMetricsRefusal(caller);
  return refused && answerDone(refused);
}
