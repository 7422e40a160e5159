// The JSON text of the explanation of an answer, as contract rule 86 defines it.
import { rrType } from '../dns/codes.ts';
import { formatRcode } from '../dns/format-rcode.ts';
import type { Message, MessageRecord } from '../dns/message.ts';
import { formatDomainName } from '../dns/name.ts';
import { formatRdata } from '../dns/rdata/rdata.ts';
import { formatRecordType } from '../dns/rdata/record-type-registry.ts';
import type { explainedStepCodes } from './explanation-shape.ts';

export interface ShownExplanation {
  readonly name: string;
  readonly type: number;
  readonly serial: number;
  readonly steps: readonly {
    readonly code: (typeof explainedStepCodes)[number];
    readonly name: string;
    readonly message: string;
    readonly records: readonly string[];
  }[];
  readonly prediction: {
    readonly rcode: number;
    readonly answer: readonly { readonly name: string; readonly type: number }[];
  } | null;
  readonly served: Message | null;
  readonly agrees: boolean | null;
  readonly note: string | null;
  readonly resolver: {
    readonly address: string;
    readonly answer: Message | { readonly problem: string };
    readonly durationMs: number | null;
  } | null;
}

/** `{"explanation":{"name","type","serial","steps":[…],"predicted","served","agrees","note","resolver"}}`. */
export function formatExplanationReply(explanation: ShownExplanation): string {
  const { name, type, serial, steps, prediction, served, agrees, note, resolver } = explanation;
  return JSON.stringify({
    explanation: {
      name,
      type: formatRecordType(type),
      serial,
      steps: steps.map(({ code, name: at, message, records }) => ({ code, name: at, message, records })),
      predicted: prediction && {
        rcode: formatRcode(prediction.rcode),
        answer: prediction.answer.map((set) => ({ name: set.name, type: formatRecordType(set.type) })),
      },
      served: served && {
        rcode: formatRcode(served.rcode),
        authoritative: served.isAuthoritative,
        answer: linesOf(served.answers),
        authority: linesOf(served.authorities),
        additional: linesOf(served.additionals),
      },
      agrees,
      note,
      resolver: resolver && resolverJson(resolver),
    },
  });
}

function resolverJson({ address, answer, durationMs }: NonNullable<ShownExplanation['resolver']>): object {
  const known = 'problem' in answer ? null : answer;
  return {
    address,
    rcode: known && formatRcode(known.rcode),
    authenticated: known && known.isAuthenticated,
    answer: known && linesOf(known.answers),
    duration_ms: durationMs,
    problem: 'problem' in answer ? answer.problem : null,
  };
}

/** The record of EDNS is about the message, and no record of a zone. */
function linesOf(records: readonly MessageRecord[]): readonly string[] {
  return records
    .filter(({ type }) => type !== rrType.OPT)
    .map(
      ({ owner, ttl, type, rdata }) =>
        `${formatDomainName(owner)} ${ttl} IN ${formatRecordType(type)} ${formatRdata(type, rdata)}`,
    );
}
